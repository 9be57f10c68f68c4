use crate::mem_store::MemTx;
use chrono::{DateTime, Utc};
use kernel::StoreError;
use raffle::{HeldRaffles, Openings, PageDifferences, RaffleKey, RaffleList, Raffles, Version, Versions};
use std::collections::BTreeMap;

impl Raffles for MemTx {
    fn list_raffles(&self) -> Result<RaffleList, StoreError> {
        Ok(self.0.raffles.list.clone())
    }

    fn page_differences(&self) -> Result<BTreeMap<RaffleKey, PageDifferences>, StoreError> {
        Ok(self.0.raffles.differences.clone())
    }

    /// Nothing to hold: transactions run one at a time.
    fn hold_raffles(&mut self) -> Result<HeldRaffles, StoreError> {
        Ok(HeldRaffles {
            raffles: self.0.raffles.list.clone(),
            since: self.0.clock.now(),
        })
    }

    fn hold_raffles_alone(&mut self) -> Result<HeldRaffles, StoreError> {
        self.hold_raffles()
    }

    fn save_openings(&mut self, raffle: RaffleKey, openings: &Openings) -> Result<(), StoreError> {
        let found = self
            .0
            .raffles
            .list
            .find(raffle)
            .map(|found| found.openings.clone());
        if !found.is_some_and(|before| self.keeps_the_past(&before, openings)) {
            return Err(StoreError::Failed("a raffle was open then".into()));
        }
        let mut raffles = self.0.raffles.list.0.iter_mut();
        if let Some(found) = raffles.find(|found| found.key == raffle) {
            found.openings = openings.clone();
        }
        Ok(())
    }
}

impl MemTx {
    /// What has begun stays, as in the database.
    fn keeps_the_past(&self, before: &Openings, after: &Openings) -> bool {
        let now = self.0.clock.now();
        let begun = |openings: &Openings| -> Vec<_> {
            let begun = openings
                .as_slice()
                .iter()
                .filter(|opening| opening.opens_at <= now);
            begun
                .map(|opening| (opening.opens_at, opening.closes_at.filter(|end| *end <= now)))
                .collect()
        };
        let (was, is) = (begun(before), begun(after));
        let kept = |(was, is): (&(_, Option<_>), &(_, Option<_>))| {
            was.0 == is.0 && (was.1.is_none() || was.1 == is.1)
        };
        was.len() <= is.len() && was.iter().zip(&is).all(kept)
    }
}

impl Versions for MemTx {
    fn version_in_force(&self, raffle: RaffleKey, at: DateTime<Utc>) -> Result<Option<Version>, StoreError> {
        let of_raffle = self
            .0
            .raffles
            .versions
            .iter()
            .filter(|version| version.raffle == raffle);
        let by_then = of_raffle.filter(|version| version.takes_effect_at <= at);
        Ok(by_then.max_by_key(|version| version.number).cloned())
    }
}
