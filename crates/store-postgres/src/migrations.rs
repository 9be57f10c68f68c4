//! Schema migrations, embedded from `migrations/`.

use crate::tls::local_conninfo;
use crate::unit_of_work::failed;
use diesel::migration::{Migration, MigrationSource};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Text};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};
use kernel::StoreError;
use std::error::Error;
use std::thread::sleep;
use std::time::Duration;

const MIGRATIONS: EmbeddedMigrations = embed_migrations!("../../migrations");

/// The key of the advisory lock held while migrating. The number is arbitrary.
const LOCK: i64 = 7_266_209_184_102;
/// How often a server asks whether another one has finished migrating.
const LOCK_POLL: Duration = Duration::from_millis(100);

/// How long migrations may hold up the statements of a server that is in use.
#[derive(Debug, Clone, Copy)]
pub struct MigrationLimits {
    /// `lock_timeout`: how long a statement waits for a lock. Every other statement on that table waits behind it.
    pub lock_timeout: Duration,
    /// `statement_timeout`: how long a statement may run.
    pub statement_timeout: Duration,
    /// How many times a migration is tried that got no lock.
    pub attempts: u32,
    /// The pause between attempts, in which the statements that waited behind the migration run.
    pub pause: Duration,
}

impl Default for MigrationLimits {
    fn default() -> Self {
        Self {
            lock_timeout: Duration::from_secs(2),
            statement_timeout: Duration::from_secs(15 * 60),
            attempts: 30,
            pause: Duration::from_secs(1),
        }
    }
}

const APPLIED: &str = "SELECT version::text AS version FROM __diesel_schema_migrations";

#[derive(QueryableByName)]
struct Applied {
    #[diesel(sql_type = Text)]
    version: String,
}

/// How many migrations are pending. It only reads, so any role may ask.
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be reached.
pub fn pending(url: &str) -> Result<usize, StoreError> {
    let mut connection = connect(url)?;
    let known: Vec<Box<dyn Migration<Pg>>> = MIGRATIONS.migrations().map_err(StoreError::Failed)?;
    let is_new = diesel::dsl::sql::<Bool>("to_regclass('__diesel_schema_migrations') IS NULL");
    if diesel::select(is_new)
        .get_result(&mut connection)
        .map_err(failed)?
    {
        return Ok(known.len());
    }
    let applied: Vec<Applied> = diesel::sql_query(APPLIED).load(&mut connection).map_err(failed)?;
    let is_applied = |migration: &dyn Migration<Pg>| {
        let version = migration.name().version().to_string();
        applied.iter().any(|row| row.version == version)
    };
    Ok(known
        .iter()
        .filter(|migration| !is_applied(&***migration))
        .count())
}

/// A connection of the role that owns the tables.
pub struct Owner(pub(crate) PgConnection);

impl Owner {
    /// Connects with this URL.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the database cannot be reached.
    pub fn connect(url: &str) -> Result<Self, StoreError> {
        connect(url).map(Self)
    }

    /// As [`run`].
    ///
    /// # Errors
    /// As [`run_within`].
    pub fn migrate(&mut self) -> Result<usize, StoreError> {
        migrate(&mut self.0, MigrationLimits::default())
    }
}

/// Runs all pending migrations with the default limits, and returns how many there were.
///
/// # Errors
/// As [`run_within`].
pub fn run(url: &str) -> Result<usize, StoreError> {
    Owner::connect(url)?.migrate()
}

/// Runs all pending migrations and returns how many there were. Each runs in a transaction of its own, so one that fails
/// leaves nothing behind.
///
/// Several servers may start at once: because diesel_migrations takes no lock, this holds an advisory lock.
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be reached, or when a migration got no lock in any of its attempts;
/// [`StoreError::Failed`] when a migration fails.
pub fn run_within(url: &str, limits: MigrationLimits) -> Result<usize, StoreError> {
    migrate(&mut connect(url)?, limits)
}

fn migrate(connection: &mut PgConnection, limits: MigrationLimits) -> Result<usize, StoreError> {
    locked(connection, |connection| {
        set_timeouts(connection, limits)?;
        let mut count = 0;
        for attempt in 1.. {
            match run_pending(connection, &mut count) {
                Ok(()) => break,
                Err(error) if !lacks_lock(error.as_ref()) => return Err(StoreError::Failed(error)),
                Err(error) if attempt >= limits.attempts => return Err(StoreError::Unavailable(error)),
                Err(_) => tracing::warn!(
                    attempt,
                    "a migration waits for a lock that another transaction holds"
                ),
            }
            pause(limits.pause);
        }
        Ok(count)
    })
}

/// Runs one migration after the other and counts those that are done.
fn run_pending(connection: &mut PgConnection, count: &mut usize) -> diesel::migration::Result<()> {
    while connection.has_pending_migration(MIGRATIONS)? {
        connection.run_next_migration(MIGRATIONS)?;
        *count += 1;
    }
    Ok(())
}

fn set_timeouts(connection: &mut PgConnection, limits: MigrationLimits) -> Result<(), StoreError> {
    for (name, timeout) in [
        ("lock_timeout", limits.lock_timeout),
        ("statement_timeout", limits.statement_timeout),
    ] {
        diesel::sql_query(format!("SET {name} = {}", timeout.as_millis()))
            .execute(connection)
            .map_err(failed)?;
    }
    Ok(())
}

/// Whether the migration got no lock, or lost a deadlock against a statement that locks the same tables in another order.
/// Diesel does not tell the SQLSTATE (55P03, 40P01), so PostgreSQL's message is compared.
fn lacks_lock(error: &(dyn Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(known) = cause {
        let message = known.to_string();
        if message.contains("due to lock timeout") || message.contains("deadlock detected") {
            return true;
        }
        cause = known.source();
    }
    false
}

#[expect(
    clippy::disallowed_methods,
    reason = "nothing else runs on this thread while the database is migrated"
)]
fn pause(duration: Duration) {
    sleep(duration);
}

/// Reverts all migrations, newest first, and deletes all data. For tests of the `down.sql` files.
///
/// # Errors
/// As [`run`].
pub fn revert_all(url: &str) -> Result<usize, StoreError> {
    let mut connection = connect(url)?;
    locked(&mut connection, |connection| {
        let undone = connection
            .revert_all_migrations(MIGRATIONS)
            .map_err(StoreError::Failed)?;
        Ok(undone.len())
    })
}

pub(crate) fn connect(url: &str) -> Result<PgConnection, StoreError> {
    let conninfo = local_conninfo(url).map_err(|error| StoreError::Unavailable(error.into()))?;
    PgConnection::establish(&conninfo).map_err(|error| StoreError::Unavailable(error.into()))
}

pub(crate) fn locked<T>(
    connection: &mut PgConnection,
    work: impl FnOnce(&mut PgConnection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    // A session that waits for the lock has a snapshot, which CREATE INDEX CONCURRENTLY would wait for in turn.
    while !try_lock(connection)? {
        pause(LOCK_POLL);
    }
    let result = work(connection);
    diesel::sql_query(format!("SELECT pg_advisory_unlock({LOCK})"))
        .execute(connection)
        .map_err(failed)?;
    result
}

fn try_lock(connection: &mut PgConnection) -> Result<bool, StoreError> {
    diesel::select(diesel::dsl::sql::<Bool>(&format!("pg_try_advisory_lock({LOCK})")))
        .get_result(connection)
        .map_err(failed)
}
