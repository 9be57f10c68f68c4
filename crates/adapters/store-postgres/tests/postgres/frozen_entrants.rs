//! Reading and storing the frozen entrants of a drawing on PostgreSQL.

use crate::connections::kill_all_connections;
use crate::drawings::{NO_CUT_OFF, RAFFLE, participants, seed, tag};
use crate::support::{TestDatabase, connect, execute, number};
use drawing::steps::DrawingSteps;
use drawing::{Chunk, DrawingId, Drawings, FrozenEntrants, Hash};
use kernel::{StoreError, UnitOfWork};
use std::time::Duration;
use store_postgres::{PgStore, PgTx, PoolSettings};

#[test]
fn entrants_without_entries_cannot_win() {
    let database = TestDatabase::new();
    let mut connection = connect(&database.admin_url);
    seed(&mut connection, 4);
    execute(
        &mut connection,
        "UPDATE users SET base_entries = 0, bonus_entries = 0 WHERE id IN (1, 3)",
    );
    let store = database.store();
    let read = store.snapshot(participants).unwrap();
    assert_eq!(read, [(2, 3), (4, 2)]);
    let statistics = store.snapshot(|tx| tx.raffle_statistics()).unwrap();
    assert_eq!((statistics[0].participants, statistics[0].entries), (2, 5));
}

/// Even if the planner would prefer to sort, as it does for a small raffle in a large table.
#[test]
fn entrants_are_read_by_an_index_scan_without_sorting() {
    let database = TestDatabase::new();
    let mut connection = connect(&database.admin_url);
    seed(&mut connection, 5_000);
    let make_index_scans_expensive = "DO $$ BEGIN
                    EXECUTE format('ALTER DATABASE %I SET random_page_cost = 10000', current_database());
                END $$";
    execute(&mut connection, make_index_scans_expensive);
    let store = database.store();
    assert_eq!(store.snapshot(participants).unwrap().len(), 5_000);
    // A connection reports its statistics when it ends.
    drop(store);
    let scans = |kind| {
        format!(
            "SELECT coalesce(sum({kind}), 0)::bigint AS n FROM pg_stat_user_tables WHERE relname = 'users'"
        )
    };
    while number(&mut connection, &scans("seq_scan + idx_scan")) == 0 {
        std::thread::yield_now();
    }
    assert_eq!(number(&mut connection, &scans("seq_scan")), 0);
}

#[test]
fn a_connection_can_be_used_again_after_reading_entrants() {
    let database = TestDatabase::new();
    seed(&mut connect(&database.admin_url), 3);
    let one_connection = PoolSettings {
        size: 1,
        ..PoolSettings::default()
    };
    let store = PgStore::new(&database.url, one_connection);
    for _ in 0..3 {
        let counted = store.transaction::<_, StoreError>(|tx| {
            let first = participants(tx)?;
            assert_eq!(participants(tx)?, first);
            tx.count_drawings(None)
        });
        assert_eq!(counted.unwrap(), 0);
    }
    assert_eq!(store.connections(), (1, 1));
}

#[test]
fn reading_entrants_past_the_timeout_is_an_error_and_not_a_short_list() {
    let database = TestDatabase::new();
    seed(&mut connect(&database.admin_url), 100_000);
    let settings = PoolSettings {
        statement: Duration::from_millis(100),
        ..PoolSettings::default()
    };
    let store = PgStore::new(&database.url, settings);
    let mut other = connect(&database.admin_url);
    let is_past_timeout = "SELECT count(*) AS n FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'active'
                    AND clock_timestamp() - query_start > interval '200 ms'";
    let mut read = 0;
    // On a busy machine the time may be over before the first of them is read.
    while read == 0 {
        let result = store.transaction(|tx| {
            read = 0;
            tx.read_participants(RAFFLE, NO_CUT_OFF, None, u32::MAX, &mut |_| {
                read += 1;
                while read == 1 && number(&mut other, is_past_timeout) == 0 {
                    std::thread::yield_now();
                }
            })
        });
        assert!(matches!(result, Err(StoreError::Unavailable(_))), "{result:?}");
    }
    assert!((1..100_000).contains(&read), "{read}");
    // Whatever is read on this connection has as little time.
    while store.read(|tx| tx.count_drawings(None)).is_err() {}
    assert_eq!(store.connections(), (1, 1), "the connection is still usable");
}

#[test]
fn a_connection_that_is_lost_while_reading_entrants_is_replaced() {
    let database = TestDatabase::new();
    seed(&mut connect(&database.admin_url), 100_000);
    let store = database.store();
    let mut read = 0;
    let result = store.transaction(|tx| {
        read = 0;
        tx.read_participants(RAFFLE, NO_CUT_OFF, None, u32::MAX, &mut |_| {
            read += 1;
            if read == 1 {
                kill_all_connections(&database.admin_url);
            }
        })
    });
    assert!(matches!(result, Err(StoreError::Unavailable(_))), "{result:?}");
    assert!((1..100_000).contains(&read), "{read}");
    assert_eq!(store.snapshot(participants).unwrap().len(), 100_000);
}

#[test]
fn chunks_without_a_drawing_are_rejected() {
    let database = TestDatabase::new();
    let chunk = Chunk {
        number: 0,
        first_entry: 1,
        first_tag: tag(1),
        root: Hash::ZERO,
        packed: vec![0, 1],
    };
    let orphan = |tx: &mut PgTx| tx.add_chunks(DrawingId::new(1), std::slice::from_ref(&chunk));
    let rejected = database.store().transaction(orphan);
    assert!(matches!(rejected, Err(StoreError::Failed(_))), "{rejected:?}");
}
