use crate::{
    Chunk, Commitment, CommitmentId, Drawing, DrawingId, DrawingSort, Hash, LogEntry, NewCommitment,
    NewDrawing, RaffleStatistics, Seed, SeedSource, SortOrder,
};
use kernel::{EntrantId, IdempotencyKey, PageRequest, Raffle, StoreError};

/// Where seeds come from. A public beacon will be another one.
pub trait Seeds: Send + Sync {
    /// What is recorded of every seed.
    fn source(&self) -> SeedSource;

    /// A seed that nobody can foresee.
    fn new_seed(&self) -> Seed;
}

/// What is published before a drawing. Commitments are added, and never changed or deleted.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Commitments {
    /// The commitment of a raffle that no drawing has used up.
    fn open_commitment(&self, raffle: Raffle) -> Result<Option<Commitment>, StoreError>;

    /// Opens a commitment; `None` when the raffle has an open one already.
    fn add_commitment(&mut self, commitment: &NewCommitment) -> Result<Option<CommitmentId>, StoreError>;
}

/// Drawings that were performed. They are added, and never changed or deleted.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Drawings {
    /// Waits for transactions that draw or write to the log, and keeps others out until this one ends.
    ///
    /// Call it first in a [`kernel::UnitOfWork::transaction`]. It raises the isolation to repeatable read, so everything
    /// that is read after it is of one moment, and includes every drawing before this one.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the other transactions take longer than a minute.
    fn begin_drawing(&mut self) -> Result<(), StoreError>;

    /// A number for the next drawing. One that is not used leaves a gap.
    fn reserve_drawing_id(&mut self) -> Result<DrawingId, StoreError>;

    /// Stores a drawing.
    fn add_drawing(&mut self, drawing: &NewDrawing) -> Result<(), StoreError>;

    /// The drawing with this number, if it was performed.
    fn find_drawing(&self, id: DrawingId) -> Result<Option<Drawing>, StoreError>;

    /// The drawing that was performed for this key.
    fn find_drawing_by_key(&self, key: &IdempotencyKey) -> Result<Option<Drawing>, StoreError>;

    /// A part of all drawings.
    fn list_drawings(
        &self,
        sort: DrawingSort,
        order: SortOrder,
        page: PageRequest,
    ) -> Result<Vec<Drawing>, StoreError>;

    /// How many drawings there are.
    fn count_drawings(&self) -> Result<i64, StoreError>;

    /// Who could win now, of each raffle in the order of [`Raffle`]'s variants.
    fn raffle_statistics(&self) -> Result<Vec<RaffleStatistics>, StoreError>;
}

/// Who is in a drawing: read while it is performed, and kept as it was.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait FrozenEntrants {
    /// Hands over, by ascending id, who can win a raffle (not flagged, at least one entry) with their number of entries:
    /// those with an id above `after`, at most so many.
    fn read_participants(
        &self,
        raffle: Raffle,
        after: Option<EntrantId>,
        limit: u32,
        each: &mut dyn FnMut(EntrantId, u64),
    ) -> Result<(), StoreError>;

    /// Keeps chunks of a drawing's list.
    fn add_chunks(&mut self, drawing: DrawingId, chunks: &[Chunk]) -> Result<(), StoreError>;

    /// The roots of a drawing's chunks, in order.
    fn chunk_roots(&self, drawing: DrawingId) -> Result<Vec<Hash>, StoreError>;

    /// The chunk with this number.
    fn find_chunk(&self, drawing: DrawingId, number: u32) -> Result<Option<Chunk>, StoreError>;

    /// The chunk that this entry is in, or would be if there were more.
    fn find_chunk_with_entry(&self, drawing: DrawingId, entry: u64) -> Result<Option<Chunk>, StoreError>;

    /// The chunk that this entrant is in, or would be if they were in the drawing.
    fn find_chunk_with_entrant(
        &self,
        drawing: DrawingId,
        entrant: EntrantId,
    ) -> Result<Option<Chunk>, StoreError>;
}

/// The log of drawings, each entry chained to the one before. Entries are added, and never changed or deleted.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait DrawingLog {
    /// The number and the hash of the last entry.
    fn last_log_entry(&self) -> Result<Option<(i64, Hash)>, StoreError>;

    /// Writes an entry. Only after [`Drawings::begin_drawing`], so that nobody else follows the same one.
    fn add_log_entry(&mut self, entry: &LogEntry) -> Result<(), StoreError>;

    /// Entries after the one with this number, in order, at most so many.
    fn list_log(&self, after: i64, limit: u32) -> Result<Vec<LogEntry>, StoreError>;
}

/// All store ports of drawings. Every type that implements them implements this.
pub trait DrawingStore: Commitments + Drawings + FrozenEntrants + DrawingLog {}

impl<T: Commitments + Drawings + FrozenEntrants + DrawingLog> DrawingStore for T {}
