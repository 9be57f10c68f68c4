//! What drawings promise on PostgreSQL alone: because of others at the same time, or whoever writes.

use crate::support::{TestDatabase, connect, execute, number};
use analytics::{AnalyticsClearing, ReferralClearing};
use chrono::DateTime;
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_query;
use drawing::{
    Chunk, Commitments, DrawingId, DrawingLog, Drawings, FrozenEntrants, Hash, LogAction, LogEntry,
    NewCommitment, NewDrawing, NewLogEntry, Record, SaltKey, Seed, SeedSource,
};
use kernel::{EntrantId, Phone, Raffle, StoreError, UnitOfWork};
use sms::{MessageKind, NewMessage, Outbox};
use std::time::Duration;
use store_postgres::{PgStore, PgTx, PoolSettings};

const RAFFLE: Raffle = Raffle::GardenBag;

fn seed(connection: &mut PgConnection, entrants: u32) {
    let insert = format!(
        "INSERT INTO users (phone_number, referral_code, bonus_entries)
         SELECT '+' || 15550000000 + n, lpad(n::text, 8, 'C'), n % 3 FROM generate_series(1, {entrants}) AS n"
    );
    execute(connection, &insert);
}

fn participants(tx: &PgTx) -> Result<Vec<(i64, u64)>, StoreError> {
    let mut all = Vec::new();
    tx.read_participants(RAFFLE, None, u32::MAX, &mut |id, weight| {
        all.push((id.get(), weight))
    })?;
    Ok(all)
}

fn log(tx: &mut PgTx, drawing: Option<DrawingId>, details: &str) -> Result<(), StoreError> {
    let entry = NewLogEntry {
        action: match drawing {
            Some(_) => LogAction::DrawingPerformed,
            None => LogAction::CommitmentOpened,
        },
        drawing,
        details: details.to_owned(),
        random_seed: None,
        participant_count: None,
        verification_hash: None,
        session: None,
        at: DateTime::UNIX_EPOCH,
    };
    let entry = LogEntry::after(tx.last_log_entry()?, entry);
    tx.add_log_entry(&entry)
}

/// A whole drawing that the first entrant wins.
fn draw(tx: &mut PgTx) -> Result<DrawingId, StoreError> {
    let commitment = NewCommitment {
        raffle: RAFFLE,
        commitment: Hash::new([1; 32]),
        source: SeedSource::Os,
        sealed: vec![1],
        at: DateTime::UNIX_EPOCH,
    };
    tx.add_commitment(&commitment)?;
    let commitment = tx.open_commitment(RAFFLE)?.unwrap();
    let id = tx.reserve_drawing_id()?;
    let (winner, winner_phone) = (EntrantId::new(1), Phone::from_e164("+15550000001").unwrap());
    let chunk = Chunk {
        number: 0,
        first_entry: 1,
        first_id: winner,
        root: Hash::ZERO,
        packed: vec![0, 1],
    };
    tx.add_chunks(id, &[chunk])?;
    tx.add_drawing(&NewDrawing {
        record: Record {
            drawing: id,
            raffle: RAFFLE,
            commitment: commitment.commitment,
            committed_at: commitment.committed_at,
            seed_source: commitment.source,
            seed: Seed::new([1; 32]),
            root: Hash::ZERO,
            participants: 1,
            entries: 1,
            winning_entry_number: 1,
            drawn_at: DateTime::UNIX_EPOCH,
        },
        commitment: commitment.id,
        salt_key: SaltKey::new([1; 32]),
        winner,
        winner_phone: winner_phone.clone(),
        winner_index: 0,
        idempotency_key: None,
        session: 1,
    })?;
    log(tx, Some(id), "{}")?;
    tx.queue_message(&NewMessage {
        kind: MessageKind::Victory,
        entrant: Some(winner),
        phone: winner_phone,
        body: Some("You won!".to_owned()),
        at: DateTime::UNIX_EPOCH,
    })?;
    Ok(id)
}

