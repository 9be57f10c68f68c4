//! What tests may expect of the stand-in, over HTTP. `scripts/stand-ins/twilio-client/test.sh` compares it with Twilio's client.

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
mod failures;
mod incoming;
mod messages;
mod receiver;
