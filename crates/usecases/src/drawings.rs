//! Drawings: performing and reading them.
//!
//! Version 2 (D39, D40): [`perform`], [`seal`], [`draw`], [`void`], and [`advance`], which takes every step that is due.
//! Below: history, proofs, lists of entrants, and the log (D17).

mod announce;
pub mod calendar;
mod checkpoint;
mod draw;
mod freeze;
mod perform;
mod prizes;
mod reading;
mod schedule;
mod seal;
mod tools;
mod void;

pub use checkpoint::{checkpoint, retire_commitments};
pub use draw::{BroughtRound, DrawError, draw};
pub use perform::{PerformDrawing, PerformError, Performed, perform};
pub use prizes::{prizes, set_prize};
pub use reading::{
    DrawingPage, LOG_PAGE, RaffleState, find_any, list_all, log_page, newest_log_entries, open_drawing,
    overview, voids,
};
pub use schedule::{Advanced, DueRound, advance};
pub use seal::{SealError, seal};
pub use tools::{DrawingTools, Schedule};
pub use void::{VoidError, void};

use drawing::CutOffs;
use drawing::steps::{DrawingState, DrawingSteps};
use drawing::{
    Chunk, Drawing, DrawingId, DrawingLog, DrawingSort, Drawings, FrozenEntrants, Hash, LogAction, LogBreak,
    LogEntry, Participant, Proof, ProvenLeaf, RaffleStatistics, inclusion_path,
};
use kernel::{EntrantId, PageRequest, SortOrder, StoreError, UnitOfWork};
use raffle::Entrants;
use sms::Outbox;
use staff::{AuditLog, ClearingJobs};

/// The store ports that the steps of a drawing use. Every type that implements them implements this.
pub trait FlowTx:
    Drawings + DrawingSteps + DrawingLog + FrozenEntrants + CutOffs + Entrants + Outbox + AuditLog + ClearingJobs
{
}

impl<T> FlowTx for T where
    T: Drawings
        + DrawingSteps
        + DrawingLog
        + FrozenEntrants
        + CutOffs
        + Entrants
        + Outbox
        + AuditLog
        + ClearingJobs
{
}

/// The drawing of version 2 with this id.
pub fn find_state<S>(store: &S, id: DrawingId) -> Result<Option<DrawingState>, StoreError>
where
    S: UnitOfWork<Tx: FlowTx>,
{
    store.read(|tx| tx.find_state(id))
}

/// A page of the list of drawings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawingList {
    /// The drawings of the page.
    pub drawings: Vec<Drawing>,
    /// The number of all drawings.
    pub total: i64,
}

/// Why a part of a drawing cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum FindDrawingError {
    /// There is no such drawing.
    #[error("unknown drawing")]
    UnknownDrawing,
    /// The entrant was not in the drawing.
    #[error("not in the drawing")]
    NotInIt,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// An entrant's leaf in a drawing, with its Merkle path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnLeaf {
    /// The entrant, with the salt that blinds the id.
    pub participant: Participant,
    /// The sibling hashes on the way to the root, lowest first.
    pub path: Vec<Hash>,
}

/// The result of verifying a log without finding a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogReport {
    /// The number of entries.
    pub entries: i64,
    /// The number of drawings among them.
    pub drawings: i64,
    /// The hash of the last entry, if there is one.
    pub head: Option<Hash>,
}

