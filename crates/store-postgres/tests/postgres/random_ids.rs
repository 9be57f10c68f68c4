//! The migration that gives every entrant a random id (D35), and what the schema guarantees of ids.

use crate::support::{TestDatabase, connect, error_of, execute, migrate, number};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Text};
use std::collections::BTreeMap;

const VERSION: &str = "20261122000036";
const DOWN: &str = include_str!("../../../../migrations/2026-11-22-000036_random_user_ids/down.sql");

/// Columns with an entrant's id that no foreign key is on.
const PLAIN_COLUMNS: [(&str, &str); 4] = [
    ("sms_sent_messages", "user_id"),
    ("sms_click_tracking", "user_id"),
    ("conversion_funnel", "user_id"),
    ("analytics_referrers", "user_id"),
];

/// Tables of later migrations, which have no rows yet when this one runs.
const LATER_TABLES: [&str; 8] = [
    "data_export_requests",
    "flag_appeals",
    "verifications",
    "winner_verification",
    "inherited_entries",
    "user_data_management",
    "push_subscriptions",
    "share_progress",
];

/// The columns with foreign keys to users.
const FOREIGN_KEYS: &str = "
SELECT conrelid::regclass::text AS relation, attname::text AS name
FROM pg_constraint
JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
WHERE contype = 'f' AND confrelid = 'users'::regclass AND convalidated";

/// The columns that are called like an entrant's id. Frozen lists keep the ids of their time.
const NAMED_COLUMNS: &str = "
SELECT table_name::text AS relation, column_name::text AS name
FROM information_schema.columns
WHERE table_schema = 'public' AND data_type = 'bigint' AND table_name NOT IN ('former_user_ids', 'drawing_chunks')
    AND (column_name ~ '(^|_)user_id$' OR column_name IN ('winner_id', 'referrer_id'))";

#[derive(QueryableByName)]
struct Column {
    #[diesel(sql_type = Text)]
    relation: String,
    #[diesel(sql_type = Text)]
    name: String,
}

#[derive(QueryableByName)]
struct Phones {
    #[diesel(sql_type = BigInt)]
    rows: i64,
    #[diesel(sql_type = Text)]
    phones: String,
}

fn columns(connection: &mut PgConnection, query: &str) -> Vec<(String, String)> {
    let found: Vec<Column> = sql_query(query).load(connection).unwrap();
    found
        .into_iter()
        .map(|column| (column.relation, column.name))
        .collect()
}

fn phones(connection: &mut PgConnection, rows: &str, id: &str) -> (i64, String) {
    let query = format!(
        "SELECT count(*) AS rows, coalesce(string_agg(phone_number, ',' ORDER BY phone_number), '') AS phones
         FROM (SELECT {id} AS named FROM {rows}) AS row
         JOIN users ON users.id = row.named"
    );
    let found: Phones = sql_query(query).get_result(connection).unwrap();
    (found.rows, found.phones)
}

/// Whom the rows of each column name, by their numbers, which no migration changes.
fn who_is_named(connection: &mut PgConnection) -> BTreeMap<String, (i64, String)> {
    let mut columns = columns(connection, FOREIGN_KEYS);
    columns.extend(PLAIN_COLUMNS.map(|(table, column)| (table.to_owned(), column.to_owned())));
    let mut named: BTreeMap<_, _> = columns
        .into_iter()
        .filter(|(table, _)| table != "former_user_ids" && !LATER_TABLES.contains(&table.as_str()))
        .map(|(table, column)| (format!("{table}.{column}"), phones(connection, &table, &column)))
        .collect();
    let causes = "entry_ledger WHERE kind IN ('base', 'referral', 'referral_reversed', 'referral_restored')";
    let targets = "admin_audit_log WHERE action IN ('flag_user', 'unflag_user')";
    named.insert(
        "entry_ledger.cause_id".to_owned(),
        phones(connection, causes, "cause_id"),
    );
    named.insert(
        "admin_audit_log.target".to_owned(),
        phones(connection, targets, "target::bigint"),
    );
    named
}

