use chrono::{DateTime, Utc};
use kernel::{Consent, ConsentAct, EntrantId, Phone, StoreError};
use std::net::IpAddr;

kernel::id_type! {
    /// The id of a recorded consent or refusal.
    pub struct ConsentId
}

/// A sentence about campaign messages that entrants agree to. A new wording gets a new version, and stays here: stored
/// consents name the version that they were given for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wording {
    /// The version in rows.
    pub version: &'static str,
    /// What entrants read.
    pub sentence: &'static str,
}

/// The sentence beside the form's checkbox (`frontend/src/site/features/entering/EnterForm.tsx`).
pub const FORM_WORDING: Wording = Wording {
    version: "2026-11-22",
    sentence: "Also text me about upcoming raffles, at most 1 text per month. Optional: it doesn't affect your chances. \
               Reply STOP to opt out.",
};

/// The sentence of the switch on an entrant's page (`frontend/src/site/features/success/yourEntry/ConsentSwitch.tsx`).
pub const SWITCH_WORDING: Wording = Wording {
    version: "2026-11-23",
    sentence: "Text me about upcoming raffles, at most 1 text per month. Message and data rates may apply. \
               Reply STOP to opt out.",
};

impl Wording {
    /// The wording with this version, also an earlier one.
    pub fn find(version: &str) -> Option<Self> {
        [FORM_WORDING, SWITCH_WORDING]
            .into_iter()
            .find(|wording| wording.version == version)
    }
}

/// What a form without an answer means (`SMS_CONSENT_DEFAULT`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConsentDefault {
    /// The entrant consents. For development.
    Granted,
    /// The entrant does not consent. For production.
    None,
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
    /// What the entrant read.
    pub wording: Wording,
    /// Where the request came from.
    pub address: Option<IpAddr>,
    /// The `User-Agent` header.
    pub user_agent: Option<String>,
    /// The present moment.
    pub at: DateTime<Utc>,
}

/// A consent or refusal as it was recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredConsent {
    /// The id.
    pub id: ConsentId,
    /// The entrant.
    pub entrant: EntrantId,
    /// The consent.
    pub consent: Consent,
    /// The version of what the entrant read.
    pub wording: String,
    /// Where the request came from.
    pub address: Option<IpAddr>,
    /// When it was recorded.
    pub at: DateTime<Utc>,
    /// When STOP revoked it.
    pub revoked_at: Option<DateTime<Utc>>,
}

/// An entrant's answer about campaign messages, as far as it decides what is allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConsentAnswer {
    /// The id.
    pub id: ConsentId,
    /// Whether it is a consent, and not a refusal.
    pub granted: bool,
    /// Whether STOP revoked it.
    pub is_revoked: bool,
}

impl ConsentAnswer {
    /// Whether it allows campaign messages, as long as the entrant gives no newer answer.
    pub const fn stands(self) -> bool {
        self.granted && !self.is_revoked
    }
}

impl StoredConsent {
    /// What decides whether it allows campaign messages.
    pub const fn answer(&self) -> ConsentAnswer {
        ConsentAnswer {
            id: self.id,
            granted: self.consent.granted,
            is_revoked: self.revoked_at.is_some(),
        }
    }
}

/// Which of some answers STOP revokes: every consent that it has not revoked before.
pub fn revoked_by_stop(answers: impl IntoIterator<Item = ConsentAnswer>) -> Vec<ConsentId> {
    let standing = answers.into_iter().filter(|answer| answer.stands());
    standing.map(|answer| answer.id).collect()
}

/// What START makes of an entrant's newest answer: if STOP revoked it, the entrant consents again, to the same wording. Whoever
/// refused, or never answered, does not consent by START.
pub fn restored_by_start(newest: ConsentAnswer) -> Option<Consent> {
    newest.is_revoked.then_some(Consent {
        granted: true,
        act: ConsentAct::StartKeyword,
    })
}

/// The consents of entrants to campaign messages, and their refusals. Rows stay; the newest of an entrant applies.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Consents {
    /// Records a consent or a refusal.
    fn record_consent(&mut self, consent: &NewConsent) -> Result<(), StoreError>;

    /// The consent with this id.
    fn find_consent(&self, id: ConsentId) -> Result<Option<StoredConsent>, StoreError>;

    /// Whether campaign messages may be sent to this entrant.
    fn has_campaign_consent(&self, entrant: EntrantId) -> Result<bool, StoreError>;

    /// Revokes the consents of a number that said STOP, by [`revoked_by_stop`]. Call it after [`crate::OptOuts::opt_out`], which locks the number.
    fn revoke_consents(&mut self, phone: &Phone, at: DateTime<Utc>) -> Result<(), StoreError>;

    /// Records the consent of a number that said START, by [`restored_by_start`]. Call it after [`crate::OptOuts::opt_in`], which locks the number.
    fn restore_consents(&mut self, phone: &Phone, at: DateTime<Utc>) -> Result<(), StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;
    use strum::IntoEnumIterator;

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

    fn answer(id: i64, granted: bool, is_revoked: bool) -> ConsentAnswer {
        ConsentAnswer {
            id: ConsentId::new(id),
            granted,
            is_revoked,
        }
    }

    #[test]
    fn stop_revokes_each_consent_once_and_no_refusal() {
        let answers = [
            answer(1, true, true),
            answer(2, true, false),
            answer(3, false, false),
            answer(4, true, false),
        ];
        assert_eq!(revoked_by_stop(answers), [2, 4].map(ConsentId::new));
    }

    #[test]
    fn start_restores_only_a_consent_that_stop_revoked() {
        let restored = Some(Consent {
            granted: true,
            act: ConsentAct::StartKeyword,
        });
        assert_eq!(restored_by_start(answer(1, true, true)), restored);
        assert_eq!(restored_by_start(answer(1, true, false)), None);
        assert_eq!(restored_by_start(answer(1, false, false)), None);
    }

    #[test]
    fn acts_have_the_names_of_the_store() {
        let acts: Vec<_> = ConsentAct::iter().map(ConsentAct::as_str).collect();
        assert_eq!(acts, ["form", "default", "switch", "start_keyword"]);
    }

    #[test]
    fn a_wording_is_found_by_its_version_and_says_how_to_stop() {
        for wording in [FORM_WORDING, SWITCH_WORDING] {
            assert_eq!(Wording::find(wording.version), Some(wording));
            assert!(wording.sentence.ends_with("Reply STOP to opt out."));
        }
        assert_eq!(Wording::find("2020-01-01"), None);
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
