//! Purchases of referred friends.

use super::{at, begun, complete, entries, found, purchase_with_status, refund};
use crate::Store;
use crate::support::{assert_balanced, at_once, clear, entered, entered_through, fold, step};
use analytics::{Collection, Figures, StepName};
use chrono_tz::Tz;
use kernel::ReferralCode;

use pricing::PurchaseStatus::{Completed, Failed};
use pricing::{CompleteOutcome, ProviderEvents, Purchases};
use raffle::Entries;
use staff::ClearingKind;

pub(super) fn conversions<S: Store>(store: &S, code: &ReferralCode) -> i64 {
    fold(store);
    let figures = store.snapshot(|tx| tx.dashboard(3)).unwrap();
    let mut rows = figures.referral_funnel.iter();
    rows.find(|row| row.referral_code == *code)
        .map_or(0, |row| row.conversions)
}

pub fn a_friend_who_buys_counts_as_one_conversion<S: Store>(store: &S) {
    let referrer = entered(store, 1);
    let code = &referrer.referral_code;
    let friends = [10, 11, 12].map(|n| entered_through(store, n, code).id);
    let own = begun(store, referrer.id, 20);
    assert!(complete(store, own));
    assert_eq!(
        conversions(store, code),
        0,
        "the referrer's own purchase does not count"
    );

    let purchases: Vec<_> = (0..8).map(|_| begun(store, friends[0], 20)).collect();
    assert_eq!(conversions(store, code), 0, "no purchase is completed");
    at_once(8, |n| assert!(complete(store, purchases[n as usize])));
    assert_eq!(conversions(store, code), 1);
    assert!(refund(store, purchases[0]));
    assert_eq!(
        conversions(store, code),
        1,
        "a refund does not undo the conversion"
    );
    // A purchase before the referral is folded.
    let friend = entered_through(store, 13, code).id;
    purchase_with_status(store, friend, Completed);
    assert_eq!(conversions(store, code), 2);
    purchase_with_status(store, friends[1], Completed);
    purchase_with_status(store, friends[2], Failed);
    assert_eq!(conversions(store, code), 3);
    usecases::rollups::rebuild(store, Tz::UTC).unwrap();
    assert_eq!(conversions(store, code), 3);
    assert_eq!(usecases::rollups::verify(store, Tz::UTC).unwrap(), [""; 0]);
    assert_balanced(store);
}

pub fn clearing_referrals_keeps_purchases<S: Store>(store: &S) {
    let referrer = entered(store, 1);
    let friend = entered_through(store, 10, &referrer.referral_code).id;
    let kept = purchase_with_status(store, referrer.id, Completed);
    let theirs = purchase_with_status(store, friend, Completed);
    assert_eq!(conversions(store, &referrer.referral_code), 1);
    clear(store, ClearingKind::ClearReferrals);
    let expected = Entries {
        paid: 20,
        ..Entries::NEW
    };
    assert_eq!(entries(store, referrer.id), expected);
    assert_eq!(conversions(store, &referrer.referral_code), 0);
    purchase_with_status(store, friend, Completed);
    assert_eq!(conversions(store, &referrer.referral_code), 0);
    assert_eq!(found(store, kept).status, Completed);
    assert!(refund(store, kept) && refund(store, theirs));
    assert_eq!(entries(store, referrer.id), Entries::NEW);
    assert_eq!(entries(store, friend), expected);
    assert_balanced(store);
    assert_eq!(usecases::rollups::verify(store, Tz::UTC).unwrap(), [""; 0]);
}

/// Records the event, the purchase and the funnel step in one transaction, as the use case does.
pub fn buying_during_clearing_and_folding_keeps_the_ledger_balanced<S: Store>(store: &S) {
    let referrer = entered(store, 1000);
    let friends: Vec<_> = (0..24)
        .map(|n| entered_through(store, n, &referrer.referral_code).id)
        .collect();
    let purchases: Vec<_> = friends.iter().map(|id| begun(store, *id, 20)).collect();
    at_once(28, |n| match n {
        24 | 25 => drop(clear(store, ClearingKind::ClearReferrals)),
        26 => drop(clear(store, ClearingKind::ClearAnalytics)),
        27 => fold(store),
        n => {
            let id = purchases[n as usize];
            let buy = |tx: &mut S::Tx| {
                tx.record_event(&format!("evt_{n}"), at(10))?;
                assert_eq!(tx.complete_purchase(id, at(10))?, CompleteOutcome::Credited);
                tx.collect(&[step(&n.to_string(), StepName::PurchaseComplete, 10)])
            };
            store.transaction(buy).unwrap();
        }
    });
    assert_balanced(store);
    fold(store);
    assert_eq!(usecases::rollups::verify(store, Tz::UTC).unwrap(), [""; 0]);
}
