//! Whom messages reach.

use crate::{ConsentAnswer, ConsentId, MessageKind, SkipReason, SmsCountries};
use chrono::{DateTime, NaiveDate, Utc};
use kernel::Phone;

/// Which recipients of campaigns get a message now.
#[derive(Debug, Clone, Copy)]
pub struct CampaignRules<'a> {
    /// The month that messages count for.
    pub month: NaiveDate,
    /// The largest number of campaign messages to one number in a month.
    pub monthly_cap: u32,
    /// The countries whose numbers get messages.
    pub countries: &'a SmsCountries,
}

/// The entrant with a number, as far as it matters to campaigns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AddressedEntrant {
    /// Whether the entrant is flagged.
    pub is_flagged: bool,
    /// The newest answer about campaign messages, if there is one.
    pub newest_answer: Option<ConsentAnswer>,
}

/// To whom a campaign sends a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Addressee {
    /// Whether the audience is of entrants ([`crate::Audience::is_of_entrants`]), and not a list of numbers.
    pub is_of_entrants: bool,
    /// The entrant with the number, if there is one.
    pub entrant: Option<AddressedEntrant>,
}

impl Addressee {
    /// The consent that allows the message: the newest answer of the entrant, if it stands.
    pub fn consent(&self) -> Option<ConsentId> {
        let newest = self.entrant?.newest_answer?;
        newest.stands().then_some(newest.id)
    }

    /// Why the campaign skips them, if so. A listed number that is no entrant's needs no consent, because staff state a basis
    /// for the list.
    pub fn skip(&self) -> Option<SkipReason> {
        let is_flagged = self.entrant.is_some_and(|entrant| entrant.is_flagged);
        if self.is_of_entrants && is_flagged {
            return Some(SkipReason::Flagged);
        }
        let needs_consent = self.is_of_entrants || self.entrant.is_some();
        (needs_consent && self.consent().is_none()).then_some(SkipReason::NoConsent)
    }
}

impl CampaignRules<'_> {
    /// Why a number that a campaign has reached is skipped, if so. The monthly cap comes after this: it counts only recipients
    /// who are not skipped.
    pub fn skip(&self, phone: &Phone, has_opted_out: bool, addressee: &Addressee) -> Option<SkipReason> {
        if has_opted_out {
            return Some(SkipReason::OptedOut);
        }
        if !self.countries.permit(phone) {
            return Some(SkipReason::Country);
        }
        addressee.skip()
    }
}

/// A pending message that is due, with what decides whether it is still sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingMessage {
    /// Why it is sent.
    pub kind: MessageKind,
    /// The recipient's number.
    pub phone: Phone,
    /// When it was queued.
    pub queued_at: DateTime<Utc>,
    /// Whether its recipient was erased.
    pub is_erased: bool,
    /// Whether the number has opted out.
    pub has_opted_out: bool,
    /// Whether the welcome message of the entrant's raffle is active, if staff have written one.
    pub welcome_is_active: Option<bool>,
    /// To whom its campaign sends it, if it is of one.
    pub campaign: Option<Addressee>,
}

