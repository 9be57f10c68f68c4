use crate::Store;
use crate::support::{
    at_once, code, entered, entered_through, fold, fold_in, noon, page, session, share, step, timed, view,
    view_with,
};
use analytics::{
    Collection, Dashboard, DateRange, Event, Figures, Funnel, FunnelFilter, Platform, Rollups, StepFigures,
    StepName,
};
use chrono::TimeDelta;
use chrono_tz::Tz;
use kernel::{EntrantId, EventId};
use raffle::RaffleKey;
use raffle::fixtures::{FRESH_SIPS, GARDEN_BAG};
use std::collections::BTreeMap;

fn collect<S: Store>(store: &S, events: &[Event]) {
    store.transaction(|tx| tx.collect(events)).unwrap();
}

fn dashboard<S: Store>(store: &S) -> Dashboard {
    fold(store);
    store.snapshot(|tx| tx.dashboard(3)).unwrap()
}

fn funnel<S: Store>(store: &S, filter: FunnelFilter) -> Funnel {
    fold(store);
    store.snapshot(|tx| tx.funnel(&filter)).unwrap()
}

fn of(raffle: RaffleKey) -> FunnelFilter {
    FunnelFilter {
        scope: Some(raffle),
        range: None,
    }
}

fn steps(expected: &[(StepName, i64, i64)]) -> BTreeMap<StepName, StepFigures> {
    let figures = |(step, count, exits): &(StepName, i64, i64)| {
        let figures = StepFigures {
            count: *count,
            exits: *exits,
        };
        (*step, figures)
    };
    expected.iter().map(figures).collect()
}

pub fn a_view_counts_once_per_session_page_and_referral_code<S: Store>(store: &S) {
    let friend = entered(store, 1).referral_code;
    let views = [
        view("one", "garden-bag", 0),
        view("one", "garden-bag", 5),
        view("two", "garden-bag", 0),
        view("one", "welcome", 0),
        view_with("one", "garden-bag", &friend, 0),
        view_with("one", "garden-bag", &friend, 9),
    ];
    collect(store, &views);
    collect(store, &views);
    let figures = dashboard(store);
    assert_eq!(figures.total_page_views, 4);
    assert_eq!(figures.raffles[0].page_views, 3);
    assert_eq!(figures.referral_funnel.len(), 1);
    assert_eq!(figures.referral_funnel[0].views, 1);
}

pub fn twenty_concurrent_copies_of_a_view_count_once<S: Store>(store: &S) {
    at_once(20, |n| {
        collect(
            store,
            &[
                view("one", "garden-bag", 0),
                view(&format!("own {n}"), "fresh-sips", 0),
            ],
        );
    });
    let figures = dashboard(store);
    assert_eq!(
        (figures.raffles[0].page_views, figures.raffles[1].page_views),
        (1, 20)
    );
}

/// The id of a session that begins at noon, when its first view comes.
fn just_begun(n: u32) -> String {
    let millis = noon().timestamp_millis();
    format!("{:08x}-{:04x}-7000-8000-{n:012x}", millis >> 16, millis & 0xffff)
}

pub fn a_view_of_a_session_that_has_just_begun_counts_once<S: Store>(store: &S) {
    let own = |n| view(&just_begun(n), "garden-bag", 0);
    collect(store, &[own(1), own(1)]);
    // One that is stored already, among new ones.
    collect(store, &[own(2), own(1), own(3)]);
    collect(store, &[own(3), timed(&just_begun(3), "garden-bag", 1_000, 1)]);
    // A time whose view is in the same batch.
    collect(store, &[timed(&just_begun(4), "garden-bag", 2_000, 1), own(4)]);
    at_once(20, |n| {
        collect(store, &[own(5), own(100 + n)]);
    });
    assert_eq!(dashboard(store).total_page_views, 25);
    assert_eq!(funnel(store, of(GARDEN_BAG)).time_spent, 3_000);
    assert_eq!(store.transaction(|tx| tx.differences(Tz::UTC)).unwrap(), [""; 0]);
}

