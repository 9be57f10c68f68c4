//! Campaigns: scheduling, following and calling off.

use super::rules;
use super::templates::{MISSING, read_label};
use crate::admin::Admin;
use crate::body::{Body, FieldErrors, JsonBody};
use crate::error::ErrorView;
use crate::query::PageQuery;
use crate::routes::entrants::LandingPageView;
use crate::routes::staff::{StaffRefused, Store, read_key};
use crate::{ApiError, AppState};
use actix_web::web::{Data, Json, Path, Query};
use actix_web::{HttpRequest, HttpResponse};
use chrono::{DateTime, Utc};
use kernel::Raffle;
use serde::{Deserialize, Serialize};
use sms::{
    Audience, Campaign, CampaignFigures, CampaignId, CampaignReport, LinkBase, MAX_CUSTOM_NUMBERS,
    TemplateId, custom_numbers,
};
use std::time::Duration;
use usecases::campaigns::{Estimate, ScheduleCommand};
use utoipa::ToSchema;

/// A campaign as staff want it.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CampaignBody {
    #[schema(value_type = i64, required)]
    template_id: Option<i64>,
    /// Not needed for an estimate.
    #[schema(min_length = 1, max_length = 80)]
    campaign_name: Option<String>,
    /// When it is to begin; in the past means now. Not needed for an estimate.
    #[schema(value_type = Option<String>, format = DateTime)]
    scheduled_date: Option<String>,
    #[schema(value_type = TargetAudienceView, required)]
    target_audience: Option<String>,
    /// For the audience `landing_page`.
    #[schema(value_type = Option<LandingPageView>)]
    landing_page_filter: Option<String>,
    /// For the audience `custom`; a number that is there twice is taken once.
    #[schema(max_items = 100_000)]
    custom_phone_numbers: Option<Vec<String>>,
    /// Where links begin; the site's own origin without it.
    #[schema(example = "https://example.org")]
    tracking_url_base: Option<String>,
}

impl JsonBody for CampaignBody {
    const FIELDS: &'static [&'static str] = &[
        "templateId",
        "campaignName",
        "scheduledDate",
        "targetAudience",
        "landingPageFilter",
        "customPhoneNumbers",
        "trackingUrlBase",
    ];
    // A hundred thousand numbers, however they are written.
    const LIMIT: usize = 4 * 1024 * 1024;
    // Over a slow line.
    const TIMEOUT: Duration = Duration::from_secs(60);
}

/// Whom a campaign can be for.
#[derive(ToSchema)]
#[expect(dead_code, reason = "for the description only; `Audience` has the names")]
#[schema(rename_all = "snake_case")]
pub(crate) enum TargetAudienceView {
    All,
    LandingPage,
    Custom,
}

/// What a campaign and its estimate have in common.
struct Plan {
    template: TemplateId,
    audience: Audience,
    link_base: LinkBase,
}

impl CampaignBody {
    fn plan(&self, reading: &mut FieldErrors, state: &AppState) -> Option<Plan> {
        let template = self.template_id.ok_or_else(|| vec![MISSING.to_owned()]);
        let template = reading.field("templateId", template);
        let audience = self.audience(reading);
        let link_base = self
            .tracking_url_base
            .as_deref()
            .filter(|base| !base.trim().is_empty())
            .unwrap_or(&state.public_origin);
        let link_base = LinkBase::parse(link_base).ok_or_else(|| {
            vec![format!(
                "Must be an http or https address of at most {} characters",
                LinkBase::MAX_CHARS
            )]
        });
        Some(Plan {
            link_base: reading.field("trackingUrlBase", link_base)?,
            template: TemplateId::new(template?),
            audience: audience?,
        })
    }

    fn audience(&self, reading: &mut FieldErrors) -> Option<Audience> {
        match self.target_audience.as_deref() {
            Some("all") => Some(Audience::All),
            Some("landing_page") => {
                let page = read_filter(self.landing_page_filter.as_deref());
                reading.field("landingPageFilter", page).map(Audience::Raffle)
            }
            Some("custom") => {
                let numbers = read_numbers(self.custom_phone_numbers.as_deref().unwrap_or_default());
                reading.field("customPhoneNumbers", numbers).map(Audience::Custom)
            }
            Some(_) => reading.field(
                "targetAudience",
                Err(vec!["Must be all, landing_page or custom".to_owned()]),
            ),
            None => reading.field("targetAudience", Err(vec![MISSING.to_owned()])),
        }
    }

