use super::{Announced, DrawingState, Drawn, LateRound, Logged, Plan, Sealed, Voided};
use crate::{DrawingId, Period};
use chrono::{DateTime, Utc};
use kernel::{IdempotencyKey, PageRequest, SortOrder, StoreError};
use raffle::RaffleKey;

/// The drawings that wait for a step, in the order of their ids.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DueDrawings {
    /// Those that are announced and whose list is to be frozen now.
    pub to_seal: Vec<DrawingId>,
    /// Those that are sealed and whose round of the beacon is due.
    pub to_draw: Vec<DrawingId>,
}

/// The column that drawings are sorted by.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "camelCase")]
pub enum DrawingSort {
    /// The time of the first announcement.
    #[default]
    CreatedAt,
    /// The raffle's key.
    #[strum(serialize = "landingPage")]
    Raffle,
    /// The number of the winning entry.
    WinningEntryNumber,
    /// How many entrants are on the list.
    TotalParticipants,
    /// How many entries they hold.
    TotalEntries,
}

/// Drawings and their steps. Steps are added, and never changed or deleted.
///
/// Call [`crate::Drawings::begin_drawing`] before any method that takes `&mut self`, look at the drawing again, and add the
/// step's entry to the log before the step. A step that the drawing's status does not allow fails, and so does a second
/// regular drawing of a raffle and a period that is not void.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait DrawingSteps {
    /// Stores a drawing as announced. Its first announcement follows in the same unit of work.
    fn add_plan(&mut self, id: DrawingId, plan: &Plan) -> Result<(), StoreError>;

    /// Adds an announcement to an announced drawing.
    fn add_announcement(&mut self, id: DrawingId, announced: &Logged<Announced>) -> Result<(), StoreError>;

    /// Seals an announced drawing. The unit of work fails with [`StoreError::TooLate`] when it commits after the
    /// `seal_before` of the newest announcement, by the store's own clock: no seal can be held back until its round is
    /// known.
    fn add_seal(&mut self, id: DrawingId, sealed: &Logged<Sealed>) -> Result<(), StoreError>;

    /// Stores the result of a sealed drawing, or of a void one that was sealed, unless a drawing that replaces it is sealed.
    fn add_result(&mut self, id: DrawingId, drawn: &Logged<Drawn>) -> Result<(), StoreError>;

    /// Makes an announced or sealed drawing void.
    fn add_void(&mut self, id: DrawingId, voided: &Logged<Voided>) -> Result<(), StoreError>;

    /// Stores the round of a void drawing that came too late.
    fn add_late_round(&mut self, id: DrawingId, late: &Logged<LateRound>) -> Result<(), StoreError>;

    /// Gives an announced drawing the list of a sealed one, chunk by chunk.
    fn copy_chunks(&mut self, from: DrawingId, to: DrawingId) -> Result<(), StoreError>;

    /// The drawing with this id.
    fn find_state(&self, id: DrawingId) -> Result<Option<DrawingState>, StoreError>;

    /// The drawing that was asked for with this idempotency key.
    fn find_state_by_key(&self, key: &IdempotencyKey) -> Result<Option<DrawingState>, StoreError>;

    /// The regular drawing of a raffle and a period, unless it is void.
    fn regular_drawing_of(
        &self,
        raffle: RaffleKey,
        period: Period,
    ) -> Result<Option<DrawingState>, StoreError>;

    /// The oldest drawing of a raffle that was sealed and is void, and that no other drawing replaces.
    fn unreplaced_void(&self, raffle: RaffleKey) -> Result<Option<DrawingState>, StoreError>;

    /// The drawing that takes the list of this one: one that is sealed or was, else one that is announced.
    fn replacement_of(&self, id: DrawingId) -> Result<Option<DrawingState>, StoreError>;

    /// The newest drawing of a raffle that is void without a seal, if all drawings with its commitment are: its seed is
    /// secret and unused.
    fn unused_commitment(&self, raffle: RaffleKey) -> Result<Option<DrawingState>, StoreError>;

    /// The newest drawing of a raffle that is announced or sealed.
    fn open_drawing(&self, raffle: RaffleKey) -> Result<Option<DrawingState>, StoreError>;

    /// The first time after this one at which an announced drawing of a raffle freezes its own list: its cut-off, or when
    /// the list is due.
    fn next_cut_off(
        &self,
        raffle: RaffleKey,
        after: DateTime<Utc>,
    ) -> Result<Option<DateTime<Utc>>, StoreError>;

    /// The newest drawing of a raffle with a list, unless it is void: the one that is sealed now, or else the last one.
    fn newest_listed(&self, raffle: RaffleKey) -> Result<Option<DrawingState>, StoreError>;

    /// The drawings that wait for a step, by the store's own clock.
    fn list_due(&self) -> Result<DueDrawings, StoreError>;

    /// One page of the drawings with a list, of one raffle or of all: those that were sealed. Drawings that are only announced,
    /// or void without a list, are not in it. A drawing without the value that is sorted by comes after those with it, in either order. Equal
    /// ones are sorted by id.
    fn list_drawings(
        &self,
        raffle: Option<RaffleKey>,
        sort: DrawingSort,
        order: SortOrder,
        page: PageRequest,
    ) -> Result<Vec<DrawingState>, StoreError>;

    /// How many drawings [`DrawingSteps::list_drawings`] has in all.
    fn count_drawings(&self, raffle: Option<RaffleKey>) -> Result<i64, StoreError>;

    /// How many drawings of a raffle are void after their seal.
    fn count_voids(&self, raffle: RaffleKey) -> Result<i64, StoreError>;

    /// When the newest `checkpoint` was written.
    fn last_checkpoint_at(&self) -> Result<Option<DateTime<Utc>>, StoreError>;
}
