//! What the stand-in promises to whoever tests with it, over HTTP. That it is like Twilio, Twilio's own client says:
//! `scripts/test-twilio-stand-in.sh`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "what is unexpected fails the test; what cannot be checked here is said"
)]

mod calls;
mod desk;
mod failing;
mod listener;
mod people;
mod telling;
