//! How long data is kept: what only PostgreSQL has, such as the partitions and columns.

use crate::support::{TestDatabase, connect, execute, number};
use analytics::{Browser, Collection, Event, Folded, NewView, Place, Rollups, Settling, ViewOrigin};
use chrono::{DateTime, TimeDelta, Utc};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::Text;
use kernel::{Origin, Session, StoreError, UnitOfWork};
use privacy::retention::{Dropped, Month, Retention, Source};
use raffle::fixtures::GARDEN_BAG;
use store_postgres::{PgStore, PgTx};
use strum::IntoEnumIterator;

fn time(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn month(text: &str) -> Month {
    Month::of(time(&format!("{text}-01T00:00:00Z")))
}

/// A view of a session that began at this time, or of one without a time.
fn view(began: Option<&str>) -> Event {
    let id = began.map_or("any".to_owned(), |began| {
        let millis = format!("{:012x}", time(began).timestamp_millis());
        format!("{}-{}-7000-8000-000000000000", &millis[..8], &millis[8..])
    });
    Event::View(NewView {
        visitor: ViewOrigin {
            session: Session::parse(&id).unwrap(),
            origin: Origin::default(),
            fingerprint: None,
            browser: Browser::default(),
            place: Place::default(),
        },
        page: GARDEN_BAG.into(),
        referral_code: None,
        sms_tracking_id: None,
        time_spent: None,
        at: DateTime::UNIX_EPOCH,
    })
}

fn collect(store: &PgStore, events: &[Event]) {
    let collect = |tx: &mut PgTx| tx.collect(events);
    store.transaction::<_, StoreError>(collect).unwrap();
}

fn add_month(store: &PgStore, name: &str) -> bool {
    store
        .transaction::<_, StoreError>(|tx| tx.add_month(month(name)))
        .unwrap()
}

fn views_in(connection: &mut PgConnection, table: &str) -> i64 {
    number(connection, &format!("SELECT count(*) AS n FROM {table}"))
}

#[test]
fn views_are_in_the_months_of_their_keys_at_the_turn_of_a_year() {
    let database = TestDatabase::new();
    let (store, mut connection) = (database.store(), connect(&database.admin_url));
    let all = [
        view(Some("2090-11-30T23:59:59.999Z")),
        view(Some("2090-12-01T00:00:00Z")),
        view(Some("2090-12-31T23:59:59.999Z")),
        view(Some("2091-01-01T00:00:00Z")),
        view(Some("1990-01-01T00:00:00Z")),
        view(None),
    ];
    // Before a month has a partition, its views are stored elsewhere.
    collect(&store, &all);
    assert_eq!(views_in(&mut connection, "page_views_other"), 4);
    for name in ["2090-12", "2091-01"] {
        assert!(add_month(&store, name));
        assert!(!add_month(&store, name));
    }
    collect(&store, &all);
    for (table, views) in [
        ("page_views_2090_12", 2),
        ("page_views_2091_01", 1),
        ("page_views_other", 1),
        ("page_views_untimed", 1),
        ("page_views", 6),
    ] {
        assert_eq!(views_in(&mut connection, table), views, "{table}");
    }
}

#[test]
fn a_month_before_the_first_partition_has_a_place_already() {
    let database = TestDatabase::new();
    let store = database.store();
    assert!(!add_month(&store, "1999-12"));
    assert!(!add_month(&store, "2026-10"));
}

#[test]
fn views_that_are_not_in_the_roll_ups_are_not_dropped() {
    let database = TestDatabase::new();
    let (store, mut connection) = (database.store(), connect(&database.admin_url));
    collect(&store, &[view(Some("1990-01-01T00:00:00Z"))]);
    let drop = || {
        store
            .transaction::<_, StoreError>(|tx| tx.drop_month(month("2091-01")))
            .unwrap()
    };
    assert_eq!(drop(), Dropped::Busy);
    while fold(&store) {}
    assert_eq!(drop(), Dropped::Views(1));
    assert_eq!(drop(), Dropped::None);
    assert_eq!(views_in(&mut connection, "page_views"), 0);
    assert_eq!(
        number(
            &mut connection,
            "SELECT sum(views)::bigint AS n FROM retired_views"
        ),
        1
    );
}

/// Folds once. Returns whether there was something to fold.
fn fold(store: &PgStore) -> bool {
    let zone = chrono_tz::UTC;
    let settling = store.transaction::<_, StoreError>(|tx| tx.settle_new()).unwrap();
    let Settling::Settled(settled) = settling else {
        return false;
    };
    let folded = store.transaction::<_, StoreError>(|tx| tx.fold(&settled, zone));
    folded.unwrap() != Folded::Busy
}

#[derive(QueryableByName)]
struct Column {
    #[diesel(sql_type = Text)]
    name: String,
}

/// Columns that could identify a visitor, by type or name; of `page_views` only the parent.
const IDENTIFYING: &str = "
SELECT table_name || '.' || column_name AS name FROM information_schema.columns
WHERE table_schema = 'public' AND table_name !~ '^page_views_(before|untimed|other|[0-9])'
    AND (udt_name IN ('inet', 'cidr', 'macaddr')
         OR column_name ~ '(ip_address|user_agent|fingerprint|network|browser_hash|device_id)')
ORDER BY 1";

/// Columns that a run erases.
const ERASED: [&str; 13] = [
    "page_views.fingerprint",
    "page_views.ip_address",
    "page_views.user_agent",
    "push_subscriptions.user_agent",
    "referrals.ip_address",
    "sms_click_tracking.ip_address",
    "sms_click_tracking.user_agent",
    "social_shares.ip_address",
    "user_consent.ip_address",
    "user_consent.user_agent",
    "users.fingerprint",
    "users.ip_address",
    "users.user_agent",
];

/// Columns that others empty, or that are not about visitors.
const OTHERS: [(&str, &str); 11] = [
    ("admin_audit_log.ip_address", "staff; append-only"),
    ("admin_login_failures.address", "deleted when it no longer counts"),
    ("admin_sessions.ip_address", "staff; deleted with the session"),
    ("admin_sessions.user_agent", "staff; deleted with the session"),
    (
        "analytics_networks.network",
        "counts of users.ip_address, erased with it",
    ),
    ("clearing_jobs.ip_address", "staff"),
    ("codes.browser_hash", "deleted after a day"),
    ("codes.network", "deleted after a day"),
    ("shared_networks.network", "a list of staff"),
    ("waiting_sign_ups.browser_hash", "deleted after a day"),
    (
        "winner_verification.browser_hash",
        "of a random secret; part of the claim",
    ),
];

#[test]
fn every_column_that_could_identify_a_visitor_is_handled() {
    let database = TestDatabase::new();
    let mut connection = connect(&database.admin_url);
    let found: Vec<Column> = sql_query(IDENTIFYING).load(&mut connection).unwrap();
    let found: Vec<_> = found.into_iter().map(|column| column.name).collect();
    let mut known: Vec<_> = ERASED.into_iter().chain(OTHERS.map(|(name, _)| name)).collect();
    known.sort_unstable();
    assert_eq!(
        found, known,
        "erase a new column in src/retention.rs, or say here why it needs not be"
    );
}

#[test]
fn a_run_erases_all_of_these_columns() {
    let database = TestDatabase::new();
    let (store, mut connection) = (database.store(), connect(&database.admin_url));
    for statement in [
        "INSERT INTO users (id, phone_number, referral_code, ip_address, user_agent, fingerprint, created_at)
         VALUES (1, '+16462000001', 'CDFG3467', '192.0.2.1', 'Test', 'print', '2025-01-01Z'),
                (2, '+16462000002', 'CDFG3469', '192.0.2.1', NULL, NULL, '2025-01-01Z')",
        "INSERT INTO user_consent (user_id, consent_type, version, act, granted, granted_at, ip_address, user_agent, created_at)
         VALUES (1, 'sms_campaigns', '1', 'form', true, now(), '192.0.2.1', 'Test', '2025-01-01Z')",
        "INSERT INTO referrals (referrer_id, referred_user_id, referred_phone_number, ip_address, created_at)
         VALUES (1, 2, '+16462000002', '192.0.2.1', '2025-01-01Z')",
        "INSERT INTO social_shares (platform, ip_address, created_at) VALUES ('sms', '192.0.2.1', '2025-01-01Z')",
        "INSERT INTO push_subscriptions (user_id, endpoint, p256dh, auth, user_agent, created_at)
         VALUES (1, 'https://push.example.org/1', decode(repeat('04', 65), 'hex'), decode(repeat('04', 16), 'hex'), 'Test', '2025-01-01Z')",
        "INSERT INTO sms_click_tracking (tracking_id, user_phone_number, campaign_id, campaign_name, landing_page, clicked_at,
                                         ip_address, user_agent, created_at)
         VALUES ('one', '+16462000001', 1, 'one', 'garden-bag', now(), '192.0.2.1', 'Test', '2025-01-01Z')",
        "INSERT INTO page_views (view_key, session_key, session_id, page, entry_source, ip_address, user_agent, fingerprint,
                                 created_at)
         VALUES (gen_random_uuid(), gen_random_uuid(), 'one', 'welcome', 'direct', '192.0.2.1', 'Test', 'print', '2025-01-01Z')",
    ] {
        execute(&mut connection, statement);
    }
    while fold(&store) {}
    let left = |connection: &mut PgConnection| -> i64 {
        let count = |column: &str| {
            let (table, column) = column.split_once('.').unwrap();
            number(connection, &format!("SELECT count({column}) AS n FROM {table}"))
        };
        ERASED.into_iter().map(count).sum()
    };
    assert_eq!(left(&mut connection), 14);
    for source in Source::iter() {
        let before = time("2025-01-01T00:00:00Z") + TimeDelta::seconds(1);
        let part = store
            .transaction::<_, StoreError>(|tx| tx.clean(source, before, 100))
            .unwrap();
        assert!(part.is_last, "{source:?}");
    }
    assert_eq!(left(&mut connection), 0);
    assert_eq!(views_in(&mut connection, "analytics_networks"), 0);
}

/// A writer that uses all partitions holds up neither a new month nor a drop for long: they give up instead.
#[test]
fn a_month_that_is_in_use_is_dropped_by_a_later_run() {
    let database = TestDatabase::new();
    let (store, mut reader) = (database.store(), connect(&database.admin_url));
    assert!(add_month(&store, "2090-05"));
    let drop = || {
        store
            .transaction::<_, StoreError>(|tx| tx.drop_month(month("2090-06")))
            .unwrap()
    };
    while drop() != Dropped::None {}
    assert!(add_month(&store, "2090-05"));
    execute(&mut reader, "BEGIN");
    execute(&mut reader, "LOCK TABLE page_views_2090_05 IN ACCESS SHARE MODE");
    assert_eq!(drop(), Dropped::Busy);
    execute(&mut reader, "COMMIT");
    assert_eq!(drop(), Dropped::Views(0));
}
