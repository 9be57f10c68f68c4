use crate::Store;
use crate::support::{
    Spread, assert_balanced, at_once, enter, entered, entered_through, fold, noon, phone, step,
};
use analytics::{AnalyticsClearing, Collection, Figures, ReferralClearing, StepName};
use chrono::{DateTime, TimeDelta, Utc};
use chrono_tz::Tz;
use kernel::{EntrantId, EventId, Money, ReferralCode, StoreError};
use pricing::{
    EntryCount, IntentId, NewPackage, NewPurchase, PackageId, PackageText, Packages, PricingSettings,
    ProviderEvents, Purchase, PurchaseId, PurchaseStatus, Purchases,
};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use raffle::{Entrant, Entrants, Entries, EntryKind, EntryLedger, LedgerRow};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, Ordering};

use PurchaseStatus::{Canceled, Completed, Failed, Pending, Refunded};
use strum::IntoEnumIterator;

fn at(second: i64) -> DateTime<Utc> {
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

/// A purchase about to begin. Its event id is like no other's.
fn sold(entrant: EntrantId, entries: i64, second: i64) -> NewPurchase {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    NewPurchase {
        entrant,
        package: PackageId::new(1),
        price: Money::from_cents(500).unwrap(),
        entries: EntryCount::new(entries).unwrap(),
        event_id: EventId::parse(&format!("event-{number}")).unwrap(),
        at: at(second),
    }
}

fn begun<S: Store>(store: &S, entrant: EntrantId, entries: i64) -> PurchaseId {
    let new = sold(entrant, entries, 0);
    store.transaction(|tx| tx.begin_purchase(&new)).unwrap().unwrap()
}

fn found<S: Store>(store: &S, id: PurchaseId) -> Purchase {
    store.read(|tx| tx.find_purchase(id)).unwrap().unwrap()
}

fn complete<S: Store>(store: &S, id: PurchaseId) -> bool {
    store.transaction(|tx| tx.complete_purchase(id, at(10))).unwrap()
}

fn refund<S: Store>(store: &S, id: PurchaseId) -> bool {
    store.transaction(|tx| tx.refund_purchase(id, at(20))).unwrap()
}

fn end<S: Store>(store: &S, id: PurchaseId, status: PurchaseStatus) -> bool {
    store
        .transaction(|tx| tx.end_purchase(id, status, at(5)))
        .unwrap()
}

/// A purchase that came this far.
pub(crate) fn begun_and<S: Store>(store: &S, entrant: EntrantId, status: PurchaseStatus) -> PurchaseId {
    let id = begun(store, entrant, 20);
    let went_on = match status {
        Pending => true,
        Completed => complete(store, id),
        Failed | Canceled => end(store, id, status),
        Refunded => complete(store, id) && refund(store, id),
    };
    assert!(went_on, "{status:?}");
    id
}

fn entries<S: Store>(store: &S, entrant: EntrantId) -> Entries {
    store
        .read(|tx| tx.find_entrant(entrant))
        .unwrap()
        .unwrap()
        .entries
}

fn ledger<S: Store>(store: &S, entrant: EntrantId) -> Vec<LedgerRow> {
    let mut rows = store.read(|tx| tx.ledger_of(entrant)).unwrap();
    rows.retain(|row| row.kind != EntryKind::Base);
    rows
}

fn conversions<S: Store>(store: &S, code: &ReferralCode) -> i64 {
    fold(store);
    let figures = store.snapshot(|tx| tx.dashboard(3)).unwrap();
    let mut rows = figures.referral_funnel.iter();
    rows.find(|row| row.referral_code == *code)
        .map_or(0, |row| row.conversions)
}

pub fn a_package_reads_back_changes_and_goes<S: Store>(store: &S) {
    let most = NewPackage {
        name: PackageText::parse(&"é".repeat(80), 80).unwrap(),
        description: PackageText::parse(&"é".repeat(300), 300).unwrap(),
        entries: EntryCount::new(EntryCount::MAX.into()).unwrap(),
        price: Money::from_cents(Money::MAX_CENTS.into()).unwrap(),
        is_popular: true,
        is_active: false,
        sort_order: u32::MAX,
    };
    let least = offer("Starter", 0);
    let id = store.transaction(|tx| tx.add_package(&most, noon())).unwrap();
    let find = || store.read(|tx| tx.find_package(id)).unwrap();
    let package = find().unwrap();
    assert_eq!((package.id, package.created_at), (id, noon()));
    assert_eq!(package.offer, most);
    assert!(store.transaction(|tx| tx.change_package(id, &least)).unwrap());
    let package = find().unwrap();
    assert_eq!((package.offer, package.created_at), (least.clone(), noon()));

    assert!(store.transaction(|tx| tx.delete_package(id)).unwrap());
    assert_eq!(find(), None);
    assert!(!store.transaction(|tx| tx.delete_package(id)).unwrap());
    assert!(!store.transaction(|tx| tx.change_package(id, &least)).unwrap());
    let next = store.transaction(|tx| tx.add_package(&least, noon())).unwrap();
    assert!(next > id, "a number is not given again");
}

pub fn packages_come_by_sort_order_and_then_id<S: Store>(store: &S) {
    let hidden = NewPackage {
        is_active: false,
        ..offer("Hidden", 1)
    };
    for offer in [
        offer("Last", 7),
        offer("Second", 1),
        hidden,
        offer("Third", 1),
        offer("First", 0),
    ] {
        store.transaction(|tx| tx.add_package(&offer, noon())).unwrap();
    }
    let list = |only_active| -> Vec<String> {
        let packages = store.read(|tx| tx.list_packages(only_active)).unwrap();
        let names = packages
            .iter()
            .map(|package| package.offer.name.as_str().to_owned());
        names.collect()
    };
    assert_eq!(list(true), ["First", "Second", "Third", "Last"]);
    assert_eq!(list(false), ["First", "Second", "Hidden", "Third", "Last"]);
}

pub fn a_deleted_package_leaves_its_purchases<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    let package = store
        .transaction(|tx| tx.add_package(&offer("Starter", 0), noon()))
        .unwrap();
    let new = NewPurchase {
        package,
        ..sold(entrant, 20, 0)
    };
    let id = store.transaction(|tx| tx.begin_purchase(&new)).unwrap().unwrap();
    assert!(store.transaction(|tx| tx.delete_package(package)).unwrap());
    assert_eq!(found(store, id).sold, new);
    assert!(complete(store, id));
    assert_eq!(entries(store, entrant).paid, 20);
}

