//! Texts: the delivery rules, and the story of a campaign. Start reading at `story.rs`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic fails the test")]

mod delivery;
mod reports;
