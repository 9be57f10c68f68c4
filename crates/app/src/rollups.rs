//! `tombola analytics`: proves the roll-ups, or makes them anew.

use crate::config::Config;
use anyhow::{Context, bail};
use secrecy::ExposeSecret;
use std::time::Duration;
use store_postgres::{PgStore, PoolSettings, migrations};

/// Counting ten million views takes a minute.
const STATEMENT: Duration = Duration::from_secs(3600);

/// Counts everything again and compares it with the roll-ups.
///
/// # Errors
/// When they differ, each with how much; or when the database cannot be reached.
pub fn verify(config: &Config) -> anyhow::Result<String> {
    let store = open(config)?;
    usecases::rollups::fold(&store, config.time_zone)?;
    let differences = usecases::rollups::verify(&store, config.time_zone)?;
    if differences.is_empty() {
        return Ok("The roll-ups are what counting gives.\n".to_owned());
    }
    bail!("{}", differences.join("\n"))
}

/// Makes the roll-ups anew and proves them.
///
/// # Errors
/// As [`verify`].
pub fn rebuild(config: &Config) -> anyhow::Result<String> {
    let store = open(config)?;
    usecases::rollups::rebuild(&store, config.time_zone).context("cannot rebuild; nothing has changed")?;
    verify(config)
}

fn open(config: &Config) -> anyhow::Result<PgStore> {
    let url = config.database.url.expose_secret();
    migrations::run(url).context("cannot migrate the database")?;
    let settings = PoolSettings {
        size: 1,
        statement: STATEMENT,
        ..PoolSettings::default()
    };
    Ok(PgStore::new(url, settings))
}
