//! Tests of the program as a process, with a real database, signals and logs.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a panic fails the test"
)]

mod approvals;
mod audit;
mod campaign_scene;
mod clearing;
mod collection;
mod commands;
mod connections;
mod database_outage;
mod drawings;
mod entering;
mod erasures;
mod logs;
mod messages;
mod pictures;
mod proofs;
mod proxy;
mod published_lists;
mod purchases;
mod rate_limits;
mod redis_tls;
mod reseal;
mod rollups;
mod server;
mod sign_in;
mod silent_standby;
mod stand_in;
mod start;
mod stop;
mod stored_text;

#[path = "../../../../adapters/store-postgres/tests/postgres/support.rs"]
#[allow(dead_code, reason = "shared with the store's own tests")]
mod support;

use diesel as _; // by `support`
