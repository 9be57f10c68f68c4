use chrono::{DateTime, Utc};
use kernel::{Phone, StoreError};

/// The numbers that have opted out.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait OptOuts {
    /// Records that a number has opted out of messages of every kind.
    fn opt_out(&mut self, phone: &Phone, at: DateTime<Utc>) -> Result<(), StoreError>;

    /// Records that a number has opted in again.
    fn opt_in(&mut self, phone: &Phone, at: DateTime<Utc>) -> Result<(), StoreError>;

    /// Whether a number has opted out.
    fn has_opted_out(&self, phone: &Phone) -> Result<bool, StoreError>;

    /// Records an inbound message of the provider, in the transaction that handles it. Returns whether it is new.
    fn record_inbound(&mut self, provider_id: &str, at: DateTime<Utc>) -> Result<bool, StoreError>;
}
