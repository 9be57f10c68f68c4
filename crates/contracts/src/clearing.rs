use crate::Store;
use crate::support::{
    assert_balanced, at_once, entered, entered_through, fold, noon, share, step, timed, view,
};
use analytics::{
    AnalyticsClearing, AnalyticsCounts, Collection, Figures, Funnel, FunnelFilter, Platform,
    ReferralClearing, ReferralCounts, ReferralVelocity, StepName,
};
use chrono_tz::Tz;
use raffle::{Entrants, Entries, EntryKind, EntryLedger};
use referral::Referrals;

pub fn clearing_analytics_keeps_entrants_and_referrals<S: Store>(store: &S) {
    let friend = entered(store, 1);
    entered_through(store, 2, &friend.referral_code);
    let events = [
        view("one", "garden-bag", 0),
        view("one", "welcome", 0),
        timed("one", "garden-bag", 5_000, 0),
        step("one", StepName::FormStart, 1),
        share(Some(&friend), Platform::Sms, None),
    ];
    store.transaction(|tx| tx.collect(&events)).unwrap();
    fold(store);
    store
        .transaction(|tx| tx.collect(&[view("two", "garden-bag", 0)]))
        .unwrap();
    fold(store);
    let expected = AnalyticsCounts {
        page_views: 3,
        social_shares: 1,
        funnel_steps: 5,
    };
    assert_eq!(store.read(|tx| tx.count_analytics()).unwrap(), expected);
    assert_eq!(store.transaction(|tx| tx.clear_analytics()).unwrap(), expected);
    assert_eq!(
        store.transaction(|tx| tx.clear_analytics()).unwrap(),
        AnalyticsCounts::default()
    );
    fold(store);
    let figures = store.snapshot(|tx| tx.dashboard(3)).unwrap();
    assert_eq!(
        (
            figures.total_page_views,
            figures.total_users(),
            figures.total_referrals()
        ),
        (0, 2, 1)
    );
    assert_eq!(
        store.snapshot(|tx| tx.funnel(&FunnelFilter::default())).unwrap(),
        Funnel::default()
    );
    assert_eq!(
        (
            figures.referral_funnel[0].shares,
            figures.referral_funnel[0].referrals
        ),
        (0, 1)
    );
    assert_eq!(usecases::rollups::verify(store, Tz::UTC).unwrap(), [""; 0]);
    // The same session counts again.
    store
        .transaction(|tx| tx.collect(&[view("one", "garden-bag", 0)]))
        .unwrap();
    fold(store);
    assert_eq!(store.snapshot(|tx| tx.dashboard(3)).unwrap().total_page_views, 1);
}

pub fn clearing_referrals_removes_their_entries<S: Store>(store: &S) {
    let popular = entered(store, 1);
    for n in 10..13 {
        entered_through(store, n, &popular.referral_code);
    }
    fold(store);
    entered_through(store, 13, &popular.referral_code);
    let expected = ReferralCounts {
        referrals: 4,
        bonus_entries: 4,
    };
    assert_eq!(store.read(|tx| tx.count_referral_data()).unwrap(), expected);
    assert_eq!(
        store.transaction(|tx| tx.clear_referrals(noon())).unwrap(),
        expected
    );
    assert_eq!(
        store.transaction(|tx| tx.clear_referrals(noon())).unwrap(),
        ReferralCounts::default()
    );
    let entrant = store.read(|tx| tx.find_entrant(popular.id)).unwrap().unwrap();
    assert_eq!(entrant.entries, Entries::NEW);
    assert_eq!(store.read(|tx| tx.count_referrals(popular.id)).unwrap(), 0);
    let last = *store.read(|tx| tx.ledger_of(popular.id)).unwrap().last().unwrap();
    assert_eq!((last.kind, last.delta), (EntryKind::Clearing, -4));
    assert_balanced(store);
    fold(store);
    let figures = store.snapshot(|tx| tx.dashboard(3)).unwrap();
    assert_eq!((figures.total_users(), figures.total_referrals()), (5, 0));
    assert_eq!(
        (figures.top_referrers, figures.referral_velocity),
        (Vec::new(), ReferralVelocity::default())
    );
    assert_eq!(usecases::rollups::verify(store, Tz::UTC).unwrap(), [""; 0]);
    // Counting starts at one again.
    entered_through(store, 20, &popular.referral_code);
    fold(store);
    assert_eq!(
        store.snapshot(|tx| tx.dashboard(3)).unwrap().top_referrers[0].count,
        1
    );
    assert_balanced(store);
}

pub fn clearing_during_concurrent_writes_keeps_the_ledger_balanced<S: Store>(store: &S) {
    let popular = entered(store, 1000);
    at_once(8, |n| match n {
        0 => drop(store.transaction(|tx| tx.clear_analytics()).unwrap()),
        1 => drop(store.transaction(|tx| tx.clear_referrals(noon())).unwrap()),
        2 => fold(store),
        _ => {
            entered_through(store, n, &popular.referral_code);
            store
                .transaction(|tx| tx.collect(&[view(&format!("{n}"), "garden-bag", 0)]))
                .unwrap();
        }
    });
    assert_balanced(store);
    fold(store);
    assert_eq!(usecases::rollups::verify(store, Tz::UTC).unwrap(), [""; 0]);
    let counted = store.read(|tx| tx.count_referrals(popular.id)).unwrap();
    let figures = store.snapshot(|tx| tx.dashboard(3)).unwrap();
    assert_eq!(figures.total_referrals(), counted);
}
