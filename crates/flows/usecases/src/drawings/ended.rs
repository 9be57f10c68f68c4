//! Whether a raffle that was closed is drawn once more (D56b).

use super::calendar;
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use drawing::steps::{DrawingStatus, DrawingSteps};
use drawing::{DrawingKind, LastMonth, Period, Schedule};
use kernel::{DatabaseClock, StoreError, UnitOfWork};
use raffle::{Raffle, RaffleKey, Raffles};

/// When regular drawings take place.
#[derive(Debug, Clone, Copy)]
pub struct DrawingTimes {
    /// Who announces them.
    pub schedule: Schedule,
    /// The site's time zone, in which months begin and end.
    pub zone: Tz,
}

impl DrawingTimes {
    /// Staff announce drawings, and months are those of UTC.
    pub const DEFAULT: Self = Self {
        schedule: Schedule::Manual,
        zone: Tz::UTC,
    };
}

/// Whether a list of the raffle is still to be frozen: it is open, or a drawing is announced and not sealed, or its last month
/// can still be drawn.
pub(crate) fn has_list_to_come(
    tx: &impl DrawingSteps,
    times: DrawingTimes,
    raffle: &Raffle,
    now: DateTime<Utc>,
) -> Result<bool, StoreError> {
    if raffle.is_open_at(now) || tx.next_cut_off(raffle.key, DateTime::UNIX_EPOCH)?.is_some() {
        return Ok(true);
    }
    let Some(last) = last_month(times, raffle, now)? else {
        return Ok(false);
    };
    awaits_drawing(tx, times, raffle, last, now)
}

/// Whether the people of a raffle stay in it, whichever other one they enter: it is open, or a regular drawing of it is still
/// to come (D56a).
pub(crate) fn keeps_its_people(
    tx: &impl DrawingSteps,
    times: DrawingTimes,
    raffle: &Raffle,
    now: DateTime<Utc>,
) -> Result<bool, StoreError> {
    Ok(raffle.is_open_at(now) || last_drawing_in(tx, times, raffle, now)?.is_some())
}

/// The regular drawing of a closed raffle that is still to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastDrawing {
    /// When it is due; `None` while staff have not announced it.
    pub due_at: Option<DateTime<Utc>>,
}

/// The regular drawing that is still to come of a raffle that was closed.
pub fn last_drawing<S>(
    store: &S,
    times: DrawingTimes,
    raffle: RaffleKey,
) -> Result<Option<LastDrawing>, StoreError>
where
    S: UnitOfWork<Tx: DrawingSteps + Raffles + DatabaseClock>,
{
    store.snapshot(|tx| match tx.list_raffles()?.find(raffle) {
        Some(raffle) => last_drawing_in(tx, times, raffle, tx.database_time()?),
        None => Ok(None),
    })
}

fn last_drawing_in(
    tx: &impl DrawingSteps,
    times: DrawingTimes,
    raffle: &Raffle,
    now: DateTime<Utc>,
) -> Result<Option<LastDrawing>, StoreError> {
    let Some(last) = last_month(times, raffle, now)? else {
        return Ok(None);
    };
    if let Some(regular) = tx.regular_drawing_of(raffle.key, last.period)?
        && matches!(regular.status, DrawingStatus::Announced | DrawingStatus::Sealed)
    {
        let announced = regular.announcement.step;
        let due_at = Some(announced.round_at.unwrap_or(announced.seal_due_at));
        return Ok(Some(LastDrawing { due_at }));
    }
    let is_awaited = awaits_drawing(tx, times, raffle, last, now)?;
    Ok(is_awaited.then_some(LastDrawing { due_at: None }))
}

/// The month in which a raffle was closed, if it is.
pub(super) fn last_month(
    times: DrawingTimes,
    raffle: &Raffle,
    now: DateTime<Utc>,
) -> Result<Option<LastMonth>, StoreError> {
    let Some(closed_at) = raffle.openings.closed_at(now) else {
        return Ok(None);
    };
    // A clock beyond the calendar is a clock to wait for.
    let last = calendar::last_month(closed_at, times.zone).ok_or(StoreError::Conflict)?;
    Ok(Some(last))
}

/// Whether the last month of a closed raffle has no regular drawing yet and can still get one.
fn awaits_drawing(
    tx: &impl DrawingSteps,
    times: DrawingTimes,
    raffle: &Raffle,
    last: LastMonth,
    now: DateTime<Utc>,
) -> Result<bool, StoreError> {
    let has_regular = has_regular_drawing(tx, raffle.key, last.period)?;
    Ok(last.awaits_drawing(&raffle.openings, times.schedule, has_regular, now))
}

/// Whether a raffle has a regular drawing of a month. One that was sealed and is void is one: it is done again with its list,
/// when staff ask for it.
pub(super) fn has_regular_drawing(
    tx: &impl DrawingSteps,
    raffle: RaffleKey,
    month: Period,
) -> Result<bool, StoreError> {
    let void = tx.unreplaced_void(raffle)?;
    let is_void =
        void.is_some_and(|void| void.plan.period == month && void.plan.kind == DrawingKind::Regular);
    Ok(is_void || tx.regular_drawing_of(raffle, month)?.is_some())
}
