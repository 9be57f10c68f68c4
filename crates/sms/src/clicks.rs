use crate::TrackingId;
use chrono::{DateTime, Utc};
use kernel::{EntrantId, Raffle, StoreError};

/// Whose link was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrackedMessage {
    /// The entrant it was sent to.
    pub entrant: Option<EntrantId>,
    /// The raffle that its page shows.
    pub raffle: Raffle,
}

/// A link being opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewClick {
    /// Which link.
    pub tracking_id: TrackingId,
    /// Whether its reader went on to the raffle.
    pub cta: bool,
    /// From where.
    pub address: Option<std::net::IpAddr>,
    /// By what.
    pub user_agent: Option<String>,
    /// Now.
    pub at: DateTime<Utc>,
}

/// Links that were opened.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Clicks {
    /// Notes that a link was opened, or gone on from: the first time of each, and the campaign's figures with it. Going
    /// on is opening too. Whose link it is; `None` for an unknown one.
    fn record_click(&mut self, click: &NewClick) -> Result<Option<TrackedMessage>, StoreError>;
}
