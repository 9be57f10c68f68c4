//! The flows of buying, on the fakes. The rules of the store are tested in `contracts`.

use crate::support::{InlineRunner, StuckRunner};
use chrono::TimeDelta;
use fakes::{FakePayments, FixedClock, MemStore, SeededEntropy};
use kernel::{Clock, EntrantId, Money, PersonSalt, Phone, StoreError, UnitOfWork};
use pricing::{
    CapRules, EntryCap, EntryCount, IntentId, IntentStatus, NewPackage, PackageId, PackageText, Packages,
    Payments, PaymentsError, PricingSettings, PurchaseStatus, Purchases, Webhooks,
};
use raffle::fixtures::GARDEN_BAG;
use raffle::{Entrants, NewEntrant};
use usecases::drawings::DrawingTimes;
use usecases::purchases::{
    ConfirmCommand, ConfirmError, ConfirmedPurchase, PayablePurchase, PaymentStoryError, PurchaseCommand,
    PurchaseError, PurchaseRules, apply_event, buy, confirm,
};
use usecases::{RunError, Runner};

const ENTRIES: i64 = 20;

struct Shop {
    store: MemStore,
    payments: FakePayments,
    entrant: EntrantId,
    package: PackageId,
    cap: EntryCap,
}

impl Shop {
    fn open() -> Self {
        let store = MemStore::default();
        let at = FixedClock::default().now();
        let package = NewPackage {
            name: PackageText::parse("Starter", 80).unwrap(),
            description: PackageText::parse("Twenty more", 300).unwrap(),
            entries: EntryCount::new(ENTRIES).unwrap(),
            price: Money::from_cents(500).unwrap(),
            is_popular: false,
            is_active: true,
            sort_order: 0,
        };
        let entrant = NewEntrant {
            id: EntrantId::new(1),
            phone: Phone::from_e164("+15550000001").unwrap(),
            person_salt: PersonSalt::new([7; 32]),
            raffle: GARDEN_BAG,
            referral_code: kernel::ReferralCode::parse("CDFG3467").unwrap(),
            event_id: None,
            origin: kernel::Origin::default(),
            fingerprint: None,
            created_at: at,
        };
        let (package, entrant) = store
            .transaction::<_, StoreError>(|tx| {
                tx.set_show_pricing(true, at)?;
                Ok((tx.add_package(&package, at)?, tx.add_entrant(&entrant)?.unwrap()))
            })
            .unwrap();
        Self {
            store,
            payments: FakePayments::default(),
            entrant,
            package,
            cap: EntryCap::HIGHEST,
        }
    }

    async fn buy_with<R: Runner>(
        &self,
        runner: &R,
        amount: i64,
    ) -> Result<PayablePurchase, PaymentStoryError<PurchaseError>> {
        let command = PurchaseCommand {
            entrant: self.entrant,
            package: self.package,
            amount,
            entries: ENTRIES,
            session: None,
        };
        let (clock, entropy) = (FixedClock::default(), SeededEntropy::new(1));
        buy(
            &self.store,
            runner,
            &clock,
            &entropy,
            &self.payments,
            PurchaseRules {
                cap: CapRules {
                    cap: self.cap,
                    ..CapRules::DEFAULT
                },
                times: DrawingTimes::DEFAULT,
            },
            command,
        )
        .await
    }

    async fn buy(&self) -> PayablePurchase {
        self.buy_with(&InlineRunner, 500).await.unwrap()
    }

    async fn confirm(&self, intent: &IntentId) -> Result<ConfirmedPurchase, PaymentStoryError<ConfirmError>> {
        let command = ConfirmCommand {
            intent: intent.clone(),
            entrant: self.entrant,
            package: self.package,
            session: None,
        };
        let clock = FixedClock::default();
        let times = DrawingTimes::DEFAULT;
        confirm(&self.store, &InlineRunner, &clock, &self.payments, times, command).await
    }

    fn status(&self, intent: &IntentId) -> Option<PurchaseStatus> {
        let found = self
            .store
            .read::<_, StoreError>(|tx| tx.find_purchase_by_intent(intent));
        found.unwrap().map(|purchase| purchase.status)
    }

    fn entries(&self) -> i64 {
        let found = self
            .store
            .read::<_, StoreError>(|tx| tx.find_entrant(self.entrant));
        found.unwrap().unwrap().entries.total()
    }

    /// The number of purchases that are pending or failed.
    fn open_purchases(&self) -> usize {
        let later = FixedClock::default().now() + TimeDelta::hours(1);
        let open = self
            .store
            .transaction::<_, StoreError>(|tx| tx.claim_open_purchases(10, later));
        open.unwrap().len()
    }
}

