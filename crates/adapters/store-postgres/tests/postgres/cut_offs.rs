//! Cut-offs on PostgreSQL: times that the database sets, and the wait for what began before.

use crate::drawings::{NO_CUT_OFF, RAFFLE, participants, seed, tag};
use crate::support::{TestDatabase, connect, execute, number};
use chrono::{DateTime, TimeDelta, Utc};
use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use drawing::{Candidate, CutOffs, FrozenEntrants};
use kernel::{DatabaseClock, StoreError, UnitOfWork, run_until};
use std::time::{Duration, Instant};
use store_postgres::{PgStore, PgTx};

const EARN: &str = "
WITH earned AS (
    INSERT INTO entry_ledger (user_id, kind, delta, cause_id) VALUES (1, 'referral', 5, txid_current())
)
UPDATE users SET bonus_entries = bonus_entries + 5 WHERE id = 1";

fn time(store: &PgStore) -> DateTime<Utc> {
    store.read(|tx| tx.database_time()).unwrap()
}

fn weights(store: &PgStore, cut_off: DateTime<Utc>) -> Vec<(i64, u64)> {
    let read = |tx: &PgTx| {
        let mut all = Vec::new();
        let mut each = |one: Candidate| all.push((one.id.get(), one.entries.total()));
        tx.read_participants(RAFFLE, cut_off, None, 100, &mut each)?;
        Ok::<_, StoreError>(all)
    };
    store.snapshot(read).unwrap()
}

fn wait(store: &PgStore, cut_off: DateTime<Utc>) -> Result<(), StoreError> {
    store.read(|tx| tx.wait_for_earlier_transactions(cut_off))
}

/// Returns once a store has asked this many times who writes.
fn until_asked(connection: &mut PgConnection, times: i64) {
    execute(
        connection,
        "CREATE TEMP TABLE IF NOT EXISTS asked (at timestamptz PRIMARY KEY)",
    );
    let look = "INSERT INTO asked
                SELECT query_start FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%FROM pg_locks%'
                ON CONFLICT DO NOTHING";
    execute(connection, "TRUNCATE asked");
    while number(connection, "SELECT count(*) AS n FROM asked") < times {
        execute(connection, look);
        std::thread::yield_now();
    }
}

#[test]
fn a_transaction_from_before_the_cut_off_is_waited_for_and_counted() {
    let database = TestDatabase::new();
    let (mut earlier, mut later) = (connect(&database.admin_url), connect(&database.admin_url));
    seed(&mut earlier, 1);
    let store = database.store();
    let before = weights(&store, NO_CUT_OFF)[0].1;
    execute(&mut earlier, "BEGIN");
    execute(&mut earlier, EARN);
    let cut_off = time(&store);
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| wait(&store, cut_off));
        until_asked(&mut later, 3);
        assert!(!waiting.is_finished());
        execute(&mut earlier, "COMMIT");
        waiting.join().unwrap().unwrap();
    });
    execute(&mut later, EARN);
    assert_eq!(weights(&store, cut_off), [(1, before + 5)]);
    assert_eq!(weights(&store, NO_CUT_OFF), [(1, before + 10)]);
}

#[test]
fn transactions_that_write_later_or_only_read_are_not_waited_for() {
    let database = TestDatabase::new();
    let (mut first, mut reader, mut second) = (
        connect(&database.admin_url),
        connect(&database.admin_url),
        connect(&database.admin_url),
    );
    seed(&mut first, 1);
    let store = database.store();
    let before = weights(&store, NO_CUT_OFF)[0].1;
    let mut watcher = connect(&database.admin_url);
    execute(&mut reader, "BEGIN");
    number(&mut reader, "SELECT count(*) AS n FROM users, entry_ledger");
    // It began earlier, but gets its row's time after the cut-off.
    execute(&mut second, "BEGIN");
    execute(&mut first, "BEGIN");
    execute(&mut first, EARN);
    let cut_off = time(&store);
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| wait(&store, cut_off));
        // When it asks again, it knows whom it waits for.
        until_asked(&mut watcher, 2);
        execute(
            &mut second,
            "INSERT INTO entry_ledger (user_id, kind, delta, cause_id) VALUES (1, 'referral', 7, 98)",
        );
        execute(&mut first, "COMMIT");
        waiting.join().unwrap().unwrap();
    });
    execute(
        &mut second,
        "UPDATE users SET bonus_entries = bonus_entries + 7 WHERE id = 1",
    );
    execute(&mut second, "COMMIT");
    assert_eq!(weights(&store, cut_off), [(1, before + 5)]);
    assert_eq!(weights(&store, NO_CUT_OFF), [(1, before + 12)]);
}

#[test]
fn the_wait_ends_at_the_deadline_of_the_work() {
    let database = TestDatabase::new();
    let mut writer = connect(&database.admin_url);
    seed(&mut writer, 1);
    let store = database.store();
    let soon = || Instant::now() + Duration::from_millis(200);
    let refused = run_until(soon(), || wait(&store, time(&store) + TimeDelta::days(1)));
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
    execute(&mut writer, "BEGIN");
    execute(&mut writer, EARN);
    let cut_off = time(&store);
    let refused = run_until(soon(), || wait(&store, cut_off));
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
    execute(&mut writer, "COMMIT");
    wait(&store, cut_off).unwrap();
}

