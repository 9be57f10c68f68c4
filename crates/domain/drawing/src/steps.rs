//! The steps of a drawing as they are stored: planned and announced, sealed, drawn; or void.
//!
//! Each step is one entry of the log and one row. A step is added once, and never changed or deleted; only
//! [`DrawingStatus`] moves on. Start reading at [`DrawingState`], then at [`DrawingSteps`], the port.

mod details;
mod ports;
mod state;

pub use details::{CheckpointDetails, LateRoundDetails, OpeningDetails, RefusalDetails, VoidDetails};
pub use ports::{DrawingSort, DrawingSteps, DueDrawings};
pub use state::{DrawingState, DrawingStatus};

use crate::beacon::{BeaconSignature, Round};
use crate::{
    BeaconChoice, DrawingId, DrawingKind, DrawingPrize, Hash, LogEntry, Period, SaltKey, Seed, SeedSource,
};
use chrono::{DateTime, Utc};
use kernel::{EntrantId, IdempotencyKey, Phone};
use raffle::RaffleKey;

/// A step, with its entry in the log. The entry has the time of the step, and the session of the console that took it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logged<T> {
    /// What was done.
    pub step: T,
    /// The entry of the log that says so.
    pub entry: LogEntry,
}

/// What is fixed when a drawing is announced, and never changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The raffle.
    pub raffle: RaffleKey,
    /// The month that the drawing belongs to.
    pub period: Period,
    /// Whether it is the drawing of that month.
    pub kind: DrawingKind,
    /// Why there is an additional drawing.
    pub reason: Option<String>,
    /// The prize.
    pub prize: DrawingPrize,
    /// The void drawing whose list this one takes as it stands.
    pub replaces: Option<DrawingId>,
    /// Only entries from before this time count. Without it, those from before the seal count.
    pub cut_off: Option<DateTime<Utc>>,
    /// The beacon.
    pub beacon: BeaconChoice,
    /// The hash of the seed. A drawing that is void because nobody could be drawn lends it to a later one.
    pub commitment: Hash,
    /// Where the seed came from.
    pub seed_source: SeedSource,
    /// The [`crate::Secrets`], encrypted.
    pub sealed_secrets: Vec<u8>,
    /// The request that asked for the drawing, if it had a key.
    pub request: Option<KeyedRequest>,
    /// The console session that asked for the drawing; `None` when the schedule did.
    pub session: Option<i64>,
    /// The member of staff who asked for the drawing.
    pub member: Option<i64>,
    /// When the drawing was announced, in whole microseconds.
    pub at: DateTime<Utc>,
}

/// A request with an idempotency key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyedRequest {
    /// The client's key: one drawing for each.
    pub key: IdempotencyKey,
    /// The hash of what was asked for, so that the key cannot be used again for something else.
    pub body: Hash,
}

impl KeyedRequest {
    /// A request for what this text says. Different requests have different texts.
    pub fn new(key: IdempotencyKey, asked: &str) -> Self {
        let body = Hash::of(asked);
        Self { key, body }
    }
}

/// An announcement. A drawing whose seal was refused gets another one, and the newest counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Announced {
    /// Its number within the drawing, from 1.
    pub number: u32,
    /// The beacon's round; `None` when the beacon is off.
    pub round: Option<Round>,
    /// When the round is due; `None` when the beacon is off.
    pub round_at: Option<DateTime<Utc>>,
    /// When the list is to be frozen.
    pub seal_due_at: DateTime<Utc>,
    /// A later seal is refused; `None` when the beacon is off.
    pub seal_before: Option<DateTime<Utc>>,
}

/// A frozen list and its seed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    /// The key that the salts are derived from. Secret.
    pub salt_key: SaltKey,
    /// The seed, public from now on.
    pub seed: Seed,
    /// The Merkle root of the entrants' leaves.
    pub root: Hash,
    /// The hash of their weights.
    pub weights_hash: Hash,
    /// How many entrants there are.
    pub participants: u64,
    /// How many entries they hold.
    pub entries: u64,
    /// Only entries from before this time count.
    pub cut_off: DateTime<Utc>,
}

/// A result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawn {
    /// The signature of the beacon's round; `None` when the beacon is off.
    pub signature: Option<BeaconSignature>,
    /// The winner, rank 0, and the alternates, in order. Never empty.
    pub ranks: Vec<DrawnRank>,
    /// The winner's phone number at the time of the drawing; none once the person is erased.
    pub winner_phone: Option<Phone>,
    /// The hash of the record.
    pub verification_hash: Hash,
}

/// An entrant who was drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrawnRank {
    /// The rank; 0 is the winner.
    pub rank: u32,
    /// The number of the drawn entry, from 1.
    pub entry_number: u64,
    /// The entrant's position in the list, from 0.
    pub index: u64,
    /// The entrant.
    pub entrant: EntrantId,
}

/// Why a drawing is void.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Voided {
    /// The public reason.
    pub reason: String,
}

impl Voided {
    /// The reason of a drawing that nobody could win.
    pub const EMPTY: &str = "no participants";

    /// The reason of an announced drawing that was withdrawn, because this one was drawn after all.
    pub fn withdrawn_for(drawing: DrawingId) -> String {
        format!("withdrawn: drawing {drawing} was drawn after all")
    }
}

/// The round of a void drawing that came too late: another drawing with its list was sealed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LateRound {
    /// The signature of the round.
    pub signature: BeaconSignature,
    /// The entry that would have won.
    pub entry_number: u64,
}