impl WaitingMessage {
    /// Why it is not sent any more, if so, whatever its age and its recipient's country.
    pub fn skip(&self) -> Option<SkipReason> {
        if self.is_erased {
            return Some(SkipReason::NoConsent);
        }
        if self.has_opted_out {
            return Some(SkipReason::OptedOut);
        }
        if self.kind == MessageKind::Welcome && self.welcome_is_active == Some(false) {
            return Some(SkipReason::WelcomeOff);
        }
        self.campaign.and_then(|addressee| addressee.skip())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SmsCountries;
    use chrono::NaiveDate;
    use strum::IntoEnumIterator;

    const CONSENTING: AddressedEntrant = AddressedEntrant {
        is_flagged: false,
        newest_answer: Some(ConsentAnswer {
            id: ConsentId::new(7),
            granted: true,
            is_revoked: false,
        }),
    };
    const FLAGGED: AddressedEntrant = AddressedEntrant {
        is_flagged: true,
        ..CONSENTING
    };
    const SILENT: AddressedEntrant = AddressedEntrant {
        is_flagged: false,
        newest_answer: None,
    };

    fn answering(granted: bool, is_revoked: bool) -> AddressedEntrant {
        let id = ConsentId::new(7);
        AddressedEntrant {
            newest_answer: Some(ConsentAnswer {
                id,
                granted,
                is_revoked,
            }),
            ..SILENT
        }
    }

    const fn of_audience(entrant: AddressedEntrant) -> Addressee {
        Addressee {
            is_of_entrants: true,
            entrant: Some(entrant),
        }
    }

    const fn listed(entrant: Option<AddressedEntrant>) -> Addressee {
        Addressee {
            is_of_entrants: false,
            entrant,
        }
    }

    #[test]
    fn an_audience_of_entrants_needs_a_consent_and_no_flag() {
        assert_eq!(of_audience(CONSENTING).skip(), None);
        assert_eq!(of_audience(SILENT).skip(), Some(SkipReason::NoConsent));
        assert_eq!(of_audience(FLAGGED).skip(), Some(SkipReason::Flagged));
        let silent_too = AddressedEntrant {
            newest_answer: None,
            ..FLAGGED
        };
        assert_eq!(of_audience(silent_too).skip(), Some(SkipReason::Flagged));
        let gone = Addressee {
            is_of_entrants: true,
            entrant: None,
        };
        assert_eq!(gone.skip(), Some(SkipReason::NoConsent));
    }

    #[test]
    fn a_listed_number_needs_a_consent_only_if_it_is_an_entrants() {
        assert_eq!(listed(None).skip(), None);
        assert_eq!(listed(Some(CONSENTING)).skip(), None);
        assert_eq!(listed(Some(SILENT)).skip(), Some(SkipReason::NoConsent));
        assert_eq!(listed(Some(FLAGGED)).skip(), None, "flags are about the raffle");
    }

    #[test]
    fn only_a_consent_that_was_not_revoked_allows_a_message() {
        let allowed = |granted, is_revoked| {
            let addressee = of_audience(answering(granted, is_revoked));
            assert_eq!(addressee.consent().is_some(), addressee.skip().is_none());
            addressee.consent()
        };
        assert_eq!(allowed(true, false), Some(ConsentId::new(7)));
        assert_eq!(allowed(true, true), None);
        assert_eq!(allowed(false, false), None);
        assert_eq!(listed(None).consent(), None);
    }

    #[test]
    fn a_campaign_first_skips_who_opted_out_then_other_countries_then_by_flag_and_consent() {
        let countries = SmsCountries::default();
        let rules = CampaignRules {
            month: NaiveDate::default(),
            monthly_cap: 1,
            countries: &countries,
        };
        let skip = |number, has_opted_out, entrant| {
            let phone = Phone::from_e164(number).unwrap();
            rules.skip(&phone, has_opted_out, &of_audience(entrant))
        };
        let (near, jamaica) = ("+12125551234", "+18765551234");
        assert_eq!(skip(jamaica, true, FLAGGED), Some(SkipReason::OptedOut));
        assert_eq!(skip(jamaica, false, FLAGGED), Some(SkipReason::Country));
        assert_eq!(skip(near, false, FLAGGED), Some(SkipReason::Flagged));
        assert_eq!(skip(near, false, SILENT), Some(SkipReason::NoConsent));
        assert_eq!(skip(near, false, CONSENTING), None);
    }

    fn waiting(kind: MessageKind) -> WaitingMessage {
        WaitingMessage {
            kind,
            phone: Phone::from_e164("+12125551234").unwrap(),
            queued_at: DateTime::UNIX_EPOCH,
            is_erased: false,
            has_opted_out: false,
            welcome_is_active: None,
            campaign: None,
        }
    }

    #[test]
    fn who_was_erased_or_has_opted_out_gets_no_message_of_any_kind() {
        for kind in MessageKind::iter() {
            let mut message = waiting(kind);
            assert_eq!(message.skip(), None, "{kind:?}");
            message.has_opted_out = true;
            assert_eq!(message.skip(), Some(SkipReason::OptedOut), "{kind:?}");
            message.is_erased = true;
            assert_eq!(message.skip(), Some(SkipReason::NoConsent), "{kind:?}");
        }
    }

    #[test]
    fn only_welcome_messages_stop_when_the_welcome_message_is_switched_off() {
        for kind in MessageKind::iter() {
            let skip = |welcome_is_active| {
                WaitingMessage {
                    welcome_is_active,
                    ..waiting(kind)
                }
                .skip()
            };
            let off = (kind == MessageKind::Welcome).then_some(SkipReason::WelcomeOff);
            assert_eq!(
                [skip(Some(false)), skip(Some(true)), skip(None)],
                [off, None, None]
            );
        }
    }

    #[test]
    fn a_campaign_message_that_waits_is_skipped_like_a_new_one() {
        for addressee in [
            of_audience(CONSENTING),
            of_audience(SILENT),
            of_audience(FLAGGED),
            listed(Some(SILENT)),
            listed(None),
        ] {
            let message = WaitingMessage {
                campaign: Some(addressee),
                ..waiting(MessageKind::Campaign)
            };
            assert_eq!(message.skip(), addressee.skip(), "{addressee:?}");
        }
    }
}
