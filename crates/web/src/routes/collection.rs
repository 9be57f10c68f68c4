//! What visitors' browsers report: spec sections 5 and 7, D26 to D28.

use super::{SuccessView, post};
use crate::body::{Body, FieldErrors, JsonBody};
use crate::limits::limit_page_views;
use crate::routes::entrants::{LandingPageView, Refused, read_event_id, read_landing_page};
use crate::tracking::{Tracked, Tracking, read_fingerprint};
use crate::{ApiError, AppState, Collector};
use actix_web::middleware::from_fn;
use actix_web::web::{self, Data, Json};
use analytics::{
    Event, NewShare, NewStep, NewView, PageName, Platform, Session, StepName, ViewOrigin, classify,
};
use kernel::{EntrantId, Origin, ReferralCode};
use serde::Deserialize;
use utoipa::ToSchema;

/// A page was seen, or time was spent on it.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PageViewBody {
    /// The page's name; unknown ones count together.
    #[schema(value_type = String, required, example = "garden-bag")]
    page: Option<String>,
    /// The code in the page's address.
    #[schema(example = "CDFG3467")]
    referral_code: Option<String>,
    /// The browser session, unless the header `X-Analytics-Session` has it.
    #[schema(max_length = 64)]
    session_id: Option<String>,
    /// Seconds on the page since the last report, between 0 and 1800; anything else is ignored.
    time_spent: Option<f64>,
    /// A hash that the browser makes of its traits.
    #[schema(max_length = 64, pattern = "^[0-9a-fA-F]+$")]
    fingerprint: Option<String>,
}

impl JsonBody for PageViewBody {
    const FIELDS: &'static [&'static str] =
        &["page", "referralCode", "sessionId", "timeSpent", "fingerprint"];
    // Beacons can only be sent as text.
    const CONTENT_TYPES: &'static [&'static str] = &["application/json", "text/plain"];
}

/// A referral link was shared.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SocialShareBody {
    /// How it was shared.
    #[schema(value_type = PlatformView, required)]
    platform: Option<String>,
    /// Who shared it.
    user_id: Option<i64>,
    /// What the link ends in.
    #[schema(example = "CDFG3467")]
    referral_code: Option<String>,
    /// The client's name for this share, by which it is stored once.
    #[serde(rename = "event_id")]
    #[schema(max_length = 64, pattern = "^[A-Za-z0-9_-]+$")]
    event_id: Option<String>,
}

impl JsonBody for SocialShareBody {
    const FIELDS: &'static [&'static str] = &["platform", "userId", "referralCode", "event_id"];
}

/// How a link can be shared.
#[derive(ToSchema)]
#[expect(dead_code, reason = "for the description only; `Platform` reads the names")]
#[schema(rename_all = "lowercase")]
enum PlatformView {
    Email,
    Sms,
}

/// A step was taken that only the browser sees.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FunnelStepBody {
    /// The browser session, unless the header `X-Analytics-Session` has it.
    #[schema(max_length = 64)]
    session_id: Option<String>,
    /// Whose form; `garden-bag` without it.
    #[schema(value_type = Option<LandingPageView>)]
    landing_page: Option<String>,
    /// Which step.
    #[schema(value_type = BrowserStepView, required)]
    step: Option<String>,
    /// Seconds on the page by then, between 0 and 1800; anything else is ignored.
    time_spent: Option<f64>,
}

impl JsonBody for FunnelStepBody {
    const FIELDS: &'static [&'static str] = &["sessionId", "landingPage", "step", "timeSpent"];
}

/// The steps that browsers report.
#[derive(ToSchema)]
#[expect(dead_code, reason = "for the description only; `StepName` reads the names")]
#[schema(rename_all = "camelCase")]
enum BrowserStepView {
    FormStart,
    FormSubmit,
}

/// Stores a page view, or time spent on one.
///
/// The same session, page and referral code count once. Pages that are not tracked, bots, and browsers that send
/// `Sec-GPC: 1` or `DNT: 1` are answered alike, and nothing is stored.
#[utoipa::path(
    post,
    path = "/api/analytics/page-view",
    operation_id = "record_page_view",
    tag = "analytics",
    params(("X-Analytics-Session" = Option<String>, Header), ("X-Analytics-Fingerprint" = Option<String>, Header)),
    request_body(content((PageViewBody = "application/json"), (PageViewBody = "text/plain"))),
    responses((status = 200, body = SuccessView, description = "Stored for good, or not tracked"), Refused)
)]
pub(crate) async fn page_view(
    state: Data<AppState>,
    collector: Data<Collector>,
    tracking: Tracking,
    body: Body<PageViewBody>,
) -> Result<Json<SuccessView>, ApiError> {
    if let Some(view) = body.0.view(tracking, &state)? {
        collector.collect(Event::View(view)).await?;
    }
    Ok(Json(SuccessView::new()))
}

impl PageViewBody {
    fn view(self, tracking: Tracking, state: &AppState) -> Result<Option<NewView>, ApiError> {
        let Tracking {
            origin,
            tracked: Some(tracked),
        } = tracking
        else {
            return Ok(None);
        };
        let mut reading = FieldErrors::default();
        let page = reading.field("page", read_page(self.page.as_deref()));
        let session = read_session(self.session_id.as_deref(), tracked.session.clone());
        let session = reading.field("sessionId", session);
        reading.finish()?;
        let Some(Some(page)) = page else {
            return Ok(None);
        };
        let fingerprint = self.fingerprint.as_deref().and_then(read_fingerprint);
        Ok(Some(NewView {
            visitor: visitor(session.ok_or(ApiError::Internal)?, origin, fingerprint, tracked),
            page,
            referral_code: self
                .referral_code
                .and_then(|code| ReferralCode::parse(&code).ok()),
            time_spent: self.time_spent.and_then(read_time_spent),
            at: state.clock.now(),
        }))
    }
}

