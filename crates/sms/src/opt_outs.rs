use chrono::{DateTime, Utc};
use kernel::{Phone, StoreError};

/// Which numbers want no texts.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait OptOuts {
    /// Notes that a number wants no texts, of any kind.
    fn opt_out(&mut self, phone: &Phone, at: DateTime<Utc>) -> Result<(), StoreError>;

    /// Notes that it wants them again.
    fn opt_in(&mut self, phone: &Phone, at: DateTime<Utc>) -> Result<(), StoreError>;

    /// Whether it wants none.
    fn has_opted_out(&self, phone: &Phone) -> Result<bool, StoreError>;

    /// Notes a call of the provider in the transaction that deals with it; whether it is new.
    fn record_inbound(&mut self, provider_id: &str, at: DateTime<Utc>) -> Result<bool, StoreError>;
}
