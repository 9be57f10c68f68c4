//! Migrations, and the constraints and triggers of the schema.

use crate::support::{TestDatabase, connect, execute, number};
use diesel::prelude::*;
use diesel::sql_query;
use kernel::StoreError;
use std::time::Duration;
use store_postgres::{migrations, migrations::MigrationLimits};

const TABLES: &str = "SELECT count(*) AS n FROM information_schema.tables
                      WHERE table_schema = 'public' AND table_name <> '__diesel_schema_migrations'";

#[test]
fn migrations_can_be_run_reverted_and_run_again() {
    let database = TestDatabase::empty();
    let count = migrations::run(&database.admin_url).unwrap();
    assert!(count > 0);
    assert!(number(&mut connect(&database.admin_url), TABLES) > 0);
    assert_eq!(migrations::revert_all(&database.admin_url).unwrap(), count);
    assert_eq!(number(&mut connect(&database.admin_url), TABLES), 0);
    let functions = "SELECT count(*) AS n FROM pg_proc WHERE pronamespace = 'public'::regnamespace
                     AND proname <> 'diesel_manage_updated_at' AND proname <> 'diesel_set_updated_at'";
    assert_eq!(number(&mut connect(&database.admin_url), functions), 0);
    assert_eq!(migrations::run(&database.admin_url).unwrap(), count);
    assert_eq!(
        migrations::run(&database.admin_url).unwrap(),
        0,
        "the second run has nothing to do"
    );
}

#[test]
fn servers_that_start_together_migrate_once() {
    let database = TestDatabase::empty();
    let counts: Vec<usize> = std::thread::scope(|scope| {
        let servers: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| migrations::run(&database.admin_url)))
            .collect();
        servers
            .into_iter()
            .map(|server| server.join().unwrap().unwrap())
            .collect()
    });
    assert_eq!(counts.iter().filter(|count| **count > 0).count(), 1, "{counts:?}");
}

/// Migrations that wait for no lock and are tried often, so that tests end soon.
const IMPATIENT: MigrationLimits = MigrationLimits {
    lock_timeout: Duration::from_millis(20),
    statement_timeout: Duration::from_secs(60),
    attempts: 2,
    pause: Duration::from_millis(1),
};

/// A database whose first migration is to be run, with a transaction that holds the lock it needs.
fn blocked_database() -> (TestDatabase, PgConnection) {
    let database = TestDatabase::empty();
    let mut other = connect(&database.admin_url);
    execute(
        &mut other,
        "CREATE TABLE __diesel_schema_migrations (version varchar(50) PRIMARY KEY, run_on timestamp NOT NULL DEFAULT now())",
    );
    execute(&mut other, "BEGIN");
    execute(&mut other, "LOCK TABLE __diesel_schema_migrations IN SHARE MODE");
    (database, other)
}

#[test]
fn a_migration_that_gets_no_lock_lets_others_go_first_and_gives_up() {
    let (database, mut other) = blocked_database();
    let outcome = migrations::run_within(&database.admin_url, IMPATIENT);
    assert!(matches!(outcome, Err(StoreError::Unavailable(_))), "{outcome:?}");
    execute(&mut other, "COMMIT");
    assert_eq!(number(&mut other, TABLES), 0, "nothing is left of the attempts");
    assert!(migrations::run_within(&database.admin_url, IMPATIENT).unwrap() > 0);
}

#[test]
fn a_migration_is_tried_again_until_the_lock_is_free() {
    let (database, mut other) = blocked_database();
    let patient = MigrationLimits {
        attempts: u32::MAX,
        ..IMPATIENT
    };
    std::thread::scope(|scope| {
        let server = scope.spawn(|| migrations::run_within(&database.admin_url, patient));
        // The advisory lock is held from the first attempt on.
        let mut third = connect(&database.admin_url);
        while number(&mut third, "SELECT count(*) AS n FROM pg_locks WHERE NOT granted") == 0 {
            std::thread::yield_now();
        }
        execute(&mut other, "COMMIT");
        assert!(server.join().unwrap().unwrap() > 0);
    });
}

