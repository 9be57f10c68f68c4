use crate::Consent;
use chrono::{DateTime, Utc};
use kernel::{EntrantId, StoreError};
use std::net::IpAddr;

/// A consent about to be recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewConsent {
    /// Whose.
    pub entrant: EntrantId,
    /// What was said, and how.
    pub consent: Consent,
    /// The version of the words it was said to.
    pub wording: &'static str,
    /// Where the request came from.
    pub address: Option<IpAddr>,
    /// What the browser calls itself.
    pub user_agent: Option<String>,
    /// Now.
    pub at: DateTime<Utc>,
}

/// Who agreed to what.
pub trait Consents {
    /// Records what somebody said about campaign texts. Earlier rows stay; the newest one holds.
    ///
    /// # Errors
    /// Only the store's own.
    fn record_consent(&mut self, consent: &NewConsent) -> Result<(), StoreError>;

    /// Whether campaign texts may be sent to this entrant.
    ///
    /// # Errors
    /// Only the store's own.
    fn has_campaign_consent(&mut self, entrant: EntrantId) -> Result<bool, StoreError>;
}