/// Batches of first views, batches with other events, and batches with views that are stored already.
pub fn every_batch_counts_once_whatever_is_in_it<S: Store>(store: &S) {
    let own = |n| view(&just_begun(n), "garden-bag", 0);
    at_once(8, |n| {
        for round in 0..10 {
            let number = 100 * n + round;
            let batch = match round % 3 {
                0 => vec![own(number), own(1_000 + number)],
                1 => vec![own(number), step(&just_begun(number), StepName::FormStart, 1)],
                _ => vec![own(number), own(number), own(round)],
            };
            usecases::collection::collect(store, &batch).unwrap();
            usecases::collection::collect(store, &batch).unwrap();
            fold(store);
        }
    });
    // 10 in each of 8 threads, and 4 more in each from the first kind of batch; batches of the third kind repeat some of thread 0.
    assert_eq!(dashboard(store).total_page_views, 8 * (10 + 4));
    assert_eq!(store.transaction(|tx| tx.differences(Tz::UTC)).unwrap(), [""; 0]);
}

/// In Kathmandu, hours begin at a quarter past those of UTC.
pub fn views_are_folded_by_the_hours_of_the_time_zone<S: Store>(store: &S) {
    const ZONE: Tz = Tz::Asia__Kathmandu;
    let views = [0, 14, 15, 16, 44, 45, 59, 60, 74, 75].map(|minute| {
        let own = format!("minute {minute}");
        view(&own, "garden-bag", minute * 60)
    });
    collect(store, &views);
    fold_in(store, ZONE);
    assert_eq!(store.transaction(|tx| tx.differences(ZONE)).unwrap(), [""; 0]);
}

pub fn folding_during_concurrent_writes_counts_everything_once<S: Store>(store: &S) {
    at_once(8, |n| {
        for round in 0..20 {
            let own = format!("{n} {round}");
            collect(
                store,
                &[view(&own, "garden-bag", 0), step(&own, StepName::FormStart, 1)],
            );
            if n % 2 == 0 {
                fold(store);
            }
        }
    });
    assert_eq!(dashboard(store).total_page_views, 160);
    let expected = [(StepName::PageView, 160, 0), (StepName::FormStart, 160, 160)];
    assert_eq!(funnel(store, FunnelFilter::default()).steps, steps(&expected));
    assert_eq!(store.transaction(|tx| tx.differences(Tz::UTC)).unwrap(), [""; 0]);
}

pub fn time_spent_is_added_to_the_view_of_its_session_and_page<S: Store>(store: &S) {
    let friend = entered(store, 1).referral_code;
    collect(store, &[view_with("one", "garden-bag", &friend, 0)]);
    // The beacon does not contain the referral code.
    collect(
        store,
        &[
            timed("one", "garden-bag", 12_000, 10),
            timed("one", "garden-bag", 3_000, 20),
        ],
    );
    collect(
        store,
        &[
            view("two", "garden-bag", 0),
            timed("two", "garden-bag", 5_000, 30),
        ],
    );
    assert_eq!(dashboard(store).total_page_views, 2);
    let funnel = funnel(store, of(GARDEN_BAG));
    assert_eq!((funnel.sessions, funnel.time_spent), (2, 20_000));
    assert_eq!(funnel.average_seconds(), 10.0);
}

pub fn time_spent_without_a_view_creates_one<S: Store>(store: &S) {
    collect(
        store,
        &[
            timed("one", "fresh-sips", 7_000, 10),
            timed("one", "fresh-sips", 1_000, 20),
        ],
    );
    collect(store, &[timed("one", "fresh-sips", 1_000, 30)]);
    let figures = dashboard(store);
    assert_eq!((figures.total_page_views, figures.raffles[1].page_views), (1, 1));
    assert_eq!(funnel(store, FunnelFilter::default()).time_spent, 9_000);
}

