//! How long data is kept: what is dropped and erased when, and that the console's figures stay.

use crate::Store;
use crate::flags::{detect, list};
use crate::push::subscribed;
use crate::support::{
    at_once, command, entered, entered_from, entered_through, fold, noon, phone, session, timed, view_with,
};
use analytics::{
    AnalyticsClearing, Collection, Dashboard, DateRange, Event, Figures, Funnel, FunnelFilter, NewView,
    Rollups,
};
use chrono::{DateTime, TimeDelta, Utc};
use chrono_tz::Tz;
use fakes::SeededEntropy;
use fraud::FlaggedFilter;
use kernel::{Clock, Consent, ConsentAct, Origin, PageRequest, ReferralCode, StoreError};
use pricing::ProviderEvents;
use privacy::Erasure;
use privacy::retention::{Dropped, Month, Part, Retention, Source, Terms};
use staff::{Action, AuditFilter, AuditLog, Detail};
use std::sync::atomic::{AtomicI64, Ordering};
use usecases::retention::{Cleaned, make_months, run, run_if_due};

struct At(DateTime<Utc>);

impl Clock for At {
    fn now(&self) -> DateTime<Utc> {
        self.0
    }
}

fn time(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

/// The id that a browser gives a session which begins at this time. `n` makes each another one.
fn session_id(began: DateTime<Utc>, n: u32) -> String {
    let millis = format!("{:012x}", began.timestamp_millis());
    format!("{}-{}-7000-8000-{n:012x}", &millis[..8], &millis[8..])
}

/// A view of a session that began then, and the time spent on it.
fn visit(began: &str, n: u32, code: &ReferralCode) -> Vec<Event> {
    let at = time(began);
    let moved = |event| match event {
        Event::View(view) => Event::View(NewView {
            visitor: analytics::ViewOrigin {
                session: session(&session_id(at, n)),
                origin: Origin {
                    address: Some([198, 51, 100, 7].into()),
                    user_agent: Some("Test".to_owned()),
                },
                ..view.visitor
            },
            at,
            ..view
        }),
        other => other,
    };
    vec![
        moved(view_with("one", "garden-bag", code, 0)),
        moved(timed("one", "garden-bag", 4_000, 0)),
    ]
}

fn collect<S: Store>(store: &S, events: &[Event]) {
    store.transaction(|tx| tx.collect(events)).unwrap();
}

/// All that the console shows of visits, over all time.
fn figures<S: Store>(store: &S) -> (Dashboard, Funnel, Funnel) {
    fold(store);
    let all = FunnelFilter::default();
    let years = FunnelFilter {
        scope: None,
        range: Some(DateRange {
            from: time("2020-01-01T00:00:00Z"),
            until: time("2100-01-01T00:00:00Z"),
        }),
    };
    store
        .snapshot(|tx| Ok::<_, kernel::StoreError>((tx.dashboard(3)?, tx.funnel(&all)?, tx.funnel(&years)?)))
        .unwrap()
}

fn differences<S: Store>(store: &S) -> Vec<String> {
    store.transaction(|tx| tx.differences(Tz::UTC)).unwrap()
}

fn run_at<S: Store>(store: &S, now: &str) -> Cleaned {
    run(store, &At(time(now)), Terms::default(), || true).unwrap()
}

fn rows(cleaned: &Cleaned, source: Source) -> i64 {
    cleaned.rows.iter().find(|(of, _)| *of == source).unwrap().1
}

fn clean<S: Store>(store: &S, source: Source, before: DateTime<Utc>, limit: u32) -> Part {
    store.transaction(|tx| tx.clean(source, before, limit)).unwrap()
}

pub fn a_place_is_made_for_each_month_once<S: Store>(store: &S) {
    let turn_of_the_year = time("2090-12-31T23:59:59Z");
    assert_eq!(make_months(store, turn_of_the_year).unwrap(), 4);
    assert_eq!(make_months(store, turn_of_the_year).unwrap(), 0);
    assert_eq!(
        make_months(store, turn_of_the_year + TimeDelta::seconds(1)).unwrap(),
        1
    );
    assert_eq!(make_months(store, time("2091-02-28T12:00:00Z")).unwrap(), 1);
}

pub fn servers_make_a_month_once<S: Store>(store: &S) {
    let made = AtomicI64::new(0);
    at_once(4, |_| {
        let count = make_months(store, time("2090-06-15T00:00:00Z")).unwrap();
        made.fetch_add(i64::try_from(count).unwrap(), Ordering::Relaxed);
    });
    assert_eq!(made.into_inner(), 4);
}

pub fn views_count_once_before_and_after_their_month_has_a_place<S: Store>(store: &S) {
    let friend = entered_from(store, 1, [192, 0, 2, 1].into()).referral_code;
    let visits = [
        visit("2090-12-31T23:59:59.999Z", 1, &friend),
        visit("2091-01-01T00:00:00Z", 2, &friend),
    ]
    .concat();
    collect(store, &visits);
    make_months(store, time("2090-12-01T00:00:00Z")).unwrap();
    collect(store, &visits);
    let (dashboard, funnel, _) = figures(store);
    assert_eq!(
        (dashboard.total_page_views, funnel.sessions, funnel.time_spent),
        (2, 2, 16_000)
    );
    assert_eq!(differences(store), [""; 0]);
}

pub fn dropped_months_leave_the_figures_as_they_are<S: Store>(store: &S) {
    let friend = entered_from(store, 1, [192, 0, 2, 1].into()).referral_code;
    make_months(store, time("2090-11-15T00:00:00Z")).unwrap();
    for (n, began) in (1..).zip([
        "2090-11-30T23:59:59.999Z",
        "2090-12-01T00:00:00Z",
        "2090-12-31T23:59:59.999Z",
        "2091-01-01T00:00:00Z",
        "2091-01-31T22:10:00Z",
    ]) {
        collect(store, &visit(began, n, &friend));
    }
    let before = figures(store);
    assert_eq!(before.0.total_page_views, 5);
    assert_eq!(differences(store), [""; 0]);
    for (now, dropped) in [
        ("2092-12-31T23:59:59Z", 0),
        ("2093-01-01T00:00:00Z", 1),
        ("2093-01-31T23:59:59Z", 0),
        ("2093-02-01T00:00:00Z", 2),
    ] {
        let cleaned = run_at(store, now);
        assert_eq!(
            (cleaned.dropped_views, cleaned.is_complete),
            (dropped, true),
            "{now}"
        );
        assert_eq!(rows(&cleaned, Source::ViewTimes), dropped, "{now}");
        assert_eq!(figures(store), before, "{now}");
        assert_eq!(differences(store), [""; 0], "{now}");
    }
    usecases::rollups::rebuild(store, Tz::UTC).unwrap();
    assert_eq!(figures(store), before);
    assert_eq!(differences(store), [""; 0]);
}

pub fn views_are_accepted_after_their_month_was_dropped<S: Store>(store: &S) {
    let friend = entered_from(store, 1, [192, 0, 2, 1].into()).referral_code;
    make_months(store, time("2090-11-15T00:00:00Z")).unwrap();
    run_at(store, "2095-01-01T00:00:00Z");
    collect(store, &visit("2090-12-24T00:00:00Z", 1, &friend));
    assert_eq!(figures(store).0.total_page_views, 1);
    assert_eq!(differences(store), [""; 0]);
}

pub fn views_without_a_month_are_deleted_at_the_same_age<S: Store>(store: &S) {
    let friend = entered_from(store, 1, [192, 0, 2, 1].into()).referral_code;
    collect(
        store,
        &[
            view_with("one", "garden-bag", &friend, 0),
            timed("one", "garden-bag", 9_000, 5),
        ],
    );
    let before = figures(store);
    // The views are of August 2025.
    for (now, deleted) in [
        ("2027-09-30T23:59:59Z", 0),
        ("2027-10-01T00:00:00Z", 1),
        ("2027-10-02T00:00:00Z", 0),
    ] {
        let cleaned = run_at(store, now);
        assert_eq!(rows(&cleaned, Source::StrayViews), deleted, "{now}");
        assert_eq!(rows(&cleaned, Source::ViewTimes), deleted, "{now}");
        assert_eq!(figures(store), before, "{now}");
        assert_eq!(differences(store), [""; 0], "{now}");
    }
}

pub fn clearing_analytics_forgets_dropped_views_too<S: Store>(store: &S) {
    let friend = entered_from(store, 1, [192, 0, 2, 1].into()).referral_code;
    collect(store, &[view_with("one", "garden-bag", &friend, 0)]);
    fold(store);
    run_at(store, "2027-10-01T00:00:00Z");
    while store.transaction(|tx| tx.clear_analytics()).unwrap().is_none() {}
    assert_eq!(figures(store).0.total_page_views, 0);
    assert_eq!(differences(store), [""; 0]);
}

pub fn what_identifies_visitors_is_erased_at_its_age<S: Store>(store: &S) {
    let friend = entered_from(store, 1, [192, 0, 2, 1].into()).referral_code;
    entered_through(store, 2, &friend);
    collect(store, &visit("2025-08-01T12:00:00Z", 1, &friend));
    let before = figures(store);
    let at = noon() + TimeDelta::days(90);
    for (now, erased) in [
        (at, 0),
        (at + TimeDelta::seconds(1), 1),
        (at + TimeDelta::days(1), 0),
    ] {
        let cleaned = run(store, &At(now), Terms::default(), || true).unwrap();
        assert!(cleaned.is_complete);
        assert_eq!(rows(&cleaned, Source::SignUps), 2 * erased);
        assert_eq!(rows(&cleaned, Source::Views), erased);
        assert_eq!(figures(store), before);
        assert_eq!(differences(store), [""; 0]);
    }
}

pub fn detection_forgets_networks_with_their_accounts<S: Store>(store: &S) {
    let address = [192, 0, 2, 9].into();
    entered_from(store, 1, address);
    entered_from(store, 2, address);
    fold(store);
    run(
        store,
        &At(noon() + TimeDelta::days(100)),
        Terms::default(),
        || true,
    )
    .unwrap();
    // The third account would make the network suspicious if the others still counted.
    entered_from(store, 3, address);
    assert_eq!(detect(store), 0);
    entered_from(store, 4, address);
    entered_from(store, 5, address);
    assert_eq!(detect(store), 3);
    assert_eq!(differences(store), [""; 0]);
}

pub fn the_reason_of_a_flag_keeps_no_address<S: Store>(store: &S) {
    for n in 1..=3 {
        entered_from(store, n, [192, 0, 2, 9].into());
    }
    assert_eq!(detect(store), 3);
    let reasons = || -> Vec<String> {
        let rows = list(store, &FlaggedFilter::default(), PageRequest::default());
        rows.into_iter().map(|row| row.reason).collect()
    };
    assert!(reasons().iter().all(|reason| reason.contains("192.0.2.9")));
    run(
        store,
        &At(noon() + TimeDelta::days(100)),
        Terms::default(),
        || true,
    )
    .unwrap();
    assert_eq!(reasons(), ["Multiple accounts from one network"; 3]);
}

pub fn addresses_of_consents_are_erased<S: Store>(store: &S) {
    let mut command = command(phone(1), None);
    command.consent = Some(Consent {
        granted: true,
        act: ConsentAct::Form,
    });
    let entered =
        usecases::entering::enter(store, &At(noon()), &SeededEntropy::new(1), &command, None).unwrap();
    assert!(entered.is_new);
    let limit = noon() + TimeDelta::seconds(1);
    assert_eq!(
        clean(store, Source::Consents, limit, 10),
        Part {
            rows: 1,
            is_last: true
        }
    );
    assert_eq!(
        clean(store, Source::Consents, limit, 10),
        Part {
            rows: 0,
            is_last: true
        }
    );
}

/// A browser that gives its subscription again is as new as the last time.
pub fn user_agents_of_subscriptions_are_erased<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    for (name, second) in [("again", 0), ("old", 1), ("new", 100), ("again", 101)] {
        subscribed(store, entrant, name, second);
    }
    let limit = noon() + TimeDelta::seconds(100);
    for rows in [1, 0] {
        let is_last = true;
        assert_eq!(
            clean(store, Source::PushSubscriptions, limit, 10),
            Part { rows, is_last }
        );
    }
    let later = noon() + TimeDelta::seconds(200);
    assert_eq!(
        clean(store, Source::PushSubscriptions, later, 1),
        Part {
            rows: 1,
            is_last: false
        }
    );
    assert_eq!(
        clean(store, Source::PushSubscriptions, later, 9),
        Part {
            rows: 1,
            is_last: true
        }
    );
}

