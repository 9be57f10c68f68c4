//! Refunds and disputes of purchases.

use super::{
    PRICE, begun, complete, dispute, end_refund, entries, fail_refund, found, intent_of, ledger,
    purchase_with_status, refund, reverse,
};
use crate::Store;
use crate::support::{assert_balanced, at_once, by_id, entered, noon};
use DisputeStatus::{Inquiry, Lost, Open, Won};
use PurchaseStatus::{Completed, Refunded, Refunding};
use chrono::{DateTime, Utc};
use drawing::{Candidate, Drawings, FrozenEntrants};
use kernel::EntrantId;
use people::People;
use pricing::{DisputeId, DisputeStatus, PurchaseStatus, Purchases, RefundId, RefundStatus, Reversal};
use raffle::{Entrant, EntryKind};

/// The kinds and deltas of an entrant's ledger rows, without the one for entering.
fn rows<S: Store>(store: &S, entrant: EntrantId) -> Vec<(EntryKind, i64)> {
    let rows = ledger(store, entrant).into_iter();
    rows.map(|row| (row.kind, row.delta)).collect()
}

fn paid_and_held<S: Store>(store: &S, entrant: EntrantId) -> (i64, i64) {
    assert_balanced(store);
    let entries = entries(store, entrant);
    (entries.paid, entries.held)
}

pub fn partial_refunds_take_entries_in_proportion<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    let id = purchase_with_status(store, entrant, Completed);
    for (refunded, changes, left) in [
        (0, false, 20),
        (1, true, 19),
        (25, false, 19),
        (26, true, 18),
        (1, false, 18),
        (490, true, 0),
        (499, false, 0),
    ] {
        let changed = reverse(store, id, &Reversal::Refunded(refunded));
        assert_eq!(changed, changes, "{refunded}");
        assert_eq!(paid_and_held(store, entrant), (left, 0), "{refunded}");
        assert_eq!(found(store, id).status, Completed, "{refunded}");
    }
    assert!(refund(store, id), "the status changes");
    assert_eq!((found(store, id).status, refund(store, id)), (Refunded, false));
    let expected = [
        (EntryKind::Purchase, 20),
        (EntryKind::Refund, -1),
        (EntryKind::Refund, -1),
        (EntryKind::Refund, -18),
    ];
    assert_eq!(rows(store, entrant), expected);
}

/// Refunded, failed, refunded again in part. What came in first does not matter.
pub fn a_refund_that_failed_gives_the_entries_back<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    let id = purchase_with_status(store, entrant, Completed);
    let single = |n: u8, amount, status| {
        let refund = RefundId::parse(&format!("re_{n}")).unwrap();
        Reversal::Refund(refund, amount, status)
    };
    for (reversal, changes, left, status) in [
        (Reversal::Refunded(PRICE), true, 0, Refunded),
        (single(1, PRICE, RefundStatus::Made), false, 0, Refunded),
        (single(1, PRICE, RefundStatus::Failed), true, 20, Completed),
        (single(1, PRICE, RefundStatus::Made), false, 20, Completed),
        (single(1, PRICE, RefundStatus::Failed), false, 20, Completed),
        (single(2, 200, RefundStatus::Made), true, 12, Completed),
        (Reversal::Refunded(200), false, 12, Completed),
    ] {
        assert_eq!(reverse(store, id, &reversal), changes, "{reversal:?}");
        assert_eq!(paid_and_held(store, entrant), (left, 0), "{reversal:?}");
        assert_eq!(found(store, id).status, status, "{reversal:?}");
    }
    let expected = [
        (EntryKind::Purchase, 20),
        (EntryKind::Refund, -20),
        (EntryKind::Refund, 20),
        (EntryKind::Refund, -8),
    ];
    assert_eq!(rows(store, entrant), expected);
    let file = store.read(|tx| tx.find_person_file(entrant)).unwrap().unwrap();
    assert_eq!(file.purchases.rows[0].failed_refunds, PRICE, "staff see it");
}

