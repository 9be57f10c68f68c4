use crate::{Content, RaffleKey};
use chrono::{DateTime, Utc};
use kernel::StoreError;

/// What a raffle's pages, rules and drawings say from a time on. A version never changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Version {
    /// The raffle.
    pub raffle: RaffleKey,
    /// Counts up from 1 in each raffle.
    pub number: i64,
    /// What it says.
    pub content: Content,
    /// When staff published it.
    pub published_at: DateTime<Utc>,
    /// From when on it counts: of the versions that count by then, the one with the highest number is in force.
    pub takes_effect_at: DateTime<Utc>,
}

/// The versions of raffles.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Versions {
    /// The version of a raffle that is in force at a time; `None` if none was published by then.
    fn version_in_force(&self, raffle: RaffleKey, at: DateTime<Utc>) -> Result<Option<Version>, StoreError>;
}
