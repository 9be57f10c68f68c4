//! Lost connections, missing servers and slow statements.

use crate::support::{TestDatabase, connect, execute};
use kernel::{EntrantId, StoreError, UnitOfWork};
use raffle::Entrants;
use std::time::{Duration, Instant};
use store_postgres::{PgStore, PoolSettings};

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
fn a_connection_that_is_lost_in_a_transaction_is_unavailable() {
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
fn a_missing_server_is_unavailable_within_three_seconds() {
    let settings = PoolSettings {
        wait: Duration::from_millis(300),
        ..PoolSettings::default()
    };
    let store = PgStore::new("postgresql://nobody@localhost/nothing?host=/nowhere", settings);
    let started = Instant::now();
    let result = store.read(|tx| tx.find_entrant(EntrantId::new(1)));
    assert!(matches!(result, Err(StoreError::Unavailable(_))), "{result:?}");
    assert!(started.elapsed() < Duration::from_secs(3));
}

#[test]
fn a_statement_that_exceeds_the_timeout_is_canceled() {
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