pub fn nothing_is_sold_until_somebody_says_so<S: Store>(store: &S) {
    let shown = || store.read(|tx| tx.show_pricing()).unwrap();
    assert!(!shown());
    for show in [true, true, false, true] {
        store.transaction(|tx| tx.set_show_pricing(show, noon())).unwrap();
        assert_eq!(shown(), show);
    }
    at_once(8, |n| {
        store
            .transaction(|tx| tx.set_show_pricing(n % 2 == 0, noon()))
            .unwrap();
    });
    store
        .transaction(|tx| tx.set_show_pricing(false, noon()))
        .unwrap();
    assert!(!shown());
}

pub fn a_purchase_reads_back<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    let most = NewPurchase {
        price: Money::from_cents(Money::MAX_CENTS.into()).unwrap(),
        ..sold(entrant, EntryCount::MAX.into(), 3)
    };
    let id = store.transaction(|tx| tx.begin_purchase(&most)).unwrap().unwrap();
    let expected = |intent| Purchase {
        id,
        sold: most.clone(),
        intent,
        status: Pending,
    };
    assert_eq!(found(store, id), expected(None));

    let name = IntentId::parse("pi_1").unwrap();
    let find = |name: &IntentId| store.read(|tx| tx.find_purchase_by_intent(name)).unwrap();
    assert_eq!(find(&name), None);
    store.transaction(|tx| tx.record_intent_id(id, &name)).unwrap();
    assert_eq!(find(&name), Some(expected(Some(name.clone()))));
    let other = IntentId::parse("pi_2").unwrap();
    store.transaction(|tx| tx.record_intent_id(id, &other)).unwrap();
    assert_eq!(found(store, id).intent, Some(name), "the first name stays");
    assert_eq!(find(&other), None);
}

