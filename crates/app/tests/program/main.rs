//! The program as its operator meets it: a process, a real database, signals, logs.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "what is unexpected fails the test"
)]

mod away;
mod drawing;
mod kill;
mod limits;
mod logs;
mod payments;
mod proxy;
mod rollups;
mod server;
mod staff;
mod stand_in;
mod start;
mod stop;
mod texts;

#[path = "../../../store-postgres/tests/postgres/support.rs"]
#[allow(dead_code, reason = "shared with the store's own tests")]
mod support;

use diesel as _; // by `support`