#[test]
fn a_drawing_reads_one_moment_while_others_enter_and_are_credited() {
    let database = TestDatabase::new();
    let mut others = connect(&database.url);
    seed(&mut others, 5);
    let mut runs = 0;
    let (before, after) = database
        .store()
        .transaction::<_, StoreError>(|tx| {
            runs += 1;
            tx.begin_drawing()?;
            let before = participants(tx)?;
            // The winner too: a row that changed meanwhile can still be named.
            execute(
                &mut others,
                "UPDATE users SET bonus_entries = 9, is_flagged = true, flag_reason = '', flagged_at = now() WHERE id < 3",
            );
            execute(
                &mut others,
                "INSERT INTO users (phone_number, referral_code) VALUES ('+15559999999', 'HJKM3467')",
            );
            let after = participants(tx)?;
            draw(tx)?;
            Ok((before, after))
        })
        .unwrap();
    assert_eq!(before, [(1, 2), (2, 3), (3, 1), (4, 2), (5, 3)]);
    assert_eq!((after, runs), (before, 1));
    assert_eq!(
        number(
            &mut others,
            "SELECT count(*) AS n FROM users WHERE bonus_entries = 9"
        ),
        2
    );
}

#[test]
fn a_drawing_sees_what_was_committed_while_it_waited_for_its_turn() {
    let database = TestDatabase::new();
    let mut others = connect(&database.url);
    seed(&mut others, 1);
    execute(&mut others, "BEGIN");
    execute(
        &mut others,
        "LOCK TABLE drawing_audit_logs IN SHARE ROW EXCLUSIVE MODE",
    );
    let store = database.store();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| {
            store.transaction::<_, StoreError>(|tx| {
                tx.begin_drawing()?;
                participants(tx)
            })
        });
        let waits = "SELECT count(*) AS n FROM pg_locks
                     WHERE NOT granted AND relation = 'drawing_audit_logs'::regclass";
        while !waiting.is_finished() && number(&mut others, waits) == 0 {
            std::thread::yield_now();
        }
        execute(&mut connect(&database.url), "UPDATE users SET bonus_entries = 4");
        execute(&mut others, "COMMIT");
        assert_eq!(waiting.join().unwrap().unwrap(), [(1, 5)]);
    });
}

#[test]
fn a_drawing_begins_before_anything_else() {
    let database = TestDatabase::new();
    let late = database.store().transaction::<_, StoreError>(|tx| {
        tx.count_drawings()?;
        tx.begin_drawing()
    });
    assert!(matches!(late, Err(StoreError::Failed(_))), "{late:?}");
}

