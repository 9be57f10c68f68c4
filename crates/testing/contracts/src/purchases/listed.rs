use super::*;
use chrono::NaiveDate;
use kernel::PageRequest;
use pricing::{
    ListedPurchase, PurchaseFilter, PurchaseList, PurchaseSearch, PurchaseState, Sales, Sold, SoldLine,
};
use raffle::fixtures::{FRESH_SIPS, KITCHEN_GARDEN};
use std::collections::BTreeMap;

const ALL: PageRequest = PageRequest {
    limit: 100,
    offset: 0,
};

fn listed<S: Store>(store: &S, filter: &PurchaseFilter) -> Vec<ListedPurchase> {
    let list = store.read(|tx| tx.list_purchases(filter, ALL)).unwrap();
    let counted = store.read(|tx| tx.count_purchases(filter, 100)).unwrap();
    assert_eq!(counted, i64::try_from(list.len()).unwrap(), "{filter:?}");
    list
}

fn ids(listed: &[ListedPurchase]) -> Vec<PurchaseId> {
    listed.iter().map(|purchase| purchase.id).collect()
}

/// A purchase in each state, by state.
fn in_each_state<S: Store>(store: &S, entrant: EntrantId) -> BTreeMap<PurchaseState, Vec<PurchaseId>> {
    use PurchaseState as State;
    let mut made: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (state, status) in [
        (State::Waiting, Pending),
        (State::Waiting, Failed),
        (State::Canceled, Canceled),
        (State::Refunded, Refunding),
        (State::Refunded, Refunded),
        (State::Paid, Completed),
    ] {
        let id = purchase_with_status(store, entrant, status);
        made.entry(state).or_default().push(id);
    }
    let parts = [
        (State::PartlyRefunded, vec![Reversal::Refunded(120)]),
        (
            State::Disputed,
            vec![
                Reversal::Refunded(120),
                Reversal::Dispute(dispute_id(1), DisputeStatus::Open),
            ],
        ),
        (
            State::Disputed,
            vec![Reversal::Dispute(dispute_id(2), DisputeStatus::Inquiry)],
        ),
        (
            State::Paid,
            vec![Reversal::Dispute(dispute_id(3), DisputeStatus::Won)],
        ),
        (
            State::Refunded,
            vec![Reversal::Dispute(dispute_id(4), DisputeStatus::Lost)],
        ),
    ];
    for (state, reversals) in parts {
        let id = purchase_with_status(store, entrant, Completed);
        for reversal in reversals {
            reverse(store, id, &reversal);
        }
        made.entry(state).or_default().push(id);
    }
    made
}

fn dispute_id(n: u8) -> DisputeId {
    DisputeId::parse(&format!("du_{n}")).unwrap()
}

pub fn purchases_are_listed_by_their_state<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    let made = in_each_state(store, entrant);
    let all = listed(store, &PurchaseFilter::default());
    assert_eq!(all.len(), 11);
    assert!(all.is_sorted_by(|one, next| one.id > next.id), "the newest first");
    for state in PurchaseState::iter() {
        let filter = PurchaseFilter {
            state: Some(state),
            ..PurchaseFilter::default()
        };
        let mut found = listed(store, &filter);
        assert!(found.iter().all(|purchase| purchase.state == state), "{state:?}");
        found.reverse();
        assert_eq!(ids(&found), made[&state], "{state:?}");
    }
    let returned = |state: PurchaseState, nth: usize| {
        let id = made[&state][nth];
        let found = all.iter().find(|purchase| purchase.id == id).unwrap();
        (found.returned, found.paid_at.is_some())
    };
    assert_eq!(returned(PurchaseState::Paid, 0), (0, true));
    assert_eq!(returned(PurchaseState::PartlyRefunded, 0), (120, true));
    assert_eq!(returned(PurchaseState::Disputed, 0), (120, true));
    assert_eq!(returned(PurchaseState::Refunded, 0), (PRICE, true), "refunding");
    assert_eq!(returned(PurchaseState::Refunded, 1), (PRICE, true));
    assert_eq!(returned(PurchaseState::Refunded, 2), (PRICE, true), "lost");
    assert_eq!(returned(PurchaseState::Waiting, 0), (0, false));
}

pub fn a_refund_that_failed_is_money_again<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    let id = purchase_with_status(store, entrant, Refunded);
    fail_refund(store, id);
    let [found] = &listed(store, &PurchaseFilter::default())[..] else {
        panic!("one purchase");
    };
    assert_eq!((found.returned, found.state), (0, PurchaseState::Paid));
}

