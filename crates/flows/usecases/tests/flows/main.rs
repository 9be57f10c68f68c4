//! The flows on the fakes. The rules of the store are tested in `contracts`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "what is unexpected fails the test"
)]

mod claims;
mod entering;
mod erasure;
mod phone_verification;
mod purchases;
mod push;
mod reconcile;
mod send_messages;
mod sessions;
mod stories;
mod support;
