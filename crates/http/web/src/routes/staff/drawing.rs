//! Drawing winners.

mod history;
mod perform;
mod raffles;
mod steps;

pub(crate) use history::DrawingSortView;
pub(super) use perform::performed_drawing;

use super::Store;
use crate::ApiError;
use crate::callers::admin::{Admin, Call, Needs, may};
use crate::http::fields::{All, FieldErrors, Messages, field, message, path_id, read_line};
use crate::http::views::{LandingPageView, PrizeView};
use crate::identity::limits::Limit;
use crate::routes::drawing_views::DrawingView;
use crate::routes::route_table::{Routes, staff_routes};
use actix_web::http::StatusCode;
use actix_web::web::{Json, Path};
use drawing::steps::DrawingState;
use drawing::{DrawingId, Prize, RaffleStatistics};
use kernel::StoredText;
use serde::Serialize;
use std::time::Duration;
use utoipa::ToSchema;

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); stats::<S>]
        .and(history::routes::<S>())
        .and(perform::routes::<S>())
        .and(staff_routes![Some(Limit::Reads); one::<S>])
        .and(steps::routes::<S>())
        .and(raffles::routes::<S>())
}

const fn conflict(code: &'static str, sentence: &'static str) -> ApiError {
    ApiError::new(StatusCode::CONFLICT, code, sentence)
}

/// How long a drawing may take: it waits for other drawings and reads every entrant.
pub(super) const DRAWING_DEADLINE: Duration = Duration::from_secs(120);
/// How long counting all entrants may take.
const COUNTING_DEADLINE: Duration = Duration::from_secs(30);

/// The participants of each raffle now.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DrawingStatsView {
    /// All four raffles, in display order.
    landing_page_stats: Vec<RaffleStatisticsView>,
}

/// The participants of a raffle now. Flagged entrants do not take part, and neither do entries that a dispute over their
/// payment holds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RaffleStatisticsView {
    landing_page: LandingPageView,
    users: u64,
    total_entries: u64,
    /// Entries per participant; 0 without participants.
    average_entries: f64,
}

impl From<RaffleStatistics> for RaffleStatisticsView {
    fn from(statistics: RaffleStatistics) -> Self {
        Self {
            landing_page: statistics.raffle.into(),
            users: statistics.participants,
            total_entries: statistics.entries,
            average_entries: statistics.average_entries(),
        }
    }
}

/// Counts the participants of each raffle.
#[utoipa::path(
    get,
    path = "/api/admin/drawing/stats",
    operation_id = "get_drawing_stats",
    responses((status = 200, body = DrawingStatsView))
)]
pub(crate) async fn stats<S: Store>(
    admin: Admin<S, may::ViewFigures>,
) -> Result<Json<DrawingStatsView>, ApiError> {
    let count = |call: Call<'_, S>| usecases::drawings::statistics(call.store);
    let statistics = admin
        .run_in(&admin.pools().console, COUNTING_DEADLINE, count)
        .await?;
    Ok(Json(DrawingStatsView {
        landing_page_stats: statistics.into_iter().map(Into::into).collect(),
    }))
}

const REASON: &str = "Must have 3 to 500 characters";

/// 3 to 500 characters; line breaks are allowed.
fn read_reason(text: &str) -> Result<String, Messages> {
    let reason = StoredText::lines(text, 500).map_err(|_| message(REASON))?;
    match reason.as_str().chars().count() >= 3 {
        true => Ok(reason.into()),
        false => Err(message(REASON)),
    }
}

/// A prize and its value, each one line.
fn read_prize(view: &PrizeView) -> Result<Prize, FieldErrors> {
    let name = read_line(&view.name, 120, "Must be one line of at most 120 characters");
    let value = read_line(&view.value, 40, "Must be one line of at most 40 characters");
    let (name, value) = (field("name", name), field("value", value)).all()?;
    Ok(Prize { name, value })
}

fn view_of<S: Store, P: Needs>(admin: &Admin<S, P>, drawing: &DrawingState) -> DrawingView {
    DrawingView::of(drawing, admin.state().clock.now())
}

/// Gets a drawing, in whatever state it is.
#[utoipa::path(
    get,
    path = "/api/admin/drawing/{id}",
    operation_id = "get_drawing",
    params(("id" = i64, Path)),
    responses((status = 200, body = DrawingView))
)]
pub(crate) async fn one<S: Store>(
    admin: Admin<S, may::ViewFigures>,
    id: Path<String>,
) -> Result<Json<DrawingView>, ApiError> {
    let id = path_id(&id, DrawingId::new)?;
    let drawing = admin
        .run(move |call| usecases::drawings::find(call.store, id))
        .await?;
    Ok(Json(view_of(&admin, &drawing)))
}
