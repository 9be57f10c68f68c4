use crate::{CampaignSecret, Label, MessageTemplate, TemplateId};
use chrono::{DateTime, Utc};
use kernel::{IdempotencyKey, Phone, Raffle};
use std::collections::HashSet;
kernel::id_type! {
    /// The id of a campaign.
    pub struct CampaignId
}

/// Whom a campaign is for (D20).
#[derive(Debug, Clone, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Audience {
    /// Every entrant who consented, is not flagged and has not opted out.
    All,
    /// Those of one raffle.
    #[strum(serialize = "landing_page")]
    Raffle(Raffle),
    /// Exactly these numbers, each once.
    Custom(Vec<Phone>),
}

impl Audience {
    /// Its name in rows and answers.
    pub fn as_str(&self) -> &'static str {
        self.into()
    }

    /// The raffle it is limited to.
    pub const fn raffle(&self) -> Option<Raffle> {
        match self {
            Self::Raffle(raffle) => Some(*raffle),
            Self::All | Self::Custom(_) => None,
        }
    }

    /// Whether consent, flags and the monthly cap hold for it. Opt-outs always do.
    pub const fn is_of_entrants(&self) -> bool {
        !matches!(self, Self::Custom(_))
    }
}

/// The most numbers a list may have.
pub const MAX_CUSTOM_NUMBERS: usize = 100_000;

/// Reads the numbers of a list; blank ones are passed over, and a number that is there twice is taken once, however
/// it is written.
///
/// # Errors
/// All that are no phone numbers, as they were given.
pub fn custom_numbers<'a>(list: impl IntoIterator<Item = &'a str>) -> Result<Vec<Phone>, Vec<String>> {
    let mut seen = HashSet::new();
    let mut phones = Vec::new();
    let mut wrong = Vec::new();
    for number in list
        .into_iter()
        .map(str::trim)
        .filter(|number| !number.is_empty())
    {
        match Phone::parse(number) {
            Ok(phone) if seen.insert(phone.clone()) => phones.push(phone),
            Ok(_) => {}
            Err(_) => wrong.push(number.to_owned()),
        }
    }
    if wrong.is_empty() { Ok(phones) } else { Err(wrong) }
}

/// The origin that recipients' links begin with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkBase(String);

impl LinkBase {
    /// The longest there may be, so that a link always has room in a text.
    pub const MAX_CHARS: usize = 60;

    /// An http or https address without a query, as it can stand before a path.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().trim_end_matches('/');
        let rest = text
            .strip_prefix("https://")
            .or_else(|| text.strip_prefix("http://"))?;
        let host = rest.split('/').next().unwrap_or_default();
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-_~:/[]".contains(&byte);
        let fits = !host.is_empty()
            && host.bytes().any(|byte| byte.is_ascii_alphanumeric())
            && text.len() <= Self::MAX_CHARS
            && rest.bytes().all(plain);
        fits.then(|| Self(text.to_owned()))
    }

    /// The address, without a slash at its end.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// How far a campaign has come.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum CampaignStatus {
    /// Waits for its time.
    Pending,
    /// Is being sent.
    Sending,
    /// Was sent, also to nobody.
    Sent,
    /// Had recipients, and every text failed.
    Failed,
    /// Was called off before its time.
    Cancelled,
}

impl CampaignStatus {
    /// Its name in rows and answers.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// How a campaign ends that has nothing left to send (D20).
    pub const fn at_the_end(figures: &CampaignFigures) -> Self {
        let tried = figures.recipients - figures.skipped;
        if tried > 0 && figures.failed >= tried {
            Self::Failed
        } else {
            Self::Sent
        }
    }
}

/// A campaign about to be scheduled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCampaign {
    /// What it is called.
    pub name: Label,
    /// What it says, as the template stands when it begins.
    pub template: TemplateId,
    /// When it is to begin; in the past means now.
    pub scheduled_at: DateTime<Utc>,
    /// Whom it is for.
    pub audience: Audience,
    /// Where its links begin.
    pub link_base: LinkBase,
    /// From which its tracking ids are derived.
    pub secret: CampaignSecret,
    /// The client's name for this wish.
    pub idempotency_key: Option<IdempotencyKey>,
    /// Now.
    pub at: DateTime<Utc>,
}

/// What has become of a campaign's texts so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CampaignFigures {
    /// How many numbers it is for; known from its beginning on.
    pub recipients: i64,
    /// Taken by the provider.
    pub sent: i64,
    /// Of these, arrived.
    pub delivered: i64,
    /// Refused, failed or not arrived.
    pub failed: i64,
    /// Not to be sent.
    pub skipped: i64,
    /// Links opened.
    pub clicked: i64,
    /// Of these, gone on to the raffle.
    pub cta_clicked: i64,
}

