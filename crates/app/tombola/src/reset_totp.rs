//! `tombola admin reset-totp`: removes the second factor of a member who lost the phone and the recovery codes.

use crate::SystemClock;
use crate::config::Config;
use crate::rollups;
use anyhow::{Context, bail};
use kernel::StaffName;
use usecases::accounts::{AccountError, reset_totp};

/// Removes the second factor, ends the member's sessions, and returns a line that says so.
///
/// # Errors
/// When nobody has this name, or there is no second factor, or the database is away.
pub fn run(config: &Config, name: &str) -> anyhow::Result<String> {
    let store = rollups::open(config)?;
    let parsed = StaffName::parse(name).context("NAME: nobody has such a name")?;
    match reset_totp(&store, &SystemClock, &parsed) {
        Ok(()) => Ok(format!(
            "{name} has no second factor any more, and is signed out everywhere\n"
        )),
        Err(AccountError::Unknown) => bail!("no member of staff is called {name}"),
        Err(AccountError::NoSecondFactor) => bail!("{name} has no second factor"),
        Err(error) => Err(error.into()),
    }
}
