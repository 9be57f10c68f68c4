//! Campaigns, their estimates and their figures, as JSON.

use super::body::TargetAudienceView;
use crate::callers::right::{Right, ShownNumber};
use crate::http::names::{Name, Named};
use crate::http::views::{LandingPageView, staff_name};
use chrono::{DateTime, Utc};
use serde::Serialize;
use sms::{Audience, Campaign, CampaignFigures, CampaignReport, CampaignStatus, Encoding};
use usecases::campaigns::Estimate;
use utoipa::ToSchema;

/// A campaign with the counts of its messages.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CampaignView {
    id: i64,
    campaign_name: String,
    template_id: i64,
    /// The current name of the template.
    template_name: String,
    scheduled_date: DateTime<Utc>,
    #[schema(value_type = TargetAudienceView)]
    target_audience: &'static str,
    #[schema(required)]
    landing_page_filter: Option<LandingPageView>,
    /// For owners and managers. The first 100, or all where one campaign is read. Null for other audiences.
    #[schema(required, value_type = Option<Vec<String>>)]
    custom_phone_numbers: Option<Vec<ShownNumber>>,
    custom_phone_number_count: i64,
    /// Why the numbers of a list may be texted; null for other audiences.
    #[schema(required)]
    consent_basis: Option<String>,
    tracking_url_base: String,
    #[schema(value_type = CampaignStatusView)]
    status: &'static str,
    /// Known once the campaign has started.
    recipient_count: i64,
    /// Accepted by the provider.
    sent_count: i64,
    /// Of these, delivered.
    delivered_count: i64,
    /// Refused, failed or undelivered.
    error_count: i64,
    /// Skipped recipients.
    skipped_count: i64,
    /// Links opened.
    clicked_count: i64,
    /// Of these, recipients who followed the link to the raffle.
    cta_clicked_count: i64,
    #[schema(required)]
    started_at: Option<DateTime<Utc>>,
    /// When the campaign ended.
    #[schema(required)]
    sent_at: Option<DateTime<Utc>>,
    /// Who scheduled it; null if no name was given.
    #[schema(required)]
    created_by: Option<String>,
    created_at: DateTime<Utc>,
}

pub(crate) type CampaignStatusView = Name<CampaignStatus>;

impl Named for CampaignStatus {
    const VIEW: &'static str = "CampaignStatusView";
    const ABOUT: Option<&'static str> = Some("The statuses of a campaign.");
}

impl CampaignView {
    /// Without the list of numbers for whoever may not see it.
    pub(super) fn new(campaign: Campaign, right: Option<Right>) -> Self {
        let figures = campaign.figures;
        let plan = campaign.plan;
        let count = campaign.custom_number_count;
        let landing_page_filter = plan.audience.raffle().map(Into::into);
        let target_audience = plan.audience.as_str();
        let custom_phone_numbers = match plan.audience {
            Audience::Custom(numbers) => right.map(|right| {
                numbers
                    .iter()
                    .map(|phone| ShownNumber::full(phone, right))
                    .collect()
            }),
            _ => None,
        };
        Self {
            id: campaign.id.get(),
            campaign_name: plan.name.as_str().to_owned(),
            template_id: plan.template.get(),
            template_name: campaign.template_name,
            scheduled_date: plan.scheduled_at,
            target_audience,
            landing_page_filter,
            custom_phone_numbers,
            custom_phone_number_count: count,
            consent_basis: plan.consent_basis.map(|basis| basis.as_str().to_owned()),
            tracking_url_base: plan.link_base.as_str().to_owned(),
            status: campaign.status.as_str(),
            recipient_count: figures.recipients,
            sent_count: figures.sent,
            delivered_count: figures.delivered,
            error_count: figures.failed,
            skipped_count: figures.skipped,
            clicked_count: figures.clicked,
            cta_clicked_count: figures.cta_clicked,
            started_at: campaign.started_at,
            sent_at: campaign.ended_at,
            created_by: staff_name(plan.created_by),
            created_at: plan.at,
        }
    }
}

/// A page of campaigns.
#[derive(Serialize, ToSchema)]
pub(crate) struct CampaignsView {
    pub(super) campaigns: Vec<CampaignView>,
}

