//! Drawings on PostgreSQL: snapshots, locks, append-only tables and constraints.

use crate::support::{TestDatabase, connect, execute, number};
use analytics::{AnalyticsClearing, ReferralClearing};
use chrono::{DateTime, Utc};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_query;
use drawing::{
    Chunk, Commitments, DrawingId, DrawingLog, Drawings, FrozenEntrants, Hash, ListPart, ListProgress,
    LogAction, LogEntry, NewCommitment, NewDrawing, NewLogEntry, PublishedList, PublishedLists, Record,
    SaltKey, Seed, SeedSource,
};
use kernel::{EntrantId, Phone, Raffle, StoreError, UnitOfWork};
use sms::{MessageKind, NewMessage, Outbox};
use store_postgres::PgTx;

pub(crate) const RAFFLE: Raffle = Raffle::GardenBag;

/// Later than every row.
pub(crate) const NO_CUT_OFF: DateTime<Utc> = DateTime::<Utc>::MAX_UTC;

pub(crate) fn seed(connection: &mut PgConnection, entrants: u32) {
    let insert = format!(
        "INSERT INTO users (id, phone_number, referral_code, bonus_entries)
         SELECT n, '+' || 15550000000 + n, lpad(n::text, 8, 'C'), n % 3 FROM generate_series(1, {entrants}) AS n"
    );
    execute(connection, &insert);
}

pub(crate) fn participants(tx: &PgTx) -> Result<Vec<(i64, u64)>, StoreError> {
    let mut all = Vec::new();
    tx.read_participants(RAFFLE, NO_CUT_OFF, None, u32::MAX, &mut |one| {
        all.push((one.id.get(), one.entries.total()))
    })?;
    Ok(all)
}

fn add_log_entry(tx: &mut PgTx, drawing: Option<DrawingId>, details: &str) -> Result<(), StoreError> {
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

/// A complete drawing that the first entrant wins.
fn perform_drawing(tx: &mut PgTx) -> Result<DrawingId, StoreError> {
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
    add_log_entry(tx, Some(id), "{}")?;
    tx.queue_message(&NewMessage {
        kind: MessageKind::Victory,
        entrant: Some(winner),
        phone: winner_phone,
        body: Some("You won!".to_owned().into()),
        at: DateTime::UNIX_EPOCH,
    })?;
    Ok(id)
}

#[test]
fn a_drawing_reads_one_snapshot_despite_concurrent_changes() {
    let database = TestDatabase::new();
    let mut other = connect(&database.admin_url);
    seed(&mut other, 5);
    let mut runs = 0;
    let (before, after) = database
        .store()
        .transaction::<_, StoreError>(|tx| {
            runs += 1;
            tx.begin_drawing()?;
            let before = participants(tx)?;
            // The winner's row changes too: the drawing can still refer to it.
            execute(
                &mut other,
                "UPDATE users SET bonus_entries = 9, is_flagged = true, flag_reason = '', flagged_at = now() WHERE id < 3",
            );
            execute(
                &mut other,
                "INSERT INTO users (phone_number, referral_code) VALUES ('+15559999999', 'HJKM3467')",
            );
            let after = participants(tx)?;
            perform_drawing(tx)?;
            Ok((before, after))
        })
        .unwrap();
    assert_eq!(before, [(1, 2), (2, 3), (3, 1), (4, 2), (5, 3)]);
    assert_eq!((after, runs), (before, 1));
    assert_eq!(
        number(
            &mut other,
            "SELECT count(*) AS n FROM users WHERE bonus_entries = 9"
        ),
        2
    );
}

#[test]
fn a_drawing_sees_changes_committed_while_it_waited_for_the_lock() {
    let database = TestDatabase::new();
    let mut other = connect(&database.admin_url);
    seed(&mut other, 1);
    execute(&mut other, "BEGIN");
    execute(&mut other, "LOCK TABLE drawing_turns IN SHARE ROW EXCLUSIVE MODE");
    let store = database.store();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| {
            store.transaction::<_, StoreError>(|tx| {
                tx.begin_drawing()?;
                participants(tx)
            })
        });
        let waits = "SELECT count(*) AS n FROM pg_locks
                     WHERE NOT granted AND relation = 'drawing_turns'::regclass";
        while !waiting.is_finished() && number(&mut other, waits) == 0 {
            std::thread::yield_now();
        }
        execute(
            &mut connect(&database.admin_url),
            "UPDATE users SET bonus_entries = 4",
        );
        execute(&mut other, "COMMIT");
        assert_eq!(waiting.join().unwrap().unwrap(), [(1, 5)]);
    });
}

#[test]
fn begin_drawing_fails_after_a_read_in_the_same_transaction() {
    let database = TestDatabase::new();
    let late = database.store().transaction::<_, StoreError>(|tx| {
        tx.count_drawings()?;
        tx.begin_drawing()
    });
    assert!(matches!(late, Err(StoreError::Failed(_))), "{late:?}");
}

