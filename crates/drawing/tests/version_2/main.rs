//! Version 2, `tombola-drawing/2`. Start reading at `attacks.rs`: each test there is an attempt to choose a winner.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail")]

mod attacks;
mod fairness;
mod proofs;
mod python;
mod sample;
mod texts;
mod vectors;
