//! Sending messages, on the fakes. The rules of the store are tested in `contracts`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "what is unexpected fails the test"
)]

mod claims;
mod fixture;
mod hours;
mod lease;
mod reports;
