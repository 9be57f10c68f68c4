use crate::rules::OfficialRules;
use crate::steps::DrawingSteps;
use crate::{
    Candidate, Chunk, DrawingId, Hash, LeftOut, ListForm, ListPart, ListProgress, LogEntry, PublishedList,
    RaffleStatistics, Seed, SeedSource,
};
use chrono::{DateTime, Utc};
use kernel::{DatabaseClock, EntrantId, PersonTag, StoreError};
use raffle::RaffleKey;

/// The source of seeds. A public randomness beacon could be another implementation.
pub trait Seeds: Send + Sync {
    /// The source's name, recorded with every seed.
    fn source(&self) -> SeedSource;

    /// An unpredictable seed.
    fn new_seed(&self) -> Seed;
}

/// What every drawing needs besides its steps.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Drawings {
    /// Waits for other drawings, then locks drawings and the log until this unit of work ends. Call it first in a
    /// [`kernel::UnitOfWork::transaction`]. It raises the isolation level to repeatable read, so everything read after it is
    /// one snapshot that includes all earlier drawings.
    ///
    /// # Errors
    /// `Unavailable` when it has waited for a minute.
    fn begin_drawing(&mut self) -> Result<(), StoreError>;

    /// Reserves an id for the next drawing. An unused id leaves a gap.
    fn reserve_drawing_id(&mut self) -> Result<DrawingId, StoreError>;

    /// The statistics of each raffle that was ever open, in the order in which raffles are shown.
    fn raffle_statistics(&self) -> Result<Vec<RaffleStatistics>, StoreError>;
}

/// The frozen list of a drawing: read from the entrants during the drawing, then stored in chunks.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait FrozenEntrants {
    /// Calls `each` for every entrant who can win a raffle, by ascending tag: those with a tag above `after`, at most
    /// `limit`.
    ///
    /// Their entries are the sums of their ledger rows from before the cut-off. Entries that a dispute held by then are not
    /// among them. Whoever has none, or is flagged now, cannot win. Call it in a [`kernel::UnitOfWork::snapshot`] or after
    /// [`Drawings::begin_drawing`], so that all its statements see one moment.
    fn read_participants(
        &self,
        raffle: RaffleKey,
        cut_off: DateTime<Utc>,
        after: Option<PersonTag>,
        limit: u32,
        each: &mut dyn FnMut(Candidate),
    ) -> Result<(), StoreError>;

    /// The tags of these entrants of lists, in the same order.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when one of them does not exist.
    fn tags_of(&self, entrants: &[EntrantId]) -> Result<Vec<PersonTag>, StoreError>;

    /// How many entries of a raffle's list were given to imported people, for being imported.
    fn imported_entries(&self, raffle: RaffleKey, cut_off: DateTime<Utc>) -> Result<u64, StoreError>;

    /// How many entrants with entries from before the cut-off are left out of a raffle's list, by reason.
    fn left_out(&self, raffle: RaffleKey, cut_off: DateTime<Utc>) -> Result<LeftOut, StoreError>;

    /// Stores chunks of a drawing's list.
    fn add_chunks(&mut self, drawing: DrawingId, chunks: &[Chunk]) -> Result<(), StoreError>;

    /// The Merkle roots of a drawing's chunks, in order.
    fn chunk_roots(&self, drawing: DrawingId) -> Result<Vec<Hash>, StoreError>;

    /// The chunk with this number.
    fn find_chunk(&self, drawing: DrawingId, number: u32) -> Result<Option<Chunk>, StoreError>;

    /// The chunk that contains the entry with this number; the last chunk if the number is too large.
    fn find_chunk_with_entry(&self, drawing: DrawingId, entry: u64) -> Result<Option<Chunk>, StoreError>;

    /// The chunk that contains the entrant with this tag in the list, or would contain them if they were in the drawing.
    fn find_chunk_with_tag(&self, drawing: DrawingId, tag: &PersonTag) -> Result<Option<Chunk>, StoreError>;
}

/// The published lists, made from the frozen ones once. Parts and lists are added, and never changed or deleted.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait PublishedLists {
    /// The drawings with a frozen list whose published list is not complete, newest first.
    fn unpublished_lists(&self) -> Result<Vec<DrawingId>, StoreError>;

    /// How far a drawing's list has been written.
    fn list_progress(&self, drawing: DrawingId) -> Result<ListProgress, StoreError>;

    /// Adds the next part of a list. `false` when a part with this number is there already; that one stays.
    fn add_list_part(&mut self, drawing: DrawingId, part: &ListPart) -> Result<bool, StoreError>;

    /// Marks a list as complete. `false` when it is already.
    fn add_list(&mut self, drawing: DrawingId, list: &PublishedList) -> Result<bool, StoreError>;

    /// The list of a drawing, if it is complete.
    fn find_list(&self, drawing: DrawingId) -> Result<Option<PublishedList>, StoreError>;

    /// The part that contains this byte: of the CSV, or for [`ListForm::Gzip`] of the deflated list.
    fn find_list_part(
        &self,
        drawing: DrawingId,
        form: ListForm,
        offset: u64,
    ) -> Result<Option<ListPart>, StoreError>;
}

/// The wait for what began before a time by the store's clock, which sets the times of ledger rows and flags.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait CutOffs: DatabaseClock {
    /// Waits until no transaction can add a ledger row from before the cut-off any more: until the store's clock has
    /// reached it, and every transaction has ended that had begun to write to the ledger by then. Call it in a
    /// [`kernel::UnitOfWork::read`] before the transaction that reads the list: a snapshot that was taken earlier does
    /// not contain what was waited for.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when it has waited for a minute.
    fn wait_for_earlier_transactions(&self, cut_off: DateTime<Utc>) -> Result<(), StoreError>;
}

/// The log of drawings: each entry holds the hash of the one before. Entries are added, and never changed or deleted.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait DrawingLog {
    /// The number and the hash of the last entry.
    fn last_log_entry(&self) -> Result<Option<(i64, Hash)>, StoreError>;

    /// Appends an entry. Call [`Drawings::begin_drawing`] first, so that no other entry gets the same predecessor.
    fn add_log_entry(&mut self, entry: &LogEntry) -> Result<(), StoreError>;

    /// The entries after the one with this number, in order, at most `limit`.
    fn list_log(&self, after: i64, limit: u32) -> Result<Vec<LogEntry>, StoreError>;
}

/// All store ports of drawings. Every type that implements them implements this.
pub trait DrawingStore:
    Drawings + DrawingSteps + FrozenEntrants + CutOffs + PublishedLists + DrawingLog + OfficialRules
{
}

impl<T> DrawingStore for T where
    T: Drawings + DrawingSteps + FrozenEntrants + CutOffs + PublishedLists + DrawingLog + OfficialRules
{
}