#[tokio::test]
async fn a_purchase_has_the_id_of_its_payment_intent() {
    let shop = Shop::open();
    let purchase = shop.buy().await;
    let created = &shop.payments.intents()[0];
    assert_eq!((&created.id, created.amount), (&purchase.intent.id, 500));
    assert_eq!(shop.status(&purchase.intent.id), Some(PurchaseStatus::Pending));
    assert_eq!(shop.entries(), 1, "nothing is credited before it is paid");
}

#[tokio::test]
async fn no_payment_intent_is_created_for_a_package_that_is_not_sold() {
    let shop = Shop::open();
    let refused = shop.buy_with(&InlineRunner, 499).await;
    assert!(matches!(
        refused,
        Err(PaymentStoryError::Refused(PurchaseError::OfferMismatch {
            amount: true,
            ..
        }))
    ));
    assert_eq!((shop.payments.intents().len(), shop.open_purchases()), (0, 0));
}

#[tokio::test]
async fn a_purchase_whose_provider_failed_stays_pending() {
    let shop = Shop::open();
    shop.buy().await;
    shop.payments.fail_next(PaymentsError::Unavailable("away".into()));
    let failed = shop.buy_with(&InlineRunner, 500).await;
    assert!(matches!(failed, Err(PaymentStoryError::Provider(_))));
    assert_eq!(shop.open_purchases(), 2, "the reconciler asks about it");
}

#[tokio::test]
async fn a_purchase_that_did_not_reach_the_provider_does_not_count_as_open() {
    let shop = Shop::open();
    for has_customer in [false, true] {
        for _ in 0..20 {
            shop.payments
                .fail_next(PaymentsError::Unreachable("connection refused".into()));
            let failed = shop.buy_with(&InlineRunner, 500).await;
            assert!(
                matches!(failed, Err(PaymentStoryError::Provider(_))),
                "{failed:?}"
            );
        }
        assert_eq!(shop.payments.customers().len(), usize::from(has_customer));
        shop.buy().await;
    }
}

#[tokio::test]
async fn a_purchase_without_a_customer_has_no_payment_and_does_not_count_as_open() {
    let shop = Shop::open();
    for _ in 0..20 {
        shop.payments.fail_next(PaymentsError::Unavailable("away".into()));
        let failed = shop.buy_with(&InlineRunner, 500).await;
        assert!(
            matches!(failed, Err(PaymentStoryError::Provider(_))),
            "{failed:?}"
        );
    }
    shop.buy().await;
}

#[tokio::test]
async fn a_purchase_whose_answer_was_lost_stays_open_and_is_credited_once() {
    let shop = Shop::open();
    shop.buy().await;
    shop.payments.lose_next_answer();
    let failed = shop.buy_with(&InlineRunner, 500).await;
    assert!(matches!(failed, Err(PaymentStoryError::Provider(_))));
    let lost = shop.payments.intents()[1].id.clone();
    let paid = shop.payments.succeed(&lost);
    for _ in 0..2 {
        let event = shop
            .payments
            .read_event(&paid, FakePayments::SIGNATURE, FixedClock::default().now());
        apply_event(
            &shop.store,
            &FixedClock::default(),
            DrawingTimes::DEFAULT,
            &event.unwrap(),
        )
        .unwrap();
    }
    assert_eq!(shop.status(&lost), Some(PurchaseStatus::Completed));
    assert_eq!(shop.entries(), 1 + ENTRIES);
}

#[tokio::test]
async fn a_purchase_that_the_provider_refused_does_not_count_as_open() {
    let shop = Shop::open();
    shop.buy().await; // from now on there is a customer
    for _ in 0..20 {
        shop.payments.fail_next(PaymentsError::Refused("no".into()));
        let failed = shop.buy_with(&InlineRunner, 500).await;
        assert!(
            matches!(failed, Err(PaymentStoryError::Provider(_))),
            "{failed:?}"
        );
    }
    for _ in 1..10 {
        shop.buy().await;
    }
    assert_eq!(shop.payments.intents().len(), 10);
}

#[tokio::test]
async fn a_step_that_did_not_run_ends_the_flow() {
    let shop = Shop::open();
    let stuck = shop.buy_with(&StuckRunner, 500).await;
    assert!(matches!(
        stuck,
        Err(PaymentStoryError::NotRun(RunError::TimedOut))
    ));
    assert_eq!(shop.payments.intents().len(), 0);
}

