//! What tests may expect of the stand-ins, over HTTP.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "anything unexpected fails the test, and skipped checks are printed"
)]

mod drand;
mod stripe;
mod twilio;
