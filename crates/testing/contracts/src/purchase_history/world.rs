//! Entrants, a store and a payment provider, with random steps.

mod steps;

use super::{Dice, FlakyStore, MovingClock, Payable, offer, purchase};
use crate::Store;
use crate::drawing_flow::kit::{Kit, RAFFLE, request};
use crate::moves::move_on;
use crate::support::{Inline, SeededEntropy, assert_balanced, entered, ledger_of, noon, staff_actor};
use fakes::{FakePayments, poll_once};
use kernel::{EntrantId, Money, StoreError};
use pricing::{
    DisputeId, DisputeStatus, EntryCount, Intent, IntentStatus, PackageId, Packages, PaymentsError,
    PricingSettings, PurchaseId, PurchaseStatus, Purchases, Reversal, Reversals, ReversedEntries,
};
use raffle::{Entrants, Entries, EntryKind};
use staff::SecondPerson;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use usecases::drawings::DrawingTimes;
use usecases::raffles::{ChangeOpening, When};
use usecases::reconcile::reconcile;

pub(super) const TIMES: DrawingTimes = DrawingTimes::DEFAULT;

pub(super) struct World<S> {
    plain: S,
    pub(super) store: FlakyStore<S>,
    provider: FakePayments,
    pub(super) provider_failures: u32,
    dice: Arc<Dice>,
    clock: MovingClock,
    entrants: Vec<EntrantId>,
    packages: Vec<PackageId>,
    pub(super) is_closed: bool,
    /// How often each buyer has moved to another raffle, and had when a purchase began.
    moves: BTreeMap<EntrantId, u32>,
    pub(super) begun_after: BTreeMap<PurchaseId, u32>,
    payable: Vec<Payable>,
    /// The number of entries of each purchase.
    sold: BTreeMap<PurchaseId, i64>,
    /// The dispute over each purchase, as the provider last reported it.
    disputes: BTreeMap<PurchaseId, (DisputeId, DisputeStatus)>,
    pub(super) done: BTreeMap<&'static str, u32>,
}

impl<S: Store> World<S> {
    pub(super) fn new(store: &S, seed: u64, buyers: u32) -> Self {
        let dice = Arc::new(Dice(SeededEntropy::new(seed)));
        let packages = store.transaction::<_, StoreError>(|tx| {
            tx.set_show_pricing(true, noon())?;
            (1..4)
                .map(|n| tx.add_package(&offer(n * 7, n * 500), noon()))
                .collect()
        });
        let entrants = (0..buyers).map(|n| entered(store, n).id).collect();
        // The drawing of the month is over: whoever pays while the raffle is closed comes too late.
        Kit::new(9).perform(store, &request(None)).unwrap();
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
            entrants,
            is_closed: false,
            moves: BTreeMap::new(),
            begun_after: BTreeMap::new(),
            packages: packages.unwrap(),
            payable: Vec::new(),
            sold: BTreeMap::new(),
            disputes: BTreeMap::new(),
            done: BTreeMap::new(),
        }
    }

    pub(super) fn step(&mut self) {
        match self.dice.below(38) {
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
            30 => self.close(),
            31..35 => self.open(),
            35 if self.dice.below(2) == 0 => self.move_on(),
            _ => self.wait(),
        }
    }

    fn close(&mut self) {
        if self.is_closed {
            return;
        }
        usecases::raffles::close(&self.plain, TIMES.zone, &now("The prize is gone")).unwrap();
        self.is_closed = true;
        self.count("a closed raffle");
    }

    pub(super) fn open(&mut self) {
        usecases::raffles::open(&self.plain, TIMES.zone, &now("A prize again")).unwrap();
        self.is_closed = false;
    }

    fn move_on(&mut self) {
        let mover = self.entrants[self.dice.below(self.entrants.len())];
        move_on(&self.plain, mover);
        *self.moves.entry(mover).or_default() += 1;
        self.count("a move");
    }

    pub(super) fn moves(&self, of: EntrantId) -> u32 {
        self.moves.get(&of).copied().unwrap_or_default()
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
        self.open();
        for _ in 0..30 {
            self.buy();
        }
        for _ in 0..20 {
            self.dispute();
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
        // The second pass asks again about the purchase whose call failed, and the third returns what was paid too late.
        for _ in 0..3 {
            let (store, clock, provider) = (&self.store, &self.clock, &self.provider);
            poll_once(reconcile(store, &Inline, clock, provider, TIMES, &Inline)).unwrap();
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

    /// Each entrant has the entries of their payments since the last move, without those that were taken back. Open disputes hold
    /// theirs. What was paid too late gave no entries, and the money went back.
    pub(super) fn assert_entries_follow_payments(&self) {
        let credited = self.credited_purchases();
        let (mut refused, mut moved_out) = (0, 0);
        let mut expected: BTreeMap<EntrantId, (i64, i64)> =
            self.entrants.iter().map(|id| (*id, (0, 0))).collect();
        let intents = self.provider.intents().into_iter();
        for intent in intents.filter(|intent| intent.status == IntentStatus::Succeeded) {
            if !credited.contains(&purchase(&intent)) {
                assert!(intent.is_refunded(), "{intent:?}");
                assert_eq!(self.status(purchase(&intent)), PurchaseStatus::Refunded);
                refused += 1;
                continue;
            }
            let entries = self.sold[&purchase(&intent)];
            let reversed = self.reversed(&intent, entries);
            if self.begun_after[&purchase(&intent)] < self.moves(intent.entrant.unwrap()) {
                moved_out += 1;
                continue;
            }
            let (paid, held) = expected.get_mut(&intent.entrant.unwrap()).unwrap();
            *paid += entries - reversed.taken;
            *held += reversed.held;
        }
        assert!(refused > 0, "nobody paid too late");
        assert!(moved_out > 0, "nobody moved after buying");
        assert_balanced(&self.plain);
        for (id, expected) in &expected {
            let entries = self.entries(*id);
            assert_eq!((entries.paid, entries.held), *expected);
            assert!(entries.paid >= entries.held, "{entries:?}");
        }
        assert!(expected.values().any(|(_, held)| *held > 0), "no open dispute");
    }

    /// The purchases that gave entries.
    fn credited_purchases(&self) -> BTreeSet<PurchaseId> {
        let rows = self.entrants.iter().flat_map(|id| {
            let rows = self.plain.read(|tx| ledger_of(tx, *id)).unwrap();
            rows.into_iter().filter(|row| row.kind == EntryKind::Purchase)
        });
        rows.map(|row| PurchaseId::new(row.cause)).collect()
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

fn now(reason: &str) -> ChangeOpening {
    ChangeOpening {
        actor: staff_actor(),
        second: SecondPerson::NotNeeded,
        raffle: RAFFLE,
        when: When::Now,
        reason: Some(reason.to_owned()),
    }
}
