//! A migrated database for each test, cloned from a template in a few milliseconds.

use analytics::{AnalyticsClearing, ReferralClearing};
use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::BigInt;
use kernel::{StoreError, UnitOfWork};
use privacy::{NumberKey, NumberKeys};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU32, Ordering};
use store_postgres::migrations::{self, Owner};
use store_postgres::{PgStore, PgTx, PoolSettings, roles};

/// A new database on the server of `TEST_DATABASE_URL` or `DATABASE_URL`. It is not dropped: `scripts/postgres.sh with
/// --test` starts a temporary server.
pub(crate) struct TestDatabase {
    /// Connects as the role that the server runs as.
    pub(crate) url: String,
    /// Connects as the owner of the tables. The same as `url` on a server that has only one role.
    pub(crate) admin_url: String,
}

static NEXT: AtomicU32 = AtomicU32::new(0);

impl TestDatabase {
    pub(crate) fn new() -> Self {
        let template = template();
        Self::create(&format!("TEMPLATE {template} STRATEGY file_copy"))
    }

    /// A database without tables.
    pub(crate) fn empty() -> Self {
        Self::create("")
    }

    fn create(options: &str) -> Self {
        let name = format!(
            "t_{}_{}",
            std::process::id(),
            NEXT.fetch_add(1, Ordering::Relaxed)
        );
        let mut server = connect(&server_url());
        execute(&mut server, &format!("DROP DATABASE IF EXISTS {name}"));
        execute(&mut server, &format!("CREATE DATABASE {name} {options}"));
        Self {
            url: with_database(&role_url(), &name),
            admin_url: with_database(&server_url(), &name),
        }
    }

    pub(crate) fn store(&self) -> PgStore {
        // Tests let a hundred threads wait for eight connections: they must not time out.
        let wait = std::time::Duration::from_secs(60);
        PgStore::new(
            &self.url,
            PoolSettings {
                size: 8,
                wait,
                statement: wait,
            },
        )
        .with_number_keys(NumberKeys {
            current: NumberKey::new(&[7; 32]).unwrap(),
            earlier: Vec::new(),
        })
    }
}

/// Whether the server runs as another role than the owner of the tables.
pub(crate) fn has_two_roles() -> bool {
    server_url() != role_url()
}

/// The test server, as the role that makes databases.
pub(crate) fn server_url() -> String {
    std::env::var("MIGRATION_DATABASE_URL").unwrap_or_else(|_| role_url())
}

/// The test server, as the role that `tombola serve` runs as.
fn role_url() -> String {
    std::env::var("TEST_DATABASE_URL")
        .or_else(|_| std::env::var("DATABASE_URL"))
        .expect("no DATABASE_URL: run `make test`, or `scripts/postgres.sh with --test -- cargo nextest run`")
}

pub(crate) fn connect(url: &str) -> PgConnection {
    PgConnection::establish(url).unwrap()
}

pub(crate) fn execute(connection: &mut PgConnection, sql: &str) {
    sql_query(sql).execute(connection).unwrap();
}

/// The message with which PostgreSQL rejects a statement.
pub(crate) fn error_of(connection: &mut PgConnection, sql: &str) -> String {
    sql_query(sql).execute(connection).unwrap_err().to_string()
}

#[derive(QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    n: i64,
}

/// The result of a query for one integer, which it calls `n`.
pub(crate) fn number(connection: &mut PgConnection, sql: &str) -> i64 {
    sql_query(sql).get_result::<Number>(connection).unwrap().n
}

/// Clears referrals and analytics until that has succeeded ten times or was tried a hundred times, and returns how often it
/// succeeded. A clearing gives up when it gets no lock in time; if it and writers waited in a circle, it would never get one.
pub(crate) fn clear_often(store: &PgStore) -> usize {
    let clear = |tx: &mut PgTx| -> Result<bool, StoreError> {
        Ok(tx.clear_analytics()?.is_some() && tx.cut_referrals()?.is_some())
    };
    let tries = (0..100).map(|_| store.transaction(clear).unwrap());
    tries.filter(|is_cleared| *is_cleared).take(10).count()
}

fn with_database(url: &str, name: &str) -> String {
    let (address, query) = url.split_once('?').unwrap_or((url, ""));
    let (server, _) = address.rsplit_once('/').unwrap();
    format!("{server}/{name}?{query}")
}

/// The template database for the current migrations, created once even if several processes start at the same time.
fn template() -> String {
    let name = format!("template_{:016x}", schema_hash());
    let mut server = connect(&server_url());
    execute(&mut server, "SELECT pg_advisory_lock(7210)");
    let ready =
        format!("SELECT count(*) AS n FROM pg_database WHERE datname = '{name}' AND NOT datallowconn");
    if number(&mut server, &ready) == 0 {
        execute(&mut server, &format!("DROP DATABASE IF EXISTS {name}"));
        execute(&mut server, &format!("CREATE DATABASE {name}"));
        migrate(&with_database(&server_url(), &name));
        execute(
            &mut server,
            &format!("ALTER DATABASE {name} ALLOW_CONNECTIONS false"),
        );
    }
    name
}

/// Brings a database up to date as its owner, and gives the server's role its rights.
pub(crate) fn migrate(admin_url: &str) -> usize {
    let count = migrations::run(admin_url).unwrap();
    if has_two_roles() {
        Owner::connect(admin_url)
            .unwrap()
            .grant(&roles::role_of(&role_url()).unwrap())
            .unwrap();
    }
    count
}

/// Differs for every schema and for other rights on it.
fn schema_hash() -> u64 {
    let mut hasher = DefaultHasher::new();
    let rights = (roles::APPEND_ONLY, roles::READ_ONLY, has_two_roles());
    (migrations::CHECKSUM, rights).hash(&mut hasher);
    hasher.finish()
}
