use crate::mem_store::MemTx;
use crate::search::found;
use crate::state::fraud::Flag;
use crate::state::{count, directed, storable};
use chrono::{DateTime, Utc};
use fraud::{
    Detected, FlagOutcome, FlaggedEntrant, FlaggedFilter, FlaggedSort, Flags, FraudRules, NewFlag,
    reason_of_detection,
};
use kernel::{EntrantId, PageRequest, SortOrder, StoreError};
use referral::{Credit, CreditChange};
use std::cmp::Ordering;

impl MemTx {
    /// Flags a new entrant whose number was flagged when it was erased.
    pub(crate) fn flag_recalled(&mut self, entrant: EntrantId) {
        let flag = Flag {
            reason: "This number was flagged before its data was erased".to_owned(),
            public_reason: None,
            evidence: Vec::new(),
            at: self.0.clock.now(),
        };
        self.0.fraud.flags.insert(entrant, flag);
        self.reverse_referral(entrant);
    }
}

impl Flags for MemTx {
    fn flag(&mut self, flag: &NewFlag) -> Result<FlagOutcome, StoreError> {
        storable([flag.reason.as_str()])?;
        if self.0.entrant(flag.entrant).is_none() {
            return Ok(FlagOutcome::UnknownEntrant);
        }
        if self.0.fraud.flags.contains_key(&flag.entrant) {
            return Ok(FlagOutcome::Unchanged);
        }
        let at = self.0.clock.now();
        let set = Flag {
            reason: flag.reason.clone(),
            public_reason: Some(flag.public_reason),
            evidence: Vec::new(),
            at,
        };
        self.0.fraud.flags.insert(flag.entrant, set);
        self.reverse_referral(flag.entrant);
        Ok(FlagOutcome::Changed)
    }

    fn unflag(&mut self, entrant: EntrantId, at: DateTime<Utc>) -> Result<FlagOutcome, StoreError> {
        if self.0.entrant(entrant).is_none() {
            return Ok(FlagOutcome::UnknownEntrant);
        }
        if self.0.fraud.flags.remove(&entrant).is_none() {
            return Ok(FlagOutcome::Unchanged);
        }
        self.0.fraud.unflagged.insert(entrant);
        self.accept_open_appeal(entrant, at);
        self.change_credit(entrant, Credit::restore);
        self.0.people.end_mark(entrant);
        Ok(FlagOutcome::Changed)
    }

    fn flag_suspicious(&mut self, rules: &FraudRules) -> Result<Detected, StoreError> {
        let at = self.0.clock.now();
        let mut flagged = 0;
        for (network, accounts) in self.0.networks() {
            let checked = self.0.fraud.checked.entry(network).or_default();
            if (accounts.len() as u64) < rules.suspicious_from().into() || accounts.len() <= *checked {
                continue;
            }
            *checked = accounts.len();
            for finding in rules.examine(self.is_shared(network), accounts) {
                let flag = Flag {
                    reason: reason_of_detection(network),
                    public_reason: None,
                    evidence: finding.evidence,
                    at,
                };
                self.0.fraud.flags.insert(finding.entrant, flag);
                self.reverse_referral(finding.entrant);
                flagged += 1;
            }
        }
        Ok(Detected {
            flagged,
            is_complete: true,
        })
    }

    fn find_flagged(&self, entrant: EntrantId) -> Result<Option<FlaggedEntrant>, StoreError> {
        let flagged = self.flagged(&FlaggedFilter::default());
        Ok(flagged.into_iter().find(|flagged| flagged.id == entrant))
    }

    fn list_flagged(
        &self,
        filter: &FlaggedFilter,
        sort: FlaggedSort,
        order: SortOrder,
        page: PageRequest,
    ) -> Result<Vec<FlaggedEntrant>, StoreError> {
        let mut rows = self.flagged(filter);
        rows.sort_by(|one, other| directed(order, compare(sort, one, other)));
        let part = rows.into_iter().skip(page.offset as usize);
        Ok(part.take(page.limit as usize).collect())
    }

    fn count_flagged(&self, filter: &FlaggedFilter) -> Result<i64, StoreError> {
        Ok(count(self.flagged(filter).iter()))
    }
}

impl MemTx {
    /// Takes back the entry for this friend, unless it is taken back already or was cleared.
    fn reverse_referral(&mut self, friend: EntrantId) {
        self.change_credit(friend, Credit::reverse);
    }

    fn change_credit(&mut self, friend: EntrantId, change: fn(Credit) -> Option<CreditChange>) {
        let Some((credit, moves)) = self.0.credits.get(&friend).copied() else {
            return;
        };
        let is_moved_out = moves < self.0.move_count(credit.referrer);
        if let Some((credit, row)) = change(Credit {
            is_moved_out,
            ..credit
        }) {
            self.0.credits.insert(friend, (credit, moves));
            row.into_iter().for_each(|row| self.0.post(credit.referrer, row));
        }
    }

    fn flagged(&self, filter: &FlaggedFilter) -> Vec<FlaggedEntrant> {
        let state = &self.0;
        let row = |(id, flag): (&EntrantId, &Flag)| {
            let entrant = state.entrant(*id)?;
            let address = state
                .addresses
                .iter()
                .find(|(of, _)| of == id)
                .and_then(|(_, address)| *address);
            Some(FlaggedEntrant {
                id: *id,
                phone: entrant.phone.clone(),
                raffle: entrant.raffle,
                total_entries: entrant.entries.total(),
                address,
                created_at: entrant.created_at,
                reason: flag.reason.clone(),
                evidence: flag.evidence.clone(),
                flagged_at: flag.at,
            })
        };
        let rows = state.fraud.flags.iter().filter_map(row);
        rows.filter(|row| matches(filter, row)).collect()
    }
}

fn matches(filter: &FlaggedFilter, row: &FlaggedEntrant) -> bool {
    let address = row.address.map(|address| address.to_string()).unwrap_or_default();
    found(filter.search.as_ref(), &[&address, &row.reason], &row.phone)
        && filter.raffle.is_none_or(|raffle| row.raffle == raffle)
        && filter.after.is_none_or(|after| row.position() < after)
}

fn compare(sort: FlaggedSort, one: &FlaggedEntrant, other: &FlaggedEntrant) -> Ordering {
    let by_column = match sort {
        FlaggedSort::FlaggedAt => one.flagged_at.cmp(&other.flagged_at),
        FlaggedSort::CreatedAt => one.created_at.cmp(&other.created_at),
        FlaggedSort::TotalEntries => one.total_entries.cmp(&other.total_entries),
    };
    by_column.then(one.id.cmp(&other.id))
}
