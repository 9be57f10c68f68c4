//! What the store has of `pricing`.

use super::State;
use chrono::{DateTime, Utc};
use kernel::EntrantId;
use people::PurchaseLine;
use pricing::{
    CapDate, CapSource, CustomerId, MonthEntries, Package, Purchase, PurchaseId, PurchaseStatus, Reversals,
    Reversed,
};
use raffle::{EntryKind, RaffleKey};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicI64;

/// Packages, purchases and provider events. Package ids are never reused, even after a rollback, so all copies of the
/// state share the last id.
#[derive(Clone, Default)]
pub(crate) struct PricingState {
    pub(crate) packages: Vec<Package>,
    pub(crate) last_package: Arc<AtomicI64>,
    pub(crate) show_pricing: bool,
    pub(crate) purchases: Vec<StoredPurchase>,
    pub(crate) events: BTreeMap<String, DateTime<Utc>>,
    pub(crate) reversals: BTreeMap<String, Reversals>,
    pub(crate) customers: BTreeMap<EntrantId, CustomerId>,
}

#[derive(Clone)]
pub(crate) struct StoredPurchase {
    pub(crate) purchase: Purchase,
    /// The raffle that the buyer was in when it began.
    pub(crate) raffle: RaffleKey,
    /// How much of the price went back, in cents.
    pub(crate) returned: i64,
    /// Whose month's cap its entries count toward.
    pub(crate) day: CapDate,
    /// How often the buyer had moved to another raffle when it began.
    pub(crate) moves: usize,
    /// Entries that were taken back and held, and how often.
    pub(crate) taken: i64,
    pub(crate) held: i64,
    pub(crate) steps: i64,
    pub(crate) completed_at: Option<DateTime<Utc>>,
    pub(crate) refunded_at: Option<DateTime<Utc>>,
    /// How often the provider was asked about it, and when to ask next.
    pub(crate) checks: u32,
    pub(crate) next_check: DateTime<Utc>,
}

impl PricingState {
    pub(crate) fn of(&self, entrant: EntrantId) -> impl DoubleEndedIterator<Item = &StoredPurchase> {
        let purchases = self.purchases.iter();
        purchases.filter(move |stored| stored.purchase.sold.entrant == entrant)
    }

    /// Whether a purchase of the entrant is open at a time.
    pub(crate) fn has_open(&self, entrant: EntrantId, at: DateTime<Utc>) -> bool {
        self.of(entrant).any(|stored| stored.purchase.is_open_at(at))
    }

    /// An entrant's purchases, the newest first.
    pub(crate) fn lines_of(&self, entrant: EntrantId) -> Vec<PurchaseLine> {
        let failed_refunds = |stored: &StoredPurchase| {
            let intent = stored.purchase.intent.as_ref()?;
            Some(self.reversals.get(intent.as_str())?.failed_refunds())
        };
        let line = |stored: &StoredPurchase| PurchaseLine {
            failed_refunds: failed_refunds(stored).unwrap_or_default(),
            id: stored.purchase.id.get(),
            amount: stored.purchase.sold.price.cents(),
            entries: stored.purchase.sold.entries.get(),
            status: stored.purchase.status.as_str().to_owned(),
            created_at: stored.purchase.sold.at,
            completed_at: stored.completed_at,
            refunded_at: stored.refunded_at,
        };
        self.of(entrant).rev().map(line).collect()
    }

    pub(crate) fn find(&self, which: impl Fn(&Purchase) -> bool) -> Option<Purchase> {
        let mut purchases = self.purchases.iter().map(|stored| &stored.purchase);
        purchases.find(|purchase| which(purchase)).cloned()
    }

    pub(crate) fn change(&mut self, id: PurchaseId, change: impl FnOnce(&mut StoredPurchase)) {
        let mut purchases = self.purchases.iter_mut();
        if let Some(stored) = purchases.find(|stored| stored.purchase.id == id) {
            change(stored);
        }
    }

    /// Sets the status of a purchase if it may change from the one that it has. Returns whether it did.
    pub(crate) fn set_status(
        &mut self,
        id: PurchaseId,
        may_change: impl Fn(PurchaseStatus) -> bool,
        status: PurchaseStatus,
    ) -> bool {
        let mut purchases = self.purchases.iter_mut();
        let found = purchases.find(|stored| stored.purchase.id == id && may_change(stored.purchase.status));
        found.map(|stored| stored.purchase.status = status).is_some()
    }
}

impl StoredPurchase {
    /// What earlier reports did to it, by how often the buyer has moved to another raffle by now.
    pub(crate) const fn reversed(&self, moves: usize) -> Reversed {
        Reversed {
            status: self.purchase.status,
            taken: self.taken,
            held: self.held,
            steps: self.steps,
            is_moved_out: self.moves < moves,
        }
    }
}

impl State {
    /// The entries of an entrant that may count toward the cap of a month.
    pub(crate) fn month_entries(&self, entrant: EntrantId) -> impl Iterator<Item = MonthEntries> {
        let free = self.rows_of(entrant).filter(|row| row.kind == EntryKind::Free);
        let bought = self.pricing.of(entrant).map(|stored| MonthEntries {
            month: stored.day.month(),
            source: CapSource::Bought {
                status: stored.purchase.status,
                taken: stored.taken,
            },
            entries: stored.purchase.sold.entries.get(),
        });
        free.filter_map(|row| MonthEntries::free(row.cause, row.delta))
            .chain(bought)
            .chain(self.erasure.inherited(entrant))
    }
}
