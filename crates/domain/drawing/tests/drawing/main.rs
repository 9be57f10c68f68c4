//! Tests of the drawing. Start reading at `story.rs`, then at `attacks.rs`: each test there is an attempt to choose a winner.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

mod attacks;
mod beacon;
mod fairness;
mod frozen_list;
mod proofs;
mod published_list;
mod python;
mod sample;
mod texts;
mod vectors;