pub fn events_of_the_provider_are_deleted_after_90_days<S: Store>(store: &S) {
    let record = |id: &str, at| store.transaction(|tx| tx.record_event(id, at)).unwrap();
    assert!(record("old", noon()));
    assert!(record("new", noon() + TimeDelta::days(1)));
    let terms = Terms { days: 3 };
    let now = noon() + TimeDelta::days(90) + TimeDelta::hours(1);
    let cleaned = run(store, &At(now), terms, || true).unwrap();
    assert_eq!(rows(&cleaned, Source::ProviderEvents), 1);
    assert!(!record("new", now), "it is still known");
    assert!(record("old", now));
}

pub fn each_row_is_erased_once_in_batches<S: Store>(store: &S) {
    for n in 1..=5 {
        entered_from(store, n, [192, 0, 2, 1].into());
    }
    fold(store);
    let limit = noon() + TimeDelta::seconds(1);
    assert_eq!(
        clean(store, Source::SignUps, limit, 2),
        Part {
            rows: 2,
            is_last: false
        }
    );
    let erased = AtomicI64::new(0);
    at_once(4, |_| {
        let part = clean(store, Source::SignUps, limit, 2);
        erased.fetch_add(part.rows, Ordering::Relaxed);
    });
    assert_eq!(erased.into_inner(), 3);
    assert_eq!(differences(store), [""; 0]);
}

