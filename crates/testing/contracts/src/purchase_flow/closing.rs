//! Payments that succeed after their raffle was closed (D56b).

use super::{
    ENTRIES, begun, confirm, confirm_command, event, intent_id, on_sale, paid, paid_entries, status,
};
use crate::Store;
use crate::drawing_flow::kit::{Kit, RAFFLE, add_rules, request, seal_by_hand};
use crate::support::{at_once, entered, noon, staff_actor};
use chrono_tz::Tz;
use drawing::Drawings;
use drawing::steps::DrawingSteps;
use kernel::{EntrantId, StoreError};
use pricing::{EventKind, PackageId, PurchaseStatus, Purchases, Reversal};
use staff::SecondPerson;
use usecases::drawings::{PerformDrawing, Performed};
use usecases::purchases::{ConfirmError, PurchaseStarted};
use usecases::raffles::{ChangeOpening, When};

fn at_once_asked() -> ChangeOpening {
    ChangeOpening {
        actor: staff_actor(),
        second: SecondPerson::NotNeeded,
        raffle: RAFFLE,
        when: When::Now,
        reason: Some("The prize is gone".to_owned()),
    }
}

fn close<S: Store>(store: &S) {
    usecases::raffles::close(store, Tz::UTC, &at_once_asked()).unwrap();
}

/// Draws the month, without a beacon: what comes later comes too late.
fn draw<S: Store>(store: &S) {
    let drawn = Kit::new(3).perform(store, &request(None)).unwrap();
    assert!(matches!(drawn, Performed::Drawn(_)), "{drawn:?}");
}

/// Confirms the purchase with payment intent `n`, which was paid.
fn pay<S: Store>(
    store: &S,
    n: u32,
    (entrant, package): (EntrantId, PackageId),
    begun: &PurchaseStarted,
) -> Result<(), ConfirmError> {
    let command = confirm_command(n, entrant, package);
    confirm(store, &command, Some(&paid(n, begun))).map(drop)
}

pub fn a_payment_after_the_last_seal_is_refunded<S: Store>(store: &S) {
    let buyer = (entered(store, 1).id, on_sale(store));
    let [pending, declined, canceled, by_event, _] =
        [1, 2, 3, 4, 5].map(|n| begun(store, n, buyer.0, buyer.1));
    event(store, "evt_declined", EventKind::Failed(intent_id(2)));
    event(store, "evt_canceled", EventKind::Canceled(intent_id(3)));
    draw(store);
    close(store);
    for (n, begun) in [(1, pending), (2, declined), (3, canceled)] {
        let refused = pay(store, n, buyer, &begun).unwrap_err();
        assert!(matches!(refused, ConfirmError::RaffleEnded), "{n}: {refused:?}");
        let again = pay(store, n, buyer, &begun).unwrap_err();
        assert!(matches!(again, ConfirmError::PaidTooLate), "{n}: {again:?}");
        assert_eq!(status(store, n), PurchaseStatus::Refunding, "{n}");
    }
    event(store, "evt_paid", EventKind::Succeeded(paid(4, &by_event)));
    assert_eq!(status(store, 4), PurchaseStatus::Refunding);
    event(
        store,
        "evt_refunded",
        EventKind::Reversed(intent_id(5), Reversal::Refunded(100)),
    );
    assert_eq!(
        status(store, 5),
        PurchaseStatus::Refunding,
        "only a payment is refunded"
    );
    assert_eq!(paid_entries(store, buyer.0), 0);
    let due = store
        .transaction(|tx| tx.claim_open_purchases(10, noon()))
        .unwrap();
    assert_eq!(due.len(), 5, "the reconciler refunds them at once");
}

pub fn a_payment_is_credited_while_the_last_drawing_is_not_sealed<S: Store>(store: &S) {
    let buyer = (entered(store, 1).id, on_sale(store));
    let [by_hand, announced, sealed] = [1, 2, 3].map(|n| begun(store, n, buyer.0, buyer.1));
    close(store);
    pay(store, 1, buyer, &by_hand).unwrap();
    assert_eq!(
        paid_entries(store, buyer.0),
        ENTRIES,
        "staff can still draw the month"
    );

    let kit = Kit {
        production: true,
        ..Kit::with_beacon(4)
    };
    let asked = PerformDrawing {
        reason: Some("Another prize".to_owned()),
        ..request(None)
    };
    draw(store);
    let waiting = kit.perform(store, &asked).unwrap();
    assert!(matches!(waiting, Performed::Waiting(_)), "{waiting:?}");
    pay(store, 2, buyer, &announced).unwrap();
    assert_eq!(
        paid_entries(store, buyer.0),
        2 * ENTRIES,
        "an additional one is announced"
    );

    let open = store.read(|tx| tx.open_drawing(RAFFLE)).unwrap().unwrap();
    store
        .transaction::<_, StoreError>(|tx| {
            tx.begin_drawing()?;
            seal_by_hand(tx, &open)
        })
        .unwrap();
    let refused = pay(store, 3, buyer, &sealed).unwrap_err();
    assert!(matches!(refused, ConfirmError::RaffleEnded), "{refused:?}");
    assert_eq!(paid_entries(store, buyer.0), 2 * ENTRIES);
}

pub fn a_payment_of_a_raffle_that_opens_again_is_credited<S: Store>(store: &S) {
    let buyer = (entered(store, 1).id, on_sale(store));
    let begun = begun(store, 1, buyer.0, buyer.1);
    draw(store);
    close(store);
    usecases::raffles::open(store, Tz::UTC, &at_once_asked()).unwrap();
    pay(store, 1, buyer, &begun).unwrap();
    assert_eq!(paid_entries(store, buyer.0), ENTRIES);
}

/// Whatever comes first: a payment is credited or refunded, and after the end of the raffle none is credited.
pub fn payments_that_race_the_end_of_a_raffle_are_credited_or_refunded<S: Store>(store: &S) {
    let package = on_sale(store);
    let buyers: Vec<_> = (0..10).map(|n| (entered(store, n).id, package)).collect();
    let numbered = (0..).zip(&buyers);
    let all: Vec<_> = numbered
        .map(|(n, buyer)| begun(store, n, buyer.0, buyer.1))
        .collect();
    let last = begun(store, 10, buyers[0].0, package);
    add_rules(store);
    at_once(12, |n| match n {
        10 => close(store),
        11 => draw(store),
        n if n % 2 == 0 => {
            let paid = pay(store, n, buyers[n as usize], &all[n as usize]);
            assert!(
                matches!(paid, Ok(()) | Err(ConfirmError::RaffleEnded)),
                "{paid:?}"
            );
        }
        n => event(
            store,
            &format!("evt_{n}"),
            EventKind::Succeeded(paid(n, &all[n as usize])),
        ),
    });
    for (n, buyer) in (0..).zip(&buyers) {
        let expected = match status(store, n) {
            PurchaseStatus::Completed => ENTRIES,
            PurchaseStatus::Refunding => 0,
            other => panic!("{n}: {other:?}"),
        };
        assert_eq!(paid_entries(store, buyer.0), expected, "{n}");
    }
    let refused = pay(store, 10, buyers[0], &last).unwrap_err();
    assert!(matches!(refused, ConfirmError::RaffleEnded), "{refused:?}");
}