#[test]
fn a_row_gets_its_time_from_the_database_whatever_is_passed() {
    let database = TestDatabase::new();
    let mut connection = connect(&database.admin_url);
    seed(&mut connection, 1);
    let store = database.store();
    let before = time(&store);
    execute(
        &mut connection,
        "INSERT INTO entry_ledger (user_id, kind, delta, cause_id, created_at)
         VALUES (1, 'referral', 1, 1, '2020-01-01'), (1, 'referral', 1, 2, '2120-01-01')",
    );
    let between = format!(
        "SELECT count(*) AS n FROM entry_ledger WHERE created_at > '{before}' AND created_at < '{}'",
        time(&store)
    );
    assert_eq!(number(&mut connection, &between), 2);
}

#[test]
fn the_rows_of_a_sign_up_have_one_time() {
    let database = TestDatabase::new();
    let mut connection = connect(&database.admin_url);
    seed(&mut connection, 1);
    let sign_up = "INSERT INTO users (id, phone_number, referral_code)
                   VALUES (50, '+15551234567', 'CDFG3467');
                   INSERT INTO entry_ledger (user_id, kind, delta, cause_id) VALUES (50, 'base', 1, 50);";
    let credit = "INSERT INTO entry_ledger (user_id, kind, delta, cause_id) VALUES (1, 'referral', 1, 50)";
    let times = "SELECT count(DISTINCT created_at) AS n FROM entry_ledger WHERE cause_id = 50";
    connection
        .batch_execute(&format!("BEGIN; {sign_up} {credit}"))
        .unwrap();
    assert_eq!(number(&mut connection, times), 1);
    execute(&mut connection, "ROLLBACK");

    // A credit of a later transaction gets the time at which it is given.
    connection.batch_execute(sign_up).unwrap();
    execute(&mut connection, credit);
    assert_eq!(number(&mut connection, times), 2);
}

#[test]
fn a_flag_gets_its_time_from_the_database_and_keeps_it() {
    let database = TestDatabase::new();
    let mut connection = connect(&database.admin_url);
    seed(&mut connection, 1);
    let store = database.store();
    let before = time(&store);
    let flag = "UPDATE users SET is_flagged = true, flag_reason = 'any', flagged_at = '2020-01-01'";
    execute(&mut connection, flag);
    execute(
        &mut connection,
        "INSERT INTO users (phone_number, referral_code, is_flagged, flagged_at)
         VALUES ('+15551234567', 'CDFG3467', true, '2020-01-01')",
    );
    let between = format!(
        "SELECT count(*) AS n FROM users WHERE flagged_at > '{before}' AND flagged_at < '{}'",
        time(&store)
    );
    assert_eq!(number(&mut connection, &between), 2);
    execute(&mut connection, "UPDATE users SET flagged_at = '2020-01-01'");
    assert_eq!(number(&mut connection, &between), 2);
    execute(
        &mut connection,
        "UPDATE users SET is_flagged = false, flagged_at = NULL",
    );
    execute(&mut connection, flag);
    assert_eq!(number(&mut connection, &between), 0, "a new flag has a new time");
}

#[test]
fn flags_of_the_last_48_hours_are_counted_apart() {
    let database = TestDatabase::new();
    let mut connection = connect(&database.admin_url);
    seed(&mut connection, 4);
    execute(
        &mut connection,
        "UPDATE users SET is_flagged = true, flagged_at = now() WHERE id < 4",
    );
    for statement in [
        "ALTER TABLE users DISABLE TRIGGER users_set_flag_time_on_update",
        "UPDATE users SET flagged_at = now() - interval '47 hours 50 minutes' WHERE id = 1",
        "UPDATE users SET flagged_at = now() - interval '48 hours 10 minutes' WHERE id = 2",
    ] {
        execute(&mut connection, statement);
    }
    let left_out = database
        .store()
        .snapshot(|tx| tx.left_out(RAFFLE, NO_CUT_OFF))
        .unwrap();
    assert_eq!((left_out.flagged, left_out.flagged_last_48_hours), (3, 2));
}

/// Whoever has no entries is read and skipped, and does not end the list early.
#[test]
fn a_part_is_full_even_if_it_skips_entrants_without_entries() {
    let database = TestDatabase::new();
    let mut connection = connect(&database.admin_url);
    seed(&mut connection, 20);
    execute(
        &mut connection,
        "UPDATE users SET base_entries = 0, bonus_entries = 0 WHERE id BETWEEN 3 AND 15",
    );
    let store = database.store();
    let part = |after: i64, limit| {
        let mut ids = Vec::new();
        store
            .snapshot(|tx| {
                ids.clear();
                let after = Some(tag(after));
                tx.read_participants(RAFFLE, NO_CUT_OFF, after, limit, &mut |one| {
                    ids.push(one.id.get())
                })
            })
            .unwrap();
        ids
    };
    assert_eq!(part(0, 4), [1, 2, 16, 17]);
    assert_eq!(part(3, 2), [16, 17]);
    assert_eq!(part(17, 4), [18, 19, 20]);
}

/// Their counters are 0 now, but they had entries at the cut-off.
#[test]
fn whoever_lost_all_entries_since_the_cut_off_is_on_the_list() {
    let database = TestDatabase::new();
    let mut connection = connect(&database.admin_url);
    seed(&mut connection, 3);
    let store = database.store();
    let at_first = store.snapshot(participants).unwrap();
    let cut_off = time(&store);
    execute(
        &mut connection,
        "INSERT INTO entry_ledger (user_id, kind, delta, cause_id)
         SELECT id, 'clearing', -total_entries, 1 FROM users WHERE id = 2",
    );
    execute(
        &mut connection,
        "UPDATE users SET base_entries = 0, bonus_entries = 0 WHERE id = 2",
    );
    assert_eq!(weights(&store, cut_off), at_first);
    assert_eq!(weights(&store, NO_CUT_OFF).len(), 2);
}
