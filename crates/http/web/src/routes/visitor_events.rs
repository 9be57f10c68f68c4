//! Events that are only counted: the kinds `lead_capture` and `custom`. Every other kind has a call
//! of its own.

use crate::ApiError;
use crate::callers::tracking::Tracking;
use crate::http::body::{Body, JsonBody};
use crate::http::field::{Field, ReadByName};
use crate::http::fields::{field, required};
use crate::http::names::Named;
use crate::http::views::SuccessView;
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, routes};
use actix_web::web::Json;
use serde::Deserialize;
use utoipa::ToSchema;
use validator::Validate;

pub(super) fn routes() -> Routes {
    routes![Some(Limit::PageViews); visitor_event]
}

/// What happened on a page.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VisitorEventBody {
    /// The kind.
    #[validate(nested)]
    kind: EventKindField,
    /// The name of a `custom` event; names that are not known are counted together.
    #[schema(example = "packages_shown")]
    name: Option<String>,
}

impl JsonBody for VisitorEventBody {}

type EventKindField = Field<EventKind>;

impl ReadByName for EventKind {
    const REFUSAL: &'static str = "Must be lead_capture or custom";
}

impl Named for EventKind {
    const VIEW: &'static str = "EventKindView";
    const ABOUT: Option<&'static str> = Some("The kinds of events that are only counted.");
}

#[derive(Clone, Copy, PartialEq, Eq, strum::EnumIter, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
enum EventKind {
    /// A new entrant agreed to campaign texts.
    LeadCapture,
    /// An event with a name.
    Custom,
}

/// The known names of custom events. The labels of a metric are a closed list, so any other name counts as `other`.
const NAMES: [&str; 1] = ["packages_shown"];

/// Counts an event in the metric `visitor_events_total`. Nothing about the visitor is stored.
///
/// For bots, and for browsers that send `Sec-GPC: 1` or `DNT: 1`, the response is the same, and nothing is counted.
#[utoipa::path(
    post, path = "/api/analytics/event", operation_id = "record_event",
    responses((status = 200, body = SuccessView, description = "Counted, or not tracked"))
)]
pub(crate) async fn visitor_event(
    tracking: Tracking,
    body: Body<VisitorEventBody>,
) -> Result<Json<SuccessView>, ApiError> {
    let body = body.valid()?;
    let kind = body.kind.value()?;
    let name = match kind {
        EventKind::LeadCapture => "",
        EventKind::Custom => known_name(field("name", required(body.name.as_deref()))?),
    };
    if tracking.tracked.is_some() {
        let kind: &'static str = kind.into();
        metrics::counter!("visitor_events_total", "kind" => kind, "name" => name).increment(1);
    }
    Ok(Json(SuccessView::new()))
}

fn known_name(name: &str) -> &'static str {
    let known = NAMES.iter().find(|known| **known == name);
    known.copied().unwrap_or("other")
}
