//! The schema, embedded from `migrations/`.

use crate::unit_of_work::failed;
use diesel::prelude::*;
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};
use kernel::StoreError;

const MIGRATIONS: EmbeddedMigrations = embed_migrations!("../../migrations");

/// Who holds this advisory lock may change the schema; the number is arbitrary.
const LOCK: i64 = 7_266_209_184_102;

/// Brings the schema up to date and says how many migrations that took.
///
/// Any number of servers may start together: diesel_migrations takes no lock, so an advisory one is held meanwhile.
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

/// Takes every migration back, newest first, with all data. For tests of the way down.
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
    PgConnection::establish(url).map_err(|error| StoreError::Unavailable(error.into()))
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
