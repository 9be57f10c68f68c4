//! Events that visitors' browsers report.

use super::Store;
use crate::callers::tracking::{Tracked, Tracking, read_fingerprint};
use crate::callers::visitor::BrowserEntrant;
use crate::http::body::{Body, JsonBody, validated};
use crate::http::field::{EventIdField, Field, ReadByName, WithExample, optional, parsed, text, texts};
use crate::http::fields::NO_SUCH_RAFFLE;
use crate::http::fields::{Messages, field, message, rule};
use crate::http::names::Named;
use crate::http::views::{RaffleField, SuccessView};
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, routes};
use crate::{ApiError, AppState, Collector, RequestPools};
use actix_web::web::{Data, Json};
use analytics::PageNames;
use analytics::{Event, NewShare, NewStep, NewView, Platform, StepData, StepName, StepValue, ViewOrigin};
use chrono_tz::Tz;
use kernel::{EntrantId, Origin, ReferralCode, Session};
use raffle::RaffleKey;
use serde::{Deserialize, Serialize};
use sms::TrackingId;
use std::collections::BTreeMap;
use utoipa::ToSchema;
use validator::{Validate, ValidationError};

pub(super) fn routes<S: Store>() -> Routes {
    routes![Some(Limit::PageViews); page_view, social_share::<S>, funnel_step]
}

/// A page was viewed, or time was spent on it.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PageViewBody {
    /// The page's name; unknown names are counted together.
    #[schema(inline)]
    #[validate(nested)]
    page: PageField,
    /// The referral code in the page's address.
    #[schema(example = "CDFG3467")]
    referral_code: Option<String>,
    /// The browser session, unless the header `X-Analytics-Session` has it.
    #[schema(inline)]
    #[validate(nested)]
    session_id: Option<SessionField>,
    /// Seconds on the page since the last report, between 0 and 1800; anything else is ignored.
    time_spent: Option<f64>,
    /// A hash that the browser computes from its properties.
    #[schema(max_length = 64, pattern = "^[0-9a-fA-F]+$")]
    fingerprint: Option<String>,
    /// The last part of the link in a text that opened the page; anything else is ignored.
    #[schema(max_length = 64, example = "garden-2345bcdfghjkm")]
    sms_tracking_id: Option<String>,
}

impl JsonBody for PageViewBody {
    // Beacons can only be sent as text.
    const CONTENT_TYPES: &'static [&'static str] = &["application/json", "text/plain"];
}

/// A referral link was shared.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SocialShareBody {
    /// How it was shared; `system` is the sheet of the system, which does not say where.
    #[validate(nested)]
    platform: PlatformField,
    /// The entrant who shared it.
    user_id: Option<i64>,
    /// The last part of the link.
    #[schema(example = "CDFG3467")]
    referral_code: Option<String>,
    /// The client's id of this share, which is stored once.
    #[serde(rename = "event_id")]
    #[schema(inline)]
    #[validate(nested)]
    event_id: Option<EventIdField>,
}

impl JsonBody for SocialShareBody {}

type PlatformField = Field<Platform>;

impl ReadByName for Platform {
    const REFUSAL: &'static str = "There is no such platform";
}

impl Named for Platform {
    const VIEW: &'static str = "PlatformView";
    const ABOUT: Option<&'static str> = Some("How a link can be shared.");
}

/// A step of the funnel that only the browser sees.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FunnelStepBody {
    /// The browser session, unless the header `X-Analytics-Session` has it.
    #[schema(inline)]
    #[validate(nested)]
    session_id: Option<SessionField>,
    /// The raffle of the form; the default raffle without it.
    #[validate(nested)]
    landing_page: Option<RaffleField>,
    /// The step.
    #[validate(nested)]
    step: BrowserStepField,
    /// Details of the step: at most 8 values with names of at most 40 characters.
    #[validate(custom(function = step_data_rule))]
    step_data: Option<BTreeMap<String, StepValueBody>>,
    /// Seconds on the page by then, between 0 and 1800; anything else is ignored.
    time_spent: Option<f64>,
}

impl JsonBody for FunnelStepBody {}

/// A detail of a step: text of at most 100 characters, a number, true or false.
#[derive(Clone, Deserialize, Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum StepValueBody {
    Text(String),
    Flag(bool),
    Integer(i64),
    Number(f64),
}

/// The steps that browsers report.
#[derive(Clone, Copy, strum::EnumIter, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "camelCase")]
enum BrowserStep {
    FormStart,
    FormSubmit,
}

type BrowserStepField = Field<BrowserStep>;

