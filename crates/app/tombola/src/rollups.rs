//! `tombola analytics`: verifies or rebuilds the roll-ups.

use crate::config::Config;
use crate::database::DatabaseUrls;
use anyhow::{Context, bail};
use secrecy::ExposeSecret;
use std::time::Duration;
use store_postgres::{PgStore, PoolSettings};

/// The statement timeout. A rebuild of ten million views counts twice and took 276 s.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(3600);

/// Counts everything again and compares it with the roll-ups.
///
/// # Errors
/// When they differ, with the number of different rows of each table; or when the database cannot be reached.
pub fn verify(config: &Config) -> anyhow::Result<String> {
    let store = open(config)?;
    usecases::rollups::fold(&store, config.time_zone)?;
    let differences = usecases::rollups::verify(&store, config.time_zone)?;
    if differences.is_empty() {
        return Ok("The roll-ups are correct.\n".to_owned());
    }
    bail!("{}", differences.join("\n"))
}

/// Rebuilds the roll-ups and verifies them.
///
/// # Errors
/// As [`verify`].
pub fn rebuild(config: &Config) -> anyhow::Result<String> {
    let store = open(config)?;
    usecases::rollups::rebuild(&store, config.time_zone)
        .context("cannot rebuild the roll-ups; nothing has changed")?;
    verify(config)
}

/// The database, migrated, for commands that read much.
pub(crate) fn open(config: &Config) -> anyhow::Result<PgStore> {
    DatabaseUrls::from(&config.database).prepare()?;
    let url = config.database.url.expose_secret();
    let settings = PoolSettings {
        size: 1,
        statement: STATEMENT_TIMEOUT,
        ..PoolSettings::default()
    };
    let number_keys = config.keys.number_keys().context("SECRET_KEY")?;
    Ok(PgStore::new(url, settings).with_number_keys(number_keys))
}
