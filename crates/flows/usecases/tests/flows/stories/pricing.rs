//! An entrant buys a package of entries, pays, and is credited once; a refund takes the entries back. Start here to learn
//! what `crates/domain/pricing` is for.
//!
//! The flow is `usecases::purchases`; the store and the payment provider are in memory. `crates/testing/contracts` holds
//! PostgreSQL to the same rules, and `crates/adapters/payments-stripe` talks to Stripe.

use crate::support::STAFF;
use fakes::{FakePayments, FixedClock, MemStore, SeededEntropy, poll_once};
use kernel::{Clock, EntrantId, EventId, Money, Origin, Phone, StoreError, UnitOfWork};
use pricing::{
    CapRules, EntryCount, IntentId, NewPackage, Package, PackageText, Payments, PurchaseStatus, Purchases,
    WebhookError, Webhooks,
};
use raffle::fixtures::GARDEN_BAG;
use raffle::{Entries, EntryKind, SignUp};
use usecases::drawings::DrawingTimes;
use usecases::packages::SaleNeeds;
use usecases::purchases::{ConfirmCommand, ConfirmError, PurchaseCommand, PurchaseError};

/// A site that sells one package, with one entrant.
struct Site {
    store: MemStore,
    clock: FixedClock,
    entropy: SeededEntropy,
    payments: FakePayments,
    package: Package,
    entrant: EntrantId,
}

/// Twenty entries for five dollars.
fn twenty_entries() -> NewPackage {
    NewPackage {
        name: PackageText::parse("Starter", PackageText::NAME_CHARS).unwrap(),
        description: PackageText::parse("Twenty more", PackageText::DESCRIPTION_CHARS).unwrap(),
        entries: EntryCount::new(20).unwrap(),
        price: Money::from_cents(500).unwrap(),
        is_popular: false,
        is_active: true,
        sort_order: 0,
    }
}

impl Site {
    fn open() -> Self {
        let (store, clock, entropy) = (
            MemStore::default(),
            FixedClock::default(),
            SeededEntropy::default(),
        );
        usecases::packages::set_show_pricing(&store, &clock, STAFF, true, SaleNeeds::Nothing).unwrap();
        let package = usecases::packages::create(&store, &clock, STAFF, &twenty_entries()).unwrap();
        let command = SignUp {
            phone: Phone::parse("555-123-4567").unwrap(),
            raffle: Some(GARDEN_BAG),
            referral_code: None,
            event_id: None,
            consent: None,
            origin: Origin::default(),
            fingerprint: None,
            session: None,
        };
        let entered = usecases::entering::enter(&store, &clock, &entropy, &command, None).unwrap();
        Self {
            store,
            clock,
            entropy,
            payments: FakePayments::default(),
            package,
            entrant: entered.entrant.id,
        }
    }

    /// Begins a purchase at the price and for the number of entries that the page showed, and creates its payment.
    fn buy_as_shown(&self, cents: i64, entries: i64) -> Result<IntentId, PurchaseError> {
        let command = PurchaseCommand {
            entrant: self.entrant,
            package: self.package.id,
            amount: cents,
            entries,
            session: None,
        };
        let started = usecases::purchases::begin_purchase(
            &self.store,
            self.clock.now(),
            CapRules::DEFAULT,
            EventId::random(&self.entropy),
            &command,
        )?;
        let intent = poll_once(self.payments.create_intent(&started.intent)).unwrap();
        usecases::purchases::record_intent_id(&self.store, &started, &intent.id)?;
        Ok(intent.id)
    }

    fn buy(&self) -> IntentId {
        self.buy_as_shown(500, 20).unwrap()
    }

    /// The provider calls the webhook.
    fn receive(&self, body: &[u8], signature: &str) -> Result<(), WebhookError> {
        let event = self.payments.read_event(body, signature, self.clock.now())?;
        usecases::purchases::apply_event(&self.store, &self.clock, DrawingTimes::DEFAULT, &event).unwrap();
        Ok(())
    }

    /// The buyer's browser asks to confirm the payment.
    fn confirm(&self, intent: &IntentId) -> Result<(), ConfirmError> {
        let command = ConfirmCommand {
            intent: intent.clone(),
            entrant: self.entrant,
            package: self.package.id,
            session: None,
        };
        let purchase = usecases::purchases::purchase_to_confirm(&self.store, &command)?;
        let payment = poll_once(self.payments.retrieve_intent(intent)).unwrap();
        usecases::purchases::confirm_purchase(
            &self.store,
            self.clock.now(),
            DrawingTimes::DEFAULT,
            &command,
            &purchase,
            payment.as_ref(),
        )
    }

