//! Buying on the store: from `usecases::purchases::begin_purchase` to the credit, by confirmation or by webhook.

mod closing;
mod reversals;

pub use closing::*;
pub use reversals::*;

use crate::Store;
use crate::support::{Noon, SeededEntropy, assert_balanced, at_once, entered, noon, session};
use chrono::TimeDelta;
use fakes::FixedClock;
use kernel::{EntrantId, EventId, Money, StoreError};
use pricing::{
    CapRules, EntryCap, EntryCount, EventKind, Intent, IntentId, IntentStatus, NewPackage, PackageId,
    PackageText, Packages, PricingSettings, ProviderEvent, Purchase, PurchaseStatus, Purchases, Reversal,
};
use raffle::Entrants;
use usecases::drawings::DrawingTimes;
use usecases::purchases::{ConfirmCommand, ConfirmError, PurchaseCommand, PurchaseError, PurchaseStarted};

const ENTRIES: i64 = 20;

fn offer() -> NewPackage {
    NewPackage {
        name: PackageText::parse("Starter", 80).unwrap(),
        description: PackageText::parse("Twenty more", 300).unwrap(),
        entries: EntryCount::new(ENTRIES).unwrap(),
        price: Money::from_cents(500).unwrap(),
        is_popular: false,
        is_active: true,
        sort_order: 0,
    }
}

/// A package that is for sale.
pub fn on_sale<S: Store>(store: &S) -> PackageId {
    store
        .transaction::<_, StoreError>(|tx| {
            tx.set_show_pricing(true, noon())?;
            tx.add_package(&offer(), noon())
        })
        .unwrap()
}

fn buy_command(entrant: EntrantId, package: PackageId) -> PurchaseCommand {
    PurchaseCommand {
        entrant,
        package,
        amount: 500,
        entries: ENTRIES,
        session: None,
    }
}

fn intent_id(n: u32) -> IntentId {
    IntentId::parse(&format!("pi_{n}")).unwrap()
}

/// A cap that no purchase reaches.
pub(crate) const PLENTY: CapRules = CapRules {
    cap: EntryCap::HIGHEST,
    ..CapRules::DEFAULT
};

/// A purchase with payment intent `n`.
pub(crate) fn begun<S: Store>(store: &S, n: u32, entrant: EntrantId, package: PackageId) -> PurchaseStarted {
    let entropy = SeededEntropy::new(u64::from(n) + 77);
    let begun = usecases::purchases::begin_purchase(
        store,
        noon(),
        PLENTY,
        EventId::random(&entropy),
        &buy_command(entrant, package),
    )
    .unwrap();
    usecases::purchases::record_intent_id(store, &begun, &intent_id(n)).unwrap();
    begun
}

pub(crate) fn paid(n: u32, begun: &PurchaseStarted) -> Intent {
    Intent {
        id: intent_id(n),
        status: IntentStatus::Succeeded,
        amount: begun.intent.amount.cents(),
        currency: "usd".to_owned(),
        purchase: Some(begun.intent.purchase),
        entrant: Some(begun.intent.entrant),
        package: Some(begun.intent.package),
        refunded: 0,
    }
}

fn confirm_command(n: u32, entrant: EntrantId, package: PackageId) -> ConfirmCommand {
    ConfirmCommand {
        intent: intent_id(n),
        entrant,
        package,
        session: None,
    }
}

fn confirm<S: Store>(
    store: &S,
    command: &ConfirmCommand,
    intent: Option<&Intent>,
) -> Result<Purchase, ConfirmError> {
    let purchase = usecases::purchases::purchase_to_confirm(store, command)?;
    usecases::purchases::confirm_purchase(store, noon(), DrawingTimes::DEFAULT, command, &purchase, intent)?;
    Ok(purchase)
}

