//! Winners' claims on the fakes: every step in every status, and what time brings. `crates/contracts` has the races.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "what is unexpected fails the test"
)]

mod clock;
mod fixture;
mod staff;
mod unreached;
mod winner;
