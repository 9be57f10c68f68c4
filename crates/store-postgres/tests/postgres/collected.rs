//! Columns of events that no figure reads.

use crate::support::{TestDatabase, connect, number};
use analytics::{
    Browser, Collection, Event, NewShare, NewStep, NewView, Place, Platform, Session, StepData, StepName,
    StepValue, ViewOrigin,
};
use chrono::DateTime;
use diesel::pg::PgConnection;
use kernel::{Origin, Raffle, StoreError, UnitOfWork};
use store_postgres::PgTx;

fn session() -> Session {
    Session::parse("one").unwrap()
}

fn view(sms_tracking_id: Option<&str>, place: Place) -> Event {
    Event::View(NewView {
        visitor: ViewOrigin {
            session: session(),
            origin: Origin::default(),
            fingerprint: None,
            browser: Browser::default(),
            place,
        },
        page: Raffle::GardenBag.into(),
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
