//! Reading drawings, and the log.

use super::calendar::period_at;
use super::{DrawingTools, FindDrawingError, FlowTx};
use chrono::{DateTime, Utc};
use drawing::steps::{DrawingState, DrawingSteps};
use drawing::{DrawingId, DrawingLog, DrawingSort, LogEntry};
use kernel::{DatabaseClock, PageRequest, SortOrder, StoreError, UnitOfWork};
use raffle::{Content, Draft, Drafts, Raffle, RaffleKey, Raffles, Version, Versions};

/// A page of the list of drawings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawingPage {
    /// The drawings of the page.
    pub drawings: Vec<DrawingState>,
    /// The number of all drawings.
    pub total: i64,
}

/// What is going on with the drawings of a raffle.
#[derive(Debug, Clone, PartialEq)]
pub struct RaffleState {
    /// The raffle.
    pub raffle: Raffle,
    /// What it says now.
    pub in_force: Option<Version>,
    /// What was published last, be it in force or not.
    pub newest: Option<Version>,
    /// What staff write.
    pub draft: Draft,
    /// The regular drawing of this month, if it is not void.
    pub regular: Option<DrawingState>,
    /// The newest drawing that is announced or sealed.
    pub open: Option<DrawingState>,
}

impl RaffleState {
    /// What a card of the raffle shows: what counts now, or without that the draft.
    pub fn shown(&self) -> &Content {
        self.draft.shown(self.in_force.as_ref())
    }

    /// The version that takes effect later.
    pub fn waiting(&self, at: DateTime<Utc>) -> Option<&Version> {
        self.newest.as_ref().filter(|newest| at < newest.takes_effect_at)
    }

    /// Whether the draft says something else than what was published last.
    pub fn has_changes(&self) -> bool {
        let newest = self.newest.as_ref();
        newest.is_none_or(|newest| newest.content != self.draft.content)
    }
}

/// The number of entries in a full page of the log.
pub const LOG_PAGE: u32 = 1_000;

/// A page of the list of drawings of one raffle or of all, with the number of all rows. Only drawings that have a list of entrants are in it.
pub fn list<S>(
    store: &S,
    raffle: Option<RaffleKey>,
    sort: DrawingSort,
    order: SortOrder,
    page: PageRequest,
) -> Result<DrawingPage, StoreError>
where
    S: UnitOfWork<Tx: DrawingSteps>,
{
    store.snapshot(|tx| {
        Ok(DrawingPage {
            drawings: tx.list_drawings(raffle, sort, order, page)?,
            total: tx.count_drawings(raffle)?,
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

/// What is going on with each raffle, drafts too, in the order in which raffles are shown,
/// and the moment by the store's clock.
pub fn overview<S>(store: &S, tools: DrawingTools) -> Result<(Vec<RaffleState>, DateTime<Utc>), StoreError>
where
    S: UnitOfWork<Tx: FlowTx>,
{
    store.snapshot(|tx| {
        let now = tx.database_time()?;
        let month = period_at(now, tools.time_zone).ok_or(StoreError::Conflict)?;
        let (mut in_force, mut newest) = (tx.versions_in_force(now)?, tx.newest_versions()?);
        let mut drafts = tx.list_drafts()?;
        let state = |raffle: &Raffle| {
            let key = raffle.key;
            let without_draft = || StoreError::corrupt("raffle_drafts", "landing_page", raffle.number);
            Ok(RaffleState {
                raffle: raffle.clone(),
                in_force: in_force.remove(&key),
                newest: newest.remove(&key),
                draft: drafts.remove(&key).ok_or_else(without_draft)?,
                regular: tx.regular_drawing_of(key, month)?,
                open: tx.open_drawing(key)?,
            })
        };
        let raffles: Result<_, StoreError> = tx.list_raffles()?.iter().map(state).collect();
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