/// The first fault of a log.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// An entry is missing or was changed.
    #[error(transparent)]
    Broken(#[from] LogBreak),
    /// An entry differs from its stored drawing.
    #[error("drawing {0} differs from entry {1} of the log")]
    Drawing(DrawingId, i64),
    /// Some stored drawings have no entry in the log.
    #[error("{stored} drawings are stored, and the log has {logged}")]
    Unlogged {
        /// The number of stored drawings.
        stored: i64,
        /// The number of drawings in the log.
        logged: i64,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The entrants who could win now, and their entries, for each raffle.
pub fn statistics<S>(store: &S) -> Result<Vec<RaffleStatistics>, StoreError>
where
    S: UnitOfWork<Tx: Drawings>,
{
    store.snapshot(|tx| tx.raffle_statistics())
}

/// A page of the list of drawings, with the number of all.
pub fn list<S>(
    store: &S,
    sort: DrawingSort,
    order: SortOrder,
    page: PageRequest,
) -> Result<DrawingList, StoreError>
where
    S: UnitOfWork<Tx: Drawings>,
{
    store.snapshot(|tx| {
        Ok(DrawingList {
            drawings: tx.list_drawings(sort, order, page)?,
            total: tx.count_drawings()?,
        })
    })
}

/// Finds a drawing.
///
/// # Errors
/// [`FindDrawingError::UnknownDrawing`].
pub fn find<S>(store: &S, id: DrawingId) -> Result<Drawing, FindDrawingError>
where
    S: UnitOfWork<Tx: Drawings>,
{
    store.read(|tx| tx.find_drawing(id)?.ok_or(FindDrawingError::UnknownDrawing))
}

/// The proof of a drawing, without its list of entrants.
///
/// # Errors
/// [`FindDrawingError::UnknownDrawing`].
pub fn proof<S>(store: &S, id: DrawingId) -> Result<Proof, FindDrawingError>
where
    S: UnitOfWork<Tx: Drawings + FrozenEntrants>,
{
    store.snapshot(|tx| {
        let drawing = tx.find_drawing(id)?.ok_or(FindDrawingError::UnknownDrawing)?;
        let roots = tx.chunk_roots(id)?;
        let last_index = drawing.record.participants.saturating_sub(1);
        Ok(Proof {
            winner: prove(tx, &drawing, &roots, drawing.winner_index)?,
            last: prove(tx, &drawing, &roots, last_index)?,
            verification_hash: drawing.verification_hash,
            audit_log_hash: drawing.audit_log_hash,
            winner_last4: drawing.winner_phone.last_four().to_owned(),
            record: drawing.record,
        })
    })
}

/// An entrant's own leaf in a drawing.
///
/// # Errors
/// [`FindDrawingError::UnknownDrawing`] and [`FindDrawingError::NotInIt`].
pub fn own_leaf<S>(store: &S, id: DrawingId, entrant: EntrantId) -> Result<OwnLeaf, FindDrawingError>
where
    S: UnitOfWork<Tx: Drawings + FrozenEntrants>,
{
    store.snapshot(|tx| {
        let drawing = tx.find_drawing(id)?.ok_or(FindDrawingError::UnknownDrawing)?;
        let chunk = tx
            .find_chunk_with_entrant(id, entrant)?
            .ok_or(FindDrawingError::NotInIt)?;
        let participants = participants(&drawing, &chunk)?;
        let place = participants
            .iter()
            .position(|participant| participant.id == entrant)
            .ok_or(FindDrawingError::NotInIt)?;
        let roots = tx.chunk_roots(id)?;
        let participant = participants.get(place).ok_or(FindDrawingError::NotInIt)?;
        Ok(OwnLeaf {
            participant: *participant,
            path: path_of(&participants, place, &roots, &chunk),
        })
    })
}

fn prove(
    tx: &impl FrozenEntrants,
    drawing: &Drawing,
    roots: &[Hash],
    index: u64,
) -> Result<ProvenLeaf, StoreError> {
    let number = Chunk::number_of(index).ok_or_else(|| corrupt(drawing, "number"))?;
    let chunk = tx
        .find_chunk(drawing.record.drawing, number)?
        .ok_or_else(|| corrupt(drawing, "number"))?;
    let participants = participants(drawing, &chunk)?;
    let place = participants
        .iter()
        .position(|participant| participant.leaf.index == index)
        .ok_or_else(|| corrupt(drawing, "packed"))?;
    let leaf = participants
        .get(place)
        .ok_or_else(|| corrupt(drawing, "packed"))?
        .leaf;
    Ok(ProvenLeaf {
        leaf,
        path: path_of(&participants, place, roots, &chunk),
    })
}

/// The path to the chunk's root, and from there to the root.
fn path_of(participants: &[Participant], place: usize, roots: &[Hash], chunk: &Chunk) -> Vec<Hash> {
    let leaves: Vec<Hash> = participants
        .iter()
        .map(|participant| participant.leaf.hash())
        .collect();
    let mut path = inclusion_path(&leaves, place);
    path.extend(inclusion_path(roots, chunk.number as usize));
    path
}

fn participants(drawing: &Drawing, chunk: &Chunk) -> Result<Vec<Participant>, StoreError> {
    chunk
        .participants(&drawing.salt_key)
        .ok_or_else(|| corrupt(drawing, "packed"))
}

fn corrupt(drawing: &Drawing, column: &'static str) -> StoreError {
    StoreError::Corrupt {
        table: "drawing_chunks",
        column,
        row: drawing.record.drawing.get(),
    }
}

/// The number of log entries that are read at once.
const PAGE: u32 = 1_000;

/// Verifies the chain of the log from its first entry on, and compares it with the stored drawings.
///
/// # Errors
/// The first fault, as [`LogError`].
pub fn verify_log<S>(store: &S) -> Result<LogReport, LogError>
where
    S: UnitOfWork<Tx: DrawingLog + Drawings>,
{
    store.snapshot(|tx| {
        let (mut last, mut drawings) = (None, 0);
        loop {
            let after = last.map_or(0, |(id, _)| id);
            let page = tx.list_log(after, PAGE)?;
            for entry in &page {
                last = Some(drawing::verify_log(last, entry)?);
                drawings += i64::from(matches_drawing(tx, entry)?);
            }
            if page.is_empty() {
                break;
            }
        }
        let stored = tx.count_drawings()?;
        if stored != drawings {
            return Err(LogError::Unlogged {
                stored,
                logged: drawings,
            });
        }
        Ok(LogReport {
            entries: last.map_or(0, |(id, _)| id),
            drawings,
            head: last.map(|(_, hash)| hash),
        })
    })
}

/// Whether an entry is about a drawing. An error when the stored drawing differs from it.
fn matches_drawing(tx: &impl Drawings, entry: &LogEntry) -> Result<bool, LogError> {
    let (LogAction::DrawingPerformed, Some(id)) = (entry.entry.action, entry.entry.drawing) else {
        return Ok(false);
    };
    let stored = tx.find_drawing(id)?.is_some_and(|drawing| {
        let hash = Some(drawing.record.verification_hash());
        hash == entry.entry.verification_hash && hash == Some(drawing.verification_hash)
    });
    match stored {
        true => Ok(true),
        false => Err(LogError::Drawing(id, entry.id)),
    }
}
