//! The prize of a month.

use super::DrawingTimes;
use super::calendar;
use super::ended::{keeps_its_people, last_month};
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use drawing::steps::{DrawingState, DrawingSteps};
use drawing::{DrawingPrize, Period, Schedule};
use kernel::StoreError;
use raffle::{Raffle, Raffles, Version, Versions};

/// What can be won in a raffle in a month, as the rules say it (D58).
#[derive(Debug, Clone, PartialEq)]
pub struct PromisedPrize {
    /// The raffle.
    pub raffle: Raffle,
    /// The month.
    pub period: Period,
    /// The prize of its regular drawing.
    pub prize: DrawingPrize,
    /// Since when the version counts that promises it.
    pub counts_from: DateTime<Utc>,
    /// The regular drawing of the month, once it is announced.
    pub drawing: Option<DrawingState>,
    /// Entries from before this time take part; `None` while staff have not announced the drawing, and where its announcement
    /// names no time.
    pub cut_off: Option<DateTime<Utc>>,
    /// What counts later.
    pub waiting: Option<Version>,
}

/// What can be won in each raffle that is open or still has a regular drawing to come, in the order in which raffles are shown.
pub(crate) fn promised_prizes<T>(
    tx: &T,
    times: DrawingTimes,
    now: DateTime<Utc>,
) -> Result<Vec<PromisedPrize>, StoreError>
where
    T: DrawingSteps + Raffles + Versions,
{
    let mut newest = tx.newest_versions()?;
    let mut promised = Vec::new();
    for raffle in tx.list_raffles()?.public_at(now) {
        if keeps_its_people(tx, times, raffle, now)? {
            let newest = newest.remove(&raffle.key);
            promised.push(promised_prize(tx, times, raffle, newest, now)?);
        }
    }
    Ok(promised)
}

fn promised_prize<T>(
    tx: &T,
    times: DrawingTimes,
    raffle: &Raffle,
    newest: Option<Version>,
    now: DateTime<Utc>,
) -> Result<PromisedPrize, StoreError>
where
    T: DrawingSteps + Versions,
{
    let period = next_drawn_month(times, raffle, now)?;
    let version = version_of_month(tx, times.zone, raffle, period, now)?;
    let drawing = tx.regular_drawing_of(raffle.key, period)?;
    let planned = || match times.schedule {
        Schedule::Monthly => calendar::end_of(period, times.zone),
        Schedule::Manual => None,
    };
    Ok(PromisedPrize {
        raffle: raffle.clone(),
        period,
        prize: match &drawing {
            Some(announced) => announced.plan.prize.clone(),
            None => DrawingPrize::of_version(&version),
        },
        counts_from: version.takes_effect_at,
        cut_off: match &drawing {
            Some(announced) => announced.plan.cut_off,
            None => planned(),
        },
        drawing,
        waiting: newest.filter(|newest| now < newest.takes_effect_at),
    })
}

/// The month whose drawing is the next one of a raffle: its last one if it was closed. Where the server announces drawings, a
/// raffle that opened in the last hours of a month is drawn for the one after it.
fn next_drawn_month(times: DrawingTimes, raffle: &Raffle, now: DateTime<Utc>) -> Result<Period, StoreError> {
    if let Some(last) = last_month(times, raffle, now)? {
        return Ok(last.period);
    }
    // A clock beyond the calendar is a clock to wait for.
    let month = calendar::period_at(now, times.zone).ok_or(StoreError::Conflict)?;
    let (begin, end) = calendar::bounds_of(month, times.zone).ok_or(StoreError::Conflict)?;
    let takes_part = raffle.openings.part_of(begin, end, now).is_some();
    if times.schedule == Schedule::Manual || takes_part {
        return Ok(month);
    }
    month.next().ok_or(StoreError::Conflict)
}

/// The prize of a raffle in a month (D58): that of the version in force when the month began, or when the raffle first opened
/// in it.
pub(super) fn prize_of_month<T: Versions>(
    tx: &T,
    zone: Tz,
    raffle: &Raffle,
    month: Period,
    now: DateTime<Utc>,
) -> Result<DrawingPrize, StoreError> {
    let version = version_of_month(tx, zone, raffle, month, now)?;
    Ok(DrawingPrize::of_version(&version))
}

fn version_of_month<T: Versions>(
    tx: &T,
    zone: Tz,
    raffle: &Raffle,
    month: Period,
    now: DateTime<Utc>,
) -> Result<Version, StoreError> {
    // A clock beyond the calendar is a clock to wait for.
    let (begin, end) = calendar::bounds_of(month, zone).ok_or(StoreError::Conflict)?;
    // A raffle that opened in the last hours of a month is drawn for the next one; staff can draw it before.
    let from = raffle.openings.part_of(begin, end, now).unwrap_or(now);
    // Nothing opens without a version.
    tx.version_in_force(raffle.key, from)?.ok_or(StoreError::corrupt(
        "raffle_versions",
        "landing_page",
        raffle.number,
    ))
}
