//! The rights of the role that the server runs as.

use crate::support::{TestDatabase, connect, error_of, execute, has_two_roles, migrate, number, server_url};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::Text;
use store_postgres::migrations::{self, Owner};
use store_postgres::roles;

#[derive(QueryableByName)]
struct Name {
    #[diesel(sql_type = Text)]
    name: String,
}

fn names(connection: &mut PgConnection, query: &str) -> Vec<String> {
    let rows: Vec<Name> = sql_query(query).load(connection).unwrap();
    rows.into_iter().map(|row| row.name).collect()
}

#[test]
fn tables_that_refuse_changes_are_append_only_for_the_server() {
    let mut connection = connect(&TestDatabase::new().admin_url);
    let refusing = "SELECT DISTINCT tgrelid::regclass::text AS name FROM pg_trigger
                    WHERE tgfoid = 'refuse_change()'::regprocedure ORDER BY 1";
    assert_eq!(names(&mut connection, refusing), roles::APPEND_ONLY);
}

/// A server with one role only has nothing to test here.
fn database_of_two_roles() -> Option<TestDatabase> {
    has_two_roles().then(TestDatabase::new)
}

#[test]
fn the_server_cannot_change_logs_the_ledger_and_drawings() {
    let Some(database) = database_of_two_roles() else {
        return;
    };
    let mut server = connect(&database.url);
    for table in roles::APPEND_ONLY.iter().chain(&roles::READ_ONLY) {
        let column = format!(
            "SELECT quote_ident(attname) AS name FROM pg_attribute
             WHERE attrelid = '{table}'::regclass AND attnum > 0 AND attidentity = '' AND attgenerated = '' LIMIT 1"
        );
        let column = &names(&mut server, &column)[0];
        for change in [
            format!("UPDATE {table} SET {column} = {column}"),
            format!("DELETE FROM {table}"),
            format!("TRUNCATE {table} CASCADE"),
            format!("ALTER TABLE {table} DISABLE TRIGGER USER"),
        ] {
            let error = error_of(&mut server, &change);
            let expected = [
                format!("permission denied for table {table}"),
                format!("must be owner of table {table}"),
            ];
            assert!(expected.contains(&error), "{change}: {error}");
        }
        assert_eq!(
            number(
                &mut server,
                &format!("SELECT count(*) AS n FROM {table} WHERE false")
            ),
            0
        );
    }
    for table in roles::READ_ONLY {
        let error = error_of(&mut server, &format!("INSERT INTO {table} DEFAULT VALUES"));
        assert_eq!(error, format!("permission denied for table {table}"));
    }
    // A superuser may, so that a mistake in the grants is not taken for a trigger that refuses.
    assert_eq!(roles::unprotected(&database.url).unwrap(), [""; 0]);
}

#[test]
fn an_owner_is_found_out() {
    let database = TestDatabase::new();
    let mut expected = [&roles::APPEND_ONLY[..], &["admin_audit_head"]].concat();
    expected.sort_unstable();
    assert_eq!(roles::unprotected(&database.admin_url).unwrap(), expected);
}

#[test]
fn one_right_too_much_is_found_and_taken() {
    let Some(database) = database_of_two_roles() else {
        return;
    };
    let role = roles::role_of(&database.url).unwrap();
    assert_ne!(role, roles::role_of(&server_url()).unwrap());
    let mut owner = connect(&database.admin_url);
    execute(&mut owner, &format!("GRANT DELETE ON entry_ledger TO {role}"));
    execute(&mut owner, &format!("REVOKE SELECT ON users FROM {role}"));
    assert_eq!(roles::unprotected(&database.url).unwrap(), ["entry_ledger"]);
    assert_eq!(
        Owner::connect(&database.admin_url).unwrap().grant(&role).unwrap(),
        2
    );
    assert_eq!(roles::unprotected(&database.url).unwrap(), [""; 0]);
    assert_eq!(
        Owner::connect(&database.admin_url).unwrap().grant(&role).unwrap(),
        0,
        "nothing is left to do"
    );
}

#[test]
fn the_server_sees_what_is_pending() {
    let database = TestDatabase::empty();
    let all = migrations::pending(&database.url).unwrap();
    assert!(all > 0);
    assert_eq!(migrate(&database.admin_url), all);
    assert_eq!(migrations::pending(&database.url).unwrap(), 0);
}

#[test]
fn months_have_the_name_of_a_month() {
    let database = TestDatabase::new();
    let mut server = connect(&database.url);
    let key = "'019a0000-0000-0000-0000-000000000000'";
    let made = error_of(
        &mut server,
        &format!("SELECT make_views_month('users', {key}, {key})"),
    );
    assert_eq!(made, "users is no month");
    for table in ["users", "page_views_other", "page_views_2026_12"] {
        let dropped = error_of(&mut server, &format!("SELECT drop_views_month('{table}')"));
        assert_eq!(dropped, format!("{table} is no month of page_views"));
    }
}