pub fn one_server_runs_each_day<S: Store>(store: &S) {
    let runs = AtomicI64::new(0);
    let try_at = |now| run_if_due(store, &At(now), Terms::default(), || true).unwrap();
    at_once(4, |_| {
        runs.fetch_add(i64::from(try_at(noon()).is_some()), Ordering::Relaxed);
    });
    assert_eq!(runs.into_inner(), 1);
    assert_eq!(try_at(noon() + TimeDelta::hours(22)), None);
    assert!(try_at(noon() + TimeDelta::hours(24)).is_some());
    assert_eq!(audited(store).len(), 2);
}

fn audited<S: Store>(store: &S) -> Vec<Vec<(String, Detail)>> {
    let filter = AuditFilter {
        action: Some(Action::RunRetention),
        ..AuditFilter::default()
    };
    let entries = store
        .read(|tx| tx.list_audit(&filter, PageRequest::default()))
        .unwrap();
    assert!(
        entries
            .iter()
            .all(|entry| entry.target.is_none() && entry.address.is_none())
    );
    entries.into_iter().map(|entry| entry.details).collect()
}

pub fn a_run_that_is_stopped_says_so_and_the_next_one_goes_on<S: Store>(store: &S) {
    entered_from(store, 1, [192, 0, 2, 1].into());
    fold(store);
    let now = At(noon() + TimeDelta::days(91));
    let stopped = run(store, &now, Terms::default(), || false).unwrap();
    assert!(!stopped.is_complete && stopped.rows.iter().all(|(_, rows)| *rows == 0));
    let cleaned = run(store, &now, Terms::default(), || true).unwrap();
    assert_eq!((rows(&cleaned, Source::SignUps), cleaned.is_complete), (1, true));
    let newest = &audited(store)[0];
    assert!(newest.contains(&("signUps".to_owned(), Detail::Number(1))));
    assert!(newest.contains(&("days".to_owned(), Detail::Number(90))));
}

