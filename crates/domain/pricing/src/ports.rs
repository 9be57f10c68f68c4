use crate::{
    BeginOutcome, CapDate, CapUse, CompleteOutcome, CustomerId, FreeDate, FreeOutcome, IntentId, NewPackage,
    NewPurchase, Package, PackageId, Purchase, PurchaseId, PurchaseList, PurchaseStatus, Reversal,
};
use chrono::{DateTime, Utc};
use kernel::{EntrantId, PageRequest, StoreError};

/// The packages.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Packages {
    /// Adds a package.
    fn add_package(&mut self, offer: &NewPackage, at: DateTime<Utc>) -> Result<PackageId, StoreError>;

    /// Changes a package. Returns whether there is one.
    fn change_package(&mut self, id: PackageId, offer: &NewPackage) -> Result<bool, StoreError>;

    /// Deletes a package. Returns whether there was one. Its purchases stay as they are, and its id is not used again.
    fn delete_package(&mut self, id: PackageId) -> Result<bool, StoreError>;

    /// The package with this id.
    fn find_package(&self, id: PackageId) -> Result<Option<Package>, StoreError>;

    /// A part of all packages, or of the active ones, by sort order and then id.
    fn list_packages(&self, only_active: bool, page: PageRequest) -> Result<Vec<Package>, StoreError>;

    /// The number of all packages.
    fn count_packages(&self) -> Result<i64, StoreError>;
}

/// The setting that turns sales on and off.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait PricingSettings {
    /// Whether packages are shown and sold. Initially they are not.
    fn show_pricing(&self) -> Result<bool, StoreError>;

    /// Sets whether packages are shown and sold.
    fn set_show_pricing(&mut self, show: bool, at: DateTime<Utc>) -> Result<(), StoreError>;
}

/// The free entries.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait FreeEntries {
    /// Gives the free entries of a date, once per entrant and date, as far as they fit under the cap: ledger and counter
    /// together. Of any number of claims and purchases at the same time, no more are given than the cap allows, also at
    /// read committed.
    fn give_free_entries(&mut self, entrant: EntrantId, date: FreeDate) -> Result<FreeOutcome, StoreError>;

    /// The bought and free entries of an entrant that count toward the cap of the date's month: free ones, those of open
    /// purchases, and those of paid ones that were not taken back.
    fn capped_entries(&self, entrant: EntrantId, day: CapDate) -> Result<CapUse, StoreError>;

    /// Whether the entrant has claimed free entries on this date.
    fn has_claimed_free(&self, entrant: EntrantId, day: CapDate) -> Result<bool, StoreError>;
}