pub fn only_referral_codes_of_entrants_are_counted<S: Store>(store: &S) {
    let dummy = code("CDFG3467");
    collect(store, &[view_with("one", "garden-bag", &dummy, 0)]);
    let figures = dashboard(store);
    assert_eq!(figures.total_page_views, 1);
    assert_eq!(figures.referral_funnel, []);
}

pub fn unknown_pages_are_counted_together<S: Store>(store: &S) {
    let strange = (0..50).map(|n| view("one", &format!("page {n}"), 0));
    collect(store, &strange.collect::<Vec<_>>());
    assert_eq!(dashboard(store).total_page_views, 1);
    assert_eq!(page("page 7"), page("other"));
}

pub fn shares_with_the_same_event_id_count_once<S: Store>(store: &S) {
    let sharer = entered(store, 1);
    let event = Some(EventId::parse("one").unwrap());
    let unknown = EntrantId::new(i64::MAX);
    collect(
        store,
        &[
            share(Some(&sharer), Platform::Sms, event.clone()),
            share(Some(&sharer), Platform::Sms, event),
            share(Some(&sharer), Platform::Email, None),
            share(None, Platform::Email, None),
        ],
    );
    let mut stranger = share(Some(&sharer), Platform::Email, None);
    if let Event::Share(share) = &mut stranger {
        share.entrant = Some(unknown);
    }
    collect(store, &[stranger]);
    let row = dashboard(store).referral_funnel.remove(0);
    assert_eq!(
        (row.referral_code, row.shares, row.views),
        (sharer.referral_code, 3, 0)
    );
}

pub fn the_funnel_counts_sessions_and_exits<S: Store>(store: &S) {
    collect(
        store,
        &[
            view("one", "garden-bag", 0),
            view("two", "garden-bag", 0),
            view("three", "fresh-sips", 0),
        ],
    );
    fold(store);
    collect(
        store,
        &[
            step("one", StepName::FormStart, 10),
            step("one", StepName::FormStart, 11),
            step("one", StepName::SignUp, 20),
        ],
    );
    let garden = funnel(store, of(GARDEN_BAG));
    assert_eq!(garden.sessions, 2);
    let expected = [
        (StepName::PageView, 2, 1),
        (StepName::FormStart, 1, 0),
        (StepName::SignUp, 1, 1),
    ];
    assert_eq!(garden.steps, steps(&expected));
    let all = funnel(store, FunnelFilter::default());
    assert_eq!(all.sessions, 3);
    assert_eq!(all.steps[&StepName::PageView], StepFigures { count: 3, exits: 2 });
}

pub fn a_session_in_two_raffles_counts_once_in_total<S: Store>(store: &S) {
    collect(
        store,
        &[
            view("one", "garden-bag", 0),
            view("one", "fresh-sips", 10),
            view("one", "welcome", 20),
        ],
    );
    assert_eq!(funnel(store, of(GARDEN_BAG)).sessions, 1);
    assert_eq!(funnel(store, of(FRESH_SIPS)).sessions, 1);
    let all = funnel(store, FunnelFilter::default());
    assert_eq!(
        (all.sessions, all.steps),
        (1, steps(&[(StepName::PageView, 1, 1)]))
    );
}

pub fn a_range_contains_the_sessions_that_began_in_it<S: Store>(store: &S) {
    const HOUR: i64 = 3600;
    collect(
        store,
        &[
            view("early", "garden-bag", 0),
            view("late", "garden-bag", 2 * HOUR),
        ],
    );
    collect(store, &[step("early", StepName::SignUp, 2 * HOUR)]);
    let range = |from: i64, until: i64| FunnelFilter {
        scope: None,
        range: Some(DateRange {
            from: noon() + TimeDelta::hours(from),
            until: noon() + TimeDelta::hours(until),
        }),
    };
    let early = funnel(store, range(0, 1));
    assert_eq!(
        early.steps,
        steps(&[(StepName::PageView, 1, 0), (StepName::SignUp, 1, 1)])
    );
    assert_eq!(funnel(store, range(2, 3)).sessions, 1);
    assert_eq!(funnel(store, range(1, 2)), Funnel::default());
}

