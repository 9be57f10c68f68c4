//! Drawings on PostgreSQL: snapshots, locks, append-only tables and constraints.

use crate::support::{TestDatabase, connect, execute, number};
use analytics::{AnalyticsClearing, ReferralClearing};
use chrono::{DateTime, Utc};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_query;
use drawing::steps::{Announced, DrawingSteps, Drawn, DrawnRank, Logged, Plan, Sealed};
use drawing::{
    BeaconChoice, Chunk, DrawingId, DrawingKind, DrawingLog, DrawingPrize, Drawings, FrozenEntrants, Hash,
    ListPart, ListProgress, LogAction, LogEntry, NewLogEntry, Period, Prize, PublishedList, PublishedLists,
    SaltKey, Seed, SeedSource,
};
use kernel::{EntrantId, PersonTag, Phone, StoreError, UnitOfWork};
use raffle::RaffleKey;
use raffle::fixtures::GARDEN_BAG;
use sms::{MessageKind, NewMessage, Outbox};
use store_postgres::PgTx;

pub(crate) const RAFFLE: RaffleKey = GARDEN_BAG;

/// Later than every row.
pub(crate) const NO_CUT_OFF: DateTime<Utc> = DateTime::<Utc>::MAX_UTC;

/// The tag of an entrant that [`seed`] inserts: the id in 32 bytes, so that lists are in the order of ids.
pub(crate) fn tag(id: i64) -> PersonTag {
    let mut bytes = [0; 32];
    bytes[24..].copy_from_slice(&id.to_be_bytes());
    PersonTag::new(bytes)
}

pub(crate) fn seed(connection: &mut PgConnection, entrants: u32) {
    let insert = format!(
        "INSERT INTO users (id, phone_number, person_salt, person_tag, referral_code, bonus_entries)
         SELECT n, '+' || 15550000000 + n, bytes, bytes, lpad(n::text, 8, 'C'), n % 3
         FROM generate_series(1, {entrants}) AS n, decode(lpad(to_hex(n), 64, '0'), 'hex') AS bytes"
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

fn add_log_entry(
    tx: &mut PgTx,
    drawing: Option<DrawingId>,
    action: LogAction,
    details: &str,
) -> Result<LogEntry, StoreError> {
    let entry = NewLogEntry {
        action,
        drawing,
        details: details.to_owned(),
        random_seed: None,
        participant_count: None,
        verification_hash: None,
        session: None,
        at: DateTime::UNIX_EPOCH,
    };
    let entry = LogEntry::after(tx.last_log_entry()?, entry);
    tx.add_log_entry(&entry)?;
    Ok(entry)
}

/// A step with its entry in the log, which is written.
fn logged<T>(tx: &mut PgTx, id: DrawingId, action: LogAction, step: T) -> Result<Logged<T>, StoreError> {
    let entry = add_log_entry(tx, Some(id), action, "{}")?;
    Ok(Logged { step, entry })
}

fn prize() -> Prize {
    Prize {
        name: "Kit".to_owned(),
        value: "$49".to_owned(),
    }
}

/// A sealed drawing of this month of 2026. Its only entrant is the first one.
fn seal_drawing(tx: &mut PgTx, month: u8) -> Result<DrawingId, StoreError> {
    let id = tx.reserve_drawing_id()?;
    tx.add_plan(
        id,
        &Plan {
            raffle: RAFFLE,
            period: Period::new(2026, month.into()).unwrap(),
            kind: DrawingKind::Regular,
            reason: None,
            prize: DrawingPrize::own(prize()),
            replaces: None,
            cut_off: None,
            beacon: BeaconChoice::Off,
            commitment: Hash::new([month; 32]),
            seed_source: SeedSource::Os,
            sealed_secrets: vec![1],
            request: None,
            session: Some(1),
            member: None,
            at: DateTime::UNIX_EPOCH,
        },
    )?;
    let announced = Announced {
        number: 1,
        round: None,
        round_at: None,
        seal_due_at: DateTime::UNIX_EPOCH,
        seal_before: None,
    };
    let announced = logged(tx, id, LogAction::DrawingAnnounced, announced)?;
    tx.add_announcement(id, &announced)?;
    let chunk = Chunk {
        number: 0,
        first_entry: 1,
        first_tag: tag(1),
        root: Hash::ZERO,
        packed: vec![1, 1],
    };
    tx.add_chunks(id, &[chunk])?;
    let sealed = Sealed {
        salt_key: SaltKey::new([1; 32]),
        seed: Seed::new([month; 32]),
        root: Hash::ZERO,
        weights_hash: Hash::ZERO,
        participants: 1,
        entries: 1,
        cut_off: DateTime::UNIX_EPOCH,
    };
    let sealed = logged(tx, id, LogAction::DrawingSealed, sealed)?;
    tx.add_seal(id, &sealed)?;
    Ok(id)
}

/// A complete drawing that the first entrant wins.
fn perform_drawing(tx: &mut PgTx) -> Result<DrawingId, StoreError> {
    let id = seal_drawing(tx, 1)?;
    let (winner, winner_phone) = (EntrantId::new(1), Phone::from_e164("+15550000001").unwrap());
    let drawn = Drawn {
        signature: None,
        ranks: vec![DrawnRank {
            rank: 0,
            entry_number: 1,
            index: 0,
            entrant: winner,
        }],
        winner_phone: Some(winner_phone.clone()),
        verification_hash: Hash::ZERO,
    };
    let drawn = logged(tx, id, LogAction::DrawingPerformed, drawn)?;
    tx.add_result(id, &drawn)?;
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
        tx.count_drawings(None)?;
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
    for (table, column, rows) in [
        ("drawing_announcements", "created_at", 1),
        ("drawing_seals", "created_at", 1),
        ("drawing_results", "created_at", 1),
        ("drawing_ranks", "rank", 1),
        ("drawing_chunks", "packed", 1),
        ("drawing_list_parts", "bytes", 1),
        ("drawing_lists", "finished_at", 1),
        ("drawing_audit_logs", "details", 3),
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
        assert_eq!(number(&mut connection, &count), rows, "{table}");
    }
    assert!(store.read(|tx| tx.find_state(id)).unwrap().is_some());
    let texts = "SELECT count(*) AS n FROM sms_sent_messages WHERE user_id = 1";
    assert_eq!(number(&mut connection, texts), 1);
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
            add_log_entry(tx, None, LogAction::Checkpoint, text)
        };
        store.transaction::<_, StoreError>(add).unwrap();
    }
    let read = store.read(|tx| tx.list_log(0, 500)).unwrap();
    let texts: Vec<_> = read.iter().map(|entry| entry.entry.details.as_str()).collect();
    assert_eq!(texts, details);
    for invalid in ["[]", "{", "{\n}", ""] {
        let rejected =
            store.transaction::<_, StoreError>(|tx| add_log_entry(tx, None, LogAction::Checkpoint, invalid));
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
    let store = database.store();
    store.transaction(perform_drawing).unwrap();
    let sealed = store.transaction(|tx| seal_drawing(tx, 2)).unwrap();
    connection
        .batch_execute(&format!(
            "CREATE TEMP TABLE valid AS TABLE drawing_results; UPDATE valid SET id = {sealed}"
        ))
        .unwrap();
    let cases = [
        (
            "winning_entry_number = 0",
            "drawing_results_winning_entry_number_positive",
        ),
        ("winner_id = 2", "drawing_results_winner_id_fkey"),
        (
            "verification_hash = upper(repeat('ab', 32))",
            "drawing_results_verification_hash_hash",
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
