//! Open purchases: how many an entrant may have, when the provider is asked about them, and the buyers' customers.

use super::{at, begun, begun_as, complete, end, found, plenty, purchase_with_status, sold};
use crate::Store;
use crate::support::{at_once, entered, noon};
use PurchaseStatus::{Canceled, Completed, Failed, Refunded};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::EntrantId;
use pricing::{
    BeginOutcome, CustomerId, EntryCap, EntryCount, IntentId, Purchase, PurchaseId, PurchaseStatus, Purchases,
};
use std::collections::BTreeSet;

fn begin<S: Store>(store: &S, entrant: EntrantId, second: i64) -> BeginOutcome {
    let new = sold(entrant, 20, second);
    store
        .transaction(|tx| tx.begin_purchase(&new, 10, plenty(new.at)))
        .unwrap()
}

pub fn an_entrant_has_at_most_ten_open_purchases<S: Store>(store: &S) {
    let (entrant, other) = (entered(store, 1).id, entered(store, 2).id);
    let mut open = Vec::new();
    for second in 0..10 {
        match begin(store, entrant, second) {
            BeginOutcome::Begun(id) => open.push(id),
            outcome => panic!("{outcome:?}"),
        }
    }
    let is_begun = |outcome| matches!(outcome, BeginOutcome::Begun(_));
    let full = BeginOutcome::TooManyOpen(at(0) + Purchase::OPEN_FOR);
    assert_eq!(begin(store, entrant, 30), full);
    assert!(is_begun(begin(store, other, 30)));
    let huge = sold(entrant, EntryCount::MAX.into(), 30);
    let refused = store.transaction(|tx| tx.begin_purchase(&huge, 10, plenty(huge.at)));
    let room = BeginOutcome::OverCap(EntryCap::HIGHEST.get() - 200);
    assert_eq!(refused.unwrap(), room, "waiting would not make room for it");
    assert!(end(store, open[3], Failed));
    assert_eq!(begin(store, entrant, 30), full, "it may still be paid");
    assert!(complete(store, open[3]) && end(store, open[4], Canceled));
    assert!(is_begun(begin(store, entrant, 30)) && is_begun(begin(store, entrant, 31)));
    assert_eq!(begin(store, entrant, 32), full);
    let hour = Purchase::OPEN_FOR.num_seconds();
    assert_eq!(begin(store, entrant, hour - 1), full);
    assert!(is_begun(begin(store, entrant, hour)), "the first one is too old");
    let next = BeginOutcome::TooManyOpen(at(1) + Purchase::OPEN_FOR);
    assert_eq!(begin(store, entrant, hour), next);
}

pub fn fifty_concurrent_purchases_leave_ten_open<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    let outcomes = at_once(50, |_| begin(store, entrant, 0));
    let begun = outcomes
        .iter()
        .filter(|outcome| matches!(outcome, BeginOutcome::Begun(_)));
    assert_eq!(begun.count(), 10);
    let refused = BeginOutcome::TooManyOpen(at(0) + Purchase::OPEN_FOR);
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == refused).count(), 40);
}

fn claim<S: Store>(store: &S, limit: u32, now: DateTime<Utc>) -> Vec<PurchaseId> {
    let taken = store.transaction(|tx| tx.claim_open_purchases(limit, now));
    taken.unwrap().iter().map(|purchase| purchase.id).collect()
}

fn minute(minute: i64) -> DateTime<Utc> {
    noon() + TimeDelta::minutes(minute)
}

pub fn open_purchases_are_claimed_when_they_are_due<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    let begin = |second| begun_as(store, &sold(entrant, 20, second));
    let [newest, oldest, second, declined] = [9, 1, 2, 0].map(begin);
    for status in [Completed, Canceled, Refunded] {
        purchase_with_status(store, entrant, status);
    }
    let intent = IntentId::parse("pi_1").unwrap();
    store
        .transaction(|tx| tx.record_intent_id(oldest, &intent))
        .unwrap();
    assert!(end(store, declined, Failed));

    assert_eq!(claim(store, 0, at(200)), []);
    assert_eq!(
        claim(store, 9, at(179)),
        [],
        "the first check is after three minutes"
    );
    let taken = store
        .transaction(|tx| tx.claim_open_purchases(2, at(182)))
        .unwrap();
    assert_eq!(taken, [found(store, declined), found(store, oldest)]);
    assert_eq!(claim(store, 2, at(182)), [second]);
    assert_eq!(claim(store, 2, at(188)), []);
    assert_eq!(claim(store, 2, at(189)), [newest]);
    assert!(complete(store, newest));
    assert_eq!(claim(store, 9, at(182 + 359)), []);
    assert_eq!(claim(store, 9, at(182 + 360)), [oldest, second, declined]);
}

pub fn an_open_purchase_is_claimed_less_and_less_often<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    let id = begun(store, entrant, 20);
    let mut claimed = Vec::new();
    for now in 0..24 * 60 {
        if claim(store, 1, minute(now)) == [id] {
            claimed.push(now);
        }
    }
    assert_eq!(claimed, [3, 9, 21, 45, 60, 156, 348, 732]);
}

pub fn all_open_purchases_are_claimed_after_a_restart<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    let all: BTreeSet<_> = (0..120).map(|_| begun(store, entrant, 20)).collect();
    assert_eq!(claim(store, 100, minute(3)).len(), 100);
    assert_eq!(claim(store, 100, minute(3)).len(), 20);
    assert_eq!(claim(store, 100, minute(4)), []);
    purchase_with_status(store, entrant, Completed);
    store
        .transaction(|tx| tx.recheck_open_purchases(minute(4)))
        .unwrap();
    let mut again = BTreeSet::new();
    for _ in 0..3 {
        again.extend(claim(store, 50, minute(4)));
    }
    assert_eq!(again, all);
    assert_eq!(claim(store, 50, minute(4)), []);
}

pub fn concurrent_claims_take_different_open_purchases<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    let all: BTreeSet<_> = (0..8).map(|_| begun(store, entrant, 20)).collect();
    let taken = at_once(8, |_| claim(store, 1, minute(5)));
    // A call may find the only purchases that are left locked by others.
    let mut taken: Vec<_> = taken.into_iter().flatten().collect();
    taken.extend(claim(store, 8, minute(5)));
    assert_eq!(taken.len(), 8);
    assert_eq!(taken.into_iter().collect::<BTreeSet<_>>(), all);
}

pub fn the_first_customer_of_an_entrant_is_kept<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    let find = |id| store.read(|tx| tx.find_customer(id)).unwrap();
    assert_eq!(find(entrant), None);
    let customer = |n: u32| CustomerId::parse(&format!("cus_{n}")).unwrap();
    let record = |id, n| {
        store
            .transaction(|tx| tx.record_customer(id, &customer(n)))
            .unwrap()
    };
    let recorded = at_once(20, |n| record(entrant, n));
    let first = recorded[0].clone();
    assert!(
        first.is_some() && recorded.iter().all(|known| *known == first),
        "{recorded:?}"
    );
    assert_eq!((record(entrant, 99), find(entrant)), (first.clone(), first));
    let unknown = EntrantId::new(entrant.get() + 1000);
    assert_eq!((record(unknown, 1), find(unknown)), (None, None));
}