impl Named for BrowserStep {
    const VIEW: &'static str = "BrowserStepView";
    const ABOUT: Option<&'static str> = Some("The steps that browsers report.");
}

impl ReadByName for BrowserStep {
    const REFUSAL: &'static str = "Must be formStart or formSubmit";
}

impl From<BrowserStep> for StepName {
    fn from(step: BrowserStep) -> Self {
        match step {
            BrowserStep::FormStart => Self::FormStart,
            BrowserStep::FormSubmit => Self::FormSubmit,
        }
    }
}

/// Stores a page view, or time spent on one.
///
/// The same session, page and referral code count once. For pages that are not tracked, for bots, and for browsers that send
/// `Sec-GPC: 1` or `DNT: 1`, the response is the same, and nothing is stored.
#[utoipa::path(
    post, path = "/api/analytics/page-view", operation_id = "record_page_view",
    params(
        ("X-Analytics-Session" = Option<String>, Header),
        ("X-Analytics-Fingerprint" = Option<String>, Header)
    ),
    request_body(content((PageViewBody = "application/json"), (PageViewBody = "text/plain"))),
    responses((status = 200, body = SuccessView, description = "Stored, or not tracked"))
)]
pub(crate) async fn page_view(
    state: Data<AppState>,
    collector: Data<Collector>,
    tracking: Tracking,
    body: Body<PageViewBody>,
) -> Result<Json<SuccessView>, ApiError> {
    if let Some(view) = body.unchecked().view(tracking, &state)? {
        collector.collect(Event::View(view)).await?;
    }
    Ok(Json(SuccessView::new()))
}

impl PageViewBody {
    /// The view to store, or `None` when the visitor or the page is not tracked.
    fn view(mut self, tracking: Tracking, state: &AppState) -> Result<Option<NewView>, ApiError> {
        let Tracking {
            origin,
            tracked: Some(tracked),
        } = tracking
        else {
            return Ok(None);
        };
        self.session_id = Some(session_or(self.session_id, &tracked));
        let body = validated(self)?;
        let page = body.page.value()?.0;
        let session = body.session_id.unwrap_or(Field::Missing).value()?;
        let raffles = state.raffles.get();
        let names = PageNames::of(raffles.public_at(state.clock.now()));
        let Some(page) = names.classify(&page) else {
            return Ok(None);
        };
        let fingerprint = body.fingerprint.and_then(read_fingerprint);
        Ok(Some(NewView {
            visitor: view_origin(session, origin, fingerprint, tracked),
            page,
            referral_code: body.referral_code.and_then(|code| ReferralCode::in_link(&code)),
            sms_tracking_id: body.sms_tracking_id.filter(|id| TrackingId::parse(id).is_some()),
            time_spent: body.time_spent.and_then(read_time_spent),
            at: state.clock.now(),
        }))
    }
}

fn view_origin(
    session: Session,
    origin: Origin,
    fingerprint: Option<String>,
    tracked: Tracked,
) -> ViewOrigin {
    ViewOrigin {
        session,
        origin,
        fingerprint: fingerprint.or(tracked.fingerprint),
        browser: tracked.browser,
        place: tracked.place,
    }
}

type SessionField = Field<Session>;

texts! {
    Session: text().max_length(Some(64)), |sent| parsed(Self::parse(&sent));
}

type PageField = Field<PageText>;

/// Any text: a name that is not known is counted, too.
struct PageText(String);

texts! {
    PageText: text().with_example("summer-box"), |sent| Ok(Self(sent));
}

/// The session that the body names, or else the one of the header.
fn session_or(sent: Option<SessionField>, tracked: &Tracked) -> SessionField {
    sent.unwrap_or(Field::Missing).or(tracked.session.clone())
}

/// Seconds as milliseconds, or `None` outside of the range that counts.
fn read_time_spent(seconds: f64) -> Option<i32> {
    let counted = seconds > 0.0 && seconds < 1800.0;
    counted.then_some((seconds * 1000.0).round().max(1.0) as i32)
}

/// Stores that a referral link was shared. In the browser that entered, it also counts toward the entrant's progress.
#[utoipa::path(
    post, path = "/api/analytics/social-share", operation_id = "record_social_share",
    params(("X-Analytics-Session" = Option<String>, Header)),
    responses((status = 200, body = SuccessView, description = "Stored, or not tracked"))
)]
pub(crate) async fn social_share<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    collector: Data<Collector>,
    tracking: Tracking,
    browser: BrowserEntrant<S>,
    body: Body<SocialShareBody>,
) -> Result<Json<SuccessView>, ApiError> {
    if let Some(share) = body.unchecked().share(tracking, &state)? {
        collector.collect(Event::Share(share.clone())).await?;
        count_share(&pools, &browser, state.time_zone, share).await?;
    }
    Ok(Json(SuccessView::new()))
}