pub fn listed_purchases_are_filtered_and_paged<S: Store>(store: &S) {
    let (ann, bob) = (entered(store, 1), entered(store, 2));
    let first = purchase_with_status(store, ann.id, Completed);
    let second = purchase_with_status(store, bob.id, Pending);
    let third = purchase_with_status(store, ann.id, Completed);
    store
        .transaction(|tx| tx.record_intent_id(third, &intent_of(third)))
        .unwrap();
    let found = |filter| ids(&listed(store, &filter));
    let none = PurchaseFilter::default;
    assert_eq!(found(none()), [third, second, first]);
    let search = |search| PurchaseFilter {
        search: Some(search),
        ..none()
    };
    assert_eq!(
        found(search(PurchaseSearch::Buyers(vec![ann.id]))),
        [third, first]
    );
    assert_eq!(found(search(PurchaseSearch::Buyers(Vec::new()))), []);
    assert_eq!(found(search(PurchaseSearch::Payment(intent_of(third)))), [third]);
    assert_eq!(found(search(PurchaseSearch::Payment(intent_of(first)))), []);
    let raffle = |raffle| PurchaseFilter {
        raffle: Some(raffle),
        ..none()
    };
    assert_eq!(found(raffle(ann.raffle)), [third, second, first]);
    assert_eq!(found(raffle(KITCHEN_GARDEN)), []);
    let paid = |from: Option<i64>, until: Option<i64>| PurchaseFilter {
        paid_from: from.map(at),
        paid_until: until.map(at),
        ..none()
    };
    assert_eq!(found(paid(Some(10), None)), [third, first], "paid at second 10");
    assert_eq!(found(paid(Some(11), None)), []);
    assert_eq!(found(paid(None, Some(10))), []);
    assert_eq!(found(paid(None, Some(11))), [third, first]);
    let after = |id| PurchaseFilter {
        after: Some(id),
        ..none()
    };
    assert_eq!(found(after(third)), [second, first]);
    let page = PageRequest { limit: 1, offset: 1 };
    let part = store.read(|tx| tx.list_purchases(&none(), page)).unwrap();
    assert_eq!(ids(&part), [second]);
    assert_eq!(store.read(|tx| tx.count_purchases(&none(), 2)).unwrap(), 2);
    let [of_ann, ..] = &listed(store, &none())[..] else {
        panic!("three purchases");
    };
    assert_eq!(of_ann.phone.as_ref(), Some(&ann.phone));
    assert_eq!(
        (of_ann.entrant, of_ann.raffle, of_ann.begun_at),
        (ann.id, ann.raffle, at(0))
    );
    assert_eq!(of_ann.intent, Some(intent_of(third)));
}

pub fn what_was_sold_is_by_month_raffle_and_package<S: Store>(store: &S) {
    let ann = entered(store, 1);
    let zone = Tz::America__New_York;
    let sold_at = |package, paid_at: DateTime<Utc>| {
        let new = NewPurchase {
            package: PackageId::new(package),
            ..sold(ann.id, 20, 0)
        };
        let id = begun_as(store, &new);
        store.transaction(|tx| tx.complete_purchase(id, paid_at)).unwrap();
        id
    };
    let moment = |text: &str| text.parse::<DateTime<Utc>>().unwrap();
    let november = moment("2026-12-01T04:59:59Z");
    let december = moment("2026-12-01T05:00:00Z");
    sold_at(1, november);
    let refunded = sold_at(1, december);
    reverse(store, refunded, &Reversal::Refunded(120));
    sold_at(2, december);
    purchase_with_status(store, ann.id, Pending);
    store
        .transaction(|tx| tx.move_entrant(ann.id, ann.raffle, KITCHEN_GARDEN))
        .unwrap();
    let lines = |from, until| {
        let mut lines = store.read(|tx| tx.sold(from, until, zone)).unwrap();
        lines.sort_by_key(|line| (line.month, line.package));
        lines
    };
    let sales = Sales::of(lines(None, None));
    let sum = |purchases, returned| Sold {
        purchases,
        gross: purchases * PRICE,
        returned,
    };
    let month = |month| NaiveDate::from_ymd_opt(2026, month, 1).unwrap();
    assert_eq!(sales.total, sum(3, 120));
    assert_eq!(
        sales.by_month,
        BTreeMap::from([(month(11), sum(1, 0)), (month(12), sum(2, 120))])
    );
    assert_eq!(
        sales.by_raffle,
        BTreeMap::from([(FRESH_SIPS, sum(3, 120))]),
        "the raffle of then"
    );
    let package = |id| PackageId::new(id);
    assert_eq!(
        sales.by_package,
        BTreeMap::from([(package(1), sum(2, 120)), (package(2), sum(1, 0))])
    );
    let only = |from, until| {
        let lines: Vec<SoldLine> = lines(from, until);
        Sales::of(lines).total.purchases
    };
    assert_eq!(only(Some(december), None), 2);
    assert_eq!(only(None, Some(december)), 1);
    assert_eq!(only(Some(november), Some(december)), 1);
}
