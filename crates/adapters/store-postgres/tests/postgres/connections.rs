//! Lost connections, missing servers and slow statements.

use crate::support::{TestDatabase, connect, execute, number};
use diesel::connection::SimpleConnection;
use kernel::{EntrantId, StoreError, UnitOfWork};
use raffle::Entrants;
use sms::Campaigns;
use staff::{AttemptLimit, AttemptSubject, LoginAttempts};
use std::time::{Duration, Instant};
use store_postgres::{PgStore, PgTx, PoolSettings};

pub(crate) fn kill_all_connections(url: &str) {
    let others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                  WHERE datname = current_database() AND pid <> pg_backend_pid()";
    execute(&mut connect(url), others);
}

#[test]
fn connections_that_were_lost_while_idle_are_replaced() {
    let database = TestDatabase::new();
    let store = database.store();
    let hold_three = || {
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    store
                        .transaction(|tx| tx.find_entrant(EntrantId::new(1)))
                        .unwrap()
                });
            }
        });
    };
    hold_three();
    kill_all_connections(&database.admin_url);
    assert!(
        store
            .read(|tx| tx.find_entrant(EntrantId::new(1)))
            .unwrap()
            .is_none()
    );
    kill_all_connections(&database.admin_url);
    assert!(
        store
            .transaction(|tx| tx.find_entrant(EntrantId::new(1)))
            .unwrap()
            .is_none()
    );
    kill_all_connections(&database.admin_url);
    hold_three();
}

#[test]
fn a_connection_that_is_lost_in_a_transaction_is_unavailable() {
    let database = TestDatabase::new();
    let store = database.store();
    let lost = store.transaction(|tx| {
        kill_all_connections(&database.admin_url);
        tx.find_entrant(EntrantId::new(1))
    });
    assert!(matches!(lost, Err(StoreError::Unavailable(_))), "{lost:?}");
    assert!(store.read(|tx| tx.find_entrant(EntrantId::new(1))).is_ok());
}

/// Compiling took 130 ms of a processor even for a table with a single row.
#[test]
fn statements_are_not_compiled() {
    let database = TestDatabase::new();
    let refuse_to_compile = "
        DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET jit = on', current_database()); END $$;
        CREATE FUNCTION refuse_to_compile() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN IF current_setting('jit')::bool THEN RAISE 'jit is on'; END IF; RETURN NEW; END $$;
        CREATE TRIGGER refuse_to_compile BEFORE INSERT ON admin_login_failures
            FOR EACH ROW EXECUTE FUNCTION refuse_to_compile()";
    connect(&database.admin_url)
        .batch_execute(refuse_to_compile)
        .unwrap();
    let address = AttemptSubject::Address("192.0.2.1".parse().unwrap());
    let reserved = database
        .store()
        .transaction(|tx| tx.reserve_attempt(address, AttemptLimit::SIGN_IN, chrono::DateTime::UNIX_EPOCH));
    assert!(reserved.is_ok(), "{reserved:?}");
}

#[test]
fn a_missing_server_is_unavailable_within_three_seconds() {
    let settings = PoolSettings::default();
    assert!(settings.wait < Duration::from_secs(3));
    let wait = Duration::from_millis(300);
    let settings = PoolSettings { wait, ..settings };
    let store = PgStore::new("postgresql://nobody@localhost/nothing?host=/nowhere", settings);
    let started = Instant::now();
    let result = store.read(|tx| tx.find_entrant(EntrantId::new(1)));
    assert!(matches!(result, Err(StoreError::Unavailable(_))), "{result:?}");
    // Less than any other limit, and more than a busy machine adds.
    assert!(started.elapsed() < Duration::from_secs(20));
}

/// A store whose own timeouts are longer than any test.
fn patient_store(database: &TestDatabase, connections: u32) -> PgStore {
    let hour = Duration::from_secs(3600);
    let settings = PoolSettings {
        size: connections,
        statement: hour,
        ..PoolSettings::default()
    };
    PgStore::new(&database.url, settings)
}

fn find(tx: &PgTx) -> Result<Option<raffle::Entrant>, StoreError> {
    tx.find_entrant(EntrantId::new(1))
}