pub fn the_dashboard_shows_the_figures_of_all_raffles<S: Store>(store: &S) {
    let popular = entered(store, 1);
    let shy = entered(store, 2);
    for n in 10..13 {
        entered_through(store, n, &popular.referral_code);
    }
    entered_through(store, 13, &shy.referral_code);
    collect(
        store,
        &[
            view("one", "fresh-sips", 0),
            view_with("one", "fresh-sips", &shy.referral_code, 0),
        ],
    );
    let figures = dashboard(store);
    assert_eq!(
        (
            figures.total_users(),
            figures.total_referrals(),
            figures.total_page_views
        ),
        (6, 4, 2)
    );
    assert_eq!(figures.conversion_rate(), 300.0);
    assert_eq!(figures.average_referrals(), 4.0 / 6.0);
    let fresh_sips = figures.raffles[1];
    assert_eq!(
        (fresh_sips.users, fresh_sips.referrals, fresh_sips.page_views),
        (6, 4, 2)
    );
    let brought: Vec<_> = figures
        .top_referrers
        .iter()
        .map(|top| (top.phone.clone(), top.count))
        .collect();
    assert_eq!(brought, [(popular.phone, 3), (shy.phone, 1)]);
    let funnel: Vec<_> = figures
        .referral_funnel
        .iter()
        .map(|row| (&row.referral_code, row.referrals, row.views))
        .collect();
    assert_eq!(
        funnel,
        [(&popular.referral_code, 3, 0), (&shy.referral_code, 1, 1)]
    );
    assert_eq!(figures.referral_velocity.referrers, 2);
}

pub fn trends_count_views_and_sign_ups_by_hour<S: Store>(store: &S) {
    entered(store, 1);
    collect(
        store,
        &[
            view("one", "fresh-sips", 30),
            view("two", "fresh-sips", 3700),
            view("two", "welcome", 3700),
        ],
    );
    fold(store);
    let range = DateRange {
        from: noon(),
        until: noon() + TimeDelta::hours(2),
    };
    let trends = store.snapshot(|tx| tx.trends(&range)).unwrap();
    let rows: Vec<_> = trends
        .rows
        .iter()
        .map(|row| (row.hour, row.raffle, row.views, row.sign_ups))
        .collect();
    let fresh = FRESH_SIPS;
    assert_eq!(
        rows,
        [(noon(), fresh, 1, 1), (noon() + TimeDelta::hours(1), fresh, 1, 0)]
    );
    assert_eq!(trends.velocity.len(), 7);
    let none = DateRange {
        from: noon() - TimeDelta::hours(2),
        until: noon(),
    };
    assert_eq!(store.snapshot(|tx| tx.trends(&none)).unwrap().rows, []);
}

pub fn a_rebuild_changes_no_figures<S: Store>(store: &S) {
    let friend = entered(store, 1);
    entered_through(store, 2, &friend.referral_code);
    collect(
        store,
        &[
            view_with("one", "garden-bag", &friend.referral_code, 0),
            timed("one", "garden-bag", 9_000, 5),
        ],
    );
    fold(store);
    // A rebuild includes rows that are not folded yet.
    collect(
        store,
        &[
            view("two", "fresh-sips", 10),
            share(Some(&friend), Platform::Sms, None),
        ],
    );
    usecases::rollups::rebuild(store, Tz::UTC).unwrap();
    assert_eq!(usecases::rollups::verify(store, Tz::UTC).unwrap(), [""; 0]);
    let rebuilt = (
        store.snapshot(|tx| tx.dashboard(3)).unwrap(),
        store.snapshot(|tx| tx.funnel(&FunnelFilter::default())).unwrap(),
    );
    fold(store);
    assert_eq!(
        rebuilt,
        (dashboard(store), funnel(store, FunnelFilter::default()))
    );
    assert_eq!(rebuilt.0.total_page_views, 2);
    assert_eq!(rebuilt.1.sessions, 2);
    assert_eq!(session("one").as_str(), "one");
}