/// The purchases.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Purchases {
    /// Adds a purchase as pending, unless the entrant has `most_open` open purchases, or its entries do not fit under the
    /// cap of the month. Of any number of calls at the same time, no more than that succeed, also at read committed. A
    /// pending or failed purchase counts as open for [`Purchase::OPEN_FOR`], and toward the cap until it is canceled.
    fn begin_purchase(
        &mut self,
        new: &NewPurchase,
        most_open: u32,
        day: CapDate,
    ) -> Result<BeginOutcome, StoreError>;

    /// The open purchases of an entrant, oldest first.
    fn open_purchases(&self, entrant: EntrantId) -> Result<Vec<Purchase>, StoreError>;

    /// The purchases that an entrant paid, newest first.
    fn paid_purchases(&self, entrant: EntrantId, limit: u32) -> Result<Vec<Purchase>, StoreError>;

    /// The customer that the provider keeps for an entrant, once there is one.
    fn find_customer(&self, entrant: EntrantId) -> Result<Option<CustomerId>, StoreError>;

    /// Records the provider's customer of an entrant, unless one is recorded. Returns the one that is recorded then, or
    /// `None` when there is no such entrant. Of any number of calls at the same time, the first one counts.
    fn record_customer(
        &mut self,
        entrant: EntrantId,
        customer: &CustomerId,
    ) -> Result<Option<CustomerId>, StoreError>;

    /// Records the id of a purchase's payment intent. An id that is recorded already does not change.
    fn record_intent_id(&mut self, id: PurchaseId, intent: &IntentId) -> Result<(), StoreError>;

    /// The purchase with this id.
    fn find_purchase(&self, id: PurchaseId) -> Result<Option<Purchase>, StoreError>;

    /// The purchase with this payment intent.
    fn find_purchase_by_intent(&self, intent: &IntentId) -> Result<Option<Purchase>, StoreError>;

    /// Completes a pending, failed or canceled purchase: its status, its entries in the ledger, and the entrant's
    /// counter. Then applies what is recorded of its refunds and disputes. A canceled one has released its entries: it is
    /// completed only if they still fit under the cap of the month in which it began, and otherwise to be refunded; so is
    /// one whose buyer has moved to another raffle since it began. Of any number of calls at the same time, exactly one changes it, also at read committed. Changes nothing in any other
    /// status.
    fn complete_purchase(&mut self, id: PurchaseId, at: DateTime<Utc>)
    -> Result<CompleteOutcome, StoreError>;

    /// Marks a pending, failed or canceled purchase that was paid too late as [`PurchaseStatus::Refunding`], due at once. Its price
    /// counts as returned from now on. Returns whether it was one. Of this and [`Purchases::complete_purchase`] at the same time, one changes it.
    fn refuse_purchase(&mut self, id: PurchaseId, at: DateTime<Utc>) -> Result<bool, StoreError>;

    /// Records a refund or a dispute of a payment, also when no purchase has this payment intent yet. A completed purchase
    /// then gets the effect of all that is recorded ([`Reversals::effect`](crate::Reversals::effect)): its status, the
    /// ledger, and the entrant's counters. Nothing is taken or held beyond the entrant's bought entries. Returns whether
    /// entries or the status changed. Calls lead to the same entries in any order, however often they are repeated, and
    /// at the same time as [`Purchases::complete_purchase`], also at read committed.
    fn reverse_purchase(
        &mut self,
        intent: &IntentId,
        reversal: &Reversal,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError>;

    /// Whether a dispute is open about a purchase of this entrant whose entries were credited before this time.
    fn has_open_dispute(
        &self,
        entrant: EntrantId,
        credited_before: DateTime<Utc>,
    ) -> Result<bool, StoreError>;

    /// Marks a [`PurchaseStatus::Refunding`] purchase as refunded. Returns whether it was one.
    fn end_refund(&mut self, id: PurchaseId, at: DateTime<Utc>) -> Result<bool, StoreError>;

    /// Marks a purchase as [`PurchaseStatus::Failed`] (from pending) or [`PurchaseStatus::Canceled`] (from pending or
    /// failed). Returns whether anything changed. No other status may be given.
    fn end_purchase(
        &mut self,
        id: PurchaseId,
        status: PurchaseStatus,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError>;

    /// Claims pending, failed and refunding purchases whose next check is due at `now`, the longest due first. Each is due again at
    /// its [`next_check`](crate::next_check), so that the next call returns others.
    fn claim_open_purchases(&mut self, limit: u32, now: DateTime<Utc>) -> Result<Vec<Purchase>, StoreError>;

    /// Makes all open purchases that began by `now` due at `now`, if they would be due later.
    fn recheck_open_purchases(&mut self, now: DateTime<Utc>) -> Result<(), StoreError>;
}

/// The events of the payment provider that have been handled.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait ProviderEvents {
    /// Records an event, in the transaction that handles it. Returns whether it is new.
    fn record_event(&mut self, id: &str, at: DateTime<Utc>) -> Result<bool, StoreError>;
}

/// All store ports of packages and purchases. Every type that implements them implements this.
pub trait PricingStore:
    Packages + PricingSettings + Purchases + PurchaseList + FreeEntries + ProviderEvents
{
}

impl<T: Packages + PricingSettings + Purchases + PurchaseList + FreeEntries + ProviderEvents> PricingStore
    for T
{
}
