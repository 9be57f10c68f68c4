//! The drawing: it is announced, sealed and drawn, and everybody can check it (D16, D39).
//!
//! `docs/drawing.md` specifies the scheme. The winner and the alternates follow from the announcement, the frozen list, the
//! committed seed and a round of the randomness [`beacon`] alone: this crate reads no clock, no store and no random numbers.
//! Invariants: an entrant's chance is exactly their weight divided by all entries; a commitment fixes its seed and a root fixes
//! its entrants; the salts decide nothing when the beacon is off; each entry of the log holds the hash of the entry before it;
//! every value of the hashed texts has one spelling.
//!
//! Ann holds two of four entries, Bob and Cleo hold one each. Whoever has the facts draws the same winner and alternates:
//!
//! ```
//! use drawing::{BeaconValue, DrawFacts, Hash, Seed};
//! use std::convert::Infallible;
//!
//! let facts = DrawFacts {
//!     opening: Hash::new([1; 32]),
//!     seed: Seed::new([2; 32]),
//!     root: Hash::new([3; 32]),
//!     weights_hash: Hash::new([4; 32]),
//!     participants: 3,
//!     entries: 4,
//!     beacon: BeaconValue::OFF,
//! };
//! let index_of_holder = |entry: u64| Ok::<u64, Infallible>(if entry <= 2 { 0 } else { entry - 2 });
//! let ranks = facts.ranks(index_of_holder).unwrap();
//! let drawn: Vec<_> = ranks.iter().map(|rank| ["Ann", "Bob", "Cleo"][rank.index as usize]).collect();
//! assert_eq!(drawn, ["Ann", "Cleo", "Bob"]);
//! ```
//!
//! Start reading at `crates/flows/usecases/tests/flows/stories/drawing.rs`, then at [`Announcement`], [`Freezer`],
//! [`SealDetails`], [`DrawFacts`] and [`Proof::verdict`].

mod announcement;
pub mod beacon;
mod chunk;
mod draw;
mod freeze;
mod hash;
mod last_month;
mod leaf;
mod list;
mod log;
mod log_copy;
mod log_line;
mod log_rules;
mod merkle;
mod period;
mod ports;
mod prize;
mod proof;
mod published;
mod record;
pub mod rules;
mod seal;
mod secrets;
mod statistics;
pub mod steps;
mod text;

pub use announcement::{Announcement, BeaconChoice, DrawingKind, InvalidDetails, Replaced};
pub use chunk::{Candidate, Chunk, Participant};
pub use draw::{BeaconValue, DrawFacts, DrawKey, MAX_OUTPUTS, MAX_RANKS, Rank, ranks};
pub use freeze::{FreezeError, Freezer, Frozen};
pub use hash::{Hash, InvalidHex};
pub use kernel::DrawingId;
pub use last_month::{LastMonth, Schedule};
pub use leaf::{BlindedId, Leaf, ProvenLeaf, Salt, SaltKey};
pub use list::{InvalidRow, ListCheck, ListRow};
pub use log::{LogAction, LogBreak, LogEntry, NewLogEntry, verify_log};
pub use log_copy::LogCopy;
pub use log_line::InvalidLogLine;
pub use log_rules::{LogFault, LogRules};
pub use merkle::{Tree, inclusion_path, is_included};
pub use period::{InvalidPeriod, Period};
pub use ports::{CutOffs, DrawingLog, DrawingStore, Drawings, FrozenEntrants, PublishedLists, Seeds};
pub use prize::{AnnouncedPrize, DrawingPrize, Prize, VersionStamp};
pub use proof::{Check, Drawn, Foreknowledge, KnownChains, Outcome, Proof, ProvenRank, SealTime, Verdict};
pub use published::{
    ListForm, ListPart, ListPiece, ListProgress, PublishedList, csv_header, csv_lines, csv_tag, rest,
};
pub use record::{DrawnDetails, Record};
pub use seal::{EntriesByKind, LeftOut, SealDetails};
pub use secrets::{Secrets, Seed, SeedSource};
pub use statistics::RaffleStatistics;
pub use steps::DrawingSort;
pub use text::{moment_text, parse_moment};

/// The name of the scheme, in proofs and in hashed texts.
pub const SCHEME: &str = "tombola-drawing/1";