#[test]
fn every_check_constraint_is_named_in_a_migration() {
    let mut connection = connect(&TestDatabase::new().admin_url);
    // The names that PostgreSQL generates contain `_check`.
    let unnamed = "SELECT count(*) AS n FROM pg_constraint WHERE connamespace = 'public'::regnamespace
                   AND contype = 'c' AND conname LIKE '%\\_check%'";
    assert_eq!(number(&mut connection, unnamed), 0);
}

#[test]
fn every_timestamp_has_a_time_zone() {
    let mut connection = connect(&TestDatabase::new().admin_url);
    let local = "SELECT count(*) AS n FROM information_schema.columns WHERE table_schema = 'public'
                 AND table_name <> '__diesel_schema_migrations' AND data_type = 'timestamp without time zone'";
    assert_eq!(number(&mut connection, local), 0);
}

#[test]
fn the_ledger_is_append_only() {
    let mut connection = connect(&TestDatabase::new().admin_url);
    execute(
        &mut connection,
        "INSERT INTO users (phone_number, referral_code) VALUES ('+15551234567', 'CDFG3467')",
    );
    execute(
        &mut connection,
        "INSERT INTO entry_ledger (user_id, kind, delta, cause_id) SELECT id, 'base', 1, id FROM users",
    );
    for change in [
        "UPDATE entry_ledger SET delta = 9",
        "DELETE FROM entry_ledger",
        "TRUNCATE entry_ledger",
    ] {
        let error = sql_query(change).execute(&mut connection).unwrap_err();
        assert_eq!(error.to_string(), "entry_ledger is append-only", "{change}");
    }
}

#[test]
fn the_audit_log_is_append_only() {
    let mut connection = connect(&TestDatabase::new().admin_url);
    execute(
        &mut connection,
        "INSERT INTO admin_audit_log (session_id, action, details, created_at) VALUES (1, 'login', '{}', now())",
    );
    for change in [
        "UPDATE admin_audit_log SET session_id = 9",
        "DELETE FROM admin_audit_log",
        "TRUNCATE admin_audit_log",
    ] {
        let error = sql_query(change).execute(&mut connection).unwrap_err();
        assert_eq!(error.to_string(), "admin_audit_log is append-only", "{change}");
    }
    assert_eq!(
        number(&mut connection, "SELECT count(*) AS n FROM admin_audit_log"),
        1
    );
}

#[test]
fn total_entries_is_the_sum_of_its_parts() {
    let mut connection = connect(&TestDatabase::new().admin_url);
    execute(
        &mut connection,
        "INSERT INTO users (phone_number, referral_code, bonus_entries, paid_entries)
         VALUES ('+15551234567', 'CDFG3467', 3, 20)",
    );
    assert_eq!(
        number(&mut connection, "SELECT total_entries AS n FROM users"),
        24
    );
    execute(&mut connection, "UPDATE users SET bonus_entries = 4");
    assert_eq!(
        number(&mut connection, "SELECT total_entries AS n FROM users"),
        25
    );
}

#[test]
fn invalid_entrants_violate_constraints() {
    let mut connection = connect(&TestDatabase::new().admin_url);
    let cases = [
        (
            "'5551234567', 'CDFG3467', 'garden-bag', 0",
            "users_phone_number_e164",
        ),
        (
            "'+15551234567', 'cdfg3467', 'garden-bag', 0",
            "users_referral_code_upper",
        ),
        (
            "'+15551234567', 'CDFG3467', 'garden', 0",
            "users_landing_page_known",
        ),
        (
            "'+15551234567', 'CDFG3467', 'garden-bag', -1",
            "users_bonus_entries_positive",
        ),
    ];
    for (values, constraint) in cases {
        let insert = format!(
            "INSERT INTO users (phone_number, referral_code, landing_page, bonus_entries) VALUES ({values})"
        );
        let error = sql_query(insert).execute(&mut connection).unwrap_err();
        assert!(error.to_string().contains(constraint), "{error}");
    }
}
