use crate::TrackingId;
use chrono::{DateTime, Utc};
use kernel::{EntrantId, StoreError};
use raffle::RaffleKey;

/// The recipient of a link that was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrackedMessage {
    /// The entrant with the recipient's number.
    pub entrant: Option<EntrantId>,
    /// The raffle that the link's page shows.
    pub raffle: RaffleKey,
}

/// A link that is opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewClick {
    /// The id of the link.
    pub tracking_id: TrackingId,
    /// Whether the reader followed the link to the raffle.
    pub cta: bool,
    /// The address that the request came from.
    pub address: Option<std::net::IpAddr>,
    /// The browser's user agent.
    pub user_agent: Option<String>,
    /// The present moment.
    pub at: DateTime<Utc>,
}

/// The links that were opened.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Clicks {
    /// Records the first time that a link was opened and the first time that it was followed to the raffle, with the
    /// campaign's counts. Following it counts as opening it. Returns its recipient, or `None` for an unknown link.
    fn record_click(&mut self, click: &NewClick) -> Result<Option<TrackedMessage>, StoreError>;
}
