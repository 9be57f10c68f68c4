//! The public randomness beacon: a chain of rounds, each with a signature that nobody can make before its time.
//!
//! A network such as drand's quicknet signs the number of each round with a key that its members hold together. Anybody
//! can verify a signature with the network's public key, so it does not matter who brings it. The randomness of a round
//! is the hash of its signature, and is always computed here. This module reads no clock and asks nobody; [`Beacon`] and
//! [`BeaconVerifier`] are the ports for that.
//!
//! Start reading at [`Chain`].

mod chain;
mod hex_type;
mod ports;
mod round;
mod signature;

pub use chain::{Chain, ChainHash, PublicKey, Scheme};
pub use ports::{Asked, Beacon, BeaconVerifier, HostAnswer};
pub use round::Round;
pub use signature::BeaconSignature;
