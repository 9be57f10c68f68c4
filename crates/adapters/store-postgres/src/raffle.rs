//! What the domain `raffle` stores.

mod entrants;
pub(crate) mod ledger;
mod raffles;
