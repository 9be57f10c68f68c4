use crate::mem_store::MemTx;
use crate::state::fraud::StoredAppeal;
use crate::state::{count, next_id, storable};
use chrono::{DateTime, Utc};
use fraud::{
    Appeal, AppealCase, AppealId, AppealOutcome, AppealStatus, Appeals, DecisionOutcome, Hold, NewAppeal,
    Verdict,
};
use kernel::{EntrantId, PageRequest, StoreError};
use std::cmp::Reverse;

impl MemTx {
    /// What the end of a flag does to the entrant's open appeal.
    pub(super) fn accept_open_appeal(&mut self, entrant: EntrantId, at: DateTime<Utc>) {
        let mut appeals = self.0.fraud.appeals.iter_mut();
        if let Some(open) = appeals.find(|stored| stored.is_open_of(entrant)) {
            open.decide(AppealStatus::Accepted, None, at);
        }
    }
}

impl Appeals for MemTx {
    fn find_hold(&self, entrant: EntrantId) -> Result<Option<Hold>, StoreError> {
        let flag = self.0.fraud.flags.get(&entrant);
        let is_duplicate = self.0.people.mark_of(entrant).is_some();
        Ok(flag.map(|flag| Hold::new(flag.public_reason, is_duplicate, flag.evidence.clone())))
    }

    fn newest_appeal(&self, entrant: EntrantId) -> Result<Option<Appeal>, StoreError> {
        let mut newest_first = self.0.fraud.appeals.iter().rev();
        let newest = newest_first.find(|stored| stored.entrant == entrant);
        Ok(newest.map(|stored| stored.appeal.clone()))
    }

    fn add_appeal(&mut self, new: &NewAppeal) -> Result<AppealOutcome, StoreError> {
        storable([new.message.as_str()])?;
        let fraud = &mut self.0.fraud;
        let Some(flag) = fraud.flags.get(&new.entrant) else {
            return Ok(AppealOutcome::NotFlagged);
        };
        if fraud.appeals.iter().any(|stored| stored.is_open_of(new.entrant)) {
            return Ok(AppealOutcome::AlreadyOpen);
        }
        let id = AppealId::new(next_id(fraud.appeals.len()));
        let appeal = Appeal {
            id,
            message: new.message.as_str().to_owned(),
            status: AppealStatus::Open,
            note: None,
            created_at: new.at,
            decided_at: None,
        };
        fraud.appeals.push(StoredAppeal {
            entrant: new.entrant,
            appeal,
            flag: flag.clone(),
        });
        Ok(AppealOutcome::Added(id))
    }

    fn decide_appeal(&mut self, id: AppealId, verdict: &Verdict) -> Result<DecisionOutcome, StoreError> {
        let note = verdict.note.as_ref().map(|note| note.as_str().to_owned());
        storable(note.as_deref())?;
        let mut appeals = self.0.fraud.appeals.iter_mut();
        let Some(stored) = appeals.find(|stored| stored.appeal.id == id) else {
            return Ok(DecisionOutcome::UnknownAppeal);
        };
        if stored.appeal.status != AppealStatus::Open {
            return Ok(DecisionOutcome::DecidedBefore);
        }
        stored.decide(verdict.decision.status(), note, verdict.at);
        Ok(DecisionOutcome::Decided(stored.entrant))
    }

    fn find_appeal(&self, id: AppealId) -> Result<Option<AppealCase>, StoreError> {
        let mut appeals = self.0.fraud.appeals.iter();
        let found = appeals.find(|stored| stored.appeal.id == id);
        Ok(found.and_then(|stored| self.0.case(stored)))
    }

    fn appeals_of(&self, entrant: EntrantId) -> Result<Vec<AppealCase>, StoreError> {
        let newest_first = self.0.fraud.appeals.iter().rev();
        let of_entrant = newest_first.filter(|stored| stored.entrant == entrant).take(100);
        Ok(of_entrant.filter_map(|stored| self.0.case(stored)).collect())
    }

    fn list_appeals(
        &self,
        status: Option<AppealStatus>,
        page: PageRequest,
    ) -> Result<Vec<AppealCase>, StoreError> {
        let mut appeals: Vec<_> = self.0.appeals_with(status).collect();
        appeals.sort_by_key(|stored| {
            let Appeal { id, decided_at, .. } = stored.appeal;
            match decided_at {
                None => (false, Reverse(None), Reverse(-id.get())),
                decided => (true, Reverse(decided), Reverse(id.get())),
            }
        });
        let part = appeals
            .into_iter()
            .skip(page.offset as usize)
            .take(page.limit as usize);
        Ok(part.filter_map(|stored| self.0.case(stored)).collect())
    }

    fn count_appeals(&self, status: Option<AppealStatus>) -> Result<i64, StoreError> {
        Ok(count(self.0.appeals_with(status)))
    }
}