/// Only the browser that entered can move the progress of its entrant.
async fn count_share<S: Store>(
    pools: &RequestPools<S>,
    browser: &BrowserEntrant<S>,
    zone: Tz,
    share: NewShare,
) -> Result<(), ApiError> {
    let Some(entrant) = share.entrant else {
        return Ok(());
    };
    if !browser.is(entrant) {
        return Ok(());
    }
    pools
        .visitor_writes
        .run(move |store| usecases::sharing::record(store, zone, entrant, &share))
        .await?;
    Ok(())
}

impl SocialShareBody {
    /// The share to store, or `None` when the visitor is not tracked.
    fn share(self, tracking: Tracking, state: &AppState) -> Result<Option<NewShare>, ApiError> {
        let Some(tracked) = tracking.tracked else {
            return Ok(None);
        };
        let body = validated(self)?;
        Ok(Some(NewShare {
            session: tracked.session,
            origin: tracking.origin,
            entrant: body.user_id.map(EntrantId::new),
            platform: body.platform.value()?,
            referral_code: body.referral_code.and_then(|code| ReferralCode::in_link(&code)),
            event_id: optional(body.event_id)?,
            at: state.clock.now(),
        }))
    }
}

/// Stores a step of the funnel that only the browser sees.
#[utoipa::path(
    post, path = "/api/analytics/funnel-step", operation_id = "record_funnel_step",
    params(("X-Analytics-Session" = Option<String>, Header)),
    responses((status = 200, body = SuccessView, description = "Stored, or not tracked"))
)]
pub(crate) async fn funnel_step(
    state: Data<AppState>,
    collector: Data<Collector>,
    tracking: Tracking,
    body: Body<FunnelStepBody>,
) -> Result<Json<SuccessView>, ApiError> {
    if let Some(step) = body.unchecked().step(tracking, &state)? {
        collector.collect(Event::Step(step)).await?;
    }
    Ok(Json(SuccessView::new()))
}

impl FunnelStepBody {
    /// The step to store, or `None` when the visitor is not tracked.
    fn step(mut self, tracking: Tracking, state: &AppState) -> Result<Option<NewStep>, ApiError> {
        let Some(tracked) = tracking.tracked else {
            return Ok(None);
        };
        self.session_id = Some(session_or(self.session_id, &tracked));
        let body = validated(self)?;
        let data = body.step_data.as_ref().map(read_step_data).transpose();
        Ok(Some(NewStep {
            session: body.session_id.unwrap_or(Field::Missing).value()?,
            raffle: known_raffle(optional(body.landing_page)?, state)?,
            step: body.step.value()?.into(),
            entrant: None,
            data: field("stepData", data)?.unwrap_or_default(),
            time_spent: body.time_spent.and_then(read_time_spent),
            at: state.clock.now(),
        }))
    }
}

/// Measurements are of raffles that everybody may know of.
fn known_raffle(sent: Option<RaffleKey>, state: &AppState) -> Result<Option<RaffleKey>, ApiError> {
    let (raffles, now) = (state.raffles.get(), state.clock.now());
    let Some(key) = sent else {
        return Ok(raffles.default_at(now).map(|raffle| raffle.key));
    };
    match raffles.public_at(now).any(|raffle| raffle.key == key) {
        true => Ok(Some(key)),
        false => Err(ApiError::field("landingPage", NO_SUCH_RAFFLE)),
    }
}

fn read_step_data(values: &BTreeMap<String, StepValueBody>) -> Result<StepData, Messages> {
    let values = values
        .iter()
        .map(|(name, value)| (name.clone(), value.clone().into()));
    StepData::new(values).map_err(|error| message(error.to_string()))
}

impl From<StepValueBody> for StepValue {
    fn from(value: StepValueBody) -> Self {
        match value {
            StepValueBody::Text(text) => Self::Text(text),
            StepValueBody::Flag(flag) => Self::Flag(flag),
            StepValueBody::Integer(number) => Self::Integer(number),
            StepValueBody::Number(number) => Self::Number(number),
        }
    }
}

fn step_data_rule(values: &BTreeMap<String, StepValueBody>) -> Result<(), ValidationError> {
    rule(read_step_data(values))
}