/// A campaign that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Campaign {
    /// Which.
    pub id: CampaignId,
    /// What was asked for. Of a custom list only the first [`Campaign::LISTED_NUMBERS`] may be there.
    pub plan: NewCampaign,
    /// The name of its template now.
    pub template_name: String,
    /// How many numbers its custom list has.
    pub custom_number_count: i64,
    /// How far it has come.
    pub status: CampaignStatus,
    /// What has become of its texts.
    pub figures: CampaignFigures,
    /// When it began.
    pub started_at: Option<DateTime<Utc>>,
    /// When it ended.
    pub ended_at: Option<DateTime<Utc>>,
}

impl Campaign {
    /// How many numbers of a custom list are told with a campaign.
    pub const LISTED_NUMBERS: usize = 100;
}

/// A campaign that is being sent, as far as its next texts need it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SendingCampaign {
    /// Which.
    pub id: CampaignId,
    /// What it says, as it stood when the campaign began.
    pub message: MessageTemplate,
    /// The raffle for recipients who are in none.
    pub raffle: Raffle,
    /// Where its links begin.
    pub link_base: LinkBase,
    /// From which its tracking ids are derived.
    pub secret: CampaignSecret,
}

#[cfg(test)]
mod tests {
    use super::*;
    use strum::IntoEnumIterator;

    #[test]
    fn a_number_is_taken_once_however_it_is_written() {
        let list = [
            "(555) 123-4567",
            " +15551234567 ",
            "",
            "5551234567",
            "+44 20 7946 0000",
        ];
        let phones = custom_numbers(list).unwrap();
        let numbers: Vec<_> = phones.iter().map(Phone::as_e164).collect();
        assert_eq!(numbers, ["+15551234567", "+442079460000"]);
        assert_eq!(custom_numbers(["", " "]), Ok(vec![]));
    }

    #[test]
    fn what_is_no_number_is_named_as_it_was_given() {
        let wrong = custom_numbers(["12345", "5551234567", "call me"]).unwrap_err();
        assert_eq!(wrong, ["12345", "call me"]);
    }

    #[test]
    fn a_link_begins_with_an_address() {
        for (text, base) in [
            ("https://example.org", "https://example.org"),
            (" http://127.0.0.1:8080/ ", "http://127.0.0.1:8080"),
            ("https://example.org/raffle", "https://example.org/raffle"),
        ] {
            assert_eq!(LinkBase::parse(text).unwrap().as_str(), base);
        }
        let long = format!("https://{}.org", "x".repeat(60));
        for wrong in [
            "",
            "example.org",
            "ftp://example.org",
            "https://",
            "https:///x",
            "https://a b",
            "https://x.org?y",
            &long,
        ] {
            assert_eq!(LinkBase::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_campaign_fails_only_when_all_its_texts_did() {
        let end = |recipients, failed, skipped| {
            CampaignStatus::at_the_end(&CampaignFigures {
                recipients,
                failed,
                skipped,
                ..Default::default()
            })
        };
        assert_eq!(end(0, 0, 0), CampaignStatus::Sent, "it reached nobody");
        assert_eq!(end(3, 2, 0), CampaignStatus::Sent);
        assert_eq!(end(3, 3, 0), CampaignStatus::Failed);
        assert_eq!(end(3, 2, 1), CampaignStatus::Failed);
        assert_eq!(end(3, 0, 3), CampaignStatus::Sent, "nobody was to get one");
    }

    #[test]
    fn names_are_those_of_rows_and_answers() {
        let statuses: Vec<_> = CampaignStatus::iter().map(CampaignStatus::as_str).collect();
        assert_eq!(statuses, ["pending", "sending", "sent", "failed", "cancelled"]);
        let audiences = [
            Audience::All,
            Audience::Raffle(Raffle::FreshSips),
            Audience::Custom(Vec::new()),
        ];
        assert_eq!(
            audiences.map(|audience| audience.as_str()),
            ["all", "landing_page", "custom"]
        );
    }

    #[test]
    fn consent_flags_and_the_cap_hold_for_all_audiences_but_lists() {
        let of_a_raffle = Audience::Raffle(Raffle::FreshSips);
        let list = Audience::Custom(Vec::new());
        assert!(Audience::All.is_of_entrants() && of_a_raffle.is_of_entrants());
        assert!(!list.is_of_entrants());
        let raffles = [Audience::All, of_a_raffle, list].map(|audience| audience.raffle());
        assert_eq!(raffles, [None, Some(Raffle::FreshSips), None]);
    }
}
