//! Raffles, entrants, the entry ledger and their rules.
//!
//! Invariants: one phone number is one entrant, whose first raffle never changes (D3); every entry has a row in the
//! append-only ledger, and an entrant's [`Entries`] are the sums of those rows.
//!
//! A friend entered through the link, ten entries were bought, and a dispute holds four of these out of drawings:
//!
//! ```
//! use raffle::Entries;
//!
//! let entries = Entries {
//!     bonus: 1,
//!     paid: 10,
//!     held: 4,
//!     ..Entries::NEW
//! };
//! assert_eq!(entries.total(), 12);
//! assert_eq!(entries.in_drawings(), 8);
//! ```
//!
//! Start reading at `crates/usecases/tests/flows/stories/raffle.rs`, then at [`Entrants`], the port, and [`Entries`].

mod entrant;
mod entries;
mod ports;

pub use entrant::{Entrant, NewEntrant, Recalled};
pub use entries::{Entries, EntryKind, LedgerCheckpoint, LedgerRow};
pub use ports::{Entrants, EntryLedger, RaffleStore};
