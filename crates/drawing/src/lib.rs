//! The drawing: the entrants' commitment, the derivation of the winner, the proof (D16, D17).
//!
//! The scheme is `tombola-drawing/1`, which `docs/drawing.md` specifies and section numbers here refer to. All of it is
//! a pure, repeatable function of the frozen entrants and a committed seed: no clock, no store, no randomness of its
//! own. Invariants: an entrant's chance is their weight out of all entries, exactly; a commitment fixes its seed, a
//! root its entrants, and both together the winner; entries of the log hold the hash of the one before.
//!
//! Start reading at [`Freezer`], then [`winning_entry_number`], then [`Proof::checks`].

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
mod winner;

pub use chunk::{Chunk, Participant};
pub use commitment::{Commitment, NewCommitment, Secrets, Seed, SeedSource};
pub use freeze::{FreezeError, Freezer, Frozen};
pub use hash::{Hash, NotHex};
pub use ids::{CommitmentId, DrawingId};
pub use leaf::{BlindedId, Leaf, Salt, SaltKey};
pub use list::{ListCheck, ListRow, NotARow};
pub use log::{LogAction, LogBreak, LogEntry, NewLogEntry, verify_log};
pub use merkle::{Tree, inclusion_path, is_included};
pub use outcome::{Drawing, DrawingSort, NewDrawing, RaffleStatistics, SortOrder};
pub use ports::{Commitments, DrawingLog, DrawingStore, Drawings, FrozenEntrants, Seeds};
pub use proof::{Check, Proof, ProvenLeaf};
pub use record::{Record, moment_text};
pub use winner::winning_entry_number;

/// The name of the scheme, in proofs and in what is hashed.
pub const SCHEME: &str = "tombola-drawing/1";
