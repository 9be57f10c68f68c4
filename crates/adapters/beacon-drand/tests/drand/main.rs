//! The adapter with stand-ins for the hosts of a drand network.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "anything unexpected fails the test"
)]

mod asking;
mod bls;
mod contract;
mod hosts;
mod metrics;
