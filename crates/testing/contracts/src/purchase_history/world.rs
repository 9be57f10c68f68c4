//! Entrants, a store and a payment provider, with random steps.

mod steps;

use super::{Dice, ENTRANTS, FlakyStore, MovingClock, Payable, offer, purchase};
use crate::Store;
use crate::support::{Inline, SeededEntropy, assert_balanced, entered, noon};
use fakes::{FakePayments, poll_once};
use kernel::{EntrantId, Money, StoreError};
use pricing::{
    DisputeId, DisputeStatus, EntryCount, Intent, IntentStatus, PackageId, Packages, PaymentsError,
    PricingSettings, PurchaseId, PurchaseStatus, Purchases, Reversal, Reversals, ReversedEntries,
};
use raffle::{Entrants, Entries};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use usecases::reconcile::reconcile;

pub(super) struct World<S> {
    plain: S,
    pub(super) store: FlakyStore<S>,
    provider: FakePayments,
    pub(super) provider_failures: u32,
    dice: Arc<Dice>,
    clock: MovingClock,
    entrants: Vec<EntrantId>,
    packages: Vec<PackageId>,
    payable: Vec<Payable>,
    /// The number of entries of each purchase.
    sold: BTreeMap<PurchaseId, i64>,
    /// The dispute over each purchase, as the provider last reported it.
    disputes: BTreeMap<PurchaseId, (DisputeId, DisputeStatus)>,
    pub(super) done: BTreeMap<&'static str, u32>,
}

impl<S: Store> World<S> {
    pub(super) fn new(store: &S, seed: u64) -> Self {
        let dice = Arc::new(Dice(SeededEntropy::new(seed)));
        let packages = store.transaction::<_, StoreError>(|tx| {
            tx.set_show_pricing(true, noon())?;
            (1..4)
                .map(|n| tx.add_package(&offer(n * 7, n * 500), noon()))
                .collect()
        });
        Self {
            plain: store.clone(),
            store: FlakyStore {
                store: store.clone(),
                dice: dice.clone(),
                fails: Arc::new(AtomicBool::new(true)),
                failures: Arc::default(),
            },
            provider: FakePayments::default(),
            provider_failures: 0,
            dice,
            clock: MovingClock(AtomicI64::new(0)),
            entrants: (0..ENTRANTS).map(|n| entered(store, n).id).collect(),
            packages: packages.unwrap(),
            payable: Vec::new(),
            sold: BTreeMap::new(),
            disputes: BTreeMap::new(),
            done: BTreeMap::new(),
        }
    }

    pub(super) fn step(&mut self) {
        match self.dice.below(32) {
            0..6 => self.buy(),
            6..12 => self.pay(),
            12 => self.decline_or_cancel(),
            13 => self.refund(),
            14 => self.dispute(),
            15..20 => self.confirm(),
            20 => self.confirm_with_wrong_data(),
            21..27 => self.deliver(),
            27 => self.forge(),
            28 => self.reconcile(),
            29 => self.change_package(),
            _ => self.wait(),
        }
    }

    fn count(&mut self, step: &'static str) {
        *self.done.entry(step).or_default() += 1;
    }

    /// Sometimes makes the provider's next call fail, or lose its response.
    fn maybe_fail_next_call(&mut self) {
        match self.dice.below(12) {
            0 => self
                .provider
                .fail_next(PaymentsError::Unavailable("random failure".into())),
            1 => self.provider.lose_next_answer(),
            _ => return,
        }
        self.provider_failures += 1;
    }

