//! Erasing people on PostgreSQL: `docs/privacy.md` names every column, and nothing of an erased person is left in any.

use crate::claims::everything;
use crate::support::{TestDatabase, connect, error_of, execute, number};
use chrono::{DateTime, Utc};
use contracts::claim_flow::Cell;
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::Text;
use kernel::{EntrantId, StoreError, UnitOfWork};
use privacy::{Erased, Erasure};
use raffle::EntryLedger;
use staff::AuditChain;
use std::collections::BTreeSet;

const DOCUMENT: &str = include_str!("../../../../../docs/privacy.md");
const FILL: &str = include_str!("person.sql");

/// What the fixture writes about the person, besides number and salt.
const CANARIES: [&str; 4] = ["198.51.100.77", "Canary/1.0", "canary", "Canaryland"];

/// When people are erased: years after the fixture's purchases.
fn moment() -> DateTime<Utc> {
    DateTime::from_timestamp(1_790_000_000, 0).unwrap()
}

#[derive(QueryableByName)]
struct TextRow {
    #[diesel(sql_type = Text)]
    text: String,
}

pub(crate) fn texts(connection: &mut PgConnection, query: &str) -> Vec<String> {
    let rows: Vec<TextRow> = sql_query(query).load(connection).unwrap();
    rows.into_iter().map(|row| row.text).collect()
}

/// The words in backticks.
fn names(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// The rows of the table under a heading, without its head.
fn rows(heading: &str) -> impl Iterator<Item = Vec<&'static str>> {
    let (_, section) = DOCUMENT.split_once(&format!("## {heading}\n")).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    rows.map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
}

/// The columns about people, as the document names them.
pub(crate) fn personal_columns() -> Vec<&'static str> {
    let columns: Vec<&str> = rows("Columns about people")
        .flat_map(|row| names(row[0]).collect::<Vec<_>>())
        .collect();
    assert!(columns.len() > 50, "{columns:?}");
    columns
}

#[test]
fn the_document_names_every_column_once() {
    let mut documented: Vec<String> = personal_columns().into_iter().map(str::to_owned).collect();
    for row in rows("Other columns") {
        let table = names(row[0]).next().unwrap();
        documented.extend(names(row[1]).map(|column| format!("{table}.{column}")));
    }
    let query = "SELECT table_name || '.' || column_name AS text FROM information_schema.columns
                 WHERE table_schema = 'public' AND table_name <> '__diesel_schema_migrations'
                     AND table_name NOT IN (SELECT relname FROM pg_class WHERE relispartition)";
    let stored: BTreeSet<String> = texts(&mut connect(&TestDatabase::new().admin_url), query)
        .into_iter()
        .collect();
    let unique: BTreeSet<String> = documented.iter().cloned().collect();
    assert_eq!(unique.len(), documented.len(), "a column is named twice");
    let missing: Vec<_> = stored.difference(&unique).collect();
    let gone: Vec<_> = unique.difference(&stored).collect();
    assert!(
        missing.is_empty() && gone.is_empty(),
        "docs/privacy.md lacks {missing:?}, and has {gone:?}"
    );
}

#[test]
fn the_document_says_why_how_long_and_what_an_erasure_does() {
    for row in rows("Columns about people") {
        assert!(
            row.len() == 4 && row.iter().all(|cell| !cell.is_empty()),
            "{row:?}"
        );
    }
}

/// A drawn winner with canaries in every column about people.
pub(crate) struct Person {
    pub(crate) id: i64,
    pub(crate) canaries: Vec<String>,
}

pub(crate) fn person(database: &TestDatabase) -> Person {
    contracts::filled::fill(&database.store());
    let mut connection = connect(&database.admin_url);
    connection.batch_execute(FILL).unwrap();
    let id = number(&mut connection, "SELECT winner_id AS n FROM drawing_results");
    let own = format!(
        "SELECT phone_number AS text FROM users WHERE id = {id}
         UNION ALL SELECT encode(person_salt, 'hex') FROM users WHERE id = {id}"
    );
    let mut canaries = texts(&mut connection, &own);
    canaries.extend(CANARIES.map(str::to_owned));
    Person { id, canaries }
}