#[test]
fn the_deadline_of_the_work_cancels_a_statement_that_waits_for_a_lock() {
    let database = TestDatabase::new();
    let store = patient_store(&database, 1);
    store.read(find).unwrap();
    let mut blocker = connect(&database.admin_url);
    execute(&mut blocker, "BEGIN");
    execute(&mut blocker, "LOCK TABLE users");
    let soon = || Instant::now() + Duration::from_millis(600);
    let reading: Result<_, StoreError> = kernel::run_until(soon(), || store.read(find));
    assert!(matches!(reading, Err(StoreError::Unavailable(_))), "{reading:?}");
    let writing: Result<_, StoreError> = kernel::run_until(soon(), || store.transaction(|tx| find(tx)));
    assert!(matches!(writing, Err(StoreError::Unavailable(_))), "{writing:?}");
    // The database has canceled both statements.
    let waiting = "SELECT count(*) AS n FROM pg_stat_activity
                   WHERE datname = current_database() AND wait_event_type = 'Lock'";
    assert_eq!(number(&mut blocker, waiting), 0);
    execute(&mut blocker, "ROLLBACK");
    assert!(store.read(find).is_ok(), "the next work has no deadline");
}

#[test]
fn a_statement_that_expects_many_rows_keeps_to_the_deadline() {
    let database = TestDatabase::new();
    let store = patient_store(&database, 1);
    let mut blocker = connect(&database.admin_url);
    execute(&mut blocker, "BEGIN");
    execute(&mut blocker, "LOCK TABLE users");
    let audience = sms::Audience::All;
    let month = chrono::NaiveDate::from_ymd_opt(2025, 8, 1).unwrap();
    let countries = sms::SmsCountries::default();
    let rules = sms::CampaignRules {
        month,
        monthly_cap: 1,
        countries: &countries,
    };
    let soon = Instant::now() + Duration::from_millis(600);
    let counted = kernel::run_until(soon, || store.snapshot(|tx| tx.audience_size(&audience, &rules)));
    assert!(matches!(counted, Err(StoreError::Unavailable(_))), "{counted:?}");
    execute(&mut blocker, "ROLLBACK");
}

#[test]
fn work_that_is_too_late_is_rolled_back() {
    let database = TestDatabase::new();
    let store = patient_store(&database, 1);
    let deadline = Instant::now() + Duration::from_millis(300);
    let late: Result<(), StoreError> = kernel::run_until(deadline, || {
        store.transaction(|tx| {
            let address = AttemptSubject::Address(std::net::Ipv4Addr::LOCALHOST.into());
            tx.reserve_attempt(address, AttemptLimit::SIGN_IN, chrono::DateTime::UNIX_EPOCH)?;
            while kernel::time_left() != Some(Duration::ZERO) {
                std::thread::yield_now();
            }
            Ok(())
        })
    });
    assert!(matches!(late, Err(StoreError::Unavailable(_))), "{late:?}");
    let attempts = "SELECT count(*) AS n FROM admin_login_failures";
    assert_eq!(number(&mut connect(&database.admin_url), attempts), 0);
    let begun = kernel::run_until(deadline, || store.read(find));
    assert!(matches!(begun, Err(StoreError::Unavailable(_))), "{begun:?}");
}

#[test]
fn a_statement_that_exceeds_the_timeout_is_canceled() {
    let database = TestDatabase::new();
    let settings = PoolSettings {
        statement: Duration::from_millis(200),
        ..PoolSettings::default()
    };
    let store = PgStore::new(&database.url, settings);
    let mut blocker = connect(&database.admin_url);
    execute(&mut blocker, "BEGIN");
    execute(&mut blocker, "LOCK TABLE users");
    let blocked = store.read(|tx| tx.find_entrant(EntrantId::new(1)));
    assert!(matches!(blocked, Err(StoreError::Unavailable(_))), "{blocked:?}");
    execute(&mut blocker, "ROLLBACK");
    // On a busy machine 200 ms may be too short even for this statement.
    while store.read(|tx| tx.find_entrant(EntrantId::new(1))).is_err() {}
}