/// A purchase with payment intent `n` that its buyer confirmed.
pub fn bought<S: Store>(store: &S, n: u32, entrant: EntrantId, package: PackageId) {
    let begun = begun(store, n, entrant, package);
    let command = ConfirmCommand {
        session: Some(session(&format!("buyer-{n}"))),
        ..confirm_command(n, entrant, package)
    };
    confirm(store, &command, Some(&paid(n, &begun))).unwrap();
}

pub(crate) fn event<S: Store>(store: &S, id: &str, kind: EventKind) {
    let event = ProviderEvent {
        id: id.to_owned(),
        kind,
    };
    usecases::purchases::apply_event(store, &Noon, DrawingTimes::DEFAULT, &event).unwrap();
}

fn reversed(n: u32, reversal: Reversal) -> EventKind {
    EventKind::Reversed(intent_id(n), reversal)
}

pub(crate) fn paid_entries<S: Store>(store: &S, entrant: EntrantId) -> i64 {
    assert_balanced(store);
    store
        .read(|tx| tx.find_entrant(entrant))
        .unwrap()
        .unwrap()
        .entries
        .paid
}

fn status<S: Store>(store: &S, n: u32) -> PurchaseStatus {
    let purchase = store
        .read(|tx| tx.find_purchase_by_intent(&intent_id(n)))
        .unwrap();
    purchase.unwrap().status
}

pub fn a_purchase_must_match_an_active_package<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    let package = on_sale(store);
    let buy = |command: &PurchaseCommand| {
        usecases::purchases::begin_purchase(
            store,
            noon(),
            PLENTY,
            EventId::random(&SeededEntropy::new(1)),
            command,
        )
    };
    for (amount, entries) in [
        (499, ENTRIES),
        (501, ENTRIES),
        (0, ENTRIES),
        (-500, ENTRIES),
        (500, 21),
        (500, 0),
    ] {
        let tampered = PurchaseCommand {
            amount,
            entries,
            ..buy_command(entrant, package)
        };
        let refused = buy(&tampered);
        let expected = (amount != 500, entries != ENTRIES);
        assert!(
            matches!(refused, Err(PurchaseError::OfferMismatch { amount, entries }) if (amount, entries) == expected),
            "{refused:?}"
        );
    }
    let unknown = buy(&buy_command(entrant, PackageId::new(package.get() + 1)));
    assert!(matches!(unknown, Err(PurchaseError::NotForSale)), "{unknown:?}");
    let unknown = buy(&buy_command(EntrantId::new(entrant.get() + 1000), package));
    assert!(
        matches!(unknown, Err(PurchaseError::UnknownEntrant)),
        "{unknown:?}"
    );
    let inactive = NewPackage {
        is_active: false,
        ..offer()
    };
    store
        .transaction(|tx| tx.change_package(package, &inactive))
        .unwrap();
    let refused = buy(&buy_command(entrant, package));
    assert!(matches!(refused, Err(PurchaseError::NotForSale)), "{refused:?}");
    store
        .transaction(|tx| tx.change_package(package, &offer()))
        .unwrap();
    store
        .transaction(|tx| tx.set_show_pricing(false, noon()))
        .unwrap();
    let refused = buy(&buy_command(entrant, package));
    assert!(matches!(refused, Err(PurchaseError::NotForSale)), "{refused:?}");
    store.transaction(|tx| tx.set_show_pricing(true, noon())).unwrap();
    assert!(buy(&buy_command(entrant, package)).is_ok());
    assert_eq!(paid_entries(store, entrant), 0);
}

pub fn fifty_concurrent_confirmations_credit_once<S: Store>(store: &S) {
    let (entrant, package) = (entered(store, 1).id, on_sale(store));
    let begun = begun(store, 1, entrant, package);
    let command = confirm_command(1, entrant, package);
    let intent = paid(1, &begun);
    let answers = at_once(50, |_| confirm(store, &command, Some(&intent)).unwrap().sold);
    assert!(
        answers
            .iter()
            .all(|sold| *sold == answers[0] && sold.event_id == begun.event_id)
    );
    assert_eq!(paid_entries(store, entrant), ENTRIES);
    assert_eq!(status(store, 1), PurchaseStatus::Completed);
    // A completed purchase is confirmed without the provider's intent.
    confirm(store, &command, None).unwrap();
    assert_eq!(paid_entries(store, entrant), ENTRIES);
}

