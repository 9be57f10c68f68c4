//! The flow of sending messages, on the fakes and in paused time: a test that waits an hour takes a moment.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "what is unexpected fails the test"
)]

mod credentials;
mod fixture;
mod lease;
mod pace;
#[path = "../support/mod.rs"]
mod support;
mod uncertain;