/// Paid too late, so it got no entries and the payment was refunded. That refund fails: staff see it, and decide.
pub fn a_late_purchase_whose_refund_failed_gets_no_entries<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    let id = purchase_with_status(store, entrant, Refunding);
    assert!(end_refund(store, id));
    assert!(!fail_refund(store, id));
    assert_eq!(found(store, id).status, Refunded);
    assert_eq!(paid_and_held(store, entrant), (0, 0));
}

pub fn an_inquiry_holds_nothing<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    let id = purchase_with_status(store, entrant, Completed);
    assert!(!reverse(store, id, &dispute(id, Inquiry)));
    assert_eq!(paid_and_held(store, entrant), (20, 0));
    let is_open = || store.read(|tx| tx.has_open_dispute(entrant, crate::messages::at(400_000_000)));
    assert!(!is_open().unwrap());
    assert!(reverse(store, id, &dispute(id, Open)), "it became a dispute");
    assert_eq!(paid_and_held(store, entrant), (20, 20));
    assert!(is_open().unwrap());
}

pub fn a_dispute_holds_entries_until_it_is_won<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    let id = purchase_with_status(store, entrant, Completed);
    purchase_with_status(store, entrant, Completed);
    assert!(reverse(store, id, &dispute(id, Open)));
    assert_eq!(paid_and_held(store, entrant), (40, 20));
    assert!(!reverse(store, id, &dispute(id, Open)), "a repeated event");
    assert!(reverse(store, id, &Reversal::Refunded(250)));
    assert_eq!(paid_and_held(store, entrant), (30, 10));
    assert!(reverse(store, id, &dispute(id, Won)));
    for late in [Open, Won] {
        assert!(!reverse(store, id, &dispute(id, late)), "{late:?} arrives late");
        assert_eq!(paid_and_held(store, entrant), (30, 0));
    }
    assert_eq!(found(store, id).status, Completed);
    let expected = [
        (EntryKind::Purchase, 20),
        (EntryKind::Purchase, 20),
        (EntryKind::DisputeHeld, -20),
        (EntryKind::Refund, -10),
        (EntryKind::DisputeReleased, 10),
        (EntryKind::DisputeReleased, 10),
    ];
    assert_eq!(rows(store, entrant), expected);
}

pub fn a_lost_dispute_takes_the_entries_for_good<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    let id = purchase_with_status(store, entrant, Completed);
    for status in [Open, Lost] {
        assert!(reverse(store, id, &dispute(id, status)));
    }
    for status in [Open, Won, Lost] {
        assert!(!reverse(store, id, &dispute(id, status)), "{status:?}");
        assert_eq!(paid_and_held(store, entrant), (0, 0));
        assert_eq!(found(store, id).status, Refunded);
    }
    assert!(!complete(store, id));
}

pub fn each_of_two_disputes_holds_the_entries<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    let id = purchase_with_status(store, entrant, Completed);
    let other = |status| Reversal::Dispute(DisputeId::parse("du_other").unwrap(), status);
    assert!(reverse(store, id, &dispute(id, Open)));
    assert!(!reverse(store, id, &other(Open)));
    assert!(!reverse(store, id, &dispute(id, Won)));
    assert_eq!(paid_and_held(store, entrant), (20, 20));
    assert!(reverse(store, id, &other(Won)));
    assert_eq!(paid_and_held(store, entrant), (20, 0));
}

pub fn an_open_dispute_is_known_for_entries_from_before_a_time<S: Store>(store: &S) {
    let (entrant, other) = (entered(store, 1).id, entered(store, 2).id);
    let id = purchase_with_status(store, entrant, Completed);
    let far = crate::messages::at(400_000_000);
    let has_one = |of, before| store.read(|tx| tx.has_open_dispute(of, before)).unwrap();
    assert!(!has_one(entrant, far));
    reverse(store, id, &dispute(id, Open));
    assert!(has_one(entrant, far));
    assert!(!has_one(entrant, DateTime::UNIX_EPOCH), "credited later");
    assert!(!has_one(other, far));
    reverse(store, id, &dispute(id, Won));
    assert!(!has_one(entrant, far));
    let pending = begun(store, entrant, 20);
    reverse(store, pending, &dispute(pending, Open));
    assert!(!has_one(entrant, far), "it was never credited");
}

