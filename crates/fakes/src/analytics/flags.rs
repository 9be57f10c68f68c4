use super::count;
use crate::mem_store::MemTx;
use analytics::{FlagOutcome, FlaggedEntrant, Flags, MULTIPLE_ACCOUNTS, NewFlag};
use chrono::{DateTime, Utc};
use kernel::{EntrantId, PageRequest, StoreError};

impl Flags for MemTx {
    fn flag(&mut self, flag: &NewFlag) -> Result<FlagOutcome, StoreError> {
        if self.0.entrant(flag.entrant).is_none() {
            return Ok(FlagOutcome::UnknownEntrant);
        }
        if self.0.analytics.flags.contains_key(&flag.entrant) {
            return Ok(FlagOutcome::Unchanged);
        }
        self.0
            .analytics
            .flags
            .insert(flag.entrant, (flag.reason.clone(), flag.at));
        Ok(FlagOutcome::Changed)
    }

    fn unflag(&mut self, entrant: EntrantId, _: DateTime<Utc>) -> Result<FlagOutcome, StoreError> {
        if self.0.entrant(entrant).is_none() {
            return Ok(FlagOutcome::UnknownEntrant);
        }
        if self.0.analytics.flags.remove(&entrant).is_none() {
            return Ok(FlagOutcome::Unchanged);
        }
        self.0.analytics.unflagged.insert(entrant);
        Ok(FlagOutcome::Changed)
    }

    fn flag_suspicious(&mut self, accounts_per_address: u32, at: DateTime<Utc>) -> Result<i64, StoreError> {
        let mut flagged = 0;
        for (address, ids) in self.0.accounts() {
            let accounts = count(ids.iter());
            let analytics = &mut self.0.analytics;
            let checked = analytics.checked.get(&address).copied().unwrap_or(0);
            if accounts < i64::from(accounts_per_address.max(2)) || accounts <= checked {
                continue;
            }
            analytics.checked.insert(address, accounts);
            for id in ids {
                if analytics.flags.contains_key(&id) || analytics.unflagged.contains(&id) {
                    continue;
                }
                analytics
                    .flags
                    .insert(id, (format!("{MULTIPLE_ACCOUNTS}{address}"), at));
                flagged += 1;
            }
        }
        Ok(flagged)
    }

    fn list_flagged(&self, page: PageRequest) -> Result<Vec<FlaggedEntrant>, StoreError> {
        let state = &self.0;
        let row = |(id, (reason, flagged_at)): (&EntrantId, &(String, DateTime<Utc>))| {
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
                reason: reason.clone(),
                flagged_at: *flagged_at,
            })
        };
        let mut rows: Vec<_> = state.analytics.flags.iter().filter_map(row).collect();
        rows.sort_by_key(|row| std::cmp::Reverse((row.flagged_at, row.id)));
        Ok(rows
            .into_iter()
            .skip(page.offset as usize)
            .take(page.limit as usize)
            .collect())
    }

    fn count_flagged(&self) -> Result<i64, StoreError> {
        Ok(count(self.0.analytics.flags.iter()))
    }
}
