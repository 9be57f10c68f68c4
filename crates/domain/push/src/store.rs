use crate::{Attempt, Endpoint, NewSubscription, Waiting};
use chrono::{DateTime, Utc};
use kernel::{DrawingId, EntrantId, StoreError};

/// The browsers that want to be told when it is drawn.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Subscriptions {
    /// Stores a subscription, active. An endpoint that is known gets this entrant and these keys, in place of what was stored
    /// before. The oldest subscriptions of the entrant beyond
    /// [`crate::SUBSCRIPTIONS_PER_ENTRANT`] are deleted. `false` if there is no such entrant; nothing is stored then.
    fn subscribe(&mut self, new: &NewSubscription) -> Result<bool, StoreError>;

    /// Deletes a subscription of an entrant, with the messages that wait for it. Returns whether there was one.
    fn unsubscribe(&mut self, entrant: EntrantId, endpoint: &Endpoint) -> Result<bool, StoreError>;
}

/// The messages that wait to be sent.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Deliveries {
    /// Takes the oldest drawing whose result is younger than [`crate::MESSAGE_LIFE`] at `now` and that nobody was told of,
    /// and queues a message for each active subscription of the entrants of its raffle. Returns the drawing. Atomic: any
    /// number of callers queue each message once.
    fn queue_result(&mut self, now: DateTime<Utc>) -> Result<Option<DrawingId>, StoreError>;

    /// Claims up to `limit` messages that are due, the longest due first, and counts an attempt of each. Nobody else gets
    /// them before `until`: a sender that fails does not lose them.
    fn claim_deliveries(
        &mut self,
        now: DateTime<Utc>,
        until: DateTime<Utc>,
        limit: u32,
    ) -> Result<Vec<Waiting>, StoreError>;

    /// Records attempts: deletes messages that are done, and deactivates subscriptions, with all their messages.
    fn record_attempts(&mut self, attempts: &[Attempt]) -> Result<(), StoreError>;

    /// How many messages wait.
    fn count_deliveries(&self) -> Result<i64, StoreError>;
}

/// The store ports of push messages. Every type that implements them implements this.
pub trait PushStore: Subscriptions + Deliveries {}

impl<T: Subscriptions + Deliveries> PushStore for T {}