    fn entries(&self) -> Entries {
        usecases::entrants::stats(&self.store, self.entrant)
            .unwrap()
            .entries
    }

    fn status(&self, intent: &IntentId) -> PurchaseStatus {
        let purchase = self
            .store
            .read::<_, StoreError>(|tx| tx.find_purchase_by_intent(intent));
        purchase.unwrap().unwrap().status
    }

    /// The reasons and amounts of the entrant's ledger.
    fn ledger(&self) -> Vec<(EntryKind, i64)> {
        let rows = self.store.ledger_of(self.entrant);
        rows.iter().map(|row| (row.kind, row.delta)).collect()
    }
}

#[test]
fn a_purchase_is_credited_once_by_the_browser_and_the_provider() {
    let site = Site::open();
    let payment = site.buy();
    assert!(matches!(site.confirm(&payment), Err(ConfirmError::NotPaid)));
    assert_eq!(
        (site.status(&payment), site.entries().paid),
        (PurchaseStatus::Pending, 0)
    );

    // The buyer pays. The browser and the provider's event tell of it, the event even twice.
    let event = site.payments.succeed(&payment);
    site.confirm(&payment).unwrap();
    site.receive(&event, FakePayments::SIGNATURE).unwrap();
    site.receive(&event, FakePayments::SIGNATURE).unwrap();
    assert_eq!(site.status(&payment), PurchaseStatus::Completed);
    assert_eq!(site.ledger(), [(EntryKind::Base, 1), (EntryKind::Purchase, 20)]);
    assert_eq!(site.entries().total(), 21);
}

#[test]
fn a_refund_takes_the_entries_back_once() {
    let site = Site::open();
    let payment = site.buy();
    let paid = site.payments.succeed(&payment);
    site.receive(&paid, FakePayments::SIGNATURE).unwrap();

    let refunded = site.payments.lose(&payment);
    for _ in 0..2 {
        site.receive(&refunded, FakePayments::SIGNATURE).unwrap();
    }
    assert_eq!(site.status(&payment), PurchaseStatus::Refunded);
    assert_eq!(
        site.ledger(),
        [
            (EntryKind::Base, 1),
            (EntryKind::Purchase, 20),
            (EntryKind::Refund, -20)
        ]
    );
    assert_eq!(site.entries(), Entries::NEW);

    // Nothing is credited after a refund.
    assert!(matches!(site.confirm(&payment), Err(ConfirmError::NotPaid)));
}

#[test]
fn a_declined_card_may_be_followed_by_another_one() {
    let site = Site::open();
    let payment = site.buy();
    let declined = site.payments.decline(&payment);
    site.receive(&declined, FakePayments::SIGNATURE).unwrap();
    assert_eq!(site.status(&payment), PurchaseStatus::Failed);
    let paid = site.payments.succeed(&payment);
    site.receive(&paid, FakePayments::SIGNATURE).unwrap();
    assert_eq!(
        (site.status(&payment), site.entries().paid),
        (PurchaseStatus::Completed, 20)
    );
}

#[test]
fn the_server_decides_the_price_and_the_entries() {
    let site = Site::open();
    let mismatch = |cents, entries| match site.buy_as_shown(cents, entries) {
        Err(PurchaseError::OfferMismatch { amount, entries }) => (amount, entries),
        other => panic!("{other:?}"),
    };
    assert_eq!(mismatch(1, 20), (true, false));
    assert_eq!(mismatch(500, 2_000), (false, true));

    // A purchase gives what was sold, also when staff change the package before it is paid.
    let payment = site.buy();
    let fewer = NewPackage {
        entries: EntryCount::new(5).unwrap(),
        ..twenty_entries()
    };
    usecases::packages::update(&site.store, &site.clock, STAFF, site.package.id, &fewer).unwrap();
    site.payments.succeed(&payment);
    site.confirm(&payment).unwrap();
    assert_eq!(site.entries().paid, 20);
}

#[test]
fn a_payment_of_less_than_the_price_is_not_credited() {
    let site = Site::open();
    let payment = site.buy();
    site.payments.succeed(&payment);
    site.payments.alter(&payment, |payment| payment.amount = 499);
    assert!(matches!(site.confirm(&payment), Err(ConfirmError::NotPaid)));
    assert_eq!(site.entries().paid, 0);
}

#[test]
fn an_event_without_the_providers_signature_is_refused() {
    let site = Site::open();
    let payment = site.buy();
    let event = site.payments.succeed(&payment);
    assert_eq!(site.receive(&event, "forged"), Err(WebhookError::Signature));
    assert_eq!(site.entries().paid, 0);
}
