//! Columns of events that no figure reads.

use crate::support::{TestDatabase, clear_often, connect, number};
use analytics::{
    Browser, Collection, Event, NewShare, NewStep, NewView, Place, Platform, StepData, StepName, StepValue,
    ViewOrigin,
};
use chrono::DateTime;
use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::Text;
use kernel::{Origin, Session, StoreError, UnitOfWork};
use raffle::fixtures::GARDEN_BAG;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use store_postgres::PgTx;

const FIND_VIEWS: &str = include_str!("../../sql/find_views.sql");

#[derive(QueryableByName)]
struct PlanLine {
    #[diesel(sql_type = Text, column_name = "QUERY PLAN")]
    plan: String,
}

fn session() -> Session {
    Session::parse("one").unwrap()
}

fn view(sms_tracking_id: Option<&str>, place: Place) -> Event {
    view_of("one", sms_tracking_id, place)
}

fn view_of(session: &str, sms_tracking_id: Option<&str>, place: Place) -> Event {
    Event::View(NewView {
        visitor: ViewOrigin {
            session: Session::parse(session).unwrap(),
            origin: Origin::default(),
            fingerprint: None,
            browser: Browser::default(),
            place,
        },
        page: GARDEN_BAG.into(),
        referral_code: None,
        sms_tracking_id: sms_tracking_id.map(str::to_owned),
        time_spent: None,
        at: DateTime::UNIX_EPOCH,
    })
}

fn step(step: StepName, data: StepData) -> Event {
    Event::Step(NewStep {
        session: session(),
        raffle: None,
        step,
        entrant: None,
        data,
        time_spent: None,
        at: DateTime::UNIX_EPOCH,
    })
}

fn collected(events: &[Event]) -> PgConnection {
    let database = TestDatabase::new();
    let collect = |tx: &mut PgTx| tx.collect(events);
    database.store().transaction::<_, StoreError>(collect).unwrap();
    connect(&database.admin_url)
}

#[test]
fn a_view_has_the_link_that_opened_it_and_the_visitors_place() {
    let place = Place::new(Some("CH"), Some("Zürich"));
    let mut connection = collected(&[view(Some("garden-2345bcdfghjkm"), place)]);
    let stored = "SELECT count(*) AS n FROM page_views
        WHERE sms_tracking_id = 'garden-2345bcdfghjkm' AND country = 'CH' AND city = 'Zürich'";
    assert_eq!(number(&mut connection, stored), 1);
}

#[test]
fn what_is_not_known_of_a_view_is_null() {
    let mut connection = collected(&[view(None, Place::default())]);
    let stored = "SELECT count(*) AS n FROM page_views
        WHERE sms_tracking_id IS NULL AND country IS NULL AND city IS NULL";
    assert_eq!(number(&mut connection, stored), 1);
}

#[test]
fn the_details_of_a_step_are_a_json_object() {
    let values = [
        ("page".to_owned(), StepValue::Text(r#"a"b\\"#.to_owned())),
        ("count".to_owned(), StepValue::Integer(i64::MAX)),
        ("share".to_owned(), StepValue::Number(0.5)),
        ("referred".to_owned(), StepValue::Flag(true)),
    ];
    let share = Event::Share(NewShare {
        session: Some(session()),
        origin: Origin::default(),
        entrant: None,
        platform: Platform::Email,
        referral_code: None,
        event_id: None,
        at: DateTime::UNIX_EPOCH,
    });
    let mut connection = collected(&[
        step(StepName::FormStart, StepData::new(values).unwrap()),
        step(StepName::FormSubmit, StepData::default()),
        share,
    ]);
    let stored = r#"SELECT count(*) AS n FROM conversion_funnel
        WHERE (step = 'formStart' AND step_data =
                '{"page": "a\"b\\\\", "count": 9223372036854775807, "share": 0.5, "referred": true}')
            OR (step = 'formSubmit' AND step_data IS NULL)
            OR (step = 'socialShare' AND step_data = '{"platform": "email"}')"#;
    assert_eq!(number(&mut connection, stored), 3);
}

/// A clearing truncates the tables that views are stored in.
#[test]
fn clearings_and_views_do_not_wait_in_a_circle() {
    let store = TestDatabase::new().store();
    let (next, is_over) = (AtomicU32::new(1), AtomicBool::new(false));
    let collect_until_over = || {
        while !is_over.load(Ordering::Relaxed) {
            let session = format!("visit-{}", next.fetch_add(1, Ordering::Relaxed));
            let events = [view_of(&session, None, Place::default())];
            store
                .transaction::<_, StoreError>(|tx| tx.collect(&events))
                .unwrap();
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(collect_until_over);
        }
        let cleared = clear_often(&store);
        is_over.store(true, Ordering::Relaxed);
        assert_eq!(cleared, 10);
    });
}

/// A new month is empty, and so are its statistics. A plan from then must not read all views once there are many.
#[test]
fn views_are_looked_up_one_by_one_whatever_the_statistics_say() {
    let database = TestDatabase::new();
    let mut connection = connect(&database.admin_url);
    let none = format!("'{{{}}}'", uuid::Uuid::nil());
    let sql = format!(
        "SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan; PREPARE find AS {FIND_VIEWS}"
    );
    connection.batch_execute(&sql).unwrap();
    let plan = sql_query(format!("EXPLAIN EXECUTE find ({none}, {none})"));
    let lines: Vec<PlanLine> = plan.load(&mut connection).unwrap();
    let plan: Vec<_> = lines.iter().map(|line| line.plan.trim()).collect();
    let by_index = |line: &&&str| line.starts_with("Index Cond: ((view_key >= input.first_key)");
    assert!(plan.iter().filter(by_index).count() >= 3, "{plan:#?}");
    assert!(!plan.iter().any(|line| line.contains("Materialize")), "{plan:#?}");
}
