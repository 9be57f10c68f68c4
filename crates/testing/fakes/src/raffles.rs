use crate::mem_store::MemTx;
use chrono::{DateTime, Utc};
use kernel::StoreError;
use raffle::{HeldRaffles, PageDifferences, RaffleKey, RaffleList, Raffles, Version, Versions};
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
