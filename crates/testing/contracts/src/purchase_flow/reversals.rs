//! Refunds and disputes that the provider reports in any order.

use super::{
    ENTRIES, begun, buy_command, confirm, confirm_command, event, intent_id, on_sale, paid, paid_entries,
    reversed, status,
};
use crate::Store;
use crate::support::{SeededEntropy, assert_balanced, entered, noon};
use kernel::EventId;
use pricing::{CapRules, DisputeId, DisputeStatus, EntryCap, EventKind, Intent, PurchaseStatus, Reversal};
use raffle::Entrants;

/// All orders of the numbers below `count`.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let mut orders = vec![Vec::new()];
    for next in 0..count {
        let longer = orders.iter().flat_map(|order: &Vec<usize>| {
            (0..=order.len()).map(move |place| {
                let mut longer = order.clone();
                longer.insert(place, next);
                longer
            })
        });
        orders = longer.collect();
    }
    orders
}

/// Also for a payment whose id is recorded after its first events.
pub fn refunds_and_disputes_in_any_order_lead_to_the_same_entries<S: Store>(store: &S) {
    let (entrant, package) = (entered(store, 1).id, on_sale(store));
    let dispute = |n: u32, status| {
        let id = DisputeId::parse(&format!("du_{n}")).unwrap();
        reversed(n, Reversal::Dispute(id, status))
    };
    let refunded = |n, amount| reversed(n, Reversal::Refunded(amount));
    let mut expected = (0, 0);
    for (n, order) in (0..).zip(orders(5)) {
        let started = usecases::purchases::begin_purchase(
            store,
            noon(),
            CapRules {
                cap: EntryCap::HIGHEST,
                ..CapRules::DEFAULT
            },
            EventId::random(&SeededEntropy::new(n.into())),
            &buy_command(entrant, package),
        )
        .unwrap();
        let is_recorded = n % 2 == 0;
        if is_recorded {
            usecases::purchases::record_intent_id(store, &started, &intent_id(n)).unwrap();
        }
        let last = match n % 3 {
            0 => dispute(n, DisputeStatus::Won),
            1 => dispute(n, DisputeStatus::Open),
            _ => dispute(n, DisputeStatus::Lost),
        };
        let kinds = [
            EventKind::Succeeded(paid(n, &started)),
            dispute(n, DisputeStatus::Open),
            refunded(n, 30),
            refunded(n, 126),
            last,
        ];
        for place in order.iter().chain(&order) {
            event(store, &format!("evt_{n}_{place}"), kinds[*place].clone());
        }
        let (kept, held) = [(14, 0), (14, 14), (0, 0)][n as usize % 3];
        expected = (expected.0 + kept, expected.1 + held);
        let entries = store
            .read(|tx| tx.find_entrant(entrant))
            .unwrap()
            .unwrap()
            .entries;
        assert_eq!((entries.paid, entries.held), expected, "{order:?} {n}");
        // The browser confirms it later, or never.
        usecases::purchases::record_intent_id(store, &started, &intent_id(n)).unwrap();
        let confirmed = confirm(
            store,
            &confirm_command(n, entrant, package),
            Some(&paid(n, &started)),
        );
        assert_eq!(confirmed.is_ok(), n % 3 < 2, "{confirmed:?}");
    }
    let entries = store
        .read(|tx| tx.find_entrant(entrant))
        .unwrap()
        .unwrap()
        .entries;
    assert_eq!((entries.paid, entries.held), expected);
    assert_balanced(store);
}

pub fn a_payment_that_was_refunded_in_part_is_credited_in_part<S: Store>(store: &S) {
    let (entrant, package) = (entered(store, 1).id, on_sale(store));
    let begun = begun(store, 1, entrant, package);
    let intent = Intent {
        refunded: 101,
        ..paid(1, &begun)
    };
    confirm(store, &confirm_command(1, entrant, package), Some(&intent)).unwrap();
    assert_eq!(paid_entries(store, entrant), ENTRIES - 5);
    event(store, "evt_1", reversed(1, Reversal::Refunded(101)));
    event(store, "evt_0", EventKind::Succeeded(paid(1, &begun)));
    assert_eq!(paid_entries(store, entrant), ENTRIES - 5);
    assert_eq!(status(store, 1), PurchaseStatus::Completed);
}
