//! The drawing: the commitment to a seed, the frozen list of entrants, the winner and the proof (D16, D17).
//!
//! `docs/drawing.md` specifies the scheme, `tombola-drawing/1`; section numbers in this crate refer to that page. The
//! result is a pure, repeatable function of the frozen entrants and a committed seed: this crate reads no clock, no
//! store and no random numbers. Invariants: an entrant's chance is exactly their weight divided by all entries; a
//! commitment fixes its seed, a root fixes its entrants, and both together fix the winner; each entry of the log holds
//! the hash of the entry before it. The commitment does not cover the salt key, so section 10 lists what a proof of this
//! version cannot show.
//!
//! [`beacon`] holds the rules of a public randomness beacon. No drawing of this version uses one.
//!
//! Start reading at `tests/story.rs`, then at [`Freezer`], [`winning_entry_number`] and [`Proof::checks`].

pub mod beacon;
mod chunk;
mod commitment;
mod freeze;
mod hash;
mod ids;
mod leaf;
mod list;
mod log;
mod merkle;
mod outcome;
mod ports;
mod proof;
mod record;
#[cfg(test)]
mod sample;
mod winner;

pub use chunk::{Chunk, Participant};
pub use commitment::{Commitment, NewCommitment, Secrets, Seed, SeedSource};
pub use freeze::{FreezeError, Freezer, Frozen};
pub use hash::{Hash, InvalidHex};
pub use ids::{CommitmentId, DrawingId};
pub use leaf::{BlindedId, Leaf, Salt, SaltKey};
pub use list::{InvalidRow, ListCheck, ListRow};
pub use log::{LogAction, LogBreak, LogEntry, NewLogEntry, verify_log};
pub use merkle::{Tree, inclusion_path, is_included};
pub use outcome::{Drawing, DrawingSort, NewDrawing, RaffleStatistics};
pub use ports::{Commitments, DrawingLog, DrawingStore, Drawings, FrozenEntrants, Seeds};
pub use proof::{Check, Proof, ProvenLeaf};
pub use record::{Record, moment_text};
pub use winner::winning_entry_number;

/// The name of the scheme, in proofs and in hashed texts.
pub const SCHEME: &str = "tombola-drawing/1";
