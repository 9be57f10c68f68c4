//! Purchases of referred friends.

use super::{at, begun, begun_and, complete, entries, found, refund};
use crate::Store;
use crate::support::{assert_balanced, at_once, entered, entered_through, fold, noon, step};
use analytics::{AnalyticsClearing, Collection, Figures, ReferralClearing, StepName};
use chrono_tz::Tz;
use kernel::ReferralCode;
use pricing::PurchaseStatus::{Completed, Failed};
use pricing::{ProviderEvents, Purchases};
use raffle::Entries;

pub(super) fn conversions<S: Store>(store: &S, code: &ReferralCode) -> i64 {
    fold(store);
    let figures = store.snapshot(|tx| tx.dashboard(3)).unwrap();
    let mut rows = figures.referral_funnel.iter();
    rows.find(|row| row.referral_code == *code)
        .map_or(0, |row| row.conversions)
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
