//! The published lists of drawings: made once in the background, then sent as they are stored.

use crate::drawings::{FindDrawingError, participants_of_chunk};
use drawing::steps::DrawingSteps;
use drawing::{
    DrawingId, FrozenEntrants, Hash, Leaf, ListForm, ListPart, ListPiece, PublishedList, PublishedLists,
    Tree, rest,
};
use kernel::{StoreError, UnitOfWork};
use std::collections::BTreeSet;

/// How a list can be sent now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FoundList {
    /// From its stored parts: every byte has its place.
    Published(PublishedList),
    /// From its chunks: not all parts are stored yet.
    Frozen {
        /// The Merkle root of the list.
        root: Hash,
    },
}

/// Finds the list of a drawing.
///
/// # Errors
/// [`FindDrawingError::UnknownDrawing`] when no list has this id.
pub fn find<S>(store: &S, id: DrawingId) -> Result<FoundList, FindDrawingError>
where
    S: UnitOfWork<Tx: FrozenEntrants + PublishedLists>,
{
    store.read(|tx| {
        if let Some(list) = tx.find_list(id)? {
            return Ok(FoundList::Published(list));
        }
        let root = root_of(tx, id)?.ok_or(FindDrawingError::UnknownDrawing)?;
        Ok(FoundList::Frozen { root })
    })
}

/// Bytes of a published list from this offset on, at most those of one part. Empty after the last byte.
pub fn bytes_at<S>(
    store: &S,
    id: DrawingId,
    list: &PublishedList,
    form: ListForm,
    offset: u64,
) -> Result<Vec<u8>, StoreError>
where
    S: UnitOfWork<Tx: PublishedLists>,
{
    let offset = match list.piece_at(form, offset) {
        ListPiece::End => return Ok(Vec::new()),
        ListPiece::Frame(bytes) => return Ok(bytes),
        ListPiece::InPart(offset) => offset,
    };
    let part = store
        .read::<_, StoreError>(|tx| tx.find_list_part(id, form, offset))?
        .ok_or_else(|| corrupt_part(id, "number"))?;
    let (start, bytes) = match form {
        ListForm::Csv => (
            part.csv.start,
            part.csv().ok_or_else(|| corrupt_part(id, "bytes"))?,
        ),
        ListForm::Gzip => (part.deflated.start, part.bytes),
    };
    let inside = offset
        .checked_sub(start)
        .ok_or_else(|| corrupt_part(id, "csv_start"))?;
    Ok(rest(&bytes, inside))
}

/// The leaves of one chunk of a list, for a list that is not published yet; `None` after the last chunk.
pub fn frozen_leaves<S>(store: &S, id: DrawingId, chunk: u32) -> Result<Option<Vec<Leaf>>, StoreError>
where
    S: UnitOfWork<Tx: DrawingSteps + FrozenEntrants>,
{
    store.read(|tx| leaves_of_chunk(tx, id, chunk))
}

/// What one call of [`publish`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Published {
    /// How many lists it completed.
    pub completed: usize,
    /// How many lists it left out, because their chunks are corrupt.
    pub corrupt: usize,
}

/// Writes the lists that are not complete, newest first, a part at a time, until all are complete or `goes_on` says
/// `false`. It continues where this or another server stopped. When two servers write the
/// same part, the later one leaves the rest to the other.
///
/// A list whose chunks are corrupt is logged and left out, and the others are written.
///
/// # Errors
/// When the store fails. The parts written so far stay.
pub fn publish<S>(store: &S, goes_on: impl Fn() -> bool) -> Result<Published, StoreError>
where
    S: UnitOfWork<Tx: DrawingSteps + FrozenEntrants + PublishedLists>,
{
    let (mut completed, mut corrupt) = (0, BTreeSet::new());
    while goes_on() {
        let unpublished = store.read::<_, StoreError>(|tx| tx.unpublished_lists())?;
        let Some(id) = unpublished.into_iter().find(|id| !corrupt.contains(id)) else {
            break;
        };
        match publish_next_part(store, id) {
            Ok(Step::Added) => {}
            Ok(Step::Completed) => completed += 1,
            Ok(Step::LeftToOther) => break,
            Err(error @ StoreError::Corrupt { .. }) => {
                tracing::error!(drawing = id.get(), %error, "cannot publish the list of a drawing");
                corrupt.insert(id);
            }
            Err(error) => return Err(error),
        }
    }
    Ok(Published {
        completed,
        corrupt: corrupt.len(),
    })
}

enum Step {
    Added,
    Completed,
    LeftToOther,
}

/// Compresses outside of a transaction. Rows are only added, so the part still follows when it is stored.
fn publish_next_part<S>(store: &S, id: DrawingId) -> Result<Step, StoreError>
where
    S: UnitOfWork<Tx: DrawingSteps + FrozenEntrants + PublishedLists>,
{
    let (progress, leaves) = store.read::<_, StoreError>(|tx| {
        let progress = tx.list_progress(id)?;
        Ok((progress, leaves_of_chunk(tx, id, progress.parts)?))
    })?;
    let Some(leaves) = leaves else {
        let added = store.transaction(|tx| {
            let root = root_of(tx, id)?.ok_or_else(|| corrupt_chunk(id, "root"))?;
            tx.add_list(id, &PublishedList { root, end: progress })
        })?;
        return Ok(if added { Step::Completed } else { Step::LeftToOther });
    };
    let part = ListPart::write(&progress, &leaves).map_err(|error| StoreError::Failed(error.into()))?;
    let added = store.transaction::<_, StoreError>(|tx| tx.add_list_part(id, &part))?;
    Ok(if added { Step::Added } else { Step::LeftToOther })
}

/// The leaves of chunk `number` of a drawing's list, checked against the root that is stored with the chunk; `None` after
/// the last chunk.
///
/// Everything that is published comes from here.
fn leaves_of_chunk<T>(tx: &T, id: DrawingId, number: u32) -> Result<Option<Vec<Leaf>>, StoreError>
where
    T: DrawingSteps + FrozenEntrants,
{
    let Some(chunk) = tx.find_chunk(id, number)? else {
        return Ok(None);
    };
    let participants = participants_of_chunk(tx, id, &chunk)?;
    let leaves: Vec<Leaf> = participants.iter().map(|participant| participant.leaf).collect();
    let mut tree = Tree::default();
    leaves.iter().for_each(|leaf| tree.push(leaf.hash()));
    match tree.root() == Some(chunk.root) {
        true => Ok(Some(leaves)),
        false => Err(corrupt_chunk(id, "root")),
    }
}

/// The root of a list, from the roots of its chunks. All chunks but the last are full, so their roots are subtrees.
fn root_of(tx: &impl FrozenEntrants, id: DrawingId) -> Result<Option<Hash>, StoreError> {
    let mut tree = Tree::default();
    tx.chunk_roots(id)?.into_iter().for_each(|root| tree.push(root));
    Ok(tree.root())
}

fn corrupt_part(id: DrawingId, column: &'static str) -> StoreError {
    StoreError::corrupt("drawing_list_parts", column, id.get())
}

fn corrupt_chunk(id: DrawingId, column: &'static str) -> StoreError {
    StoreError::corrupt("drawing_chunks", column, id.get())
}
