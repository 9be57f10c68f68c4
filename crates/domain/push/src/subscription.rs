use crate::{Endpoint, SubscriptionKeys};
use chrono::{DateTime, Utc};
use kernel::EntrantId;

/// How many subscriptions an entrant has at most. A further one takes the place of the oldest.
pub const SUBSCRIPTIONS_PER_ENTRANT: usize = 5;

kernel::id_type! {
    /// The id of a subscription.
    pub struct SubscriptionId
}

kernel::id_type! {
    /// The id of a message that waits to be sent.
    pub struct DeliveryId
}

/// A browser that wants to be told when it is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSubscription {
    /// Whose browser it is.
    pub entrant: EntrantId,
    /// Where its messages are sent to.
    pub endpoint: Endpoint,
    /// What they are encrypted with.
    pub keys: SubscriptionKeys,
    /// The browser, as it names itself.
    pub user_agent: Option<String>,
    /// The present moment.
    pub at: DateTime<Utc>,
}
