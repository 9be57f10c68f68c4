//! The body of scheduling and of estimating a campaign.

use crate::app_state::{SmsServices, TrackingOrigins};
use crate::http::body::JsonBody;
use crate::http::field::FieldType;
use crate::http::fields::{All, FieldErrors, Messages, field, message, no_phone_number, read_raffle};
use crate::http::views::LandingPageView;
use crate::routes::staff::sms::MISSING;
use chrono::{DateTime, Utc};
use kernel::Phone;
use raffle::RaffleKey;
use serde::Deserialize;
use sms::{Audience, ConsentBasis, Label, LinkBase, MAX_CUSTOM_NUMBERS, Start, TemplateId, custom_numbers};
use std::time::Duration;
use utoipa::ToSchema;

/// A campaign to schedule or to estimate.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CampaignBody {
    #[schema(value_type = i64, required)]
    template_id: Option<i64>,
    /// Not needed for an estimate.
    #[schema(min_length = 1, max_length = 80)]
    campaign_name: Option<String>,
    /// When the campaign starts; a time in the past is refused. An estimate without it is one for now.
    #[schema(value_type = Option<String>, format = DateTime)]
    scheduled_date: Option<String>,
    /// Starts it as soon as it is scheduled. Then `scheduledDate` does not matter.
    start_now: Option<bool>,
    #[schema(value_type = TargetAudienceView, required)]
    target_audience: Option<String>,
    /// For the audience `landing_page`.
    #[schema(value_type = Option<LandingPageView>)]
    landing_page_filter: Option<String>,
    /// For the audience `custom`. Duplicates are dropped.
    #[schema(max_items = 100_000)]
    custom_phone_numbers: Option<Vec<String>>,
    /// For the audience `custom`: why its numbers may be texted. `not stated` without it. Evidence shows it for numbers that
    /// belong to no entrant.
    #[schema(
        min_length = 1,
        max_length = 200,
        example = "They signed up at our booth in July."
    )]
    consent_basis: Option<String>,
    /// The beginning of the links; the site's own origin without it. In production it must be the site's own origin or one
    /// of `TRACKING_ORIGINS`.
    #[schema(example = "https://example.org", max_length = 60)]
    tracking_url_base: Option<String>,
}

impl JsonBody for CampaignBody {
    // Room for a hundred thousand numbers.
    const LIMIT: usize = 4 * 1024 * 1024;
    // Time to send them over a slow connection.
    const TIMEOUT: Duration = Duration::from_secs(60);
}

/// The audiences of campaigns.
#[derive(ToSchema)]
#[expect(dead_code, reason = "for the description only; `Audience` has the names")]
#[schema(rename_all = "snake_case")]
pub(crate) enum TargetAudienceView {
    All,
    LandingPage,
    Custom,
}

/// The parts that a campaign and an estimate share.
pub(super) struct Plan {
    pub(super) template: TemplateId,
    pub(super) audience: Audience,
    pub(super) consent_basis: Option<ConsentBasis>,
    pub(super) link_base: LinkBase,
}

/// A campaign to schedule.
pub(super) struct Schedule {
    pub(super) name: Label,
    pub(super) start: Start,
    pub(super) plan: Plan,
}

// Not declared with `validator`: which fields count depends on the audience and on the route, and a hundred thousand
// numbers should be parsed once.
impl CampaignBody {
    pub(super) fn schedule(&self, sms: &SmsServices) -> Result<Schedule, FieldErrors> {
        let name = Label::read(self.campaign_name.clone().unwrap_or_default());
        let start = self.start(self.scheduled_date.as_deref().unwrap_or_default());
        let (name, start, plan) = (
            field("campaignName", name),
            field("scheduledDate", start),
            self.plan(sms),
        )
            .all()?;
        Ok(Schedule { name, start, plan })
    }

    pub(super) fn estimate(&self, sms: &SmsServices) -> Result<(Start, Plan), FieldErrors> {
        let start = match self.scheduled_date.as_deref() {
            Some(date) => self.start(date),
            None => Ok(Start::Now),
        };
        (field("scheduledDate", start), self.plan(sms)).all()
    }

    fn start(&self, date: &str) -> Result<Start, Messages> {
        match self.start_now {
            Some(true) => Ok(Start::Now),
            Some(false) | None => read_time(date).map(Start::At),
        }
    }