fn visitor(session: Session, origin: Origin, fingerprint: Option<String>, tracked: Tracked) -> ViewOrigin {
    ViewOrigin {
        session,
        origin,
        fingerprint: fingerprint.or(tracked.fingerprint),
        browser: tracked.browser,
    }
}

fn read_page(name: Option<&str>) -> Result<Option<PageName>, Vec<String>> {
    name.map(classify).ok_or_else(|| vec!["Required".to_owned()])
}

fn read_session(id: Option<&str>, header: Option<Session>) -> Result<Session, Vec<String>> {
    match id {
        Some(id) => Session::parse(id).map_err(|error| vec![error.to_string()]),
        None => header.ok_or_else(|| vec!["Required".to_owned()]),
    }
}

/// Seconds as milliseconds; nothing when they cannot be meant (spec section 5).
fn read_time_spent(seconds: f64) -> Option<i32> {
    let counted = seconds > 0.0 && seconds < 1800.0;
    counted.then_some((seconds * 1000.0).round().max(1.0) as i32)
}

/// Stores that a referral link was shared.
#[utoipa::path(
    post,
    path = "/api/analytics/social-share",
    operation_id = "record_social_share",
    tag = "analytics",
    params(("X-Analytics-Session" = Option<String>, Header)),
    request_body = SocialShareBody,
    responses((status = 200, body = SuccessView, description = "Stored for good, or not tracked"), Refused)
)]
pub(crate) async fn social_share(
    state: Data<AppState>,
    collector: Data<Collector>,
    tracking: Tracking,
    body: Body<SocialShareBody>,
) -> Result<Json<SuccessView>, ApiError> {
    if let Some(share) = body.0.share(tracking, &state)? {
        collector.collect(Event::Share(share)).await?;
    }
    Ok(Json(SuccessView::new()))
}

impl SocialShareBody {
    fn share(self, tracking: Tracking, state: &AppState) -> Result<Option<NewShare>, ApiError> {
        let Some(tracked) = tracking.tracked else {
            return Ok(None);
        };
        let mut reading = FieldErrors::default();
        let platform = reading.field("platform", read_platform(self.platform.as_deref()));
        let event_id = reading.field("event_id", read_event_id(self.event_id.as_deref()));
        reading.finish()?;
        Ok(Some(NewShare {
            session: tracked.session,
            origin: tracking.origin,
            entrant: self.user_id.map(EntrantId::new),
            platform: platform.ok_or(ApiError::Internal)?,
            referral_code: self
                .referral_code
                .and_then(|code| ReferralCode::parse(&code).ok()),
            event_id: event_id.flatten(),
            at: state.clock.now(),
        }))
    }
}

fn read_platform(name: Option<&str>) -> Result<Platform, Vec<String>> {
    let name = name.ok_or_else(|| vec!["Required".to_owned()])?;
    name.parse().map_err(|_| vec!["Must be email or sms".to_owned()])
}

/// Stores a step of the funnel that only the browser sees.
#[utoipa::path(
    post,
    path = "/api/analytics/funnel-step",
    operation_id = "record_funnel_step",
    tag = "analytics",
    params(("X-Analytics-Session" = Option<String>, Header)),
    request_body = FunnelStepBody,
    responses((status = 200, body = SuccessView, description = "Stored for good, or not tracked"), Refused)
)]
pub(crate) async fn funnel_step(
    state: Data<AppState>,
    collector: Data<Collector>,
    tracking: Tracking,
    body: Body<FunnelStepBody>,
) -> Result<Json<SuccessView>, ApiError> {
    if let Some(step) = body.0.step(tracking, &state)? {
        collector.collect(Event::Step(step)).await?;
    }
    Ok(Json(SuccessView::new()))
}

impl FunnelStepBody {
    fn step(self, tracking: Tracking, state: &AppState) -> Result<Option<NewStep>, ApiError> {
        let Some(tracked) = tracking.tracked else {
            return Ok(None);
        };
        let mut reading = FieldErrors::default();
        let session = reading.field(
            "sessionId",
            read_session(self.session_id.as_deref(), tracked.session),
        );
        let landing_page = reading.field("landingPage", read_landing_page(self.landing_page.as_deref()));
        let step = reading.field("step", read_step(self.step.as_deref()));
        reading.finish()?;
        Ok(Some(NewStep {
            session: session.ok_or(ApiError::Internal)?,
            raffle: landing_page,
            step: step.ok_or(ApiError::Internal)?,
            entrant: None,
            time_spent: self.time_spent.and_then(read_time_spent),
            at: state.clock.now(),
        }))
    }
}

fn read_step(name: Option<&str>) -> Result<StepName, Vec<String>> {
    let name = name.ok_or_else(|| vec!["Required".to_owned()])?;
    let step = name
        .parse()
        .ok()
        .filter(|step| StepName::BY_BROWSER.contains(step));
    step.ok_or_else(|| vec!["Must be formStart or formSubmit".to_owned()])
}

pub(super) fn configure(config: &mut web::ServiceConfig) {
    let view = post("/api/analytics/page-view", web::post().to(page_view));
    let share = post("/api/analytics/social-share", web::post().to(social_share));
    let step = post("/api/analytics/funnel-step", web::post().to(funnel_step));
    for resource in [view, share, step] {
        config.service(resource.wrap(from_fn(limit_page_views)));
    }
}
