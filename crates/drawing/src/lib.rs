//! The drawing: the commitment to a seed, the frozen list of entrants, the winner and the proof (D16, D17).
//!
//! `docs/drawing.md` specifies two schemes; section numbers in this crate refer to that page. The items of the crate are
//! of `tombola-drawing/1` or of both, and those of [`v2`] are of `tombola-drawing/2`. The result is a pure, repeatable
//! function of the frozen entrants, a committed seed and, in version 2, a round of the randomness [`beacon`]: this crate
//! reads no clock, no store and no random numbers. Invariants: an entrant's chance is exactly their weight divided by all
//! entries; a commitment fixes its seed and a root fixes its entrants; each entry of the log holds the hash of the entry
//! before it. The commitment of version 1 does not cover the salt key, so section 1.10 lists what its proofs cannot show.
//!
//! Drawings are performed with version 2 only. Version 1 stays, so that its proofs can be read and verified.
//!
//! Start reading at `tests/story.rs`, then at [`Freezer`] and [`v2`]; for version 1, at [`winning_entry_number`] and
//! [`Proof::checks`].

pub mod beacon;
mod chunk;
mod commitment;
mod freeze;
mod hash;
mod ids;
mod leaf;
mod list;
mod log;
mod log_line;
mod merkle;
mod outcome;
mod period;
mod ports;
mod proof;
mod published;
mod record;
pub mod rules;
#[cfg(test)]
mod sample;
pub mod steps;
mod text;
pub mod v2;
mod winner;

pub use chunk::{Candidate, Chunk, Participant};
pub use commitment::{Commitment, NewCommitment, Secrets, Seed, SeedSource};
pub use freeze::{FreezeError, Freezer, Frozen};
pub use hash::{Hash, InvalidHex};
pub use ids::CommitmentId;
pub use kernel::DrawingId;
pub use leaf::{BlindedId, Leaf, Salt, SaltKey};
pub use list::{InvalidRow, ListCheck, ListRow};
pub use log::{LogAction, LogBreak, LogEntry, NewLogEntry, verify_log};
pub use log_line::InvalidLogLine;
pub use merkle::{Tree, inclusion_path, is_included};
pub use outcome::{Drawing, DrawingSort, NewDrawing, RaffleStatistics};
pub use period::{InvalidPeriod, Period};
pub use ports::{
    Commitments, CutOffs, DrawingLog, DrawingStore, Drawings, FrozenEntrants, PublishedLists, Seeds,
};
pub use proof::{Check, Proof, ProvenLeaf};
pub use published::{
    ListForm, ListPart, ListPiece, ListProgress, PublishedList, csv_header, csv_lines, csv_tag, rest,
};
pub use record::{Record, moment_text};
pub use text::parse_moment;
pub use v2::{EntriesByKind, LeftOut};
pub use winner::winning_entry_number;

/// The version of the scheme that a list is frozen for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// `tombola-drawing/1`: a leaf binds an entrant's id.
    One,
    /// `tombola-drawing/2`: a leaf binds an entrant's id and number.
    Two,
}

/// The name of version 1, in proofs and in hashed texts.
pub const SCHEME: &str = "tombola-drawing/1";
