//! Raffles, entrants, the entry ledger and their rules.
//!
//! Invariants: one phone number is one entrant, whose first raffle stays (D3); every entry stands in the append-only
//! ledger, and an entrant's [`Entries`] are its sums.
//!
//! Start reading at [`Entrants`], the port, then [`Entries`].

mod entrant;
mod entries;
mod ports;

pub use entrant::{Entrant, NewEntrant};
pub use entries::{Entries, EntryKind, LedgerRow};
pub use ports::{Entrants, EntryLedger, RaffleStore};
