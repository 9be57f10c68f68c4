//! Tests of the store on PostgreSQL.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a panic fails the test"
)]

mod claims;
mod clearing;
mod collected;
mod connections;
mod contract;
mod crediting;
mod cut_offs;
mod drawing_steps;
mod drawings;
mod entering;
mod exports;
mod frozen_entrants;
mod messages;
mod migrations;
mod networks;
mod person_tags;
mod pictures;
mod privacy;
mod purchases;
mod random_ids;
mod retention;
mod roles;
mod rollups;
mod schema;
mod sealed_keys;
mod support;
mod tls;
