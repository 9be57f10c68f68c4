//! Reconciling open purchases, on the fakes and with paused time.

use crate::support::InlineRunner;
use chrono::{DateTime, TimeDelta, Utc};
use fakes::{FakePayments, FixedClock, MemStore, MemTx};
use kernel::{Clock, EntrantId, EventId, Money, PersonSalt, Phone, ReferralCode, StoreError, UnitOfWork};
use pricing::{
    BeginOutcome, CapDate, CapRules, CompleteOutcome, EntryCap, EntryCount, FreeEntries, IntentId,
    IntentStatus, NewIntent, NewPurchase, PackageId, Payments, PaymentsError, Purchase, PurchaseId,
    PurchaseStatus, Purchases,
};
use raffle::fixtures::GARDEN_BAG;
use raffle::{Entrants, NewEntrant};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::time::{Instant, timeout};
use usecases::drawings::DrawingTimes;
use usecases::reconcile::{ReconcileError, ReconcileLog, keep_reconciling};

/// Follows Tokio's paused time, from noon on.
struct PausedClock(Instant);

impl Clock for PausedClock {
    fn now(&self) -> DateTime<Utc> {
        FixedClock::default().now() + TimeDelta::from_std(self.0.elapsed()).unwrap()
    }
}

#[derive(Default)]
struct Counts {
    reconciled: AtomicUsize,
    failed: AtomicUsize,
}

impl ReconcileLog for Counts {
    fn reconciled(&self, count: usize) {
        self.reconciled.fetch_add(count, Ordering::Relaxed);
    }

    fn failed(&self, _: Option<&Purchase>, _: &ReconcileError) {
        self.failed.fetch_add(1, Ordering::Relaxed);
    }
}

struct Shop {
    store: MemStore,
    payments: FakePayments,
    clock: PausedClock,
    counts: Counts,
    entrant: EntrantId,
}

impl Shop {
    fn open() -> Self {
        let clock = PausedClock(Instant::now());
        let store = MemStore::default();
        let entrant = NewEntrant {
            id: EntrantId::new(1),
            phone: Phone::from_e164("+15550000001").unwrap(),
            person_salt: PersonSalt::new([7; 32]),
            raffle: GARDEN_BAG,
            referral_code: ReferralCode::parse("CDFG3467").unwrap(),
            event_id: None,
            origin: kernel::Origin::default(),
            fingerprint: None,
            created_at: clock.now(),
        };
        let entrant = store.transaction::<_, StoreError>(|tx| tx.add_entrant(&entrant));
        Self {
            store,
            payments: FakePayments::default(),
            clock,
            counts: Counts::default(),
            entrant: entrant.unwrap().unwrap(),
        }
    }

    /// A purchase that begins now, without a payment intent.
    fn begin(&self, n: usize) -> PurchaseId {
        self.begin_on(n, PLENTY.date_at(self.clock.now()))
    }

    fn begin_on(&self, n: usize, day: CapDate) -> PurchaseId {
        let new = NewPurchase {
            entrant: self.entrant,
            package: PackageId::new(1),
            price: Money::from_cents(500).unwrap(),
            entries: EntryCount::new(20).unwrap(),
            event_id: EventId::parse(&format!("event-{n}")).unwrap(),
            at: self.clock.now(),
        };
        let begun = self
            .store
            .transaction::<_, StoreError>(|tx| tx.begin_purchase(&new, u32::MAX, day));
        match begun.unwrap() {
            BeginOutcome::Begun(id) => id,
            outcome => panic!("{outcome:?}"),
        }
    }

    async fn buy(&self, n: usize) -> (PurchaseId, IntentId) {
        self.buy_on(n, PLENTY.date_at(self.clock.now())).await
    }

    async fn buy_on(&self, n: usize, day: CapDate) -> (PurchaseId, IntentId) {
        let purchase = self.begin_on(n, day);
        let new = NewIntent {
            purchase,
            entrant: self.entrant,
            package: PackageId::new(1),
            amount: Money::from_cents(500).unwrap(),
            customer: None,
        };
        let intent = self.payments.create_intent(&new).await.unwrap().id;
        self.store
            .transaction::<_, StoreError>(|tx| tx.record_intent_id(purchase, &intent))
            .unwrap();
        (purchase, intent)
    }

    async fn reconcile_for(&self, time: Duration) {
        let running = keep_reconciling(
            &self.store,
            &InlineRunner,
            &self.clock,
            &self.payments,
            DrawingTimes::DEFAULT,
            &self.counts,
            self.clock.now(),
        );
        assert!(timeout(time, running).await.is_err(), "it never ends");
    }