pub fn confirmation_and_event_in_any_order_credit_once<S: Store>(store: &S) {
    let (entrant, package) = (entered(store, 1).id, on_sale(store));
    for n in 0..200 {
        let begun = begun(store, n, entrant, package);
        let (command, intent) = (confirm_command(n, entrant, package), paid(n, &begun));
        let confirm = || drop(confirm(store, &command, Some(&intent)).unwrap());
        let receive = |id: &str| event(store, &format!("{id}_{n}"), EventKind::Succeeded(intent.clone()));
        match n % 4 {
            0 => {
                confirm();
                receive("evt");
            }
            1 => {
                receive("evt");
                confirm();
            }
            _ => drop(at_once(3, |n| match n {
                0 => confirm(),
                1 => receive("evt"),
                _ => receive("evt_late"),
            })),
        }
        assert_eq!(paid_entries(store, entrant), ENTRIES * (i64::from(n) + 1));
    }
}

pub fn a_payment_that_is_unpaid_or_does_not_match_is_not_credited<S: Store>(store: &S) {
    let (entrant, other) = (entered(store, 1).id, entered(store, 2).id);
    let package = on_sale(store);
    let begun = begun(store, 1, entrant, package);
    let command = confirm_command(1, entrant, package);
    let right = paid(1, &begun);
    let wrong: [fn(&mut Intent); 9] = [
        |intent| intent.status = IntentStatus::Open,
        |intent| intent.status = IntentStatus::Canceled,
        |intent| intent.amount = 1,
        |intent| intent.currency = "jpy".to_owned(),
        |intent| intent.purchase = None,
        |intent| intent.entrant = None,
        |intent| intent.package = None,
        |intent| intent.refunded = 500,
        |intent| intent.id = intent_id(9),
    ];
    for (n, change) in wrong.into_iter().enumerate() {
        let mut intent = right.clone();
        change(&mut intent);
        let refused = confirm(store, &command, Some(&intent));
        assert!(
            matches!(refused, Err(ConfirmError::NotPaid)),
            "change {n}: {refused:?}"
        );
        if intent.status == IntentStatus::Succeeded && !intent.is_refunded() {
            event(store, &format!("evt_{n}"), EventKind::Succeeded(intent));
        }
    }
    let refused = confirm(store, &command, None);
    assert!(matches!(refused, Err(ConfirmError::NotPaid)), "{refused:?}");
    let refused = confirm(store, &confirm_command(1, other, package), Some(&right));
    assert!(matches!(refused, Err(ConfirmError::NotYours)), "{refused:?}");
    let elsewhere = PackageId::new(package.get() + 1);
    let refused = confirm(store, &confirm_command(1, entrant, elsewhere), Some(&right));
    assert!(matches!(refused, Err(ConfirmError::NotPaid)), "{refused:?}");
    let refused = confirm(store, &confirm_command(2, entrant, package), Some(&right));
    assert!(matches!(refused, Err(ConfirmError::UnknownIntent)), "{refused:?}");
    assert_eq!((paid_entries(store, entrant), paid_entries(store, other)), (0, 0));
    confirm(store, &command, Some(&right)).unwrap();
    assert_eq!(paid_entries(store, entrant), ENTRIES);
}

pub fn a_purchase_gives_the_entries_that_were_sold_if_the_package_changes<S: Store>(store: &S) {
    let (entrant, package) = (entered(store, 1).id, on_sale(store));
    let (one, two) = (
        begun(store, 1, entrant, package),
        begun(store, 2, entrant, package),
    );
    let changed = NewPackage {
        entries: EntryCount::new(1).unwrap(),
        price: Money::from_cents(9_900).unwrap(),
        ..offer()
    };
    store
        .transaction(|tx| tx.change_package(package, &changed))
        .unwrap();
    confirm(store, &confirm_command(1, entrant, package), Some(&paid(1, &one))).unwrap();
    store.transaction(|tx| tx.delete_package(package)).unwrap();
    event(store, "evt_2", EventKind::Succeeded(paid(2, &two)));
    assert_eq!(paid_entries(store, entrant), 2 * ENTRIES);
}

