//! The fakes keep the contracts of the ports: the rules of every store, and those of the gateways. PostgreSQL keeps the
//! rules of stores too: `crates/adapters/store-postgres/tests`.

#![allow(clippy::unwrap_used, reason = "anything unexpected fails the test")]

mod contract;
mod gateways;
