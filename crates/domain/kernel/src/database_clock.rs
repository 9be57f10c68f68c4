use crate::StoreError;
use chrono::{DateTime, Utc};

/// The clock of the store. Servers have clocks of their own, which may differ; this one is the same for all of them.
pub trait DatabaseClock {
    /// The present moment by the store's clock.
    ///
    /// # Errors
    /// [`StoreError`] when the store does not answer.
    fn database_time(&self) -> Result<DateTime<Utc>, StoreError>;
}
