//! The adapter against the stand-in, which checks both sides against Twilio's own types, and against Twilio's own
//! signatures.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "what is unexpected fails the test; what cannot be checked here is said"
)]

mod callbacks;
mod carrier;
mod looking_up;
mod sending;
mod signatures;
