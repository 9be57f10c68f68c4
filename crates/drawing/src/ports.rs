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
pub trait Commitments {
    /// The commitment of a raffle that no drawing has used up.
    ///
    /// # Errors
    /// Only the store's own.
    fn open_commitment(&self, raffle: Raffle) -> Result<Option<Commitment>, StoreError>;

    /// Opens a commitment; `None` when the raffle has an open one already.
    ///
    /// # Errors
    /// Only the store's own.
    fn add_commitment(&mut self, commitment: &NewCommitment) -> Result<Option<CommitmentId>, StoreError>;
}

/// Drawings that were performed. They are added, and never changed or deleted.
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
    ///
    /// # Errors
    /// Only the store's own.
    fn reserve_drawing_id(&mut self) -> Result<DrawingId, StoreError>;

    /// Stores a drawing.
    ///
    /// # Errors
    /// Only the store's own.
    fn add_drawing(&mut self, drawing: &NewDrawing) -> Result<(), StoreError>;

    /// The drawing with this number, if it was performed.
    ///
    /// # Errors
    /// Only the store's own.
    fn find_drawing(&self, id: DrawingId) -> Result<Option<Drawing>, StoreError>;

    /// The drawing that was performed for this key.
    ///
    /// # Errors
    /// Only the store's own.
    fn find_drawing_by_key(&self, key: &IdempotencyKey) -> Result<Option<Drawing>, StoreError>;

    /// A part of all drawings.
    ///
    /// # Errors
    /// Only the store's own.
    fn list_drawings(
        &self,
        sort: DrawingSort,
        order: SortOrder,
        page: PageRequest,
    ) -> Result<Vec<Drawing>, StoreError>;

    /// How many drawings there are.
    ///
    /// # Errors
    /// Only the store's own.
    fn count_drawings(&self) -> Result<i64, StoreError>;

    /// Who could win now, of each raffle in the order of [`Raffle`]'s variants.
    ///
    /// # Errors
    /// Only the store's own.
    fn raffle_statistics(&self) -> Result<Vec<RaffleStatistics>, StoreError>;
}

/// Who is in a drawing: read while it is performed, and kept as it was.
pub trait FrozenEntrants {
    /// Hands over, by ascending id, who can win a raffle (not flagged, at least one entry) with their number of entries:
    /// those with an id above `after`, at most so many.
    ///
    /// # Errors
    /// Only the store's own.
    fn read_participants(
        &self,
        raffle: Raffle,
        after: Option<EntrantId>,
        limit: u32,
        each: &mut dyn FnMut(EntrantId, u64),
    ) -> Result<(), StoreError>;

    /// Keeps chunks of a drawing's list.
    ///
    /// # Errors
    /// Only the store's own.
    fn add_chunks(&mut self, drawing: DrawingId, chunks: &[Chunk]) -> Result<(), StoreError>;

    /// The roots of a drawing's chunks, in order.
    ///
    /// # Errors
    /// Only the store's own.
    fn chunk_roots(&self, drawing: DrawingId) -> Result<Vec<Hash>, StoreError>;

    /// The chunk with this number.
    ///
    /// # Errors
    /// Only the store's own.
    fn find_chunk(&self, drawing: DrawingId, number: u32) -> Result<Option<Chunk>, StoreError>;

    /// The chunk that this entry is in, or would be if there were more.
    ///
    /// # Errors
    /// Only the store's own.
    fn find_chunk_with_entry(&self, drawing: DrawingId, entry: u64) -> Result<Option<Chunk>, StoreError>;

    /// The chunk that this entrant is in, or would be if they were in the drawing.
    ///
    /// # Errors
    /// Only the store's own.
    fn find_chunk_with_entrant(
        &self,
        drawing: DrawingId,
        entrant: EntrantId,
    ) -> Result<Option<Chunk>, StoreError>;
}

/// The log of drawings, each entry chained to the one before. Entries are added, and never changed or deleted.
pub trait DrawingLog {
    /// The number and the hash of the last entry.
    ///
    /// # Errors
    /// Only the store's own.
    fn last_log_entry(&self) -> Result<Option<(i64, Hash)>, StoreError>;

    /// Writes an entry. Only after [`Drawings::begin_drawing`], so that nobody else follows the same one.
    ///
    /// # Errors
    /// Only the store's own.
    fn add_log_entry(&mut self, entry: &LogEntry) -> Result<(), StoreError>;

    /// Entries after the one with this number, in order, at most so many.
    ///
    /// # Errors
    /// Only the store's own.
    fn list_log(&self, after: i64, limit: u32) -> Result<Vec<LogEntry>, StoreError>;
}
