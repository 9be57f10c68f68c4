use crate::mem_store::{MemTx, next_id, storable};
use chrono::{DateTime, Utc};
use kernel::{EntrantId, StoreError};
use pricing::{
    IntentId, NewPackage, NewPurchase, Package, PackageId, Packages, PricingSettings, ProviderEvents,
    Purchase, PurchaseId, PurchaseStatus, Purchases,
};
use raffle::{EntryKind, LedgerRow};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// Packages, purchases and provider events. Package ids are never reused, even after a rollback, so all copies of the
/// state share the last id.
#[derive(Clone, Default)]
pub(crate) struct PricingState {
    packages: Vec<Package>,
    last_package: Arc<AtomicI64>,
    show_pricing: bool,
    purchases: Vec<StoredPurchase>,
    events: BTreeSet<String>,
}

#[derive(Clone)]
struct StoredPurchase {
    purchase: Purchase,
    updated_at: DateTime<Utc>,
}

impl PricingState {
    /// Whether this entrant ever completed a purchase.
    pub(crate) fn has_bought(&self, entrant: EntrantId) -> bool {
        self.purchases.iter().any(|StoredPurchase { purchase, .. }| {
            let bought = matches!(
                purchase.status,
                PurchaseStatus::Completed | PurchaseStatus::Refunded
            );
            purchase.sold.entrant == entrant && bought
        })
    }

    fn find(&self, which: impl Fn(&Purchase) -> bool) -> Option<Purchase> {
        let mut purchases = self.purchases.iter().map(|stored| &stored.purchase);
        purchases.find(|purchase| which(purchase)).cloned()
    }

    /// Sets the status of a purchase if the change is allowed. Returns the changed purchase.
    fn set_status(&mut self, id: PurchaseId, status: PurchaseStatus, at: DateTime<Utc>) -> Option<Purchase> {
        let mut purchases = self.purchases.iter_mut();
        let stored = purchases.find(|stored| stored.purchase.id == id)?;
        if !stored.purchase.status.may_become(status) {
            return None;
        }
        stored.purchase.status = status;
        stored.updated_at = at;
        Some(stored.purchase.clone())
    }
}

impl MemTx {
    fn add_paid_entries(&mut self, entrant: EntrantId, row: LedgerRow) {
        self.0.ledger.push((entrant, row));
        for found in self.0.entrants.iter_mut().filter(|found| found.id == entrant) {
            found.entries.paid += row.delta;
        }
    }

    fn paid_entries(&self, entrant: EntrantId) -> i64 {
        let found = self.0.entrants.iter().find(|found| found.id == entrant);
        found.map_or(0, |found| found.entries.paid)
    }
}

impl Packages for MemTx {
    fn add_package(&mut self, offer: &NewPackage, at: DateTime<Utc>) -> Result<PackageId, StoreError> {
        storable([offer.name.as_str(), offer.description.as_str()])?;
        let pricing = &mut self.0.pricing;
        let last = pricing.last_package.fetch_add(1, Ordering::Relaxed);
        let id = PackageId::new(last + 1);
        pricing.packages.push(Package {
            id,
            offer: offer.clone(),
            created_at: at,
        });
        Ok(id)
    }

    fn change_package(&mut self, id: PackageId, offer: &NewPackage) -> Result<bool, StoreError> {
        storable([offer.name.as_str(), offer.description.as_str()])?;
        let mut packages = self.0.pricing.packages.iter_mut();
        let package = packages.find(|package| package.id == id);
        Ok(package.map(|package| package.offer = offer.clone()).is_some())
    }

    fn delete_package(&mut self, id: PackageId) -> Result<bool, StoreError> {
        let packages = &mut self.0.pricing.packages;
        let before = packages.len();
        packages.retain(|package| package.id != id);
        Ok(packages.len() < before)
    }

    fn find_package(&self, id: PackageId) -> Result<Option<Package>, StoreError> {
        let mut packages = self.0.pricing.packages.iter();
        Ok(packages.find(|package| package.id == id).cloned())
    }

    fn list_packages(&self, only_active: bool) -> Result<Vec<Package>, StoreError> {
        let packages = self.0.pricing.packages.iter();
        let listed = packages.filter(|package| package.offer.is_active || !only_active);
        let mut listed: Vec<_> = listed.cloned().collect();
        listed.sort_by_key(|package| (package.offer.sort_order, package.id));
        Ok(listed)
    }
}

