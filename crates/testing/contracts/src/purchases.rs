mod history;
mod listed;
mod open;
mod packages;
mod referrals;
mod reversals;

use referrals::conversions;

pub use history::*;
pub use listed::*;
pub use open::*;
pub use packages::*;
pub use referrals::*;
pub use reversals::*;

use crate::Store;
use crate::support::{assert_balanced, at_once, entered, entered_through, free_date, ledger_of, noon};
use PurchaseStatus::{Canceled, Completed, Failed, Pending, Refunded, Refunding};
use chrono::{DateTime, TimeDelta, Utc};
use chrono_tz::Tz;
use kernel::{EntrantId, EventId, Money, StoreError};
use pricing::{
    BeginOutcome, CapDate, CompleteOutcome, DisputeId, DisputeStatus, EntryCap, EntryCount, FreeEntries,
    IntentId, NewPackage, NewPurchase, PackageId, PackageText, Packages, ProviderEvents, Purchase,
    PurchaseId, PurchaseStatus, Purchases, RefundId, RefundStatus, Reversal,
};
use raffle::{Entrants, Entries, EntryKind, LedgerRow};
use std::sync::atomic::{AtomicU32, Ordering};
use strum::IntoEnumIterator;

/// The price of each purchase, in cents.
const PRICE: i64 = 500;

pub(crate) fn at(second: i64) -> DateTime<Utc> {
    noon() + TimeDelta::seconds(second)
}

fn offer(name: &str, sort_order: u32) -> NewPackage {
    NewPackage {
        name: PackageText::parse(name, PackageText::NAME_CHARS).unwrap(),
        description: PackageText::parse("More chances", PackageText::DESCRIPTION_CHARS).unwrap(),
        entries: EntryCount::new(20).unwrap(),
        price: Money::from_cents(500).unwrap(),
        is_popular: false,
        is_active: true,
        sort_order,
    }
}

/// A new purchase with a unique event id.
fn sold(entrant: EntrantId, entries: i64, second: i64) -> NewPurchase {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    NewPurchase {
        entrant,
        package: PackageId::new(1),
        price: Money::from_cents(PRICE).unwrap(),
        entries: EntryCount::new(entries).unwrap(),
        event_id: EventId::parse(&format!("event-{number}")).unwrap(),
        at: at(second),
    }
}

pub(crate) fn begun<S: Store>(store: &S, entrant: EntrantId, entries: i64) -> PurchaseId {
    begun_as(store, &sold(entrant, entries, 0))
}

fn begun_as<S: Store>(store: &S, new: &NewPurchase) -> PurchaseId {
    let begun = store
        .transaction(|tx| tx.begin_purchase(new, u32::MAX, plenty(new.at)))
        .unwrap();
    let BeginOutcome::Begun(id) = begun else {
        panic!("{begun:?}");
    };
    id
}

/// Twenty entries that were bought and paid; none for an entrant who is flagged.
pub(crate) fn bought_unless_flagged<S: Store>(store: &S, entrant: EntrantId) -> Option<PurchaseId> {
    let new = sold(entrant, 20, 0);
    let begun = store.transaction(|tx| tx.begin_purchase(&new, u32::MAX, plenty(new.at)));
    let id = match begun.unwrap() {
        BeginOutcome::Begun(id) => id,
        BeginOutcome::OnHold => return None,
        outcome => panic!("{outcome:?}"),
    };
    complete(store, id);
    Some(id)
}

pub(crate) fn found<S: Store>(store: &S, id: PurchaseId) -> Purchase {
    store.read(|tx| tx.find_purchase(id)).unwrap().unwrap()
}

/// The date of a time, with a cap that nothing reaches.
fn plenty(time: DateTime<Utc>) -> CapDate {
    CapDate::at(time, Tz::UTC, EntryCap::HIGHEST)
}

fn complete<S: Store>(store: &S, id: PurchaseId) -> bool {
    let outcome = store.transaction(|tx| tx.complete_purchase(id, at(10))).unwrap();
    outcome == CompleteOutcome::Credited
}

fn intent_of(id: PurchaseId) -> IntentId {
    IntentId::parse(&format!("pi_of_{}", id.get().unsigned_abs())).unwrap()
}

/// Records the purchase's payment intent, and a reversal of it.
pub(crate) fn reverse<S: Store>(store: &S, id: PurchaseId, reversal: &Reversal) -> bool {
    store
        .transaction(|tx| {
            tx.record_intent_id(id, &intent_of(id))?;
            tx.reverse_purchase(&intent_of(id), reversal, at(20))
        })
        .unwrap()
}

/// Refunds the whole price.
pub(crate) fn refund<S: Store>(store: &S, id: PurchaseId) -> bool {
    reverse(store, id, &Reversal::Refunded(PRICE))
}

/// The refund of the whole price failed.
pub(crate) fn fail_refund<S: Store>(store: &S, id: PurchaseId) -> bool {
    let refund = RefundId::parse(&format!("re_of_{id}")).unwrap();
    reverse(store, id, &Reversal::Refund(refund, PRICE, RefundStatus::Failed))
}