pub fn nothing_is_dropped_from_a_month_that_is_kept<S: Store>(store: &S) {
    let month = Month::of(time("2090-05-01T00:00:00Z"));
    assert!(store.transaction(|tx| tx.add_month(month)).unwrap());
    let drop = |kept| store.transaction(|tx| tx.drop_month(kept)).unwrap();
    let mut outcomes = Vec::new();
    while let Dropped::Views(views) = drop(month) {
        outcomes.push(views);
    }
    assert!(outcomes.iter().all(|views| *views == 0));
    assert_eq!(drop(month), Dropped::None);
    assert_eq!(drop(month.later(1)), Dropped::Views(0));
    assert_eq!(drop(month.later(1)), Dropped::None);
}

pub fn a_run_forgets_numbers_whose_13_months_are_over<S: Store>(store: &S) {
    let entrant = entered(store, 1);
    let erased_at = time("2026-01-10T12:00:00Z");
    let erase = |tx: &mut S::Tx| tx.erase_person(entrant.id, erased_at);
    store.transaction::<_, StoreError>(erase).unwrap();
    assert_eq!(run_at(store, "2027-02-10T11:59:00Z").forgotten_numbers, 0);
    assert_eq!(run_at(store, "2027-02-10T12:00:00Z").forgotten_numbers, 1);
    assert_eq!(run_at(store, "2027-02-10T12:00:00Z").forgotten_numbers, 0);
}