pub fn nothing_is_bought_where_nobody_is<S: Store>(store: &S) {
    for number in [0, 1, -1, i64::MAX, i64::MIN] {
        let new = sold(EntrantId::new(number), 20, 0);
        assert_eq!(store.transaction(|tx| tx.begin_purchase(&new)).unwrap(), None);
        let (id, package) = (PurchaseId::new(number), PackageId::new(number));
        assert_eq!(store.read(|tx| tx.find_purchase(id)).unwrap(), None);
        assert_eq!(store.read(|tx| tx.find_package(package)).unwrap(), None);
        assert!(!complete(store, id) && !refund(store, id) && !end(store, id, Failed));
    }
    let taken = store.transaction(|tx| tx.claim_open_purchases(at(100), 10, at(100)));
    assert_eq!(taken.unwrap(), []);
}

pub fn a_purchase_goes_on_only_as_decided<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    for from in PurchaseStatus::iter() {
        for to in [Completed, Failed, Canceled, Refunded] {
            let id = begun_and(store, entrant, from);
            let changed = match to {
                Completed => complete(store, id),
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
        assert!(!end(store, id, status), "{status:?} is no such end");
    }
    assert_eq!(found(store, id).status, Pending);
    assert_balanced(store);
}

pub fn a_purchase_completed_by_fifty_at_once_is_credited_once<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    for status in [Pending, Failed, Canceled] {
        let before = entries(store, entrant).paid;
        let id = begun_and(store, entrant, status);
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

pub fn a_purchase_refunded_by_fifty_at_once_is_taken_back_once<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    let stays = begun_and(store, entrant, Completed);
    let goes = begun(store, entrant, 30);
    assert!(!refund(store, goes), "it is not completed");
    assert_eq!(ledger(store, entrant).len(), 1);
    assert!(complete(store, goes));
    let answers = at_once(50, |_| refund(store, goes));
    assert_eq!(answers.iter().filter(|done| **done).count(), 1);
    assert_eq!(entries(store, entrant).paid, 20);
    let row = LedgerRow {
        kind: EntryKind::Refund,
        delta: -30,
        cause: goes.get(),
    };
    assert_eq!(ledger(store, entrant).last(), Some(&row));
    assert!(refund(store, stays));
    assert_eq!(entries(store, entrant), Entries::NEW);
    assert_balanced(store);
}

pub fn purchases_and_refunds_of_one_entrant_at_once_add_up<S: Store>(store: &S) {
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

pub fn completions_and_refunds_racing_each_other_leave_no_half<S: Store>(store: &S) {
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
        let expected = match found(store, id).status {
            Completed => 20,
            Refunded => 0,
            status => unreachable!("somebody completed it: {status:?}"),
        };
        assert_eq!(after, expected);
    }
    assert_balanced(store);
}

pub fn what_is_rolled_back_was_not_bought<S: Store>(store: &S) {
    let friend = entered(store, 1);
    let entrant = entered_through(store, 2, &friend.referral_code).id;
    let id = begun(store, entrant, 20);
    let undone = store.transaction(|tx| {
        assert!(tx.complete_purchase(id, at(10))?);
        assert!(tx.record_event("evt_1", at(10))?);
        Err::<(), _>(StoreError::Conflict)
    });
    assert!(undone.is_err());
    assert_eq!(found(store, id).status, Pending);
    assert_eq!(entries(store, entrant), Entries::NEW);
    assert_eq!(conversions(store, &friend.referral_code), 0);
    assert!(store.transaction(|tx| tx.record_event("evt_1", at(10))).unwrap());
    assert!(complete(store, id));
}

pub fn an_event_is_noted_once<S: Store>(store: &S) {
    let answers = at_once(20, |_| {
        store.transaction(|tx| tx.record_event("evt_1", noon())).unwrap()
    });
    assert_eq!(answers.iter().filter(|new| **new).count(), 1);
    assert!(store.transaction(|tx| tx.record_event("evt_2", noon())).unwrap());
    assert!(!store.transaction(|tx| tx.record_event("evt_1", at(1))).unwrap());
}

pub fn unsettled_purchases_are_taken_oldest_first_and_then_the_next<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    let begin = |second| {
        let new = sold(entrant, 20, second);
        store.transaction(|tx| tx.begin_purchase(&new)).unwrap().unwrap()
    };
    let take = |before, limit, now| -> Vec<PurchaseId> {
        let taken = store.transaction(|tx| tx.claim_open_purchases(at(before), limit, at(now)));
        taken.unwrap().iter().map(|purchase| purchase.id).collect()
    };
    let newest = begin(9);
    let [oldest, second, third, declined] = [1, 2, 3, 0].map(begin);
    for settled in [Completed, Canceled, Refunded] {
        begun_and(store, entrant, settled);
    }
    let intent = IntentId::parse("pi_1").unwrap();
    store
        .transaction(|tx| tx.record_intent_id(oldest, &intent))
        .unwrap();
    assert!(end(store, declined, Failed)); // at 5 s

    assert_eq!(take(9, 0, 60), []);
    let taken = store
        .transaction(|tx| tx.claim_open_purchases(at(9), 2, at(60)))
        .unwrap();
    assert_eq!(taken, [found(store, oldest), found(store, second)]);
    assert_eq!(take(9, 2, 61), [third, declined]);
    assert_eq!(take(9, 2, 62), [], "the newest was touched at 9 s, not before");
    assert_eq!(take(61, 10, 63), [newest, oldest, second]);
    assert!(complete(store, newest));
    assert_eq!(take(100, 10, 100), [third, declined, oldest, second]);
}

