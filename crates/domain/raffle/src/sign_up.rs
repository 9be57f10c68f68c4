use crate::RaffleKey;
use kernel::{Consent, EventId, Origin, Phone, ReferralCode, Session};
use serde::{Deserialize, Serialize};

/// What somebody sends who enters a raffle, and where it came from. While it waits for its code, it is stored as this says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SignUp {
    /// The phone number to enter.
    #[serde(rename = "phoneNumber")]
    pub phone: Phone,
    /// The raffle to enter; the default one without it.
    #[serde(rename = "landingPage")]
    pub raffle: Option<RaffleKey>,
    /// The referral code of the link, if there was one.
    pub referral_code: Option<ReferralCode>,
    /// The client's id for this sign-up.
    pub event_id: Option<EventId>,
    /// The consent to campaign messages to record, if any.
    pub consent: Option<Consent>,
    /// Where the request came from.
    #[serde(flatten)]
    pub origin: Origin,
    /// The browser's fingerprint, a hash.
    pub fingerprint: Option<String>,
    /// The browser session, for the funnel; `None` when the visitor is not tracked.
    pub session: Option<Session>,
}
