//! The beacon gateway over drand's HTTP API, and chain files.
//!
//! Several hosts publish the same rounds, and none of them is trusted: whatever one answers is verified, and after an
//! answer that is of no use the next host is asked. Nothing is retried here; the caller asks again. Start reading at
//! [`DrandBeacon`]; [`BlsVerifier`] calls nobody.

mod answer;
mod beacon;
mod bls;
mod chain_file;

pub use beacon::{DrandBeacon, SetupError, Timeouts};
pub use bls::BlsVerifier;
pub use chain_file::{InvalidChain, read_chain};