pub fn those_who_take_unsettled_purchases_at_once_take_different_ones<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    let all: BTreeSet<_> = (0..8).map(|_| begun(store, entrant, 20)).collect();
    let taken = at_once(8, |_| {
        let taken = store.transaction(|tx| tx.claim_open_purchases(at(1), 1, at(60)));
        taken
            .unwrap()
            .iter()
            .map(|purchase| purchase.id)
            .collect::<Vec<_>>()
    });
    assert_eq!(taken.iter().flatten().count(), 8);
    assert_eq!(taken.into_iter().flatten().collect::<BTreeSet<_>>(), all);
}

pub fn a_friend_who_buys_is_one_conversion<S: Store>(store: &S) {
    let referrer = entered(store, 1);
    let code = &referrer.referral_code;
    let friends = [10, 11, 12].map(|n| entered_through(store, n, code).id);
    let own = begun(store, referrer.id, 20);
    assert!(complete(store, own));
    assert_eq!(conversions(store, code), 0, "the referrer's own does not count");

    let purchases: Vec<_> = (0..8).map(|_| begun(store, friends[0], 20)).collect();
    assert_eq!(conversions(store, code), 0, "nothing is completed");
    at_once(8, |n| assert!(complete(store, purchases[n as usize])));
    assert_eq!(conversions(store, code), 1);
    assert!(refund(store, purchases[0]));
    assert_eq!(conversions(store, code), 1, "it was completed all the same");
    // Before anything is folded.
    let friend = entered_through(store, 13, code).id;
    begun_and(store, friend, Completed);
    assert_eq!(conversions(store, code), 2);
    begun_and(store, friends[1], Completed);
    begun_and(store, friends[2], Failed);
    assert_eq!(conversions(store, code), 3);
    usecases::rollups::rebuild(store, Tz::UTC).unwrap();
    assert_eq!(conversions(store, code), 3);
    assert_eq!(usecases::rollups::verify(store, Tz::UTC).unwrap(), [""; 0]);
    assert_balanced(store);
}

