//! The beacon's ports. [`Beacon`] is never called inside a transaction.

use super::{BeaconSignature, Chain, Round};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};

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

    /// Asks the hosts for a round, one after the other, until one has it. It does not wait for the round: the caller asks
    /// again.
    async fn ask(&self, round: Round) -> Asked;
}

/// What the hosts of a chain answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asked {
    /// The signature of the round, which was verified.
    Published(BeaconSignature),
    /// No host has it. What each of them answered, in the order in which they were asked.
    Missing(Vec<HostAnswer>),
}

/// What one host answered that did not have the round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostAnswer {
    /// The host, such as `api.drand.sh`.
    pub host: String,
    /// The answer in a few words, such as [`HostAnswer::NOT_PUBLISHED`].
    pub answer: String,
}

impl HostAnswer {
    /// The host answers, and does not have the round.
    pub const NOT_PUBLISHED: &str = "the round is not published";
}
