//! The official rules: each text that the settings make is a version, and a month keeps the version that it began with.

use crate::drawings::{DrawingTimes, PromisedPrize, calendar, promised_prizes};
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use drawing::Period;
use drawing::rules::{OfficialRules, Rules, RulesHead};
use drawing::steps::DrawingSteps;
use kernel::{DatabaseClock, StoreError, UnitOfWork};
use raffle::{Raffles, Versions};

/// The rules of this month, all versions, and what can be won.
#[derive(Debug, Clone, PartialEq)]
pub struct CurrentRules {
    /// The rules of this month.
    pub rules: Rules,
    /// All versions, the newest first. Those that begin with a later month do not count yet.
    pub versions: Vec<RulesHead>,
    /// What can be won this month.
    pub prizes: Vec<PromisedPrize>,
}

/// Why rules cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum FindRulesError {
    /// There is no such version, or there were no rules in that month.
    #[error("unknown rules")]
    UnknownRules,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Stores a text as a new version unless it is the newest one already, and returns the newest version.
pub fn publish<S>(store: &S, zone: Tz, text: &str) -> Result<Rules, StoreError>
where
    S: UnitOfWork<Tx: OfficialRules + DatabaseClock>,
{
    loop {
        let published = store.transaction(|tx| {
            let at = tx.database_time()?;
            let newest = tx.newest_rules()?;
            let Some(next) = Rules::after(newest.as_ref(), text, month_of(at, zone)?, at) else {
                return Ok(newest);
            };
            Ok::<_, StoreError>(tx.add_rules(&next)?.then_some(next))
        })?;
        // Otherwise another server has stored a version with this number meanwhile. It may have the same text.
        if let Some(rules) = published {
            return Ok(rules);
        }
    }
}

/// The rules of this month, all versions, and what can be won.
///
/// # Errors
/// [`FindRulesError::UnknownRules`] when no version is stored.
pub fn current<S>(store: &S, times: DrawingTimes) -> Result<CurrentRules, FindRulesError>
where
    S: UnitOfWork<Tx: OfficialRules + DatabaseClock + DrawingSteps + Raffles + Versions>,
{
    store.snapshot(|tx| {
        Ok(CurrentRules {
            rules: of_this_month(tx, times.zone)?.ok_or(FindRulesError::UnknownRules)?,
            versions: tx.list_rules()?,
            prizes: promised_prizes(tx, times, tx.database_time()?)?,
        })
    })
}

/// The version with this number.
///
/// # Errors
/// [`FindRulesError::UnknownRules`].
pub fn version<S>(store: &S, version: u32) -> Result<Rules, FindRulesError>
where
    S: UnitOfWork<Tx: OfficialRules>,
{
    let found = store.read(|tx| tx.find_rules(version))?;
    found.ok_or(FindRulesError::UnknownRules)
}

/// The rules of a month. Those of a later month may still change.
///
/// # Errors
/// [`FindRulesError::UnknownRules`] for a month from before the first version.
pub fn of_period<S>(store: &S, period: Period) -> Result<Rules, FindRulesError>
where
    S: UnitOfWork<Tx: OfficialRules>,
{
    let found = store.read(|tx| tx.rules_of(period))?;
    found.ok_or(FindRulesError::UnknownRules)
}

/// The rules of this month, by the calendar of this zone.
pub(crate) fn of_this_month<T>(tx: &T, zone: Tz) -> Result<Option<Rules>, StoreError>
where
    T: OfficialRules + DatabaseClock,
{
    tx.rules_of(month_of(tx.database_time()?, zone)?)
}

/// The month that contains a moment by the site's calendar, which has every year that a server sees.
fn month_of(at: DateTime<Utc>, zone: Tz) -> Result<Period, StoreError> {
    calendar::period_at(at, zone).ok_or(StoreError::Conflict)
}
