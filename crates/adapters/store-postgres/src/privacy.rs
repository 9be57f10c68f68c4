//! What the domain `privacy` stores.

mod data_requests;
mod erased_numbers;
mod erasure;
pub(crate) mod exports;
mod retention;
