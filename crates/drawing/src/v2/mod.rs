//! Version 2, `tombola-drawing/2`: a drawing is announced, sealed and drawn, and a beacon's round decides it (D39).
//!
//! The names here are those of version 1 where they mean the same. Sections are those of `docs/drawing.md`. Invariants:
//! the winner and the alternates follow from the announcement, the seal and the beacon's randomness alone; the salts
//! decide nothing when the beacon is off; every value of the hashed texts has one spelling.
//!
//! Start reading at [`Announcement`], then at [`SealDetails`], [`DrawFacts`] and [`Proof::verdict`].

mod announcement;
mod draw;
mod log_copy;
mod log_rules;
mod proof;
mod record;
mod seal;

pub use announcement::{Announcement, BeaconChoice, DrawingKind, InvalidDetails, Prize};
pub use draw::{BeaconValue, DrawFacts, DrawKey, MAX_OUTPUTS, MAX_RANKS, Rank, ranks};
pub use log_copy::LogCopy;
pub use log_rules::{LogFault, LogRules};
pub use proof::{Check, Drawn, Foreknowledge, KnownChains, Outcome, Proof, ProvenRank, SealTime, Verdict};
pub use record::{DrawnDetails, Record};
pub use seal::{EntriesByKind, LeftOut, SealDetails};

/// The name of the scheme, in proofs and in hashed texts.
pub const SCHEME: &str = "tombola-drawing/2";