    fn status(&self, id: PurchaseId) -> PurchaseStatus {
        let found = self.store.read::<_, StoreError>(|tx| tx.find_purchase(id));
        found.unwrap().unwrap().status
    }
}

/// A cap that nobody reaches.
const PLENTY: CapRules = CapRules {
    cap: EntryCap::HIGHEST,
    ..CapRules::DEFAULT
};
const HOUR: Duration = Duration::from_secs(3600);

#[tokio::test(start_paused = true)]
async fn an_unpaid_purchase_costs_few_calls_and_is_canceled_after_an_hour() {
    let shop = Shop::open();
    let (purchase, intent) = shop.buy(1).await;
    shop.reconcile_for(HOUR - Duration::from_secs(60)).await;
    assert_eq!(
        shop.payments.retrievals(),
        4,
        "at the start, and then three times"
    );
    assert_eq!(shop.status(purchase), PurchaseStatus::Pending);
    shop.reconcile_for(24 * HOUR).await;
    assert_eq!(shop.status(purchase), PurchaseStatus::Canceled);
    assert_eq!(
        shop.payments.intents().first().map(|intent| intent.status),
        Some(IntentStatus::Canceled),
        "nobody can pay {intent} any more"
    );
    assert!(shop.payments.retrievals() <= 7, "{}", shop.payments.retrievals());
}

#[tokio::test(start_paused = true)]
async fn all_open_purchases_are_reconciled_at_the_start() {
    let shop = Shop::open();
    let mut bought = Vec::new();
    for n in 0..120 {
        let (purchase, intent) = shop.buy(n).await;
        shop.payments.succeed(&intent);
        bought.push(purchase);
    }
    shop.reconcile_for(Duration::from_secs(1)).await;
    for purchase in bought {
        assert_eq!(shop.status(purchase), PurchaseStatus::Completed);
    }
    assert_eq!(shop.counts.reconciled.load(Ordering::Relaxed), 120);
}

#[tokio::test(start_paused = true)]
async fn a_payment_that_was_never_recorded_is_found_and_canceled_after_an_hour() {
    let shop = Shop::open();
    let purchase = shop.begin(1);
    shop.payments.fail_next(PaymentsError::Unavailable("away".into()));
    shop.reconcile_for(Duration::from_secs(60)).await;
    assert_eq!(shop.counts.failed.load(Ordering::Relaxed), 1);
    assert_eq!(shop.status(purchase), PurchaseStatus::Pending);
    shop.reconcile_for(HOUR).await;
    assert_eq!(shop.payments.intents().len(), 1);
    assert_eq!(shop.payments.customers(), [shop.entrant]);
    assert_eq!(shop.status(purchase), PurchaseStatus::Canceled);
}

#[tokio::test(start_paused = true)]
async fn a_payment_that_succeeds_at_the_last_moment_is_credited() {
    let shop = Shop::open();
    let (purchase, intent) = shop.buy(1).await;
    shop.reconcile_for(HOUR - Duration::from_secs(60)).await;
    shop.payments.succeed(&intent);
    shop.reconcile_for(HOUR).await;
    assert_eq!(shop.status(purchase), PurchaseStatus::Completed);
}

#[tokio::test(start_paused = true)]
async fn a_payment_that_no_longer_fits_under_the_cap_is_refunded() {
    let shop = Shop::open();
    let cap = EntryCap::new(20).unwrap();
    let date = CapRules { cap, ..PLENTY }.free_date_at(shop.clock.now(), None);
    let (late, intent) = shop.buy_on(1, date.day()).await;
    shop.payments.succeed(&intent);
    let pay_late = |tx: &mut MemTx| -> Result<_, StoreError> {
        tx.end_purchase(late, PurchaseStatus::Canceled, shop.clock.now())?;
        tx.give_free_entries(shop.entrant, date)?;
        tx.complete_purchase(late, shop.clock.now())
    };
    assert_eq!(
        shop.store.transaction(pay_late).unwrap(),
        CompleteOutcome::OverCap
    );
    shop.payments.fail_next(PaymentsError::Unavailable("away".into()));
    shop.reconcile_for(HOUR).await;
    assert_eq!(shop.status(late), PurchaseStatus::Refunded);
    assert_eq!(
        shop.payments.intents().first().map(|intent| intent.refunded),
        Some(500)
    );
}
