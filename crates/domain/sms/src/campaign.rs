use crate::{CampaignSecret, ConsentBasis, Label, MessageTemplate, TemplateId};
use chrono::{DateTime, Utc};
use kernel::{IdempotencyKey, Phone, StaffName};
use raffle::RaffleKey;
use std::collections::HashSet;

kernel::id_type! {
    /// The id of a campaign.
    pub struct CampaignId
}

/// The recipients of a campaign (D20).
#[derive(Debug, Clone, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Audience {
    /// All entrants who consented, are not flagged and have not opted out.
    All,
    /// The same, but only the entrants of one raffle.
    #[strum(serialize = "landing_page")]
    Raffle(RaffleKey),
    /// These numbers.
    Custom(Vec<Phone>),
}

impl Audience {
    /// The name in rows and responses.
    pub fn as_str(&self) -> &'static str {
        self.into()
    }

    /// The raffle it is limited to.
    pub const fn raffle(&self) -> Option<RaffleKey> {
        match self {
            Self::Raffle(raffle) => Some(*raffle),
            Self::All | Self::Custom(_) => None,
        }
    }

    /// Whether it consists of entrants, who must have consented and not be flagged.
    pub const fn is_of_entrants(&self) -> bool {
        !matches!(self, Self::Custom(_))
    }
}

/// The largest number of phone numbers in a custom list.
pub const MAX_CUSTOM_NUMBERS: usize = 100_000;

/// Parses the phone numbers of a list. Blank items are ignored, and two spellings of one number count once.
///
/// # Errors
/// The items that are not phone numbers, without spaces around them.
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
    /// The maximum length, so that every message has room for a link.
    pub const MAX_CHARS: usize = 60;

    /// Parses an `http` or `https` URL without a query, to which a path can be appended.
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

    /// The URL, without a trailing slash.
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
    /// Waits until its scheduled time.
    Pending,
    /// Is being sent.
    Sending,
    /// Was sent, or had no recipients.
    Sent,
    /// Had recipients, and every message failed.
    Failed,
    /// Was canceled before it started.
    Cancelled,
}

impl CampaignStatus {
    /// The name in rows and responses.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// The status of a campaign that has nothing left to send (D20).
    pub const fn at_the_end(figures: &CampaignFigures) -> Self {
        let tried = figures.recipients - figures.skipped;
        if tried > 0 && figures.failed >= tried {
            Self::Failed
        } else {
            Self::Sent
        }
    }
}

/// A campaign to be scheduled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCampaign {
    /// The name.
    pub name: Label,
    /// The template. Its message is copied when the campaign starts.
    pub template: TemplateId,
    /// When to start it.
    pub scheduled_at: DateTime<Utc>,
    /// The recipients.
    pub audience: Audience,
    /// Why the numbers of a list may get messages. `None` for other audiences.
    pub consent_basis: Option<ConsentBasis>,
    /// The origin that its links begin with.
    pub link_base: LinkBase,
    /// The secret from which its tracking ids are derived.
    pub secret: CampaignSecret,
    /// The client's key for the request.
    pub idempotency_key: Option<IdempotencyKey>,
    /// Who schedules it, if a name is given.
    pub created_by: Option<StaffName>,
    /// The present moment.
    pub at: DateTime<Utc>,
}

/// The figures of a campaign so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CampaignFigures {
    /// Recipients; 0 until the campaign starts.
    pub recipients: i64,
    /// Messages that the provider accepted.
    pub sent: i64,
    /// Messages that were delivered.
    pub delivered: i64,
    /// Messages that were refused, failed or were not delivered.
    pub failed: i64,
    /// Messages that were skipped.
    pub skipped: i64,
    /// Links that were opened.
    pub clicked: i64,
    /// Links that were followed to the raffle.
    pub cta_clicked: i64,
}

/// A scheduled campaign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Campaign {
    /// The id.
    pub id: CampaignId,
    /// The campaign as it was scheduled. Of a custom list it may have only the first [`Campaign::LISTED_NUMBERS`].
    pub plan: NewCampaign,
    /// The present name of its template.
    pub template_name: String,
    /// The number of phone numbers in its custom list.
    pub custom_number_count: i64,
    /// How far it has come.
    pub status: CampaignStatus,
    /// Its figures.
    pub figures: CampaignFigures,
    /// When it started.
    pub started_at: Option<DateTime<Utc>>,
    /// When it ended.
    pub ended_at: Option<DateTime<Utc>>,
}

impl Campaign {
    /// How many numbers of a custom list are read with a campaign.
    pub const LISTED_NUMBERS: usize = 100;
}

/// A campaign that is being sent: the parts that its messages are composed from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SendingCampaign {
    /// The id.
    pub id: CampaignId,
    /// The message, as it was when the campaign started.
    pub message: MessageTemplate,
    /// The raffle for recipients who are in none.
    pub raffle: RaffleKey,
    /// The origin that its links begin with.
    pub link_base: LinkBase,
    /// The secret from which its tracking ids are derived.
    pub secret: CampaignSecret,
}

#[cfg(test)]
mod tests {
    use super::*;
    use raffle::fixtures::FRESH_SIPS;
    use strum::IntoEnumIterator;

    #[test]
    fn two_spellings_of_one_number_count_once() {
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
    fn items_that_are_not_phone_numbers_are_returned() {
        let wrong = custom_numbers(["12345", "5551234567", "call me"]).unwrap_err();
        assert_eq!(wrong, ["12345", "call me"]);
    }

    #[test]
    fn a_link_base_is_an_http_url_without_a_query() {
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
    fn a_campaign_fails_only_when_all_its_messages_fail() {
        let end = |recipients, failed, skipped| {
            CampaignStatus::at_the_end(&CampaignFigures {
                recipients,
                failed,
                skipped,
                ..Default::default()
            })
        };
        assert_eq!(end(0, 0, 0), CampaignStatus::Sent, "no recipients");
        assert_eq!(end(3, 2, 0), CampaignStatus::Sent);
        assert_eq!(end(3, 3, 0), CampaignStatus::Failed);
        assert_eq!(end(3, 2, 1), CampaignStatus::Failed);
        assert_eq!(end(3, 0, 3), CampaignStatus::Sent, "every recipient was skipped");
    }

    #[test]
    fn names_match_rows_and_responses() {
        let statuses: Vec<_> = CampaignStatus::iter().map(CampaignStatus::as_str).collect();
        assert_eq!(statuses, ["pending", "sending", "sent", "failed", "cancelled"]);
        let audiences = [
            Audience::All,
            Audience::Raffle(FRESH_SIPS),
            Audience::Custom(Vec::new()),
        ];
        assert_eq!(
            audiences.map(|audience| audience.as_str()),
            ["all", "landing_page", "custom"]
        );
    }

    #[test]
    fn audiences_other_than_lists_are_of_entrants() {
        let of_a_raffle = Audience::Raffle(FRESH_SIPS);
        let list = Audience::Custom(Vec::new());
        assert!(Audience::All.is_of_entrants() && of_a_raffle.is_of_entrants());
        assert!(!list.is_of_entrants());
        let raffles = [Audience::All, of_a_raffle, list].map(|audience| audience.raffle());
        assert_eq!(raffles, [None, Some(FRESH_SIPS), None]);
    }
}
