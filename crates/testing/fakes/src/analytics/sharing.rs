//! How far entrants have come with sharing, in memory.

use crate::mem_store::MemTx;
use analytics::{ShareProgress, Sharing};
use chrono::{DateTime, Utc};
use kernel::{EntrantId, StoreError};

impl Sharing for MemTx {
    fn find_share_progress(&self, entrant: EntrantId) -> Result<Option<ShareProgress>, StoreError> {
        Ok(self.0.analytics.share_progress.get(&entrant).cloned())
    }

    fn lock_share_progress(&mut self, entrant: EntrantId) -> Result<Option<ShareProgress>, StoreError> {
        if !self.0.entrants.iter().any(|known| known.id == entrant) {
            return Ok(None);
        }
        self.find_share_progress(entrant)
            .map(|found| Some(found.unwrap_or_default()))
    }

    fn save_share_progress(
        &mut self,
        entrant: EntrantId,
        progress: &ShareProgress,
        _: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        self.0.analytics.share_progress.insert(entrant, progress.clone());
        Ok(())
    }
}
