//! Clicks on the links of campaign messages.

use super::Store;
use crate::callers::tracking::Tracking;
use crate::http::body::{Body, JsonBody};
use crate::http::field::{Field, WithExample, text, texts};
use crate::http::views::LandingPageView;
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, routes};
use crate::{ApiError, AppState, RequestPools};
use actix_web::http::StatusCode;
use actix_web::web::{Data, Json};
use serde::{Deserialize, Serialize};
use sms::{TrackedMessage, TrackingId};
use usecases::provider_callbacks::{ClickCommand, ClickError};
use utoipa::ToSchema;
use validator::Validate;

pub(super) fn routes<S: Store>() -> Routes {
    routes![Some(Limit::PageViews); track_click::<S>]
}

impl From<ClickError> for ApiError {
    fn from(error: ClickError) -> Self {
        match error {
            ClickError::UnknownTrackingId => Self::new(
                StatusCode::NOT_FOUND,
                "unknown_tracking_id",
                "We do not recognize this link.",
            ),
            ClickError::Store(error) => error.into(),
        }
    }
}

/// A click on the link of a message.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TrackClickBody {
    /// The last part of the link.
    #[schema(inline)]
    #[validate(nested)]
    tracking_id: TrackingIdField,
    /// Whether the recipient followed the link to the raffle.
    cta: Option<bool>,
}

impl JsonBody for TrackClickBody {}

type TrackingIdField = Field<KnownLink>;

/// The id in a link. Other text is an unknown link.
struct KnownLink(Option<TrackingId>);

texts! {
    KnownLink: text().max_length(Some(64)).with_example("garden-2345bcdfghjkm"),
        |sent| Ok(Self(TrackingId::parse(&sent)));
}

/// The link's raffle and recipient.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ClickView {
    #[schema(example = true)]
    success: bool,
    /// The raffle of the link's page.
    landing_page: LandingPageView,
    /// Whether the recipient is an entrant.
    is_entrant: bool,
}

impl ClickView {
    /// For visitors who are not tracked: the raffle from the link itself, and nothing about its recipient.
    fn untracked(id: &TrackingId, state: &AppState) -> Result<Self, ClickError> {
        let raffles = state.raffles.get();
        let shown = raffles.of_link(id.as_str(), state.clock.now());
        Ok(Self {
            success: true,
            landing_page: shown.ok_or(ClickError::UnknownTrackingId)?.key.into(),
            is_entrant: false,
        })
    }
}

impl From<TrackedMessage> for ClickView {
    fn from(text: TrackedMessage) -> Self {
        Self {
            success: true,
            landing_page: text.raffle.into(),
            is_entrant: text.entrant.is_some(),
        }
    }
}

/// Counts the first time that a link is opened, and the first time that its recipient follows it to the raffle.
///
/// For bots and for browsers that send `Sec-GPC: 1` or `DNT: 1`, nothing is stored, and the response is made from the link alone.
#[utoipa::path(
    post, path = "/api/sms/track-click", operation_id = "track_click",
    params(("X-Analytics-Session" = Option<String>, Header)),
    responses((status = 404, description = "Unknown link"))
)]
pub(crate) async fn track_click<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    tracking: Tracking,
    body: Body<TrackClickBody>,
) -> Result<Json<ClickView>, ApiError> {
    let body = body.valid()?;
    let known = body.tracking_id.value()?.0;
    let tracking_id = known.ok_or(ClickError::UnknownTrackingId)?;
    // Bots and visitors who opt out are not tracked.
    if tracking.tracked.is_none() {
        return Ok(Json(ClickView::untracked(&tracking_id, &state)?));
    }
    let command = ClickCommand {
        tracking_id,
        cta: body.cta.unwrap_or(false),
        session: tracking.session(),
        origin: tracking.origin,
    };
    let clock = state.clock.clone();
    let track = move |store: &S| usecases::provider_callbacks::track_click(store, &*clock, &command);
    Ok(Json(pools.visitor_writes.run(track).await?.into()))
}
