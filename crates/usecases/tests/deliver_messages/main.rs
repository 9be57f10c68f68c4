//! Sending messages, on the fakes. What a store must hold is in `contracts`; this is what the flow itself decides.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "what is unexpected fails the test"
)]

mod claims;
mod lease;
mod office;
mod reports;
