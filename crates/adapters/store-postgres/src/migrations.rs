//! Schema migrations, embedded from `migrations/`. A database that another build has made is refused (D54).

use crate::rows::TextRow;
use crate::tls::local_conninfo;
use crate::unit_of_work::failed;
use diesel::migration::{Migration, MigrationSource};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Text};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};
use kernel::StoreError;

const MIGRATIONS: EmbeddedMigrations = embed_migrations!("../../../migrations");

/// The SHA-256 of all migrations. A database has that of the build that made it.
pub const CHECKSUM: &str = env!("MIGRATIONS_CHECKSUM");

/// The key of the advisory lock held while migrating. The number is arbitrary.
const LOCK: i64 = 7_266_209_184_102;

/// Why a database cannot be migrated.
#[derive(Debug, thiserror::Error)]
pub enum MigrationError {
    /// Another build made it. Nothing in it was changed.
    #[error(
        "this database was made by another build of tombola, {0}: start that build, or, in development, delete the \
         database with `make reset`"
    )]
    OtherBuild(String),
    /// The database cannot be reached, or a migration fails.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<diesel::result::Error> for MigrationError {
    fn from(error: diesel::result::Error) -> Self {
        Self::Store(failed(error))
    }
}

/// How many migrations are pending. It only reads, so any role may ask.
///
/// # Errors
/// [`MigrationError::OtherBuild`]; [`StoreError::Unavailable`] when the database cannot be reached.
pub fn pending(url: &str) -> Result<usize, MigrationError> {
    pending_of(&mut connect(url)?)
}

fn pending_of(connection: &mut PgConnection) -> Result<usize, MigrationError> {
    let migrations: Vec<Box<dyn Migration<Pg>>> = MIGRATIONS.migrations().map_err(StoreError::Failed)?;
    let known: Vec<String> = migrations
        .iter()
        .map(|one| one.name().version().to_string())
        .collect();
    let recorded = texts(connection, "__diesel_schema_migrations", "version")?;
    // Tables of others do not matter: a database without recorded migrations is new.
    if recorded.is_empty() {
        return Ok(known.len());
    }
    if let Some(unknown) = recorded.iter().find(|version| !known.contains(version)) {
        return Err(MigrationError::OtherBuild(format!(
            "with migrations that this one does not know, such as {unknown}"
        )));
    }
    if texts(connection, "schema_version", "sha256")? != [CHECKSUM] {
        return Err(MigrationError::OtherBuild(
            "whose migrations had other contents".to_owned(),
        ));
    }
    Ok(0)
}

/// A column of a table, in its order; nothing if there is no such table.
fn texts(connection: &mut PgConnection, table: &str, column: &str) -> QueryResult<Vec<String>> {
    let exists = diesel::dsl::sql::<Bool>(&format!("to_regclass('{table}') IS NOT NULL"));
    if !diesel::select(exists).get_result(connection)? {
        return Ok(Vec::new());
    }
    let query = diesel::sql_query(format!(
        "SELECT {column}::text AS text FROM {table} ORDER BY {column}"
    ));
    let lines: Vec<TextRow> = query.load(connection)?;
    Ok(lines.into_iter().map(|line| line.text).collect())
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

    /// Runs all migrations on a new database and returns how many there were; none on one of this build. All run in one
    /// transaction, so one that fails leaves nothing behind.
    ///
    /// # Errors
    /// [`MigrationError::OtherBuild`]; [`StoreError::Unavailable`] when the connection is lost; [`StoreError::Failed`] when a
    /// migration fails.
    pub fn migrate(&mut self) -> Result<usize, MigrationError> {
        // Whoever waited for the lock must see what was committed meanwhile.
        self.0.build_transaction().read_committed().run(|connection| {
            lock(connection)?;
            let count = pending_of(connection)?;
            if count > 0 {
                connection
                    .run_pending_migrations(MIGRATIONS)
                    .map_err(StoreError::Failed)?;
                diesel::sql_query("INSERT INTO schema_version (sha256) VALUES ($1)")
                    .bind::<Text, _>(CHECKSUM)
                    .execute(connection)?;
            }
            Ok(count)
        })
    }
}

/// As [`Owner::migrate`].
///
/// # Errors
/// As [`Owner::migrate`].
pub fn run(url: &str) -> Result<usize, MigrationError> {
    Owner::connect(url)?.migrate()
}

pub(crate) fn connect(url: &str) -> Result<PgConnection, StoreError> {
    let conninfo = local_conninfo(url).map_err(|error| StoreError::Unavailable(error.into()))?;
    PgConnection::establish(&conninfo).map_err(|error| StoreError::Unavailable(error.into()))
}

/// Until the transaction ends, no other server migrates or grants: several may start at once.
pub(crate) fn lock(connection: &mut PgConnection) -> QueryResult<()> {
    diesel::sql_query(format!("SELECT pg_advisory_xact_lock({LOCK})")).execute(connection)?;
    Ok(())
}