/// A report of a purchase's dispute.
pub(crate) fn dispute(id: PurchaseId, status: DisputeStatus) -> Reversal {
    Reversal::Dispute(DisputeId::parse(&format!("du_of_{id}")).unwrap(), status)
}

fn end<S: Store>(store: &S, id: PurchaseId, status: PurchaseStatus) -> bool {
    store
        .transaction(|tx| tx.end_purchase(id, status, at(5)))
        .unwrap()
}

fn end_refund<S: Store>(store: &S, id: PurchaseId) -> bool {
    store.transaction(|tx| tx.end_refund(id, at(20))).unwrap()
}

/// A purchase that has reached this status.
pub(crate) fn purchase_with_status<S: Store>(
    store: &S,
    entrant: EntrantId,
    status: PurchaseStatus,
) -> PurchaseId {
    if status == Refunding {
        return paid_too_late(store, entrant);
    }
    let id = begun(store, entrant, 20);
    let reached = match status {
        Pending => true,
        Completed => complete(store, id),
        Failed | Canceled => end(store, id, status),
        Refunded | Refunding => complete(store, id) && refund(store, id),
    };
    assert!(reached, "{status:?}");
    id
}

/// A purchase that was canceled and then paid, when a free entry had taken its place under the cap. Each is in a month of its
/// own.
fn paid_too_late<S: Store>(store: &S, entrant: EntrantId) -> PurchaseId {
    static MONTHS: AtomicU32 = AtomicU32::new(0);
    let months = i64::from(MONTHS.fetch_add(1, Ordering::Relaxed));
    let date = free_date(
        noon() + TimeDelta::days(31 * (months + 1)),
        EntryCap::new(20).unwrap(),
    );
    let new = sold(entrant, 20, 0);
    let pay_late = |tx: &mut S::Tx| -> Result<_, StoreError> {
        let BeginOutcome::Begun(id) = tx.begin_purchase(&new, u32::MAX, date.day())? else {
            panic!("not begun");
        };
        tx.end_purchase(id, Canceled, at(5))?;
        tx.give_free_entries(entrant, date)?;
        assert_eq!(tx.complete_purchase(id, at(10))?, CompleteOutcome::OverCap);
        Ok(id)
    };
    store.transaction(pay_late).unwrap()
}

fn entries<S: Store>(store: &S, entrant: EntrantId) -> Entries {
    store
        .read(|tx| tx.find_entrant(entrant))
        .unwrap()
        .unwrap()
        .entries
}

fn ledger<S: Store>(store: &S, entrant: EntrantId) -> Vec<LedgerRow> {
    let mut rows = store.read(|tx| ledger_of(tx, entrant)).unwrap();
    rows.retain(|row| row.kind != EntryKind::Base);
    rows
}

pub fn a_purchase_reads_back<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    let most = NewPurchase {
        price: Money::from_cents(Money::MAX_CENTS.into()).unwrap(),
        ..sold(entrant, EntryCount::MAX.into(), 3)
    };
    let id = begun_as(store, &most);
    let expected = |intent| Purchase {
        id,
        sold: most.clone(),
        intent,
        status: Pending,
    };
    assert_eq!(found(store, id), expected(None));

    let intent = IntentId::parse("pi_1").unwrap();
    let find = |intent: &IntentId| store.read(|tx| tx.find_purchase_by_intent(intent)).unwrap();
    assert_eq!(find(&intent), None);
    store.transaction(|tx| tx.record_intent_id(id, &intent)).unwrap();
    assert_eq!(find(&intent), Some(expected(Some(intent.clone()))));
    let other = IntentId::parse("pi_2").unwrap();
    store.transaction(|tx| tx.record_intent_id(id, &other)).unwrap();
    assert_eq!(found(store, id).intent, Some(intent), "the first id is kept");
    assert_eq!(find(&other), None);
}

pub fn paid_purchases_are_listed_newest_first<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    purchase_with_status(store, entered(store, 2).id, Completed);
    let statuses = [Completed, Pending, Refunding, Failed, Canceled, Refunded];
    let [completed, _, refunding, .., refunded] =
        statuses.map(|status| purchase_with_status(store, entrant, status));
    let listed = |limit| {
        let paid = store.read(|tx| tx.paid_purchases(entrant, limit)).unwrap();
        paid.into_iter()
            .map(|purchase| (purchase.id, purchase.status))
            .collect::<Vec<_>>()
    };
    let all = [
        (refunded, Refunded),
        (refunding, Refunding),
        (completed, Completed),
    ];
    assert_eq!(listed(100), all);
    assert_eq!(listed(2), all[..2]);
}

pub fn an_unknown_entrant_cannot_buy<S: Store>(store: &S) {
    for number in [0, 1, -1, i64::MAX, i64::MIN] {
        let new = sold(EntrantId::new(number), 20, 0);
        let begun = store
            .transaction(|tx| tx.begin_purchase(&new, 10, plenty(new.at)))
            .unwrap();
        assert_eq!(begun, BeginOutcome::UnknownEntrant);
        let (id, package) = (PurchaseId::new(number), PackageId::new(number));
        assert_eq!(store.read(|tx| tx.find_purchase(id)).unwrap(), None);
        assert_eq!(store.read(|tx| tx.find_package(package)).unwrap(), None);
        assert!(!complete(store, id) && !refund(store, id) && !end(store, id, Failed));
    }
    let taken = store.transaction(|tx| tx.claim_open_purchases(10, at(100)));
    assert_eq!(taken.unwrap(), []);
}