fn migrate_down(connection: &mut PgConnection) {
    // Rows of later migrations were not there yet.
    connection
        .batch_execute(
            "ALTER TABLE winner_verification_events DISABLE TRIGGER winner_verification_events_append_only;
             TRUNCATE winner_verification, winner_verification_events, winner_verification_texts;
             ALTER TABLE winner_verification_events ENABLE TRIGGER winner_verification_events_append_only;
             DROP TRIGGER admin_audit_log_only_erased ON admin_audit_log",
        )
        .unwrap();
    connection
        .batch_execute(&format!("BEGIN; {DOWN}; COMMIT"))
        .unwrap();
    execute(
        connection,
        &format!("DELETE FROM __diesel_schema_migrations WHERE version = '{VERSION}'"),
    );
}

#[test]
fn every_entrant_gets_a_random_id_and_everything_that_names_them_follows() {
    let database = TestDatabase::new();
    let mut connection = connect(&database.admin_url);
    let filled = contracts::former_ids::fill(&database.store());
    migrate_down(&mut connection);
    // What flows of the fixture do not write.
    for statement in [
        "INSERT INTO sms_replies (provider_message_id, user_id, phone_number, body, created_at)
         SELECT 'SM' || id, id, phone_number, 'Hello', now() FROM users WHERE id < 3",
        "INSERT INTO sms_click_tracking (tracking_id, user_id, user_phone_number, campaign_id, campaign_name, landing_page,
                                         clicked_at, created_at)
         SELECT 'click' || id, id, phone_number, 1, 'June', landing_page, now(), now() FROM users WHERE id < 4",
        "INSERT INTO clearing_jobs (kind, session_id, deleted, bound_id, group_id, after_id, started_at)
         VALUES ('clear_referrals', 9, '{\"referrals\": 3}', 1, 1, 4, now())",
    ] {
        execute(&mut connection, statement);
    }
    let largest = number(&mut connection, "SELECT max(id) AS n FROM users");
    assert_eq!(largest, 8, "ids count up");
    let before = who_is_named(&mut connection);
    assert!(
        before.values().all(|(rows, _)| *rows > 0),
        "every column names somebody: {before:?}"
    );

    assert_eq!(migrate(&database.admin_url), 1);
    assert_eq!(who_is_named(&mut connection), before);
    filled.assert_moved(&database.store());

    let covered: Vec<String> = before.keys().cloned().collect();
    let named = columns(&mut connection, NAMED_COLUMNS).into_iter();
    for (table, column) in named.filter(|(table, _)| !LATER_TABLES.contains(&table.as_str())) {
        assert!(covered.contains(&format!("{table}.{column}")), "{table}.{column}");
    }
    let off = "SELECT count(*) AS n FROM pg_trigger WHERE tgenabled <> 'O'";
    assert_eq!(number(&mut connection, off), 0, "every trigger is on");
    for table in [
        "entry_ledger",
        "drawing_results",
        "drawing_ranks",
        "admin_audit_log",
        "former_user_ids",
    ] {
        let error = error_of(&mut connection, &format!("DELETE FROM {table}"));
        assert_eq!(error, format!("{table} is append-only"));
    }
    let ended = "SELECT count(*) AS n FROM clearing_jobs JOIN admin_audit_log USING (session_id)
                 WHERE state = 'failed' AND action = 'clear_referrals'
                     AND details = '{\"referrals\": 3, \"error\": \"busy\"}'";
    assert_eq!(number(&mut connection, ended), 1);
    let kept = "SELECT count(*) AS n FROM admin_audit_log
                JOIN former_user_ids ON target = user_id::text AND details @> jsonb_build_object('formerId', former_id)
                WHERE action = 'flag_user'";
    assert_eq!(
        number(&mut connection, kept),
        2,
        "the log keeps the id that it had"
    );
}

