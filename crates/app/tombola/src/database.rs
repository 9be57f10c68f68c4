//! Brings the database up to date, and sees to the rights of the role that the server runs as.

use crate::config::{Config, Database};
use anyhow::{Context, bail};
use secrecy::{ExposeSecret, SecretString};
use store_postgres::migrations::{self, MigrationError, Owner};
use store_postgres::{ConnInfo, roles};

/// How the database is reached.
pub struct DatabaseUrls {
    /// As the role that the server runs as.
    pub server: SecretString,
    /// As the owner of the tables; without it, `server` is.
    pub migration: Option<SecretString>,
}

impl DatabaseUrls {
    /// Only `DATABASE_URL` and `MIGRATION_DATABASE_URL`.
    ///
    /// # Errors
    /// When one is wrong, or the first is missing.
    pub fn from_environment() -> anyhow::Result<Self> {
        Ok(Self {
            server: Database::url_from_environment()?,
            migration: Database::migration_url_from_environment()?,
        })
    }

    /// Brings the database up to date, and gives the server's role its rights. Returns the number of migrations.
    ///
    /// # Errors
    /// When another build made the database, it cannot be reached, a migration fails, or only the owner could run those that are
    /// pending.
    pub fn prepare(&self) -> anyhow::Result<usize> {
        let server = self.server.expose_secret();
        match &self.migration {
            Some(owner) => prepare_as_owner(owner.expose_secret(), server),
            None => prepare_alone(server),
        }
    }
}

impl From<&Database> for DatabaseUrls {
    fn from(database: &Database) -> Self {
        Self {
            server: database.url.clone(),
            migration: database.migration_url.clone(),
        }
    }
}

fn prepare_as_owner(owner: &str, server: &str) -> anyhow::Result<usize> {
    let cannot_migrate = "MIGRATION_DATABASE_URL: cannot migrate the database";
    let mut owner = Owner::connect(owner).context(cannot_migrate)?;
    let count = owner
        .migrate()
        .map_err(|error| explained(error, "MIGRATION_DATABASE_URL", cannot_migrate))?;
    let owner_role = owner.role().context("MIGRATION_DATABASE_URL")?;
    let role = server_role(server)?;
    if role != owner_role {
        let changes = owner
            .grant(&role)
            .with_context(|| format!("MIGRATION_DATABASE_URL: cannot give the role {role} its rights"))?;
        if changes > 0 {
            tracing::info!(role, changes, "gave the server's role its rights");
        }
    }
    Ok(count)
}

/// The role that the server runs as. The owner's command may be unable to connect as it, such as by the system's user.
fn server_role(url: &str) -> anyhow::Result<String> {
    let info = ConnInfo::parse(url).context("DATABASE_URL")?;
    match info.get("user") {
        Some(user) => Ok(user.to_owned()),
        None => roles::role_of(url).context("DATABASE_URL"),
    }
}

/// A role that owns nothing can still start when nothing is pending.
fn prepare_alone(server: &str) -> anyhow::Result<usize> {
    let pending = migrations::pending(server).map_err(|error| {
        explained(
            error,
            "DATABASE_URL",
            "cannot read the migrations of the database",
        )
    })?;
    if pending == 0 {
        return Ok(0);
    }
    migrations::run(server).with_context(|| {
        format!(
            "cannot run the {pending} pending migrations of the database: if the role of DATABASE_URL does not own the \
             tables, run `tombola migrate` with MIGRATION_DATABASE_URL first"
        )
    })
}

/// That another build made the database needs only the variable's name; anything else, what failed.
fn explained(error: MigrationError, variable: &'static str, failed: &'static str) -> anyhow::Error {
    let context = match error {
        MigrationError::OtherBuild(_) => variable,
        MigrationError::Store(_) => failed,
    };
    anyhow::Error::new(error).context(context)
}

/// Warns when the server's role could change logs, the ledger or drawings.
///
/// # Errors
/// In production, unless `ALLOW_OWNER_ROLE` is `yes`; or when the database cannot be reached.
pub fn check_role(config: &Config) -> anyhow::Result<()> {
    let tables = roles::unprotected(config.database.url.expose_secret())
        .context("cannot read the rights of the database")?;
    if tables.is_empty() {
        return Ok(());
    }
    let problem = format!(
        "the role of DATABASE_URL owns, or may change, what nobody should change: {}",
        tables.join(", ")
    );
    if config.is_production() && !config.database.allow_owner_role {
        bail!(
            "{problem}. Make a role of its own for the server, give its URL as DATABASE_URL and the owner's as \
             MIGRATION_DATABASE_URL, and run `tombola migrate` (docs/operations.md, \"Two database roles\"). \
             Or set ALLOW_OWNER_ROLE=yes to do without this protection"
        );
    }
    tracing::warn!("{problem}; docs/operations.md, \"Two database roles\", says what to do");
    Ok(())
}
