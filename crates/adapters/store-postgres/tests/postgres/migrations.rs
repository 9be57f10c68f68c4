//! Migrating new databases, and refusing those of other builds.

use crate::support::{TestDatabase, connect, execute, number};
use diesel::connection::SimpleConnection;
use store_postgres::migrations::{self, MigrationError};

/// What the first builds recorded and made, as far as it matters here.
const EARLIER_BUILD: &str = "
    CREATE TABLE __diesel_schema_migrations (
        version varchar(50) PRIMARY KEY,
        run_on timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP
    );
    INSERT INTO __diesel_schema_migrations (version) VALUES ('20261121000001'), ('20261121000002');
    CREATE TABLE users (id bigint PRIMARY KEY, phone_number text NOT NULL);
    INSERT INTO users VALUES (1, '+15551234567')";

const TABLES: &str = "SELECT count(*) AS n FROM information_schema.tables WHERE table_schema = 'public'";

/// Why a database is refused, which whoever migrates and whoever only looks is told alike.
fn refusal(database: &TestDatabase) -> String {
    let refused = migrations::run(&database.admin_url).unwrap_err();
    assert!(matches!(refused, MigrationError::OtherBuild(_)), "{refused:?}");
    let seen = migrations::pending(&database.admin_url).unwrap_err();
    assert_eq!(seen.to_string(), refused.to_string());
    refused.to_string()
}

#[test]
fn a_database_is_migrated_once() {
    let database = TestDatabase::empty();
    let pending = migrations::pending(&database.admin_url).unwrap();
    assert!(pending > 0);
    assert_eq!(migrations::run(&database.admin_url).unwrap(), pending);
    assert_eq!(migrations::run(&database.admin_url).unwrap(), 0);
    assert_eq!(migrations::pending(&database.admin_url).unwrap(), 0);
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

#[test]
fn tables_of_others_do_not_matter() {
    let database = TestDatabase::empty();
    let mut connection = connect(&database.admin_url);
    let extension = "CREATE TABLE pg_extension_jobs (id bigint); INSERT INTO pg_extension_jobs VALUES (7);
                     CREATE FUNCTION extension_time() RETURNS timestamptz LANGUAGE sql AS 'SELECT now()'";
    connection.batch_execute(extension).unwrap();
    assert!(migrations::run(&database.admin_url).unwrap() > 0);
    assert_eq!(migrations::run(&database.admin_url).unwrap(), 0);
    assert_eq!(
        number(&mut connection, "SELECT id AS n FROM pg_extension_jobs"),
        7
    );
}

#[test]
fn a_database_of_an_earlier_build_is_refused_and_stays_as_it_is() {
    let database = TestDatabase::empty();
    let mut connection = connect(&database.admin_url);
    connection.batch_execute(EARLIER_BUILD).unwrap();
    assert_eq!(
        refusal(&database),
        "this database was made by another build of tombola, with migrations that this one does not know, such as \
         20261121000001: start that build, or, in development, delete the database with `make reset`"
    );
    assert_eq!(number(&mut connection, TABLES), 2);
    assert_eq!(number(&mut connection, "SELECT id AS n FROM users"), 1);
}

#[test]
fn a_database_with_a_migration_of_a_later_build_is_refused() {
    let database = TestDatabase::new();
    execute(
        &mut connect(&database.admin_url),
        "INSERT INTO __diesel_schema_migrations (version) VALUES ('9999')",
    );
    let refusal = refusal(&database);
    assert!(
        refusal.contains("with migrations that this one does not know, such as 9999:"),
        "{refusal}"
    );
}

#[test]
fn a_database_whose_migrations_had_other_contents_is_refused() {
    let database = TestDatabase::new();
    let mut connection = connect(&database.admin_url);
    for change in [
        "UPDATE schema_version SET sha256 = repeat('0', 64)",
        "DELETE FROM schema_version",
        "DROP TABLE schema_version",
    ] {
        execute(&mut connection, change);
        let refusal = refusal(&database);
        assert!(
            refusal.contains("whose migrations had other contents:"),
            "{refusal}"
        );
    }
}
