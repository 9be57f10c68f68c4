//! Reading drawings, and the log.

use super::calendar::period_at;
use super::{DrawingTools, FindDrawingError, FlowTx};
use chrono::{DateTime, Utc};
use drawing::steps::{DrawingState, DrawingSteps};
use drawing::{DrawingId, DrawingLog, DrawingSort, LogEntry, Prize};
use kernel::{DatabaseClock, PageRequest, SortOrder, StoreError, UnitOfWork};
use raffle::{Raffle, RaffleKey, Raffles, Versions};

/// A page of the list of drawings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawingPage {
    /// The drawings of the page.
    pub drawings: Vec<DrawingState>,
    /// The number of all drawings.
    pub total: i64,
}

/// What is going on with the drawings of a raffle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RaffleState {
    /// The raffle.
    pub raffle: Raffle,
    /// The name of what can be won, as its pages say it.
    pub name: String,
    /// The prize that staff set; without it, the page's kit is the prize.
    pub prize: Option<Prize>,
    /// The regular drawing of this month, if it is not void.
    pub regular: Option<DrawingState>,
    /// The newest drawing that is announced or sealed.
    pub open: Option<DrawingState>,
}

/// The number of entries in a full page of the log.
pub const LOG_PAGE: u32 = 1_000;

/// A page of the list of drawings, with the number of all. Only drawings that have a list of entrants are in it.
pub fn list<S>(
    store: &S,
    sort: DrawingSort,
    order: SortOrder,
    page: PageRequest,
) -> Result<DrawingPage, StoreError>
where
    S: UnitOfWork<Tx: DrawingSteps>,
{
    store.snapshot(|tx| {
        Ok(DrawingPage {
            drawings: tx.list_drawings(sort, order, page)?,
            total: tx.count_drawings()?,
        })
    })
}

/// Finds a drawing.
///
/// # Errors
/// [`FindDrawingError::UnknownDrawing`].
pub fn find<S>(store: &S, id: DrawingId) -> Result<DrawingState, FindDrawingError>
where
    S: UnitOfWork<Tx: DrawingSteps>,
{
    store.read(|tx| tx.find_state(id)?.ok_or(FindDrawingError::UnknownDrawing))
}

/// How many drawings of each raffle staff made void.
pub fn voids<S>(store: &S) -> Result<Vec<(RaffleKey, i64)>, StoreError>
where
    S: UnitOfWork<Tx: Raffles + DrawingSteps + DatabaseClock>,
{
    store.snapshot(|tx| {
        let now = tx.database_time()?;
        tx.list_raffles()?
            .public_at(now)
            .map(|raffle| Ok((raffle.key, tx.count_voids(raffle.key)?)))
            .collect()
    })
}

/// What is going on with the drawings of each raffle that was ever open, in the order in which raffles are shown,
/// and the moment by the store's clock.
pub fn overview<S>(store: &S, tools: DrawingTools) -> Result<(Vec<RaffleState>, DateTime<Utc>), StoreError>
where
    S: UnitOfWork<Tx: FlowTx>,
{
    store.snapshot(|tx| {
        let now = tx.database_time()?;
        let month = period_at(now, tools.time_zone).ok_or(StoreError::Conflict)?;
        let state = |raffle: &Raffle| {
            let key = raffle.key;
            let version = tx.version_in_force(key, now)?;
            Ok(RaffleState {
                raffle: raffle.clone(),
                name: version.map(|version| version.content.name).unwrap_or_default(),
                prize: tx.prize_of(key)?,
                regular: tx.regular_drawing_of(key, month)?,
                open: tx.open_drawing(key)?,
            })
        };
        let raffles: Result<_, StoreError> = tx.list_raffles()?.public_at(now).map(state).collect();
        Ok((raffles?, now))
    })
}

/// The entries of the log after the one with this number, at most [`LOG_PAGE`].
pub fn log_page<S>(store: &S, after: i64) -> Result<Vec<LogEntry>, StoreError>
where
    S: UnitOfWork<Tx: DrawingLog>,
{
    store.read(|tx| tx.list_log(after, LOG_PAGE))
}

/// The last entries of the log in ascending order, at most `count`.
pub fn newest_log_entries<S>(store: &S, count: u32) -> Result<Vec<LogEntry>, StoreError>
where
    S: UnitOfWork<Tx: DrawingLog>,
{
    store.snapshot(|tx| {
        let last = tx.last_log_entry()?.map_or(0, |(id, _)| id);
        tx.list_log((last - i64::from(count)).max(0), count)
    })
}