/// An estimate of a campaign, by what is known now.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EstimateView {
    /// Without numbers that opted out, and numbers of countries that get no texts.
    recipients: i64,
    /// Of these, recipients who have reached the limit of the month in which it starts and will be skipped.
    over_cap: i64,
    /// The message to one recipient.
    sample: String,
    /// The length of the message in units of the encoding.
    characters: usize,
    #[schema(value_type = EncodingView)]
    encoding: &'static str,
    /// The segments in which each message is sent and billed.
    segments: usize,
    /// The segments of all messages together.
    total_segments: i64,
}

pub(crate) type EncodingView = Name<Encoding>;

impl Named for Encoding {
    const VIEW: &'static str = "EncodingView";
    const ABOUT: Option<&'static str> = Some("The encodings of messages.");
}

impl From<Estimate> for EstimateView {
    fn from(estimate: Estimate) -> Self {
        let segments = estimate.segments;
        let sent = estimate.audience.recipients - estimate.audience.over_cap;
        Self {
            recipients: estimate.audience.recipients,
            over_cap: estimate.audience.over_cap,
            sample: estimate.sample,
            characters: segments.units,
            encoding: segments.encoding.as_str(),
            segments: segments.count,
            total_segments: sent.saturating_mul(segments.count as i64),
        }
    }
}

/// A campaign with a report about its messages.
#[derive(Serialize, ToSchema)]
pub(crate) struct CampaignWithReportView {
    pub(super) campaign: CampaignView,
    pub(super) report: CampaignReportView,
}

/// The messages of a campaign by outcome.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CampaignReportView {
    /// Recipients that wait and messages that are being sent.
    waiting: i64,
    /// Messages that may have been sent.
    unknown: i64,
    /// Accepted by the provider.
    sent: i64,
    /// Of these, delivered.
    delivered: i64,
    /// The most frequent reason first.
    failed: Vec<ReasonView>,
    /// The most frequent reason first.
    skipped: Vec<ReasonView>,
    clicked: i64,
    cta_clicked: i64,
}

/// The count of one reason.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReasonView {
    /// The provider's error code and sentence, or opted_out, monthly_cap, flagged, no_consent or country.
    #[schema(example = "21211 Invalid number")]
    reason: String,
    count: i64,
}

impl CampaignReportView {
    pub(super) fn new(figures: &CampaignFigures, report: CampaignReport) -> Self {
        let reason = |(reason, count): (String, i64)| ReasonView { reason, count };
        let skipped = report.skipped.into_iter();
        Self {
            waiting: report.waiting,
            unknown: report.unknown,
            sent: figures.sent,
            delivered: figures.delivered,
            failed: report.failed.into_iter().map(reason).collect(),
            skipped: skipped
                .map(|(skip, count)| reason((skip.as_str().to_owned(), count)))
                .collect(),
            clicked: figures.clicked,
            cta_clicked: figures.cta_clicked,
        }
    }
}

/// The figures of all campaign messages.
#[derive(Serialize, ToSchema)]
pub(crate) struct SmsAnalyticsView {
    pub(super) analytics: SmsFiguresView,
}

/// The figures of all campaign messages. Rates are percentages of `totalSent`, or 0 if it is 0.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SmsFiguresView {
    /// Accepted by the provider.
    total_sent: i64,
    delivered: i64,
    /// Refused, failed or undelivered.
    failed: i64,
    clicked: i64,
    cta_clicked: i64,
    delivery_rate: f64,
    click_rate: f64,
    cta_conversion_rate: f64,
}

impl From<CampaignFigures> for SmsFiguresView {
    fn from(figures: CampaignFigures) -> Self {
        let rate = |part: i64| match figures.sent {
            0 => 0.0,
            sent => part as f64 * 100.0 / sent as f64,
        };
        Self {
            total_sent: figures.sent,
            delivered: figures.delivered,
            failed: figures.failed,
            clicked: figures.clicked,
            cta_clicked: figures.cta_clicked,
            delivery_rate: rate(figures.delivered),
            click_rate: rate(figures.clicked),
            cta_conversion_rate: rate(figures.cta_clicked),
        }
    }
}
