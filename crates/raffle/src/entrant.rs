use crate::Entries;
use chrono::{DateTime, Utc};
use kernel::{EntrantId, EventId, Origin, Phone, Raffle, ReferralCode};

/// A person who is in a raffle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entrant {
    /// Which entrant.
    pub id: EntrantId,
    /// The phone number that was entered; nobody else has it.
    pub phone: Phone,
    /// What the entrant's referral link ends in.
    pub referral_code: ReferralCode,
    /// The raffle that was entered first, and stays.
    pub raffle: Raffle,
    /// The entrant's chances.
    pub entries: Entries,
    /// When the entrant entered.
    pub created_at: DateTime<Utc>,
}

/// Somebody about to enter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEntrant {
    /// The phone number that was entered.
    pub phone: Phone,
    /// A code nobody has, as far as is known.
    pub referral_code: ReferralCode,
    /// The raffle being entered.
    pub raffle: Raffle,
    /// The client's name for this sign-up, by which it is reported once (D3).
    pub event_id: Option<EventId>,
    /// Where the request came from.
    pub origin: Origin,
    /// A hash that the browser makes of its traits.
    pub fingerprint: Option<String>,
    /// Now.
    pub created_at: DateTime<Utc>,
}
