use chrono::{DateTime, Utc};
use kernel::{EntrantId, StoreError};
use std::net::IpAddr;

/// The version of the sentence beside the form's checkbox for campaign messages
/// (`frontend/src/site/features/entering/EnterForm.tsx`). A new wording gets a new version; stored consents keep theirs.
pub const CAMPAIGN_WORDING: &str = "2026-11-22";

/// What a form without an answer means (`SMS_CONSENT_DEFAULT`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConsentDefault {
    /// The entrant consents. For development.
    Granted,
    /// The entrant does not consent. For production.
    None,
}

/// How an entrant consented or refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum ConsentAct {
    /// With the checkbox on the form.
    Form,
    /// Without an answer, where that counts as consent.
    Default,
}

impl ConsentAct {
    /// The name in rows.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// An entrant's consent to campaign messages, or refusal of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Consent {
    /// Whether messages may be sent.
    pub granted: bool,
    /// How the entrant said so.
    pub act: ConsentAct,
}

/// The consent to record for an answer, or for a form without one (D23a). A refusal is recorded too.
pub fn campaign_consent(answer: Option<bool>, default: ConsentDefault) -> Option<Consent> {
    match (answer, default) {
        (Some(granted), _) => Some(Consent {
            granted,
            act: ConsentAct::Form,
        }),
        (None, ConsentDefault::Granted) => Some(Consent {
            granted: true,
            act: ConsentAct::Default,
        }),
        (None, ConsentDefault::None) => None,
    }
}

/// A consent to be recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewConsent {
    /// The entrant.
    pub entrant: EntrantId,
    /// The consent.
    pub consent: Consent,
    /// The version of the sentence on the form.
    pub wording: &'static str,
    /// Where the request came from.
    pub address: Option<IpAddr>,
    /// The `User-Agent` header.
    pub user_agent: Option<String>,
    /// The present moment.
    pub at: DateTime<Utc>,
}

/// The consents of entrants.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Consents {
    /// Records a consent. Earlier rows stay; the newest one applies.
    fn record_consent(&mut self, consent: &NewConsent) -> Result<(), StoreError>;

    /// Whether campaign messages may be sent to this entrant.
    fn has_campaign_consent(&self, entrant: EntrantId) -> Result<bool, StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_recorded_as_given() {
        for default in [ConsentDefault::Granted, ConsentDefault::None] {
            for granted in [true, false] {
                let consent = campaign_consent(Some(granted), default);
                assert_eq!(
                    consent,
                    Some(Consent {
                        granted,
                        act: ConsentAct::Form
                    })
                );
            }
        }
    }

    #[test]
    fn acts_have_the_names_of_the_store() {
        assert_eq!(
            [ConsentAct::Form, ConsentAct::Default].map(ConsentAct::as_str),
            ["form", "default"]
        );
    }

    #[test]
    fn a_form_without_an_answer_is_consent_only_by_default() {
        let by_default = Some(Consent {
            granted: true,
            act: ConsentAct::Default,
        });
        assert_eq!(campaign_consent(None, ConsentDefault::Granted), by_default);
        assert_eq!(campaign_consent(None, ConsentDefault::None), None);
    }
}
