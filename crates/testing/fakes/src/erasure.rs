//! Erasing people in memory: an erased entrant moves out of the list of entrants, so that no look-up finds it.

use crate::mem_store::MemTx;
use chrono::{DateTime, Utc};
use kernel::{EntrantId, StoreError};
use privacy::{Erased, Erasure};
use raffle::Recalled;

impl Erasure for MemTx {
    fn erase_person(&mut self, entrant: EntrantId, at: DateTime<Utc>) -> Result<Erased, StoreError> {
        let found = self.check_erasure(entrant, at)?;
        if found == Erased::Done {
            self.0.erase(entrant, at);
        }
        Ok(found)
    }

    fn check_erasure(&self, entrant: EntrantId, at: DateTime<Utc>) -> Result<Erased, StoreError> {
        if self.0.erasure.is_erased(entrant) {
            return Ok(Erased::Before);
        }
        if !self.0.entrants.iter().any(|known| known.id == entrant) {
            return Ok(Erased::Unknown);
        }
        if self.0.claims.has_open(entrant) {
            return Ok(Erased::OpenClaim);
        }
        match self.0.pricing.has_open(entrant, at) {
            true => Ok(Erased::OpenPurchase),
            false => Ok(Erased::Done),
        }
    }

    fn is_winner(&self, entrant: EntrantId) -> Result<bool, StoreError> {
        Ok(self.0.claims.has_any(entrant))
    }

    fn forget_numbers(&mut self, now: DateTime<Utc>) -> Result<u64, StoreError> {
        let mut forgotten = 0;
        self.0.erasure.kept.retain(|_, kept| {
            let is_over = kept.expires_at <= now;
            let is_empty = kept.recalled == Recalled::default()
                && kept.mark.is_none()
                && kept.counts.is_empty()
                && kept.entries.is_empty();
            if is_over && !(is_empty && kept.opted_out_at.is_some()) {
                forgotten += 1;
                kept.recalled = Recalled::default();
                kept.mark = None;
                kept.counts.clear();
                kept.entries.clear();
            }
            !is_over || kept.opted_out_at.is_some()
        });
        Ok(forgotten)
    }
}