    /// Reconciliation alone, without any events, brings all open purchases to the status of their payments.
    pub(super) fn reconcile_open_purchases(&mut self) {
        for _ in 0..30 {
            self.buy();
        }
        let is_open = |id| matches!(self.status(id), PurchaseStatus::Pending | PurchaseStatus::Failed);
        let open = self.provider.intents().into_iter();
        let open: Vec<Intent> = open.filter(|intent| is_open(purchase(intent))).collect();
        let payable = self.payable.iter().map(|payable| &payable.intent).rev();
        for (n, id) in payable.take(20).enumerate() {
            if n % 5 > 0 {
                self.provider.succeed(id);
            }
            if n % 5 > 2 {
                self.provider.lose(id);
            }
        }
        self.clock.0.fetch_add(4 * 24 * 60, Ordering::Relaxed);
        // The second pass asks again about the purchase whose call failed.
        for _ in 0..2 {
            let (store, clock, provider) = (&self.store, &self.clock, &self.provider);
            poll_once(reconcile(store, &Inline, clock, provider, &Inline)).unwrap();
            self.clock.0.fetch_add(25 * 60, Ordering::Relaxed);
        }
        let intents = self.provider.intents();
        let now = intents
            .iter()
            .filter(|intent| open.iter().any(|known| known.id == intent.id));
        for intent in now {
            let expected = match (intent.status, intent.is_refunded()) {
                (IntentStatus::Succeeded, false) => PurchaseStatus::Completed,
                (IntentStatus::Succeeded, true) => PurchaseStatus::Refunded,
                (IntentStatus::Open | IntentStatus::Canceled, _) => PurchaseStatus::Canceled,
            };
            assert_eq!(self.status(purchase(intent)), expected, "{intent:?}");
        }
    }

    fn status(&self, id: PurchaseId) -> PurchaseStatus {
        self.plain
            .read(|tx| tx.find_purchase(id))
            .unwrap()
            .unwrap()
            .status
    }

    /// Delivers all events in random order, and then all of them again.
    pub(super) fn deliver_all_events(&mut self) {
        let mut events = self.provider.events();
        for place in (1..events.len()).rev() {
            events.swap(place, self.dice.below(place + 1));
        }
        for body in events.iter().chain(&events) {
            self.apply(body).unwrap();
        }
    }

    /// The entries of the payments that match, by entrant.
    fn sold_by(&self, wanted: fn(&Intent) -> bool) -> BTreeMap<EntrantId, i64> {
        let mut sold: BTreeMap<EntrantId, i64> = self.entrants.iter().map(|id| (*id, 0)).collect();
        for intent in self.provider.intents().iter().filter(|intent| wanted(intent)) {
            *sold.get_mut(&intent.entrant.unwrap()).unwrap() += self.sold[&purchase(intent)];
        }
        sold
    }

    fn credited(&self) -> BTreeMap<EntrantId, i64> {
        assert_balanced(&self.plain);
        let entrants = self.entrants.iter();
        entrants.map(|id| (*id, self.entries(*id).paid)).collect()
    }

    pub(super) fn assert_only_payments_are_credited(&self) {
        let paid = self.sold_by(|intent| intent.status == IntentStatus::Succeeded);
        for (id, credited) in self.credited() {
            assert!((0..=paid[&id]).contains(&credited), "{credited} of {}", paid[&id]);
        }
    }

    /// Each entrant has the entries of their payments, without those that were taken back. Open disputes hold theirs.
    pub(super) fn assert_entries_follow_payments(&self) {
        let mut expected: BTreeMap<EntrantId, (i64, i64)> =
            self.entrants.iter().map(|id| (*id, (0, 0))).collect();
        let intents = self.provider.intents().into_iter();
        for intent in intents.filter(|intent| intent.status == IntentStatus::Succeeded) {
            let entries = self.sold[&purchase(&intent)];
            let reversed = self.reversed(&intent, entries);
            let (paid, held) = expected.get_mut(&intent.entrant.unwrap()).unwrap();
            *paid += entries - reversed.taken;
            *held += reversed.held;
        }
        assert_balanced(&self.plain);
        for (id, expected) in &expected {
            let entries = self.entries(*id);
            assert_eq!((entries.paid, entries.held), *expected);
            assert!(entries.paid > entries.held, "{entries:?}");
        }
        assert!(expected.values().any(|(_, held)| *held > 0), "no open dispute");
    }

    fn reversed(&self, intent: &Intent, entries: i64) -> ReversedEntries {
        let mut reversals = Reversals::default();
        reversals.record(&Reversal::Refunded(intent.refunded));
        if let Some((id, status)) = self.disputes.get(&purchase(intent)) {
            reversals.record(&Reversal::Dispute(id.clone(), *status));
        }
        let price = Money::from_cents(intent.amount).unwrap();
        reversals.effect(price, EntryCount::new(entries).unwrap())
    }

    fn entries(&self, id: EntrantId) -> Entries {
        let found = self.plain.read(|tx| tx.find_entrant(id)).unwrap();
        found.unwrap().entries
    }
}