fn has_canary(canaries: &[String], cell: &Cell) -> bool {
    canaries.iter().any(|canary| cell.text.contains(canary))
}

/// Whether a column about people has something of the person. Columns with the id are not searched for canaries.
fn is_filled(connection: &mut PgConnection, person: &Person, cells: &[Cell], column: &str) -> bool {
    let (table, name) = column.split_once('.').unwrap();
    if name == "user_id" {
        let query = format!("SELECT count(*) AS n FROM {table} WHERE user_id = {}", person.id);
        return number(connection, &query) > 0;
    }
    let mut own = cells.iter().filter(|cell| cell.column == column);
    own.any(|cell| has_canary(&person.canaries, cell))
}

#[test]
fn nothing_of_an_erased_person_is_left_in_any_column() {
    let database = TestDatabase::new();
    let person = person(&database);
    let mut connection = connect(&database.admin_url);
    let before = everything(&database);
    for column in personal_columns() {
        let filled = is_filled(&mut connection, &person, &before, column);
        assert!(filled, "person.sql writes nothing into {column}");
    }

    let entrant = EntrantId::new(person.id);
    let erase = |tx: &mut store_postgres::PgTx| tx.erase_person(entrant, moment());
    let erased = database.store().transaction::<_, StoreError>(erase).unwrap();
    assert_eq!(erased, Erased::Done);

    let after = everything(&database);
    let left: Vec<&str> = after
        .iter()
        .filter(|cell| has_canary(&person.canaries, cell))
        .map(|cell| cell.column.as_str())
        .collect();
    assert_eq!(left, [""; 0], "columns with something of the person");
    for column in personal_columns()
        .into_iter()
        .filter(|column| column.ends_with(".user_id"))
    {
        assert!(!is_filled(&mut connection, &person, &after, column), "{column}");
    }
    let kept = "SELECT count(*) AS n FROM erased_numbers WHERE opted_out_at IS NOT NULL AND is_flagged AND was_credited
                AND counts = '{\"2025-08-01\": 3}'";
    assert_eq!(number(&mut connection, kept), 1);
    assert_eq!(database.store().read(|tx| tx.unbalanced_entrants()).unwrap(), []);
}

#[test]
fn a_campaign_that_is_being_sent_goes_on_after_the_recipient_before() {
    let database = TestDatabase::new();
    let person = person(&database);
    let mut connection = connect(&database.admin_url);
    let counts = |connection: &mut PgConnection| {
        let query = "SELECT recipient_count || ' ' || taken_count || ' ' || open_count || ' ' || last_recipient || ' '
                            || custom_number_count AS text
                     FROM sms_scheduled_campaigns WHERE campaign_name = 'Erasure'";
        texts(connection, query)
    };
    let phone = &person.canaries[0];
    assert_eq!(counts(&mut connection), [format!("3 2 2 {phone} 2")]);
    let erase = |tx: &mut store_postgres::PgTx| tx.erase_person(EntrantId::new(person.id), moment());
    database.store().transaction::<_, StoreError>(erase).unwrap();
    // The recipient had been taken already, so the counts stay.
    assert_eq!(counts(&mut connection), ["3 2 2 +10000000001 1"]);
}

#[test]
fn the_chain_of_the_audit_log_outlives_an_erasure() {
    let database = TestDatabase::new();
    let person = person(&database);
    let verify = || contracts::audit_chain::verified(&database.store());
    let before = verify();
    assert!(before.end().position >= 3);
    assert_eq!(before.erased(), 0);
    let erase = |tx: &mut store_postgres::PgTx| tx.erase_person(EntrantId::new(person.id), moment());
    database.store().transaction::<_, StoreError>(erase).unwrap();
    let after = verify();
    assert_eq!((after.end(), after.erased()), (before.end(), 3));
}

