//! Raffles, entrants, the entry ledger and their rules.
//!
//! Invariants: one phone number is one entrant, whose first raffle never changes (D3); every entry has a row in the
//! append-only ledger, and an entrant's [`Entries`] are the sums of those rows.
//!
//! Start reading at `tests/story.rs`, then at [`Entrants`], the port, and [`Entries`].

mod entrant;
mod entries;
mod ports;

pub use entrant::{Entrant, NewEntrant, Recalled};
pub use entries::{Entries, EntryKind, LedgerCheckpoint, LedgerRow};
pub use ports::{Entrants, EntryLedger, RaffleStore};
