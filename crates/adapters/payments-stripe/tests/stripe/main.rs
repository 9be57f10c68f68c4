//! The adapter with the stand-in, which checks requests and responses against Stripe's own schemas, and with signatures
//! that Stripe's own clients made.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "anything unexpected fails the test, and skipped checks are printed"
)]

mod client;
mod contract;
mod events;
mod failures;
mod payments;
mod signatures;