#[test]
fn append_only_rows_lose_only_what_is_personal() {
    let database = TestDatabase::new();
    person(&database);
    let mut connection = connect(&database.admin_url);
    for (table, column) in [
        ("drawing_results", "winner_phone_number"),
        ("winner_verification_events", "note"),
        ("admin_audit_log", "details"),
    ] {
        let guarded = format!(
            "SELECT column_name::text AS text FROM information_schema.columns
             WHERE table_schema = 'public' AND table_name = '{table}' AND column_name <> '{column}'
             EXCEPT
             SELECT event_object_column FROM information_schema.triggered_update_columns
             WHERE trigger_name = '{table}_append_only'"
        );
        assert_eq!(
            texts(&mut connection, &guarded),
            [""; 0],
            "columns of {table} that may change"
        );
    }
    for change in [
        "UPDATE drawing_results SET winner_phone_number = '+15559999999'",
        "UPDATE drawing_results SET winner_phone_number = NULL, winning_entry_number = 7",
        "DELETE FROM drawing_results",
        "UPDATE winner_verification_events SET note = 'Another one.'",
        "UPDATE admin_audit_log SET details = '{}' WHERE details ? 'landingPage'",
        "UPDATE admin_audit_log SET details = details || '{\"reason\": \"Another one.\"}'",
    ] {
        let table = change.split(' ').find(|word| word.contains('_')).unwrap();
        assert_eq!(
            error_of(&mut connection, change),
            format!("{table} is append-only"),
            "{change}"
        );
    }
}

#[test]
fn an_erased_entrant_has_nothing_left() {
    let mut connection = connect(&TestDatabase::new().admin_url);
    execute(
        &mut connection,
        "INSERT INTO users (phone_number, referral_code) VALUES ('+15551234567', 'CDFG3467')",
    );
    for (change, constraint) in [
        ("phone_number = NULL", "users_number_until_erased"),
        (
            "erased_at = now(), person_salt = NULL",
            "users_number_until_erased",
        ),
        ("erased_at = now(), phone_number = NULL", "users_erased_whole"),
    ] {
        let error = error_of(&mut connection, &format!("UPDATE users SET {change}"));
        assert!(error.contains(constraint), "{error}");
    }
}

/// As whoever has the server's role, or even owns the tables, could try.
#[test]
fn nothing_of_somebody_who_was_not_erased_can_be_erased_unseen() {
    let database = TestDatabase::new();
    person(&database);
    let mut connection = connect(&database.admin_url);
    for function in ["erase_winner_number", "erase_claim_notes", "erase_audit_notes"] {
        let call = format!("SELECT {function}((SELECT winner_id FROM drawing_results))");
        let error = error_of(&mut connection, &call);
        assert!(error.ends_with("is not erased"), "{function}: {error}");
    }
    let lost = || {
        database
            .store()
            .snapshot::<_, StoreError>(|tx| tx.lost_without_erasure())
            .unwrap()
            .map(|(table, _)| table)
    };
    assert_eq!(lost(), None);
    let notes = "UPDATE admin_audit_log SET details = details - ARRAY['reason', 'note', 'notes', 'tags']";
    for (table, change) in [
        (
            "winner_verification_events",
            "UPDATE winner_verification_events SET note = NULL",
        ),
        (
            "drawing_results",
            "UPDATE drawing_results SET winner_phone_number = NULL",
        ),
        ("admin_audit_log", notes),
    ] {
        execute(&mut connection, change);
        assert_eq!(lost().as_deref(), Some(table), "the first by name");
    }
}

#[test]
fn an_erased_entrant_stays_erased() {
    let database = TestDatabase::new();
    let person = person(&database);
    let erase = |tx: &mut store_postgres::PgTx| tx.erase_person(EntrantId::new(person.id), moment());
    database.store().transaction::<_, StoreError>(erase).unwrap();
    let mut connection = connect(&database.admin_url);
    for change in [
        "erased_at = NULL, phone_number = '+15559999999'",
        "erased_at = now()",
    ] {
        let update = format!("UPDATE users SET {change} WHERE id = {}", person.id);
        assert_eq!(
            error_of(&mut connection, &update),
            "an erased entrant stays erased"
        );
    }
}
