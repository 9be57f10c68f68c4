//! Uploads and what is made of them.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod accepted;
mod files;
mod memory;
mod refused;