pub fn clearing_referrals_leaves_what_was_bought<S: Store>(store: &S) {
    let referrer = entered(store, 1);
    let friend = entered_through(store, 10, &referrer.referral_code).id;
    let kept = begun_and(store, referrer.id, Completed);
    let theirs = begun_and(store, friend, Completed);
    assert_eq!(conversions(store, &referrer.referral_code), 1);
    store.transaction(|tx| tx.clear_referrals(at(30))).unwrap();
    let expected = Entries {
        paid: 20,
        ..Entries::NEW
    };
    assert_eq!(entries(store, referrer.id), expected);
    assert_eq!(conversions(store, &referrer.referral_code), 0);
    begun_and(store, friend, Completed);
    assert_eq!(conversions(store, &referrer.referral_code), 0);
    assert_eq!(found(store, kept).status, Completed);
    assert!(refund(store, kept) && refund(store, theirs));
    assert_eq!(entries(store, referrer.id), Entries::NEW);
    assert_eq!(entries(store, friend), expected);
    assert_balanced(store);
    assert_eq!(usecases::rollups::verify(store, Tz::UTC).unwrap(), [""; 0]);
}

/// As a flow does: the event, the purchase and the step together.
pub fn buying_while_others_clear_and_fold_leaves_all_in_balance<S: Store>(store: &S) {
    let referrer = entered(store, 1000);
    let friends: Vec<_> = (0..24)
        .map(|n| entered_through(store, n, &referrer.referral_code).id)
        .collect();
    let purchases: Vec<_> = friends.iter().map(|id| begun(store, *id, 20)).collect();
    at_once(28, |n| match n {
        24 | 25 => drop(store.transaction(|tx| tx.clear_referrals(noon())).unwrap()),
        26 => drop(store.transaction(|tx| tx.clear_analytics()).unwrap()),
        27 => fold(store),
        n => {
            let id = purchases[n as usize];
            let buy = |tx: &mut S::Tx| {
                tx.record_event(&format!("evt_{n}"), at(10))?;
                assert!(tx.complete_purchase(id, at(10))?);
                tx.collect(&[step(&n.to_string(), StepName::PurchaseComplete, 10)])
            };
            store.transaction(buy).unwrap();
        }
    });
    assert_balanced(store);
    fold(store);
    assert_eq!(usecases::rollups::verify(store, Tz::UTC).unwrap(), [""; 0]);
}

/// Something that happens to purchases, or meanwhile. Numbers count from the newest.
#[derive(Debug, Clone)]
enum Act {
    Enter { through: Option<usize> },
    Begin { buyer: usize, entries: i64 },
    Complete(usize),
    Refund(usize),
    End(usize, PurchaseStatus),
    Clear,
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let which = 0..6usize;
    let act = prop_oneof![
        2 => prop::option::of(which.clone()).prop_map(|through| Act::Enter { through }),
        5 => (which.clone(), 1..50i64).prop_map(|(buyer, entries)| Act::Begin { buyer, entries }),
        6 => which.clone().prop_map(Act::Complete),
        3 => which.clone().prop_map(Act::Refund),
        2 => which.clone().prop_map(|n| Act::End(n, Failed)),
        1 => which.prop_map(|n| Act::End(n, Canceled)),
        1 => Just(Act::Clear),
    ];
    prop::collection::vec(act, 0..50)
}

#[derive(Default)]
struct Model {
    entrants: Vec<Member>,
    purchases: Vec<Bought>,
}