pub fn a_reversal_before_the_credit_is_applied_with_it<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    for (reversal, left) in [
        (Reversal::Refunded(250), (10, 0)),
        (Reversal::Refunded(500), (0, 0)),
    ] {
        let before = paid_and_held(store, entrant);
        let id = begun(store, entrant, 20);
        assert!(!reverse(store, id, &reversal), "nothing is credited yet");
        assert_eq!(paid_and_held(store, entrant), before);
        assert!(complete(store, id));
        let expected = (before.0 + left.0, before.1 + left.1);
        assert_eq!(paid_and_held(store, entrant), expected, "{reversal:?}");
    }
    let id = begun(store, entrant, 20);
    let unknown = |status| {
        store
            .transaction(|tx| tx.reverse_purchase(&intent_of(id), &dispute(id, status), noon()))
            .unwrap()
    };
    assert!(!unknown(Open), "no purchase has this payment intent yet");
    store
        .transaction(|tx| tx.record_intent_id(id, &intent_of(id)))
        .unwrap();
    assert!(complete(store, id));
    assert_eq!(paid_and_held(store, entrant), (30, 20));
    assert!(unknown(Won));
    assert_eq!(paid_and_held(store, entrant), (30, 0));
}

pub fn concurrent_reversals_and_credits_end_the_same<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    for n in 1..=20 {
        let id = begun(store, entrant, 20);
        let intent = intent_of(id);
        let reversals = [
            Reversal::Refunded(100),
            dispute(id, Open),
            Reversal::Refunded(250),
            dispute(id, Won),
            Reversal::Dispute(DisputeId::parse(&format!("du_{n}")).unwrap(), Open),
        ];
        at_once(8, |n| match reversals.get(n as usize) {
            Some(reversal) => store
                .transaction(|tx| tx.reverse_purchase(&intent, reversal, noon()))
                .map(drop)
                .unwrap(),
            None => store
                .transaction(|tx| {
                    tx.record_intent_id(id, &intent)?;
                    tx.complete_purchase(id, noon())
                })
                .map(drop)
                .unwrap(),
        });
        assert_eq!(paid_and_held(store, entrant), (10 * n, 10 * n), "purchase {n}");
    }
}

fn weights<S: Store>(store: &S, one: &Entrant) -> Vec<(EntrantId, u64)> {
    let mut found = Vec::new();
    store
        .transaction(|tx| {
            found.clear();
            let mut each = |one: Candidate| found.push((one.id, one.entries.total()));
            tx.read_participants(one.raffle, DateTime::<Utc>::MAX_UTC, None, 100, &mut each)
        })
        .unwrap();
    by_id(found)
}

pub fn held_entries_are_not_in_drawings_or_their_statistics<S: Store>(store: &S) {
    let (buyer, other) = (entered(store, 1), entered(store, 2));
    let id = purchase_with_status(store, buyer.id, Completed);
    let check = |weight: u64| {
        assert_eq!(weights(store, &buyer), by_id([(buyer.id, weight), (other.id, 1)]));
        let statistics = store.read(|tx| tx.raffle_statistics()).unwrap();
        let raffle = statistics.iter().find(|row| row.raffle == buyer.raffle).unwrap();
        assert_eq!((raffle.participants, raffle.entries), (2, weight + 1));
        assert_eq!(
            entries(store, buyer.id).total(),
            21,
            "what the entrant sees does not change"
        );
    };
    check(21);
    assert!(reverse(store, id, &dispute(id, Open)));
    check(1);
    assert!(reverse(store, id, &dispute(id, Won)));
    check(21);
}
