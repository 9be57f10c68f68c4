//! The beacon's ports. [`Beacon`] is never called inside a transaction.

use super::{BeaconSignature, Chain, Round};
use async_trait::async_trait;
use std::error::Error;

/// Verifies signatures.
pub trait BeaconVerifier: Send + Sync {
    /// Whether the chain's key signed this round with this signature. Never true for a key or a signature that is not
    /// well-formed.
    fn verifies(&self, chain: &Chain, round: Round, signature: &BeaconSignature) -> bool;
}

/// The published rounds of a chain.
#[async_trait]
pub trait Beacon: Send + Sync {
    /// The chain whose rounds these are.
    fn chain(&self) -> &Chain;

    /// The signature of a round, which was verified; `None` while the round is not published. It asks everybody who may
    /// know it once, and does not wait for the round: the caller asks again.
    ///
    /// # Errors
    /// When nobody could be asked.
    async fn signature(&self, round: Round) -> Result<Option<BeaconSignature>, BeaconUnavailable>;
}

/// Nobody who publishes the beacon could be asked, or nobody gave a valid answer.
#[derive(Debug, thiserror::Error)]
#[error("the beacon is not available")]
pub struct BeaconUnavailable(#[source] pub Box<dyn Error + Send + Sync>);
