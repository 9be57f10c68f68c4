//! Drawings: performing and reading them.
//!
//! A drawing is made in steps: [`perform()`], [`seal()`], [`draw()`], [`void()`], and [`advance`], which takes every
//! step that is due.

mod announce;
pub mod calendar;
mod checkpoint;
mod draw;
mod ended;
mod freeze;
mod perform;
mod prizes;
mod proofs;
mod reading;
mod schedule;
mod seal;
mod tools;
mod verify;
mod void;

pub(crate) use announce::log_opening;
pub use checkpoint::checkpoint;
pub use draw::{Bringer, BroughtRound, DrawError, draw};
pub use drawing::Schedule;
pub use ended::{DrawingTimes, LastDrawing, last_drawing};
pub(crate) use ended::{has_list_to_come, keeps_its_people};
pub use freeze::SealError;
pub use perform::{PerformDrawing, PerformError, Performed, check_perform, perform};
pub use prizes::PromisedPrize;
pub(crate) use prizes::promised_prizes;
pub use proofs::{OwnLeaf, own_leaf, proof, unreadable_secrets};
pub(crate) use proofs::{drawings_of, drawn_participant, participants_of_chunk};
pub use reading::{
    DrawingPage, LOG_PAGE, RaffleState, find, list, log_page, newest_log_entries, overview, voids,
};
pub use schedule::{Advanced, DueRound, advance};
pub use seal::seal;
pub use tools::DrawingTools;
pub use verify::{log_holds, verify_log};
pub use void::{VoidDrawing, VoidError, missing_round, void};

use claims::{ClaimId, Claims};
use drawing::CutOffs;
use drawing::rules::OfficialRules;
use drawing::steps::{DrawingState, DrawingSteps};
use drawing::{DrawingId, DrawingLog, Drawings, FrozenEntrants, Hash, LogBreak, RaffleStatistics};
use kernel::{StoreError, UnitOfWork};
use raffle::{Drafts, Entrants, EntryLedger, Raffles, Versions};
use sms::Outbox;
use staff::{AuditChain, AuditLog, ClearingJobs};

/// The store ports that the steps of a drawing use. Every type that implements them implements this.
pub trait FlowTx:
    Drawings
    + DrawingSteps
    + DrawingLog
    + OfficialRules
    + FrozenEntrants
    + CutOffs
    + Raffles
    + Versions
    + Drafts
    + Entrants
    + EntryLedger
    + Outbox
    + Claims
    + AuditLog
    + AuditChain
    + ClearingJobs
{
}

impl<T> FlowTx for T where
    T: Drawings
        + DrawingSteps
        + DrawingLog
        + OfficialRules
        + FrozenEntrants
        + CutOffs
        + Raffles
        + Versions
        + Drafts
        + Entrants
        + EntryLedger
        + Outbox
        + Claims
        + AuditLog
        + AuditChain
        + ClearingJobs
{
}

/// The drawing with this id, if there is one.
pub fn find_state<S>(store: &S, id: DrawingId) -> Result<Option<DrawingState>, StoreError>
where
    S: UnitOfWork<Tx: FlowTx>,
{
    store.read(|tx| tx.find_state(id))
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
    /// A claim is not of the entrant whom its rank drew.
    #[error("claim {0} is not of the entrant whom its rank drew")]
    Claim(ClaimId),
    /// The ledger has other rows from before the time of this checkpoint than it had then.
    #[error("the ledger differs from checkpoint {0} of the log")]
    Checkpoint(i64),
    /// The audit log lacks the entry that was its last one at the time of this checkpoint.
    #[error("the audit log differs from checkpoint {0} of the log")]
    AuditLog(i64),
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
