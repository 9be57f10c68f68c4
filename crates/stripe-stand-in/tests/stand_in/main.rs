//! What tests may expect of the stand-in, over HTTP. `scripts/stand-ins/clients/test.sh` compares it with Stripe's client.

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
