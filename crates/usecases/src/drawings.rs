//! Reading drawings: their history, their proofs, their lists, and the log (D17).

use drawing::{
    Chunk, Drawing, DrawingId, DrawingLog, DrawingSort, Drawings, FrozenEntrants, Hash, Leaf, LogAction,
    LogBreak, LogEntry, Participant, Proof, ProvenLeaf, RaffleStatistics, SortOrder, inclusion_path,
};
use kernel::{EntrantId, PageRequest, StoreError, UnitOfWork};

/// A part of all drawings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawingList {
    /// The part that was asked for.
    pub drawings: Vec<Drawing>,
    /// How many there are in all.
    pub total: i64,
}

/// Why something of a drawing cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum FindDrawingError {
    /// There is no such drawing.
    #[error("unknown drawing")]
    UnknownDrawing,
    /// That entrant was not in it.
    #[error("not in the drawing")]
    NotInIt,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// An entrant's place in a drawing, and the way from it to the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnLeaf {
    /// The entrant, with the salt that hides them from others.
    pub participant: Participant,
    /// The hashes beside the way up, the lowest first.
    pub path: Vec<Hash>,
}

/// A log that holds from its first entry to its last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogReport {
    /// How many entries it has.
    pub entries: i64,
    /// How many of them are drawings.
    pub drawings: i64,
    /// The last one's hash, if there is one.
    pub head: Option<Hash>,
}

/// Why a log does not hold.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// An entry is missing or was changed.
    #[error(transparent)]
    Broken(#[from] LogBreak),
    /// An entry tells of a drawing that is not stored as it says.
    #[error("drawing {0} is not what entry {1} says")]
    Drawing(DrawingId, i64),
    /// There are drawings that the log does not tell of.
    #[error("{stored} drawings are stored, and the log tells of {logged}")]
    Unlogged {
        /// How many are stored.
        stored: i64,
        /// How many the log tells of.
        logged: i64,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Who could win now, of each raffle.
pub fn statistics<S>(store: &S) -> Result<Vec<RaffleStatistics>, StoreError>
where
    S: UnitOfWork<Tx: Drawings>,
{
    store.snapshot(|tx| tx.raffle_statistics())
}

/// A part of all drawings, and how many there are.
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

/// One drawing.
///
/// # Errors
/// [`FindDrawingError::UnknownDrawing`].
pub fn find<S>(store: &S, id: DrawingId) -> Result<Drawing, FindDrawingError>
where
    S: UnitOfWork<Tx: Drawings>,
{
    store.read(|tx| tx.find_drawing(id)?.ok_or(FindDrawingError::UnknownDrawing))
}

/// All that it takes to check a drawing, but its list.
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

/// The part of a drawing's published list that this chunk is; `None` after the last.
pub fn published_leaves<S>(store: &S, drawing: &Drawing, chunk: u32) -> Result<Option<Vec<Leaf>>, StoreError>
where
    S: UnitOfWork<Tx: FrozenEntrants>,
{
    let Some(chunk) = store.read::<_, StoreError>(|tx| tx.find_chunk(drawing.record.drawing, chunk))? else {
        return Ok(None);
    };
    let participants = participants(drawing, &chunk)?;
    Ok(Some(
        participants.iter().map(|participant| participant.leaf).collect(),
    ))
}

/// An entrant's own place in a drawing.
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

/// First up to the chunk's root, then on from there.
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

/// How many entries of the log are read at once.
const PART: u32 = 1_000;

/// Recomputes the log from its first entry on, and compares it with the drawings that are stored.
///
/// # Errors
/// What is wrong first.
pub fn verify_log<S>(store: &S) -> Result<LogReport, LogError>
where
    S: UnitOfWork<Tx: DrawingLog + Drawings>,
{
    store.snapshot(|tx| {
        let (mut last, mut drawings) = (None, 0);
        loop {
            let after = last.map_or(0, |(id, _)| id);
            let part = tx.list_log(after, PART)?;
            for entry in &part {
                last = Some(drawing::verify_log(last, entry)?);
                drawings += i64::from(tells_of_its_drawing(tx, entry)?);
            }
            if part.is_empty() {
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

/// Whether an entry is about a drawing, which is then stored as it says.
fn tells_of_its_drawing(tx: &impl Drawings, entry: &LogEntry) -> Result<bool, LogError> {
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