    fn plan(&self, sms: &SmsServices) -> Result<Plan, FieldErrors> {
        let template = self.template_id.ok_or_else(|| message(MISSING));
        let link_base = self.tracking_url_base.as_deref().unwrap_or_default();
        let link_base = match link_base.trim() {
            "" => &sms.rules.public_origin,
            _ => link_base,
        };
        let basis = self.consent_basis.as_deref().map(read_basis).transpose();
        let (template, (audience, consent_basis), link_base) = (
            field("templateId", template),
            (self.audience(), field("consentBasis", basis)).all(),
            field(
                "trackingUrlBase",
                read_link_base(link_base, &sms.tracking_origins),
            ),
        )
            .all()?;
        Ok(Plan {
            template: TemplateId::new(template),
            audience,
            consent_basis: consent_basis.flatten(),
            link_base,
        })
    }

    fn audience(&self) -> Result<Audience, FieldErrors> {
        let unknown = |text| field("targetAudience", Err(message(text)));
        match self.target_audience.as_deref() {
            Some("all") => Ok(Audience::All),
            Some("landing_page") => {
                let raffle = read_filter(self.landing_page_filter.as_deref().unwrap_or_default());
                field("landingPageFilter", raffle).map(Audience::Raffle)
            }
            Some("custom") => {
                let numbers = read_numbers(self.custom_phone_numbers.as_deref().unwrap_or_default());
                field("customPhoneNumbers", numbers).map(Audience::Custom)
            }
            Some(_) => unknown("Must be all, landing_page or custom"),
            None => unknown(MISSING),
        }
    }
}

fn read_link_base(text: &str, allowed: &TrackingOrigins) -> Result<LinkBase, Messages> {
    let base = LinkBase::parse(text).ok_or_else(|| {
        message(format!(
            "Must be an http or https address of at most {} characters",
            LinkBase::MAX_CHARS
        ))
    })?;
    match allowed {
        TrackingOrigins::Any => Ok(base),
        TrackingOrigins::Only(origins) if origins.contains(&base) => Ok(base),
        TrackingOrigins::Only(origins) => {
            let names: Vec<_> = origins.iter().map(LinkBase::as_str).collect();
            Err(message(format!("Must be one of {}", names.join(", "))))
        }
    }
}

/// A blank field states no basis.
fn read_basis(text: &str) -> Result<Option<ConsentBasis>, Messages> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    no_phone_number(text)?;
    let basis = ConsentBasis::parse(text).ok_or_else(|| {
        let most = ConsentBasis::MAX_CHARS;
        message(format!("Must be one line of at most {most} characters"))
    })?;
    Ok(Some(basis))
}

fn read_time(text: &str) -> Result<DateTime<Utc>, Messages> {
    let text = text.trim();
    if text.is_empty() {
        return Err(message(MISSING));
    }
    DateTime::parse_from_rfc3339(text)
        .map(|time| time.to_utc())
        .map_err(|_| message("Must be a time such as 2025-08-01T16:00:00Z"))
}

fn read_filter(key: &str) -> Result<RaffleKey, Messages> {
    match key {
        "" => Err(message(MISSING)),
        key => read_raffle(key),
    }
}

/// How many invalid numbers the message lists.
const NAMED: usize = 20;

fn read_numbers(list: &[String]) -> Result<Vec<Phone>, Messages> {
    let numbers = custom_numbers(list.iter().map(String::as_str)).map_err(|wrong| name_wrong(&wrong))?;
    if numbers.is_empty() {
        return Err(message(MISSING));
    }
    if numbers.len() > MAX_CUSTOM_NUMBERS {
        return Err(message("A list has at most 100,000 numbers"));
    }
    Ok(numbers)
}

fn name_wrong(wrong: &[String]) -> Messages {
    let short = |number: &String| number.chars().take(40).collect::<String>();
    let mut messages: Vec<_> = wrong
        .iter()
        .take(NAMED)
        .map(|number| format!("\"{}\" is not a phone number", short(number)))
        .collect();
    if wrong.len() > NAMED {
        messages.push(format!("… and {} more", wrong.len() - NAMED));
    }
    messages
}