#[test]
fn entrants_without_entries_are_left_out() {
    let database = TestDatabase::new();
    let mut connection = connect(&database.url);
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

#[test]
fn a_query_while_the_entrants_are_being_read_is_an_error() {
    let database = TestDatabase::new();
    seed(&mut connect(&database.url), 1);
    let store = database.store();
    let nested = store.snapshot::<_, StoreError>(|tx| {
        let mut nested = Vec::new();
        tx.read_participants(RAFFLE, None, 10, &mut |_, _| nested.push(tx.count_drawings()))?;
        Ok(nested)
    });
    let nested = nested.unwrap();
    assert!(matches!(nested[..], [Err(StoreError::Failed(_))]), "{nested:?}");
}

/// Also where the planner alone would rather sort, as it does for a small raffle in a large table.
#[test]
fn entrants_are_read_in_the_order_of_an_index_and_not_sorted() {
    let database = TestDatabase::new();
    let mut connection = connect(&database.url);
    seed(&mut connection, 5_000);
    let dear = "DO $$ BEGIN
                    EXECUTE format('ALTER DATABASE %I SET random_page_cost = 10000', current_database());
                END $$";
    execute(&mut connection, dear);
    let store = database.store();
    assert_eq!(store.snapshot(participants).unwrap().len(), 5_000);
    // A connection tells what it did when it ends.
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
fn what_follows_a_read_of_entrants_finds_the_connection_as_it_was() {
    let database = TestDatabase::new();
    seed(&mut connect(&database.url), 3);
    let one = PoolSettings {
        size: 1,
        ..PoolSettings::default()
    };
    let store = PgStore::new(&database.url, one);
    for _ in 0..3 {
        let counted = store.transaction::<_, StoreError>(|tx| {
            let first = participants(tx)?;
            assert_eq!(participants(tx)?, first);
            tx.count_drawings()
        });
        assert_eq!(counted.unwrap(), 0);
    }
    assert_eq!(store.connections(), (1, 1));
}

#[test]
fn a_read_of_entrants_that_takes_too_long_is_an_error_and_no_short_list() {
    let database = TestDatabase::new();
    seed(&mut connect(&database.url), 100_000);
    let settings = PoolSettings {
        statement: Duration::from_millis(100),
        ..PoolSettings::default()
    };
    let store = PgStore::new(&database.url, settings);
    let mut other = connect(&database.url);
    let long = "SELECT count(*) AS n FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'active'
                    AND clock_timestamp() - query_start > interval '200 ms'";
    let mut read = 0;
    let ended = store.transaction(|tx| {
        read = 0;
        tx.read_participants(RAFFLE, None, u32::MAX, &mut |_, _| {
            read += 1;
            while read == 1 && number(&mut other, long) == 0 {
                std::thread::yield_now();
            }
        })
    });
    assert!(matches!(ended, Err(StoreError::Unavailable(_))), "{ended:?}");
    assert!((1..100_000).contains(&read), "{read}");
    assert_eq!(store.read(|tx| tx.count_drawings()).unwrap(), 0);
    assert_eq!(store.connections(), (1, 1), "the connection is as good as before");
}

#[test]
fn a_connection_lost_while_entrants_are_read_is_an_error_and_given_up() {
    let database = TestDatabase::new();
    seed(&mut connect(&database.url), 100_000);
    let store = database.store();
    let mut other = connect(&database.url);
    let mut read = 0;
    let ended = store.transaction(|tx| {
        read = 0;
        tx.read_participants(RAFFLE, None, u32::MAX, &mut |_, _| {
            read += 1;
            if read == 1 {
                execute(
                    &mut other,
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                     WHERE datname = current_database() AND pid <> pg_backend_pid()",
                );
            }
        })
    });
    assert!(matches!(ended, Err(StoreError::Unavailable(_))), "{ended:?}");
    assert!((1..100_000).contains(&read), "{read}");
    assert_eq!(store.snapshot(participants).unwrap().len(), 100_000);
}

#[test]
fn chunks_without_their_drawing_are_refused() {
    let database = TestDatabase::new();
    let chunk = Chunk {
        number: 0,
        first_entry: 1,
        first_id: EntrantId::new(1),
        root: Hash::ZERO,
        packed: vec![0, 1],
    };
    let orphan = |tx: &mut PgTx| tx.add_chunks(DrawingId::new(1), std::slice::from_ref(&chunk));
    let refused = database.store().transaction(orphan);
    assert!(matches!(refused, Err(StoreError::Failed(_))), "{refused:?}");
}

#[test]
fn drawings_are_append_only_and_no_clearing_takes_them() {
    let database = TestDatabase::new();
    let mut connection = connect(&database.url);
    seed(&mut connection, 1);
    let store = database.store();
    let id = store.transaction(draw).unwrap();
    store.transaction(|tx| tx.clear_analytics()).unwrap();
    store
        .transaction(|tx| tx.clear_referrals(DateTime::UNIX_EPOCH))
        .unwrap();
    for (table, column) in [
        ("drawing_commitments", "created_at"),
        ("drawing_results", "created_at"),
        ("drawing_chunks", "packed"),
        ("drawing_audit_logs", "details"),
    ] {
        for change in [
            format!("UPDATE {table} SET {column} = {column}"),
            format!("DELETE FROM {table}"),
            format!("TRUNCATE {table} CASCADE"),
        ] {
            let error = sql_query(&change).execute(&mut connection).unwrap_err();
            assert!(error.to_string().contains("is append-only"), "{change}: {error}");
        }
        let count = format!("SELECT count(*) AS n FROM {table}");
        assert_eq!(number(&mut connection, &count), 1, "{table}");
    }
    assert!(store.read(|tx| tx.find_drawing(id)).unwrap().is_some());
    let texts = store.read(|tx| tx.list_messages_to(EntrantId::new(1))).unwrap();
    assert_eq!(texts.len(), 1);
}

#[test]
fn a_logs_details_read_back_byte_for_byte() {
    let details = [
        r#"{"b":1,"a":2,"b":3}"#,
        r#"{  "spaces" :	[ 1.50, 1e3, 12345678901234567890 ] }"#,
        r#"{"text":"é 🌱 \u00e9 \" \\ \/ \t"}"#,
    ];
    let store = TestDatabase::new().store();
    for text in details {
        let add = |tx: &mut PgTx| {
            tx.begin_drawing()?;
            log(tx, None, text)
        };
        store.transaction::<_, StoreError>(add).unwrap();
    }
    let read = store.read(|tx| tx.list_log(0, 500)).unwrap();
    let texts: Vec<_> = read.iter().map(|entry| entry.entry.details.as_str()).collect();
    assert_eq!(texts, details);
    for wrong in ["[]", "{", "{\n}", ""] {
        let refused = store.transaction::<_, StoreError>(|tx| log(tx, None, wrong));
        assert!(
            matches!(refused, Err(StoreError::Failed(_))),
            "{wrong}: {refused:?}"
        );
    }
}

#[test]
fn what_no_drawing_can_be_is_refused() {
    let database = TestDatabase::new();
    let mut connection = connect(&database.url);
    seed(&mut connection, 1);
    database.store().transaction(draw).unwrap();
    connection
        .batch_execute(
            "CREATE TEMP TABLE good AS TABLE drawing_results;
             INSERT INTO drawing_commitments (landing_page, number, commitment, sealed, source, created_at)
             VALUES ('garden-bag', 2, repeat('ab', 32), '', 'os', now());
             UPDATE good SET id = 99, commitment_id = (SELECT max(id) FROM drawing_commitments)",
        )
        .unwrap();
    let cases = [
        (
            "winning_entry_number = 0",
            "drawing_results_winning_entry_among_all",
        ),
        (
            "winning_entry_number = 2",
            "drawing_results_winning_entry_among_all",
        ),
        (
            "total_participants = 0",
            "drawing_results_participants_hold_entries",
        ),
        (
            "total_participants = 2",
            "drawing_results_participants_hold_entries",
        ),
        ("winner_index = 1", "drawing_results_winner_among_all"),
        ("winner_index = -1", "drawing_results_winner_among_all"),
        (
            "total_entries = 9007199254740992",
            "drawing_results_total_entries_exact",
        ),
        ("winner_id = 2", "drawing_results_winner_id_fkey"),
        ("commitment_id = 1", "drawing_results_commitment_id_key"),
        (
            "random_seed = upper(repeat('ab', 32))",
            "drawing_results_random_seed_bytes",
        ),
    ];
    for (change, constraint) in cases {
        let insert =
            format!("BEGIN; UPDATE good SET {change}; INSERT INTO drawing_results TABLE good; COMMIT");
        let error = connection.batch_execute(&insert).unwrap_err();
        assert!(error.to_string().contains(constraint), "{change}: {error}");
        connection.batch_execute("ROLLBACK").unwrap();
    }
    execute(&mut connection, "INSERT INTO drawing_results TABLE good");
}
