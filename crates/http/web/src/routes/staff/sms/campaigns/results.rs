//! What came of a campaign.

use super::ESTIMATE_DEADLINE;
use super::views::EncodingView;
use crate::ApiError;
use crate::callers::admin::{Admin, may};
use crate::http::names::{Name, Named};
use crate::http::path_id::PathId;
use crate::identity::limits::Limit;
use crate::routes::Store;
use crate::routes::route_table::{Routes, staff_routes};
use actix_web::web::Json;
use serde::Serialize;
use sms::{CampaignId, FunnelStep, OUTCOME_DAYS};
use usecases::campaign_results::Results;
use utoipa::ToSchema;

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); find_results::<S>]
}

/// What came of a campaign: its funnel, its clicks over time, its text, and the segments that it cost.
#[utoipa::path(
    get,
    path = "/api/admin/sms/campaigns/{id}/results",
    operation_id = "find_campaign_results"
)]
pub(crate) async fn find_results<S: Store>(
    admin: Admin<S, may::ViewFigures>,
    PathId(id): PathId<CampaignId>,
) -> Result<Json<CampaignResultsView>, ApiError> {
    let results = admin
        .run_in(&admin.pools().console, ESTIMATE_DEADLINE, move |call| {
            usecases::campaign_results::results(call.store, id)
        })
        .await?;
    Ok(Json(results.into()))
}

/// What came of a campaign.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CampaignResultsView {
    funnel: Vec<FunnelCountView>,
    /// How long after their text what recipients do counts for the last three steps, and how long after the start clicks do.
    days: u32,
    /// The links that were opened, by the hour from the start; without the hours that have none.
    clicks: Vec<ClicksInHourView>,
    /// The text to one recipient: as it was sent or, before the campaign starts, as it would be now.
    text: String,
    #[schema(value_type = EncodingView)]
    encoding: &'static str,
    /// The segments of that text.
    segments: usize,
    /// The segments of all texts that were sent.
    total_segments: i64,
}

/// A step of a campaign's funnel.
#[derive(Serialize, ToSchema)]
pub(crate) struct FunnelCountView {
    #[schema(value_type = CampaignStepView)]
    step: &'static str,
    count: i64,
    /// The percentage of the texts that were sent; for `sent`, of the recipients. Null for the recipients, and of nothing.
    #[schema(required)]
    rate: Option<f64>,
}

pub(crate) type CampaignStepView = Name<FunnelStep>;

impl Named for FunnelStep {
    const VIEW: &'static str = "CampaignStepView";
    const ABOUT: Option<&'static str> = Some("The steps of a campaign's funnel.");
}

/// The links that were opened for the first time in an hour.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClicksInHourView {
    /// 0 is the first hour from the start.
    hour: u32,
    clicked: i64,
}

impl From<Results> for CampaignResultsView {
    fn from(results: Results) -> Self {
        let funnel = results.funnel.map(|step| FunnelCountView {
            step: step.step.into(),
            count: step.count,
            rate: step.rate,
        });
        let clicks = results.clicks.into_iter().map(|clicks| ClicksInHourView {
            hour: clicks.hour,
            clicked: clicks.clicked,
        });
        Self {
            funnel: funnel.into(),
            days: OUTCOME_DAYS,
            clicks: clicks.collect(),
            text: results.text,
            encoding: results.segments.encoding.as_str(),
            segments: results.segments.count,
            total_segments: results.total_segments,
        }
    }
}
