//! What becomes of people's data (D45).

pub mod erasure;
pub mod requests;
