//! The store on a real PostgreSQL.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "what is unexpected fails the test"
)]

mod away;
mod contract;
mod drawing;
mod purchasing;
mod schema;
mod support;
mod texting;
