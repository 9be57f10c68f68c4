//! What the domain `raffle` stores.

mod contents;
mod entrants;
pub(crate) mod ledger;
mod pictures;
mod raffles;