    fn command(
        &self,
        admin: staff::Actor,
        request: &HttpRequest,
        state: &AppState,
    ) -> Result<ScheduleCommand, ApiError> {
        let mut reading = FieldErrors::default();
        let name = reading.field("campaignName", read_label(self.campaign_name.as_deref()));
        let scheduled_at = reading.field("scheduledDate", read_time(self.scheduled_date.as_deref()));
        let plan = self.plan(&mut reading, state);
        reading.finish()?;
        let plan = plan.ok_or(ApiError::Internal)?;
        Ok(ScheduleCommand {
            actor: admin,
            name: name.ok_or(ApiError::Internal)?,
            template: plan.template,
            scheduled_at: scheduled_at.ok_or(ApiError::Internal)?,
            audience: plan.audience,
            link_base: plan.link_base,
            idempotency_key: read_key(request)?,
        })
    }
}

fn read_time(text: Option<&str>) -> Result<DateTime<Utc>, Vec<String>> {
    let text = text
        .filter(|text| !text.trim().is_empty())
        .ok_or_else(|| vec![MISSING.to_owned()])?;
    let time = DateTime::parse_from_rfc3339(text.trim());
    time.map(|time| time.to_utc())
        .map_err(|_| vec!["Must be a time such as 2025-08-01T16:00:00Z".to_owned()])
}

fn read_filter(key: Option<&str>) -> Result<Raffle, Vec<String>> {
    let key = key
        .filter(|key| !key.is_empty())
        .ok_or_else(|| vec![MISSING.to_owned()])?;
    key.parse()
        .map_err(|_| vec!["There is no such raffle".to_owned()])
}

/// How many wrong numbers are named.
const NAMED: usize = 20;

fn read_numbers(list: &[String]) -> Result<Vec<kernel::Phone>, Vec<String>> {
    let numbers = custom_numbers(list.iter().map(String::as_str)).map_err(|wrong| name_wrong(&wrong))?;
    if numbers.is_empty() {
        return Err(vec![MISSING.to_owned()]);
    }
    if numbers.len() > MAX_CUSTOM_NUMBERS {
        return Err(vec!["A list has at most 100,000 numbers".to_owned()]);
    }
    Ok(numbers)
}

fn name_wrong(wrong: &[String]) -> Vec<String> {
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

/// A campaign, and what has become of its texts so far.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CampaignView {
    id: i64,
    campaign_name: String,
    template_id: i64,
    /// As it is called now.
    template_name: String,
    scheduled_date: DateTime<Utc>,
    #[schema(value_type = TargetAudienceView)]
    target_audience: &'static str,
    #[schema(required)]
    landing_page_filter: Option<LandingPageView>,
    /// Null for other audiences, and for more than 100 numbers.
    #[schema(required)]
    custom_phone_numbers: Option<Vec<String>>,
    custom_phone_number_count: i64,
    tracking_url_base: String,
    #[schema(value_type = CampaignStatusView)]
    status: &'static str,
    /// Known from its beginning on.
    recipient_count: i64,
    /// Taken by the provider.
    sent_count: i64,
    /// Of these, arrived.
    delivered_count: i64,
    /// Refused, failed or not arrived.
    error_count: i64,
    /// Not to be sent.
    skipped_count: i64,
    /// Links opened.
    clicked_count: i64,
    /// Of these, gone on to the raffle.
    cta_clicked_count: i64,
    #[schema(required)]
    started_at: Option<DateTime<Utc>>,
    /// When it ended.
    #[schema(required)]
    sent_at: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
}

/// How far a campaign can have come.
#[derive(ToSchema)]
#[expect(
    dead_code,
    reason = "for the description only; `CampaignStatus` has the names"
)]
#[schema(rename_all = "lowercase")]
pub(crate) enum CampaignStatusView {
    Pending,
    Sending,
    Sent,
    Failed,
    Cancelled,
}

impl From<Campaign> for CampaignView {
    fn from(campaign: Campaign) -> Self {
        let figures = campaign.figures;
        let plan = campaign.plan;
        let whole = campaign.custom_number_count <= Campaign::LISTED_NUMBERS as i64;
        let landing_page_filter = plan.audience.raffle().map(Into::into);
        let target_audience = plan.audience.as_str();
        let custom_phone_numbers = match plan.audience {
            Audience::Custom(numbers) if whole => {
                Some(numbers.iter().map(|phone| phone.as_e164().to_owned()).collect())
            }
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
            custom_phone_number_count: campaign.custom_number_count,
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
            created_at: plan.at,
        }
    }
}

