//! The copy of a person's data on PostgreSQL: every table that can hold something about a person is in it, with every
//! column but the ones that are named as left out.

use crate::privacy::{person, personal_columns, texts};
use crate::support::{TestDatabase, connect};
use kernel::{EntrantId, UnitOfWork};
use privacy::Exports;
use std::collections::{BTreeMap, BTreeSet};
use store_postgres::left_out_of_exports;

/// Tables with an entrant's id, or with a number, by foreign key or by the name of a column. Partitions are in their table.
const TABLES: &str = "
SELECT DISTINCT relname::text AS text
FROM pg_class
JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace AND (
    attname ~ '(^|_)user_id$' OR attname ~ 'phone|recipient$' OR attname IN ('winner_id', 'referrer_id', 'number_hmac')
    OR EXISTS (
        SELECT FROM pg_constraint
        WHERE contype = 'f' AND confrelid = 'users'::regclass AND conrelid = attrelid AND attnum = ANY (conkey)
    )
)";

/// Tables that the walk finds and a copy leaves out, and why.
const OTHERS: [(&str, &str); 1] = [(
    "drawing_chunks",
    "frozen lists, which everybody can download; each person is in them under a blinded id",
)];

fn exported(database: &TestDatabase, id: i64) -> BTreeMap<&'static str, Vec<String>> {
    let tables = database.store().read(|tx| tx.export_person(EntrantId::new(id)));
    let tables = tables.unwrap().unwrap();
    tables.into_iter().map(|table| (table.name, table.rows)).collect()
}

#[test]
fn a_copy_has_every_table_that_can_hold_something_about_a_person() {
    let database = TestDatabase::new();
    let mut walked: BTreeSet<String> = texts(&mut connect(&database.admin_url), TABLES)
        .into_iter()
        .collect();
    walked.extend(
        personal_columns()
            .into_iter()
            .map(|column| column.split('.').next().unwrap().to_owned()),
    );
    let missing: Vec<_> = walked
        .iter()
        .filter(|table| left_out_of_exports(table).is_none())
        .filter(|table| !OTHERS.iter().any(|(other, _)| other == table))
        .collect();
    assert!(
        missing.is_empty(),
        "crates/adapters/store-postgres/src/privacy/exports/sources.rs lacks {missing:?}"
    );
}

#[test]
fn a_copy_has_every_column_but_those_that_are_left_out() {
    let database = TestDatabase::new();
    let person = person(&database);
    for (table, rows) in exported(&database, person.id) {
        let query = format!(
            "SELECT column_name::text AS text FROM information_schema.columns
             WHERE table_schema = 'public' AND table_name = '{table}'"
        );
        let stored: BTreeSet<String> = texts(&mut connect(&database.admin_url), &query)
            .into_iter()
            .collect();
        let mut named: BTreeSet<String> = left_out_of_exports(table)
            .unwrap()
            .iter()
            .map(|name| (*name).to_owned())
            .collect();
        for row in &rows {
            let row: serde_json::Map<String, serde_json::Value> = serde_json::from_str(row).unwrap();
            named.extend(row.keys().cloned());
        }
        let unknown: Vec<_> = named.difference(&stored).collect();
        assert!(unknown.is_empty(), "{table} has no columns {unknown:?}");
        let missing: Vec<_> = stored.difference(&named).collect();
        assert!(rows.is_empty() || missing.is_empty(), "{table} lacks {missing:?}");
    }
}

#[test]
fn a_copy_has_all_that_the_columns_about_a_person_hold() {
    let database = TestDatabase::new();
    let person = person(&database);
    let tables = exported(&database, person.id);
    for column in personal_columns() {
        let (table, name) = column.split_once('.').unwrap();
        if left_out_of_exports(table).unwrap().contains(&name) {
            continue;
        }
        let rows = &tables[table];
        assert!(
            !rows.is_empty(),
            "person.sql writes no row of {table} that a copy has"
        );
        let is_there = rows.iter().any(|row| {
            let row: serde_json::Value = serde_json::from_str(row).unwrap();
            !row[name].is_null()
        });
        assert!(is_there, "a copy lacks {column}");
    }
}

#[test]
fn a_copy_has_nothing_of_others() {
    let database = TestDatabase::new();
    let person = person(&database);
    let others = format!("SELECT phone_number AS text FROM users WHERE id <> {}", person.id);
    let others = texts(&mut connect(&database.admin_url), &others);
    assert!(others.len() > 1);
    for (table, rows) in exported(&database, person.id) {
        for number in others.iter().map(String::as_str).chain(["+19999999999"]) {
            assert!(
                !rows.iter().any(|row| row.contains(number)),
                "{table} has {number}"
            );
        }
    }
}
