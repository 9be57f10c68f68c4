//! Requests for data (D45) and how long data is kept (D46).

mod erasure;
mod journal;
mod number_key;
pub mod retention;

pub use erasure::{Erased, Erasure};
pub use journal::{Journal, JournalEntry, JournalError, NotAnEntry};
pub use number_key::{NumberHmac, NumberKey, NumberKeys};