#[test]
fn the_order_of_entrants_stays() {
    let database = TestDatabase::new();
    let mut connection = connect(&database.admin_url);
    contracts::former_ids::fill(&database.store());
    migrate_down(&mut connection);
    migrate(&database.admin_url);
    let moved = "SELECT count(*) AS n FROM former_user_ids
                 JOIN users ON users.id = user_id AND sequence_number = former_id";
    assert_eq!(number(&mut connection, moved), 8);
    // A server of the version before inserts without an id and without a sequence number.
    execute(
        &mut connection,
        "INSERT INTO users (phone_number, referral_code) VALUES ('+15551234567', 'CDFG3467')",
    );
    let newest = "SELECT sequence_number AS n FROM users WHERE phone_number = '+15551234567'";
    assert_eq!(number(&mut connection, newest), 9);
    let for_the_version_before = "SELECT count(*) AS n FROM analytics_watermarks WHERE source = 'users' AND last_id = 9223372036854775807";
    assert_eq!(number(&mut connection, for_the_version_before), 1);
}

#[test]
fn a_row_without_an_id_gets_a_random_one_of_52_bits() {
    let mut connection = connect(&TestDatabase::new().admin_url);
    execute(
        &mut connection,
        "INSERT INTO users (phone_number, referral_code)
         SELECT '+' || 15550000000 + n, lpad(n::text, 8, 'C') FROM generate_series(1, 4000) AS n",
    );
    let outside = "SELECT count(*) AS n FROM users WHERE id NOT BETWEEN 1 AND 4503599627370495";
    assert_eq!(number(&mut connection, outside), 0);
    // Each of the 52 bits is set in about half of the rows: 2,000, with a standard deviation of 32.
    let lopsided = "SELECT count(*) AS n FROM (
                        SELECT bit, count(*) FILTER (WHERE (id >> bit) & 1 = 1) AS ones
                        FROM users, generate_series(0, 51) AS bit
                        GROUP BY bit
                    ) AS bits WHERE ones NOT BETWEEN 1700 AND 2300";
    assert_eq!(number(&mut connection, lopsided), 0);
}

#[test]
fn an_id_has_52_bits_and_is_nobody_elses_former_one() {
    let mut connection = connect(&TestDatabase::new().admin_url);
    let insert = |id: &str| {
        format!(
            "INSERT INTO users (id, phone_number, referral_code) VALUES ({id}, '+15551234567', 'CDFG3467')"
        )
    };
    for id in ["0", "-1", "4503599627370496"] {
        let error = error_of(&mut connection, &insert(id));
        assert!(error.contains("users_id_52_bits"), "{error}");
    }
    execute(&mut connection, &insert("5"));
    execute(
        &mut connection,
        "INSERT INTO former_user_ids (former_id, user_id) VALUES (4, 5)",
    );
    assert_eq!(
        error_of(&mut connection, &insert("4")),
        "another entrant had the id 4"
    );
}

#[test]
fn a_list_with_random_ids_keeps_the_migration_from_being_reverted() {
    let database = TestDatabase::new();
    let mut connection = connect(&database.admin_url);
    contracts::former_ids::fill(&database.store());
    migrate_down(&mut connection);
    migrate(&database.admin_url);
    contracts::former_ids::draw(&database.store());
    let error = connection
        .batch_execute(&format!("BEGIN; {DOWN}; COMMIT"))
        .unwrap_err();
    assert_eq!(error.to_string(), "a list of a drawing has random ids");
}

#[test]
fn a_former_id_finds_its_entrant_and_is_given_to_nobody_else() {
    let database = TestDatabase::new();
    contracts::former_ids::a_former_id_finds_its_entrant_and_is_given_to_nobody_else(
        &database.store(),
        |id: kernel::EntrantId, former: kernel::EntrantId| {
            execute(
                &mut connect(&database.admin_url),
                &format!("INSERT INTO former_user_ids (former_id, user_id) VALUES ({former}, {id})"),
            );
        },
    );
}