impl PricingSettings for MemTx {
    fn show_pricing(&self) -> Result<bool, StoreError> {
        Ok(self.0.pricing.show_pricing)
    }

    fn set_show_pricing(&mut self, show: bool, _: DateTime<Utc>) -> Result<(), StoreError> {
        self.0.pricing.show_pricing = show;
        Ok(())
    }
}

impl Purchases for MemTx {
    fn begin_purchase(&mut self, new: &NewPurchase) -> Result<Option<PurchaseId>, StoreError> {
        if !self.0.entrants.iter().any(|entrant| entrant.id == new.entrant) {
            return Ok(None);
        }
        let purchases = &mut self.0.pricing.purchases;
        let id = PurchaseId::new(next_id(purchases.len()));
        let purchase = Purchase {
            id,
            sold: new.clone(),
            intent: None,
            status: PurchaseStatus::Pending,
        };
        purchases.push(StoredPurchase {
            purchase,
            updated_at: new.at,
        });
        Ok(Some(id))
    }

    fn record_intent_id(&mut self, id: PurchaseId, intent: &IntentId) -> Result<(), StoreError> {
        let purchases = self.0.pricing.purchases.iter_mut();
        for stored in purchases.filter(|stored| stored.purchase.id == id) {
            stored.purchase.intent.get_or_insert_with(|| intent.clone());
        }
        Ok(())
    }

    fn find_purchase(&self, id: PurchaseId) -> Result<Option<Purchase>, StoreError> {
        Ok(self.0.pricing.find(|purchase| purchase.id == id))
    }

    fn find_purchase_by_intent(&self, intent: &IntentId) -> Result<Option<Purchase>, StoreError> {
        Ok(self
            .0
            .pricing
            .find(|purchase| purchase.intent.as_ref() == Some(intent)))
    }

    fn complete_purchase(&mut self, id: PurchaseId, at: DateTime<Utc>) -> Result<bool, StoreError> {
        let Some(purchase) = self.0.pricing.set_status(id, PurchaseStatus::Completed, at) else {
            return Ok(false);
        };
        let row = LedgerRow {
            kind: EntryKind::Purchase,
            delta: purchase.sold.entries.get(),
            cause: id.get(),
        };
        self.add_paid_entries(purchase.sold.entrant, row);
        Ok(true)
    }

    fn refund_purchase(&mut self, id: PurchaseId, at: DateTime<Utc>) -> Result<bool, StoreError> {
        let Some(purchase) = self.0.pricing.set_status(id, PurchaseStatus::Refunded, at) else {
            return Ok(false);
        };
        let entrant = purchase.sold.entrant;
        let taken = self.paid_entries(entrant).min(purchase.sold.entries.get());
        if taken > 0 {
            let row = LedgerRow {
                kind: EntryKind::Refund,
                delta: -taken,
                cause: id.get(),
            };
            self.add_paid_entries(entrant, row);
        }
        Ok(true)
    }

    fn end_purchase(
        &mut self,
        id: PurchaseId,
        status: PurchaseStatus,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let ends = matches!(status, PurchaseStatus::Failed | PurchaseStatus::Canceled);
        Ok(ends && self.0.pricing.set_status(id, status, at).is_some())
    }

    fn claim_open_purchases(
        &mut self,
        before: DateTime<Utc>,
        limit: u32,
        now: DateTime<Utc>,
    ) -> Result<Vec<Purchase>, StoreError> {
        let is_due = |stored: &&mut StoredPurchase| {
            let status = stored.purchase.status;
            matches!(status, PurchaseStatus::Pending | PurchaseStatus::Failed) && stored.updated_at < before
        };
        let mut due: Vec<_> = self.0.pricing.purchases.iter_mut().filter(is_due).collect();
        due.sort_by_key(|stored| (stored.updated_at, stored.purchase.id));
        let taken = due.into_iter().take(limit as usize).map(|stored| {
            stored.updated_at = now;
            stored.purchase.clone()
        });
        Ok(taken.collect())
    }
}

impl ProviderEvents for MemTx {
    fn record_event(&mut self, id: &str, _: DateTime<Utc>) -> Result<bool, StoreError> {
        storable([id])?;
        Ok(self.0.pricing.events.insert(id.to_owned()))
    }
}
