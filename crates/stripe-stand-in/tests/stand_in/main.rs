//! What tests may expect of the stand-in, over HTTP. `crates/payments-stripe` compares it with a client that others wrote.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "anything unexpected fails the test, and skipped checks are printed"
)]

mod browser;
mod client;
mod validation;
mod webhooks;
