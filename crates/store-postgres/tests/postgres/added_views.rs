//! Views that are added in one statement, which a trigger makes wait like other writers.

use crate::support::{TestDatabase, clear_often, connect};
use analytics::{Browser, Collection, Event, NewView, Place, Rollups, Session, ViewOrigin};
use chrono::DateTime;
use diesel::connection::SimpleConnection;
use kernel::{Origin, Raffle, StoreError, UnitOfWork};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use store_postgres::PgStore;

/// A view of a session that begins when it is viewed; each number is another session.
fn first_view(n: u64) -> NewView {
    NewView {
        visitor: ViewOrigin {
            session: Session::parse(&format!("0190a000-0000-7000-8000-{n:012x}")).unwrap(),
            origin: Origin::default(),
            fingerprint: None,
            browser: Browser::default(),
            place: Place::default(),
        },
        page: Raffle::GardenBag.into(),
        referral_code: None,
        sms_tracking_id: None,
        time_spent: None,
        at: DateTime::from_timestamp_millis(0x0190_a000_0000).unwrap(),
    }
}

fn add(store: &PgStore, view: &NewView) -> Result<(), StoreError> {
    store.statement(|tx| tx.add_views(&[view]))
}

#[test]
fn folding_waits_for_a_statement_that_adds_views() {
    let database = TestDatabase::new();
    let store = database.store();
    add(&store, &first_view(1)).unwrap();
    let settle = || store.transaction(|tx| tx.settle()).unwrap();
    let before = settle().unwrap().page_views;
    // Only the trigger takes the lock of writers here.
    let mut writer = connect(&database.admin_url);
    writer
        .batch_execute(
            "BEGIN; INSERT INTO page_views (view_key, session_key, session_id, page, entry_source)
             VALUES (gen_random_uuid(), gen_random_uuid(), 'two', 'welcome', 'direct')",
        )
        .unwrap();
    assert_eq!(settle(), None, "a view is not committed yet");
    writer.batch_execute("COMMIT").unwrap();
    assert!(settle().unwrap().page_views > before);
}

#[test]
fn clearings_and_views_do_not_wait_in_a_circle() {
    let store = TestDatabase::new().store();
    let (next, is_over) = (AtomicU64::new(1), AtomicBool::new(false));
    let next_view = || first_view(next.fetch_add(1, Ordering::Relaxed));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    add(&store, &next_view()).unwrap();
                }
            });
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    let events = [Event::View(next_view())];
                    store.transaction(|tx| tx.collect(&events)).unwrap();
                }
            });
        }
        let cleared = clear_often(&store);
        is_over.store(true, Ordering::Relaxed);
        assert_eq!(cleared, 10);
    });
}