fn publish(tx: &mut PgTx, id: DrawingId) -> Result<(), StoreError> {
    let part = ListPart::write(&ListProgress::default(), &[]).unwrap();
    assert!(tx.add_list_part(id, &part)?);
    let end = part.progress();
    assert!(tx.add_list(
        id,
        &PublishedList {
            root: Hash::ZERO,
            end
        }
    )?);
    Ok(())
}

#[test]
fn a_list_needs_its_last_part_and_a_part_its_chunk() {
    let database = TestDatabase::new();
    let mut connection = connect(&database.admin_url);
    seed(&mut connection, 1);
    let store = database.store();
    let id = store.transaction(perform_drawing).unwrap();
    let mut part = ListPart::write(&ListProgress::default(), &[]).unwrap();
    let list = PublishedList {
        root: Hash::ZERO,
        end: part.progress(),
    };
    let without_part = store.transaction(|tx| tx.add_list(id, &list));
    assert!(
        matches!(without_part, Err(StoreError::Failed(_))),
        "{without_part:?}"
    );
    part.number = 1;
    let without_chunk = store.transaction(|tx| tx.add_list_part(id, &part));
    assert!(
        matches!(without_chunk, Err(StoreError::Failed(_))),
        "{without_chunk:?}"
    );
    part.number = 0;
    part.deflated.end += 1;
    let with_wrong_length = store.transaction(|tx| tx.add_list_part(id, &part));
    assert!(
        matches!(with_wrong_length, Err(StoreError::Failed(_))),
        "{with_wrong_length:?}"
    );
}

#[test]
fn drawings_are_append_only_and_survive_clearing() {
    let database = TestDatabase::new();
    let mut connection = connect(&database.admin_url);
    seed(&mut connection, 1);
    let store = database.store();
    let id = store.transaction(perform_drawing).unwrap();
    store.transaction(|tx| publish(tx, id)).unwrap();
    store.transaction(|tx| tx.clear_analytics()).unwrap().unwrap();
    store.transaction(|tx| tx.cut_referrals()).unwrap().unwrap();
    for (table, column) in [
        ("drawing_commitments", "created_at"),
        ("drawing_results", "created_at"),
        ("drawing_chunks", "packed"),
        ("drawing_list_parts", "bytes"),
        ("drawing_lists", "finished_at"),
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
    let messages = store.read(|tx| tx.list_messages_to(EntrantId::new(1))).unwrap();
    assert_eq!(messages.len(), 1);
}

#[test]
fn the_details_of_a_log_entry_are_kept_byte_for_byte() {
    let details = [
        r#"{"b":1,"a":2,"b":3}"#,
        r#"{  "spaces" :	[ 1.50, 1e3, 12345678901234567890 ] }"#,
        r#"{"text":"é 🌱 \u00e9 \" \\ \/ \t"}"#,
    ];
    let store = TestDatabase::new().store();
    for text in details {
        let add = |tx: &mut PgTx| {
            tx.begin_drawing()?;
            add_log_entry(tx, None, text)
        };
        store.transaction::<_, StoreError>(add).unwrap();
    }
    let read = store.read(|tx| tx.list_log(0, 500)).unwrap();
    let texts: Vec<_> = read.iter().map(|entry| entry.entry.details.as_str()).collect();
    assert_eq!(texts, details);
    for invalid in ["[]", "{", "{\n}", ""] {
        let rejected = store.transaction::<_, StoreError>(|tx| add_log_entry(tx, None, invalid));
        assert!(
            matches!(rejected, Err(StoreError::Failed(_))),
            "{invalid}: {rejected:?}"
        );
    }
}

#[test]
fn invalid_drawings_violate_constraints() {
    let database = TestDatabase::new();
    let mut connection = connect(&database.admin_url);
    seed(&mut connection, 1);
    database.store().transaction(perform_drawing).unwrap();
    connection
        .batch_execute(
            "CREATE TEMP TABLE valid AS TABLE drawing_results;
             INSERT INTO drawing_commitments (landing_page, number, commitment, sealed, source, created_at)
             VALUES ('garden-bag', 2, repeat('ab', 32), '', 'os', now());
             UPDATE valid SET id = 99, commitment_id = (SELECT max(id) FROM drawing_commitments)",
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
            format!("BEGIN; UPDATE valid SET {change}; INSERT INTO drawing_results TABLE valid; COMMIT");
        let error = connection.batch_execute(&insert).unwrap_err();
        assert!(error.to_string().contains(constraint), "{change}: {error}");
        connection.batch_execute("ROLLBACK").unwrap();
    }
    execute(&mut connection, "INSERT INTO drawing_results TABLE valid");
}