/// A part of the list of campaigns.
#[derive(Serialize, ToSchema)]
pub(crate) struct CampaignsView {
    campaigns: Vec<CampaignView>,
}

/// Campaigns, newest first. `X-Total-Count` has their number.
#[utoipa::path(
    get,
    path = "/api/admin/sms/campaigns",
    operation_id = "list_campaigns",
    tag = "texts",
    security(("bearer" = []), ("session_token" = [])),
    params(PageQuery),
    responses(
        (
            status = 200,
            body = CampaignsView,
            headers(("X-Total-Count" = i64, description = "How many there are in all"))
        ),
        (status = 400, body = ErrorView),
        StaffRefused
    )
)]
pub(crate) async fn list<S: Store>(
    _: Admin<S>,
    store: Data<S>,
    state: Data<AppState>,
    query: Query<PageQuery>,
) -> Result<HttpResponse, ApiError> {
    let page = query.page()?;
    let list = state
        .flows
        .run(move || usecases::campaigns::list(&**store, page))
        .await?;
    Ok(HttpResponse::Ok()
        .insert_header(("X-Total-Count", list.total.to_string()))
        .json(CampaignsView {
            campaigns: list.campaigns.into_iter().map(Into::into).collect(),
        }))
}

/// Schedules a campaign. With an `Idempotency-Key` it can be asked for again, and the same campaign is answered.
#[utoipa::path(
    post,
    path = "/api/admin/sms/campaigns/schedule",
    operation_id = "schedule_campaign",
    tag = "texts",
    security(("bearer" = []), ("session_token" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII characters")),
    request_body = CampaignBody,
    responses(
        (status = 201, body = CampaignView),
        (status = 400, body = ErrorView),
        (status = 404, body = ErrorView, description = "No such template, or it is not active"),
        (status = 413, body = ErrorView),
        StaffRefused
    )
)]
pub(crate) async fn schedule<S: Store>(
    admin: Admin<S>,
    store: Data<S>,
    state: Data<AppState>,
    (request, body): (HttpRequest, Body<CampaignBody>),
) -> Result<HttpResponse, ApiError> {
    let command = body.0.command(admin.actor, &request, &state)?;
    let at = state.clone();
    let schedule = move || usecases::campaigns::schedule(&**store, &*at.clock, &*at.entropy, &command);
    let campaign = state.flows.run(schedule).await?;
    Ok(HttpResponse::Created().json(CampaignView::from(campaign)))
}

/// What a campaign would come to, if it began now.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EstimateView {
    recipients: i64,
    /// Of these, those who had this month's texts already and will be skipped.
    over_cap: i64,
    /// What one recipient reads.
    sample: String,
    /// Units of the encoding.
    characters: usize,
    #[schema(value_type = EncodingView)]
    encoding: &'static str,
    /// Parts that each text is sent in, and paid for.
    segments: usize,
    /// For all who are sent one.
    total_segments: i64,
}

/// How characters are sent.
#[derive(ToSchema)]
#[expect(dead_code, reason = "for the description only; `Encoding` has the names")]
pub(crate) enum EncodingView {
    #[schema(rename = "GSM-7")]
    Gsm7,
    #[schema(rename = "UCS-2")]
    Ucs2,
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

/// What a campaign would come to, if it began now. Nothing is stored.
#[utoipa::path(
    post,
    path = "/api/admin/sms/campaigns/estimate",
    operation_id = "estimate_campaign",
    tag = "texts",
    security(("bearer" = []), ("session_token" = [])),
    request_body = CampaignBody,
    responses(
        (status = 200, body = EstimateView),
        (status = 400, body = ErrorView),
        (status = 404, body = ErrorView, description = "No such template, or it is not active"),
        (status = 413, body = ErrorView),
        StaffRefused
    )
)]
pub(crate) async fn estimate<S: Store>(
    _: Admin<S>,
    store: Data<S>,
    state: Data<AppState>,
    body: Body<CampaignBody>,
) -> Result<Json<EstimateView>, ApiError> {
    let mut reading = FieldErrors::default();
    let plan = body.0.plan(&mut reading, &state);
    reading.finish()?;
    let plan = plan.ok_or(ApiError::Internal)?;
    let (at, rules) = (state.clone(), rules(&state));
    let estimate = move || {
        usecases::campaigns::estimate(
            &**store,
            &*at.clock,
            &rules,
            plan.template,
            &plan.audience,
            &plan.link_base,
        )
    };
    Ok(Json(state.flows.run(estimate).await?.into()))
}