pub fn a_purchase_changes_its_status_only_as_allowed<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    for from in PurchaseStatus::iter() {
        for to in [Completed, Failed, Canceled, Refunded] {
            let id = purchase_with_status(store, entrant, from);
            let changed = match to {
                Completed if from == Refunded => fail_refund(store, id),
                Completed => complete(store, id),
                Refunded if from == Refunding => end_refund(store, id),
                Refunded => refund(store, id),
                _ => end(store, id, to),
            };
            assert_eq!(changed, from.may_become(to), "{from:?} to {to:?}");
            let expected = if changed { to } else { from };
            assert_eq!(found(store, id).status, expected, "{from:?} to {to:?}");
        }
    }
    let id = begun(store, entrant, 20);
    for status in [Pending, Completed, Refunded] {
        assert!(
            !end(store, id, status),
            "{status:?} is not a way to end an open purchase"
        );
    }
    assert_eq!(found(store, id).status, Pending);
    assert_balanced(store);
}

pub fn fifty_concurrent_completions_credit_a_purchase_once<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    for status in [Pending, Failed, Canceled] {
        let before = entries(store, entrant).paid;
        let id = purchase_with_status(store, entrant, status);
        let answers = at_once(50, |_| complete(store, id));
        assert_eq!(answers.iter().filter(|done| **done).count(), 1, "{status:?}");
        assert_eq!(entries(store, entrant).paid, before + 20, "{status:?}");
        let row = LedgerRow {
            kind: EntryKind::Purchase,
            delta: 20,
            cause: id.get(),
        };
        assert_eq!(ledger(store, entrant).last(), Some(&row));
    }
    assert_balanced(store);
}

pub fn fifty_concurrent_refunds_refund_a_purchase_once<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    let first = purchase_with_status(store, entrant, Completed);
    let second = begun(store, entrant, 30);
    assert!(complete(store, second));
    let answers = at_once(50, |_| refund(store, second));
    assert_eq!(answers.iter().filter(|done| **done).count(), 1);
    assert_eq!(entries(store, entrant).paid, 20);
    let row = LedgerRow {
        kind: EntryKind::Refund,
        delta: -30,
        cause: second.get(),
    };
    assert_eq!(ledger(store, entrant).last(), Some(&row));
    assert!(refund(store, first));
    assert_eq!(entries(store, entrant), Entries::NEW);
    assert_balanced(store);
}

pub fn concurrent_purchases_and_refunds_of_one_entrant_add_up<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    let purchases: Vec<_> = (1..=24).map(|n| begun(store, entrant, n)).collect();
    for id in &purchases[..12] {
        assert!(complete(store, *id));
    }
    at_once(24, |n| {
        let id = purchases[n as usize];
        assert!(if n < 12 {
            refund(store, id)
        } else {
            complete(store, id)
        });
    });
    let expected: i64 = (13..=24).sum();
    assert_eq!(entries(store, entrant).paid, expected);
    assert_balanced(store);
}

pub fn concurrent_completions_and_refunds_end_refunded<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    for _ in 0..20 {
        let before = entries(store, entrant).paid;
        let id = begun(store, entrant, 20);
        at_once(8, |n| {
            if n % 2 == 0 {
                complete(store, id)
            } else {
                refund(store, id)
            }
        });
        let after = entries(store, entrant).paid - before;
        assert_eq!((found(store, id).status, after), (Refunded, 0));
    }
    assert_balanced(store);
}

pub fn a_rolled_back_completion_leaves_nothing<S: Store>(store: &S) {
    let friend = entered(store, 1);
    let entrant = entered_through(store, 2, &friend.referral_code).id;
    let id = begun(store, entrant, 20);
    let result = store.transaction(|tx| {
        assert_eq!(tx.complete_purchase(id, at(10))?, CompleteOutcome::Credited);
        assert!(tx.record_event("evt_1", at(10))?);
        Err::<(), _>(StoreError::Conflict)
    });
    assert!(result.is_err());
    assert_eq!(found(store, id).status, Pending);
    assert_eq!(entries(store, entrant), Entries::NEW);
    assert_eq!(conversions(store, &friend.referral_code), 0);
    assert!(store.transaction(|tx| tx.record_event("evt_1", at(10))).unwrap());
    assert!(complete(store, id));
}

pub fn an_event_is_recorded_once<S: Store>(store: &S) {
    let answers = at_once(20, |_| {
        store.transaction(|tx| tx.record_event("evt_1", noon())).unwrap()
    });
    assert_eq!(answers.iter().filter(|new| **new).count(), 1);
    assert!(store.transaction(|tx| tx.record_event("evt_2", noon())).unwrap());
    assert!(!store.transaction(|tx| tx.record_event("evt_1", at(1))).unwrap());
}