pub fn an_event_before_the_intent_id_is_recorded_credits_the_purchase<S: Store>(store: &S) {
    let (entrant, package) = (entered(store, 1).id, on_sale(store));
    let begun = usecases::purchases::begin_purchase(
        store,
        noon(),
        PLENTY,
        EventId::random(&SeededEntropy::new(1)),
        &buy_command(entrant, package),
    )
    .unwrap();
    event(store, "evt_1", EventKind::Succeeded(paid(1, &begun)));
    assert_eq!(paid_entries(store, entrant), ENTRIES);
    assert_eq!(status(store, 1), PurchaseStatus::Completed);
    usecases::purchases::record_intent_id(store, &begun, &intent_id(1)).unwrap();
    confirm(store, &confirm_command(1, entrant, package), None).unwrap();
    assert_eq!(paid_entries(store, entrant), ENTRIES);
}

/// For example, because the webhook was misconfigured for days and the purchase was canceled meanwhile.
pub fn events_three_days_late_credit_a_canceled_purchase_once<S: Store>(store: &S) {
    let (entrant, package) = (entered(store, 1).id, on_sale(store));
    let begun = begun(store, 1, entrant, package);
    store
        .transaction(|tx| tx.end_purchase(begun.intent.purchase, PurchaseStatus::Canceled, noon()))
        .unwrap();
    let late = FixedClock::at(noon() + TimeDelta::days(3));
    let receive = |id: &str, kind: EventKind| {
        let id = id.to_owned();
        usecases::purchases::apply_event(store, &late, DrawingTimes::DEFAULT, &ProviderEvent { id, kind })
            .unwrap();
    };
    for _ in 0..3 {
        receive("evt_paid", EventKind::Succeeded(paid(1, &begun)));
        receive("evt_declined_before", EventKind::Failed(intent_id(1)));
        assert_eq!(paid_entries(store, entrant), ENTRIES);
        assert_eq!(status(store, 1), PurchaseStatus::Completed);
    }
}

pub fn repeated_events_in_any_order_lead_to_the_same_status<S: Store>(store: &S) {
    let (entrant, package) = (entered(store, 1).id, on_sale(store));
    let kinds = |n: u32, begun: &PurchaseStarted| {
        [
            (format!("failed_{n}"), EventKind::Failed(intent_id(n))),
            (format!("succeeded_{n}"), EventKind::Succeeded(paid(n, begun))),
            (format!("refunded_{n}"), reversed(n, Reversal::Refunded(500))),
        ]
    };
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    for (n, order) in (0..).zip(orders) {
        let begun = begun(store, n, entrant, package);
        let kinds = kinds(n, &begun);
        for place in order.iter().chain(&order) {
            let (id, kind) = &kinds[*place];
            event(store, id, kind.clone());
        }
        assert_eq!(status(store, n), PurchaseStatus::Refunded, "{order:?}");
        assert_eq!(paid_entries(store, entrant), 0, "{order:?}");
    }
    let begun = begun(store, 10, entrant, package);
    event(store, "a", EventKind::Failed(intent_id(10)));
    assert_eq!(status(store, 10), PurchaseStatus::Failed);
    event(store, "b", EventKind::Succeeded(paid(10, &begun)));
    event(store, "c", EventKind::Failed(intent_id(10)));
    event(store, "d", EventKind::Canceled(intent_id(10)));
    event(store, "e", EventKind::Other);
    event(store, "f", reversed(99, Reversal::Refunded(500)));
    assert_eq!(
        status(store, 10),
        PurchaseStatus::Completed,
        "later failures do not undo success"
    );
    assert_eq!(paid_entries(store, entrant), ENTRIES);
}
