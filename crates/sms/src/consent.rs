use chrono::{DateTime, Utc};
use kernel::{EntrantId, StoreError};
use std::net::IpAddr;

/// The version of the sentence beside the form's box for campaign texts. A new wording gets a new version.
pub const CAMPAIGN_WORDING: &str = "2026-11";

/// What an absent answer means (`SMS_CONSENT_DEFAULT`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConsentDefault {
    /// It is consent. For development.
    Granted,
    /// It is none. For production.
    None,
}

/// By which act somebody consented, or refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum ConsentAct {
    /// The box on the form.
    Form,
    /// No answer, where that counts as consent.
    Default,
}

impl ConsentAct {
    /// Its name in the store.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// What somebody said about campaign texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Consent {
    /// Whether texts may be sent.
    pub granted: bool,
    /// How it was said.
    pub act: ConsentAct,
}

/// What is to be recorded for an answer, or for none (D23a). A refusal is recorded too: it is the form's answer.
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
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Consents {
    /// Records what somebody said about campaign texts. Earlier rows stay; the newest one holds.
    fn record_consent(&mut self, consent: &NewConsent) -> Result<(), StoreError>;

    /// Whether campaign texts may be sent to this entrant.
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
    fn silence_is_consent_only_where_the_default_says_so() {
        let by_default = Some(Consent {
            granted: true,
            act: ConsentAct::Default,
        });
        assert_eq!(campaign_consent(None, ConsentDefault::Granted), by_default);
        assert_eq!(campaign_consent(None, ConsentDefault::None), None);
    }
}
