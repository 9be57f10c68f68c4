//! Raffles, entrants, the entry ledger and their rules.
//!
//! Invariants: one phone number is one entrant, in one raffle at a time; every entry has a row in the
//! append-only ledger, and an entrant's [`Entries`] are the sums of those rows.
//!
//! Ann entered, a friend entered through her link, she bought ten entries, and a dispute holds four of these out of drawings:
//!
//! ```
//! use kernel::EntrantId;
//! use raffle::{Entries, EntryKind, LedgerRow};
//!
//! let (ann, friend, purchase) = (EntrantId::new(7), 8, 1);
//! let row = |kind, delta, cause| LedgerRow { kind, delta, cause };
//! let entries = Entries::of([
//!     LedgerRow::base(ann),
//!     row(EntryKind::Referral, 1, friend),
//!     row(EntryKind::Purchase, 10, purchase),
//!     row(EntryKind::DisputeHeld, -4, purchase),
//! ]);
//! assert_eq!(entries.total(), 12);
//! assert_eq!(entries.in_drawings(), 8);
//! ```
//!
//! Start reading at `crates/flows/usecases/tests/flows/stories/raffle.rs`, then at [`Entrants`], the port, and [`Entries`].

mod browser;
mod content;
mod draft;
mod entrant;
mod entries;
pub mod fixtures;
mod key;
mod openings;
pub mod pictures;
mod ports;
mod raffle;
mod sign_up;
mod sign_up_id;
mod version;
mod waiting_sign_up;

pub use browser::{BrowserStanding, BrowserToken, BrowserTokenHash, SignOut};
pub use content::{
    Content, ContentFault, ContentGap, Fault, Gap, InvalidPictureHash, KitItem, Palette, Picture,
    PictureHash, Scene, ShareTexts, ShareValues, TotalValue, only_amount, share_text,
};
pub use draft::{Draft, Drafts};
pub use entrant::{Entrant, NewEntrant, RaffleMove, Recalled};
pub use entries::{Entries, EntryKind, LedgerCheckpoint, LedgerRow};
pub use key::{InvalidKey, KeyFault, RaffleKey};
pub use openings::{Opening, OpeningChange, Openings, RaffleStatus};
pub use ports::{Deleted, Entrants, EntryLedger, HeldRaffles, NotOpen, RaffleStore, Raffles};
pub use raffle::{PageDifferences, Raffle, RaffleList, TrackingPage, YearlyDrawing};
pub use sign_up::SignUp;
pub use sign_up_id::SignUpId;
pub use version::{Version, Versions};
pub use waiting_sign_up::{NewWaitingSignUp, WaitingSignUp, WaitingSignUps};