#[tokio::test]
async fn a_paid_purchase_is_credited_once_however_often_it_is_confirmed() {
    let shop = Shop::open();
    let intent = shop.buy().await.intent.id;
    let unpaid = shop.confirm(&intent).await;
    assert!(matches!(
        unpaid,
        Err(PaymentStoryError::Refused(ConfirmError::NotPaid))
    ));
    shop.payments.succeed(&intent);
    let confirmed = shop.confirm(&intent).await.unwrap();
    assert_eq!(confirmed.entries.get(), ENTRIES);
    shop.payments.fail_next(PaymentsError::Unavailable("away".into()));
    let again = shop.confirm(&intent).await.unwrap();
    assert_eq!(
        again, confirmed,
        "a completed purchase does not need the provider"
    );
    assert_eq!(shop.entries(), 1 + ENTRIES);
}

#[tokio::test]
async fn a_confirmation_needs_the_provider() {
    let shop = Shop::open();
    let intent = shop.buy().await.intent.id;
    shop.payments.succeed(&intent);
    shop.payments.fail_next(PaymentsError::Unavailable("away".into()));
    let failed = shop.confirm(&intent).await;
    assert!(matches!(failed, Err(PaymentStoryError::Provider(_))));
    assert_eq!(shop.entries(), 1);
    let unknown = IntentId::parse("pi_unknown").unwrap();
    let unknown = shop.confirm(&unknown).await;
    assert!(matches!(
        unknown,
        Err(PaymentStoryError::Refused(ConfirmError::UnknownIntent))
    ));
}

#[tokio::test]
async fn a_refunded_payment_cannot_be_confirmed() {
    let shop = Shop::open();
    let intent = shop.buy().await.intent.id;
    shop.payments.succeed(&intent);
    shop.payments.refund(&intent).await.unwrap();
    let refused = shop.confirm(&intent).await;
    assert!(matches!(
        refused,
        Err(PaymentStoryError::Refused(ConfirmError::NotPaid))
    ));
    assert_eq!(shop.entries(), 1);
}

#[tokio::test]
async fn the_eleventh_open_purchase_is_refused_with_the_time_to_wait() {
    let shop = Shop::open();
    for _ in 0..10 {
        shop.buy().await;
    }
    let refused = shop.buy_with(&InlineRunner, 500).await;
    let Err(PaymentStoryError::Refused(PurchaseError::TooManyOpen { wait })) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(wait, TimeDelta::hours(1));
    assert_eq!(shop.payments.intents().len(), 10);
}

#[tokio::test]
async fn a_payment_that_was_not_made_gives_way_where_the_next_would_not_fit() {
    let shop = Shop {
        cap: EntryCap::new(30).unwrap(),
        ..Shop::open()
    };
    let first = shop.buy().await.intent.id;
    let second = shop.buy().await.intent.id;
    assert_eq!(shop.status(&first), Some(PurchaseStatus::Canceled));
    assert_eq!(shop.payments.intents()[0].status, IntentStatus::Canceled);

    shop.payments.succeed(&second);
    let refused = shop.buy_with(&InlineRunner, 500).await;
    let Err(PaymentStoryError::Refused(PurchaseError::EntryCap { room: 10 })) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(shop.status(&second), Some(PurchaseStatus::Completed));
    assert_eq!(shop.entries(), 21, "a payment that was made is credited instead");
}

#[tokio::test]
async fn a_payment_whose_end_is_unknown_keeps_its_entries() {
    let shop = Shop {
        cap: EntryCap::new(30).unwrap(),
        ..Shop::open()
    };
    let first = shop.buy().await.intent.id;
    shop.payments.fail_next(PaymentsError::Unavailable("away".into()));
    let refused = shop.buy_with(&InlineRunner, 500).await;
    let Err(PaymentStoryError::Refused(PurchaseError::EntryCap { room: 10 })) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(shop.status(&first), Some(PurchaseStatus::Pending));
}

#[tokio::test]
async fn an_entrant_has_one_customer_for_all_purchases() {
    let shop = Shop::open();
    shop.payments.lose_next_answer();
    let failed = shop.buy_with(&InlineRunner, 500).await;
    assert!(matches!(failed, Err(PaymentStoryError::Provider(_))));
    for _ in 0..3 {
        shop.buy().await;
    }
    assert_eq!(shop.payments.customers(), [shop.entrant]);
    let customer = shop
        .store
        .read::<_, StoreError>(|tx| tx.find_customer(shop.entrant));
    let expected = pricing::CustomerId::parse(&format!("cus_{}", shop.entrant));
    assert_eq!(customer.unwrap(), expected);
    assert!(
        shop.payments
            .requests()
            .iter()
            .all(|new| new.customer == expected && expected.is_some())
    );
}
