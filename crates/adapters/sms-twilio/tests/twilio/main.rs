//! The adapter with the stand-in, which checks requests and responses against Twilio's own schemas, and with signatures
//! that Twilio's own clients made.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "anything unexpected fails the test, and skipped checks are printed"
)]

mod callbacks;
mod client;
mod contract;
mod finding;
mod sending;
mod signatures;