struct Member {
    entrant: Entrant,
    referrer: Option<usize>,
    converted: bool,
}

struct Bought {
    id: PurchaseId,
    buyer: usize,
    entries: i64,
    status: PurchaseStatus,
}

fn nth_newest(count: usize, n: usize) -> Option<usize> {
    count.checked_sub(n + 1)
}

impl Model {
    fn perform<S: Store>(&mut self, store: &S, entropy: &Spread, act: &Act) {
        let newest_entrant = |n| nth_newest(self.entrants.len(), n);
        match *act {
            Act::Enter { through } => {
                let referrer = through.and_then(newest_entrant);
                let code = referrer.map(|n| self.entrants[n].entrant.referral_code.clone());
                let number = u32::try_from(self.entrants.len()).unwrap();
                let entered = enter(store, entropy, phone(number), code.as_ref()).unwrap();
                self.entrants.push(Member {
                    entrant: entered.entrant,
                    referrer,
                    converted: false,
                });
            }
            Act::Begin { buyer, entries } => {
                if let Some(buyer) = newest_entrant(buyer) {
                    let id = begun(store, self.entrants[buyer].entrant.id, entries);
                    self.purchases.push(Bought {
                        id,
                        buyer,
                        entries,
                        status: Pending,
                    });
                }
            }
            Act::Complete(n) => self.go_on(n, Completed, |id| complete(store, id)),
            Act::Refund(n) => self.go_on(n, Refunded, |id| refund(store, id)),
            Act::End(n, status) => self.go_on(n, status, |id| end(store, id, status)),
            Act::Clear => {
                store.transaction(|tx| tx.clear_referrals(noon())).unwrap();
                self.entrants.iter_mut().for_each(|member| member.referrer = None);
            }
        }
    }

    fn go_on(&mut self, n: usize, status: PurchaseStatus, change: impl FnOnce(PurchaseId) -> bool) {
        let Some(n) = nth_newest(self.purchases.len(), n) else {
            return;
        };
        let purchase = &mut self.purchases[n];
        let may = purchase.status.may_become(status);
        assert_eq!(change(purchase.id), may, "{:?} to {status:?}", purchase.status);
        if may {
            purchase.status = status;
            self.entrants[purchase.buyer].converted |= status == Completed;
        }
    }

    fn paid(&self, buyer: usize) -> i64 {
        let kept = self
            .purchases
            .iter()
            .filter(|purchase| purchase.buyer == buyer && purchase.status == Completed);
        kept.map(|purchase| purchase.entries).sum()
    }

    fn conversions(&self, referrer: usize) -> i64 {
        let friends = self
            .entrants
            .iter()
            .filter(|member| member.referrer == Some(referrer));
        i64::try_from(friends.filter(|member| member.converted).count()).unwrap()
    }
}

/// What an entrant has bought is what was completed and not refunded, whatever happens in whatever order.
pub fn paid_entries_are_completed_purchases_after_any_history<S: Store>(store: &S) {
    let config = ProptestConfig {
        cases: 24,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let entropy = Spread::new(8);
    let model = RefCell::new(Model::default());
    let check = |acts: Vec<Act>| {
        let model = &mut *model.borrow_mut();
        for act in &acts {
            model.perform(store, &entropy, act);
        }
        for (n, member) in model.entrants.iter().enumerate() {
            prop_assert_eq!(entries(store, member.entrant.id).paid, model.paid(n));
        }
        fold(store);
        let figures = store.snapshot(|tx| tx.dashboard(3)).unwrap();
        for row in &figures.referral_funnel {
            let referrer = model
                .entrants
                .iter()
                .position(|member| member.entrant.referral_code == row.referral_code);
            prop_assert_eq!(row.conversions, model.conversions(referrer.unwrap()));
        }
        assert_balanced(store);
        Ok(())
    };
    TestRunner::new(config).run(&acts(), check).unwrap();
}
