use crate::Consent;
use chrono::{DateTime, Utc};
use kernel::{EntrantId, Phone, StoreError};
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

/// Why a text is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextKind {
    /// Somebody won (D24).
    Victory,
}

impl TextKind {
    /// All of them.
    pub const ALL: [Self; 1] = [Self::Victory];

    /// Its name in rows.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Victory => "victory",
        }
    }

    /// The kind with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A text about to be queued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewText {
    /// Why.
    pub kind: TextKind,
    /// Who gets it.
    pub entrant: EntrantId,
    /// At which number.
    pub phone: Phone,
    /// What it says.
    pub body: String,
    /// Now.
    pub at: DateTime<Utc>,
}

/// Texts on their way. What is queued is never lost.
pub trait Outbox {
    /// Queues a text as pending, in the transaction that causes it.
    ///
    /// # Errors
    /// Only the store's own.
    fn queue_text(&mut self, text: &NewText) -> Result<(), StoreError>;

    /// What was queued for an entrant, oldest first.
    ///
    /// # Errors
    /// Only the store's own.
    fn list_texts_to(&mut self, entrant: EntrantId) -> Result<Vec<NewText>, StoreError>;
}