/// Calls a campaign off before it begins.
#[utoipa::path(
    put,
    path = "/api/admin/sms/campaigns/{id}/cancel",
    operation_id = "cancel_campaign",
    tag = "texts",
    security(("bearer" = []), ("session_token" = [])),
    params(("id" = i64, Path)),
    responses(
        (status = 200, body = CampaignView),
        (status = 404, body = ErrorView),
        (status = 409, body = ErrorView, description = "It has begun, or was called off before"),
        StaffRefused
    )
)]
pub(crate) async fn cancel<S: Store>(
    admin: Admin<S>,
    store: Data<S>,
    state: Data<AppState>,
    id: Path<String>,
) -> Result<Json<CampaignView>, ApiError> {
    let id = read_id(&id)?;
    let clock = state.clock.clone();
    let cancel = move || usecases::campaigns::cancel(&**store, &*clock, admin.actor, id);
    Ok(Json(state.flows.run(cancel).await?.into()))
}

/// A campaign, and what has become of its texts by reason.
#[derive(Serialize, ToSchema)]
pub(crate) struct CampaignWithReportView {
    campaign: CampaignView,
    report: CampaignReportView,
}

/// What has become of a campaign's texts.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CampaignReportView {
    /// Recipients that wait, and texts being sent.
    waiting: i64,
    /// Texts that may have been sent.
    unknown: i64,
    /// Taken by the provider.
    sent: i64,
    /// Of these, arrived.
    delivered: i64,
    /// Most first.
    failed: Vec<ReasonView>,
    /// Most first.
    skipped: Vec<ReasonView>,
    clicked: i64,
    cta_clicked: i64,
}

/// How many for one reason.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReasonView {
    /// The provider's number and sentence, or opted_out, monthly_cap, flagged or no_consent.
    #[schema(example = "21211 Invalid number")]
    reason: String,
    count: i64,
}

impl CampaignReportView {
    fn new(figures: &CampaignFigures, report: CampaignReport) -> Self {
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

/// A campaign, and what has become of its texts by reason.
#[utoipa::path(
    get,
    path = "/api/admin/sms/campaigns/{id}",
    operation_id = "find_campaign",
    tag = "texts",
    security(("bearer" = []), ("session_token" = [])),
    params(("id" = i64, Path)),
    responses((status = 200, body = CampaignWithReportView), (status = 404, body = ErrorView), StaffRefused)
)]
pub(crate) async fn find<S: Store>(
    _: Admin<S>,
    store: Data<S>,
    state: Data<AppState>,
    id: Path<String>,
) -> Result<Json<CampaignWithReportView>, ApiError> {
    let id = read_id(&id)?;
    let find = move || usecases::campaigns::find(&**store, id);
    let (campaign, report) = state.flows.run(find).await?;
    Ok(Json(CampaignWithReportView {
        report: CampaignReportView::new(&campaign.figures, report),
        campaign: campaign.into(),
    }))
}

/// What has become of all campaign texts.
#[derive(Serialize, ToSchema)]
pub(crate) struct SmsAnalyticsView {
    analytics: SmsFiguresView,
}

/// What has become of all campaign texts. Rates are percentages of `totalSent`, 0 when it is 0.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SmsFiguresView {
    /// Taken by the provider.
    total_sent: i64,
    delivered: i64,
    /// Refused, failed or not arrived.
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

/// What has become of all campaign texts.
#[utoipa::path(
    get,
    path = "/api/admin/sms/analytics",
    operation_id = "sms_analytics",
    tag = "texts",
    security(("bearer" = []), ("session_token" = [])),
    responses((status = 200, body = SmsAnalyticsView), StaffRefused)
)]
pub(crate) async fn analytics<S: Store>(
    _: Admin<S>,
    store: Data<S>,
    state: Data<AppState>,
) -> Result<Json<SmsAnalyticsView>, ApiError> {
    let figures = state
        .flows
        .run(move || usecases::campaigns::figures(&**store))
        .await?;
    Ok(Json(SmsAnalyticsView {
        analytics: figures.into(),
    }))
}

/// What is no id is no campaign's.
pub(super) fn read_id(text: &str) -> Result<CampaignId, ApiError> {
    text.parse().map(CampaignId::new).map_err(|_| ApiError::NotFound)
}
