//! The drawing: the committed seed, the frozen list of entrants, the winner and the proof (D16, D17).
//!
//! `docs/drawing.md` specifies the scheme; section numbers in this crate refer to that page. The result is a pure, repeatable
//! function of the frozen entrants, a committed seed and a round of the randomness [`beacon`]: this crate reads no clock, no
//! store and no random numbers. Invariants: an entrant's chance is exactly their weight divided by all entries; a commitment
//! fixes its seed and a root fixes its entrants; each entry of the log holds the hash of the entry before it.
//!
//! Start reading at `tests/story.rs`, then at [`Freezer`] and [`v2`].

pub mod beacon;
mod chunk;
mod freeze;
mod hash;
mod leaf;
mod list;
mod log;
mod log_line;
mod merkle;
mod period;
mod ports;
mod published;
pub mod rules;
mod secrets;
mod statistics;
pub mod steps;
mod text;
pub mod v2;

pub use chunk::{Candidate, Chunk, Participant};
pub use freeze::{FreezeError, Freezer, Frozen};
pub use hash::{Hash, InvalidHex};
pub use kernel::DrawingId;
pub use leaf::{BlindedId, Leaf, ProvenLeaf, Salt, SaltKey};
pub use list::{InvalidRow, ListCheck, ListRow};
pub use log::{LogAction, LogBreak, LogEntry, NewLogEntry, verify_log};
pub use log_line::InvalidLogLine;
pub use merkle::{Tree, inclusion_path, is_included};
pub use period::{InvalidPeriod, Period};
pub use ports::{CutOffs, DrawingLog, DrawingStore, Drawings, FrozenEntrants, PublishedLists, Seeds};
pub use published::{
    ListForm, ListPart, ListPiece, ListProgress, PublishedList, csv_header, csv_lines, csv_tag, rest,
};
pub use secrets::{Secrets, Seed, SeedSource};
pub use statistics::RaffleStatistics;
pub use steps::DrawingSort;
pub use text::{moment_text, parse_moment};
pub use v2::{EntriesByKind, LeftOut};

/// The name of the scheme of the log.
const SCHEME: &str = "tombola-drawing/1";
