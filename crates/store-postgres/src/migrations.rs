//! Schema migrations, embedded from `migrations/`.

use crate::tls::local_conninfo;
use crate::unit_of_work::failed;
use diesel::prelude::*;
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};
use kernel::StoreError;

const MIGRATIONS: EmbeddedMigrations = embed_migrations!("../../migrations");

/// The key of the advisory lock held while migrating. The number is arbitrary.
const LOCK: i64 = 7_266_209_184_102;

/// Runs all pending migrations and returns how many there were.
///
/// Several servers may start at once: because diesel_migrations takes no lock, this holds an advisory lock.
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be reached, [`StoreError::Failed`] when a migration fails.
pub fn run(url: &str) -> Result<usize, StoreError> {
    let mut connection = connect(url)?;
    locked(&mut connection, |connection| {
        let done = connection
            .run_pending_migrations(MIGRATIONS)
            .map_err(StoreError::Failed)?;
        Ok(done.len())
    })
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

fn connect(url: &str) -> Result<PgConnection, StoreError> {
    let conninfo = local_conninfo(url).map_err(|error| StoreError::Unavailable(error.into()))?;
    PgConnection::establish(&conninfo).map_err(|error| StoreError::Unavailable(error.into()))
}

fn locked<T>(
    connection: &mut PgConnection,
    work: impl FnOnce(&mut PgConnection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let lock = |connection: &mut PgConnection, function: &str| {
        diesel::sql_query(format!("SELECT {function}({LOCK})"))
            .execute(connection)
            .map_err(failed)
    };
    lock(connection, "pg_advisory_lock")?;
    let result = work(connection);
    lock(connection, "pg_advisory_unlock")?;
    result
}
