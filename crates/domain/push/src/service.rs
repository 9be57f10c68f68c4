use crate::{Endpoint, SubscriptionKeys};
use async_trait::async_trait;
use std::time::Duration;

/// A message for one subscription.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PushMessage {
    /// Where it goes.
    pub endpoint: Endpoint,
    /// What it is encrypted with.
    pub keys: SubscriptionKeys,
    /// What the browser gets.
    pub payload: Vec<u8>,
    /// A newer message of the same topic replaces one that waits for a browser that is off. At most 32 characters of base64url.
    pub topic: String,
    /// How long the push service keeps it for a browser that is off.
    pub ttl: Duration,
}

/// What became of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PushOutcome {
    /// The push service took it.
    Accepted,
    /// The subscription is no more (404, 410), or nothing can be encrypted for its keys.
    Gone,
    /// The push service refuses the message for good, with this status.
    Refused(u16),
    /// Not now: too many requests, an error of the push service, or no answer.
    Later {
        /// How long the push service asks to wait.
        after: Option<Duration>,
    },
}

impl PushOutcome {
    /// The name in metrics.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Gone => "gone",
            Self::Refused(_) => "refused",
            Self::Later { .. } => "later",
        }
    }
}

/// The push services of the browsers.
#[async_trait]
pub trait PushService: Send + Sync {
    /// Hands one message to its push service, without retries, within a bounded time.
    async fn push(&self, message: &PushMessage) -> PushOutcome;
}
