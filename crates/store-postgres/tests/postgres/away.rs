//! The database goes away, and comes back.

use crate::support::{TestDatabase, connect, execute};
use kernel::{EntrantId, StoreError, UnitOfWork};
use raffle::Entrants;
use std::time::{Duration, Instant};
use store_postgres::{PgStore, PoolSettings};

fn kill_all_connections(url: &str) {
    let others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                  WHERE datname = current_database() AND pid <> pg_backend_pid()";
    execute(&mut connect(url), others);
}

#[test]
fn connections_that_died_while_idle_are_replaced_without_anybody_noticing() {
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
    kill_all_connections(&database.url);
    assert!(
        store
            .read(|tx| tx.find_entrant(EntrantId::new(1)))
            .unwrap()
            .is_none()
    );
    kill_all_connections(&database.url);
    assert!(
        store
            .transaction(|tx| tx.find_entrant(EntrantId::new(1)))
            .unwrap()
            .is_none()
    );
    kill_all_connections(&database.url);
    hold_three();
}

#[test]
fn a_connection_lost_within_a_transaction_is_an_error_and_leaves_nothing() {
    let database = TestDatabase::new();
    let store = database.store();
    let lost = store.transaction(|tx| {
        kill_all_connections(&database.url);
        tx.find_entrant(EntrantId::new(1))
    });
    assert!(matches!(lost, Err(StoreError::Unavailable(_))), "{lost:?}");
    assert!(store.read(|tx| tx.find_entrant(EntrantId::new(1))).is_ok());
}

#[test]
fn a_server_that_is_not_there_is_reported_in_time() {
    let settings = PoolSettings {
        wait: Duration::from_millis(300),
        ..PoolSettings::default()
    };
    let store = PgStore::new("postgresql://nobody@localhost/nothing?host=/nowhere", settings);
    let started = Instant::now();
    let answer = store.read(|tx| tx.find_entrant(EntrantId::new(1)));
    assert!(matches!(answer, Err(StoreError::Unavailable(_))), "{answer:?}");
    assert!(started.elapsed() < Duration::from_secs(3));
}

#[test]
fn a_statement_that_takes_too_long_is_cancelled() {
    let database = TestDatabase::new();
    let settings = PoolSettings {
        statement: Duration::from_millis(200),
        ..PoolSettings::default()
    };
    let store = PgStore::new(&database.url, settings);
    let mut blocker = connect(&database.url);
    execute(&mut blocker, "BEGIN");
    execute(&mut blocker, "LOCK TABLE users");
    let blocked = store.read(|tx| tx.find_entrant(EntrantId::new(1)));
    assert!(matches!(blocked, Err(StoreError::Unavailable(_))), "{blocked:?}");
    execute(&mut blocker, "ROLLBACK");
    assert!(store.read(|tx| tx.find_entrant(EntrantId::new(1))).is_ok());
}
