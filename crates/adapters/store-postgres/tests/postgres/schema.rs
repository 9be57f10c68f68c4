//! The constraints and triggers of the schema.

use crate::support::{TestDatabase, connect, execute, number};
use diesel::prelude::*;
use diesel::sql_query;

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
            "users_landing_page_fkey",
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
