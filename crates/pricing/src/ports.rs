use crate::{IntentId, NewPackage, NewPurchase, Package, PackageId, Purchase, PurchaseId, PurchaseStatus};
use chrono::{DateTime, Utc};
use kernel::StoreError;

/// What is sold.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Packages {
    /// Adds a package.
    fn add_package(&mut self, offer: &NewPackage, at: DateTime<Utc>) -> Result<PackageId, StoreError>;

    /// Changes a package; whether there is one.
    fn change_package(&mut self, id: PackageId, offer: &NewPackage) -> Result<bool, StoreError>;

    /// Deletes a package; whether there was one. Its purchases stay as they are, and its number is not given again.
    fn delete_package(&mut self, id: PackageId) -> Result<bool, StoreError>;

    /// The package with this number.
    fn find_package(&self, id: PackageId) -> Result<Option<Package>, StoreError>;

    /// All packages, or the active ones, by sort order and then id.
    fn list_packages(&self, only_active: bool) -> Result<Vec<Package>, StoreError>;
}

/// Whether anything is sold at all.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait PricingSettings {
    /// Whether packages are shown and sold; not until somebody said so.
    fn show_pricing(&self) -> Result<bool, StoreError>;

    /// Says whether they are.
    fn set_show_pricing(&mut self, show: bool, at: DateTime<Utc>) -> Result<(), StoreError>;
}

/// What was sold to whom.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Purchases {
    /// Begins a purchase as pending; `None` when there is no such entrant.
    fn begin_purchase(&mut self, new: &NewPurchase) -> Result<Option<PurchaseId>, StoreError>;

    /// Notes the provider's name for its payment. Once, and then it stays.
    fn record_intent_id(&mut self, id: PurchaseId, intent: &IntentId) -> Result<(), StoreError>;

    /// The purchase with this number.
    fn find_purchase(&self, id: PurchaseId) -> Result<Option<Purchase>, StoreError>;

    /// The purchase with this payment.
    fn find_purchase_by_intent(&self, intent: &IntentId) -> Result<Option<Purchase>, StoreError>;

    /// Completes a purchase: status, its entries in the ledger, and the entrant's counter together. Whether it was this
    /// call that did. Atomic: however many do it at once, also in read-committed units of work, exactly one does.
    /// From pending, failed or canceled; otherwise nothing changes.
    fn complete_purchase(&mut self, id: PurchaseId, at: DateTime<Utc>) -> Result<bool, StoreError>;

    /// Takes a completed purchase back: status, as many of its entries as the entrant still has bought (never below
    /// zero), ledger and counter together. Whether it was this call that did. Atomic as [`Purchases::complete_purchase`].
    fn refund_purchase(&mut self, id: PurchaseId, at: DateTime<Utc>) -> Result<bool, StoreError>;

    /// Notes that a payment was declined (from pending) or given up (from pending or failed); whether anything changed.
    /// Only for [`PurchaseStatus::Failed`] and [`PurchaseStatus::Canceled`].
    fn end_purchase(
        &mut self,
        id: PurchaseId,
        status: PurchaseStatus,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError>;

    /// Pending and failed purchases that were last touched before this moment, oldest first, and notes that they were
    /// looked at now, so that the next call gives the next ones.
    fn claim_open_purchases(
        &mut self,
        before: DateTime<Utc>,
        limit: u32,
        now: DateTime<Utc>,
    ) -> Result<Vec<Purchase>, StoreError>;
}

/// Which events of the provider have been dealt with.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait ProviderEvents {
    /// Notes an event in the transaction that deals with it; whether it is new.
    fn record_event(&mut self, id: &str, at: DateTime<Utc>) -> Result<bool, StoreError>;
}

/// All store ports of packages and purchases. Every type that implements them implements this.
pub trait PricingStore: Packages + PricingSettings + Purchases + ProviderEvents {}

impl<T: Packages + PricingSettings + Purchases + ProviderEvents> PricingStore for T {}
