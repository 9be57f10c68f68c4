//! Drawing winners: spec section 2 (Drawing screen), D16.

use super::{Store, read_key};
use crate::ApiError;
use crate::admin::{Admin, Call};
use crate::body::{Body, JsonBody};
use crate::error::ErrorView;
use crate::fields::{FieldErrors, field, read_raffle, required, rules};
use crate::limits::Limit;
use crate::query::{PageQuery, SortOrderView, read_sorting};
use crate::responses::{created, csv_file, page_of};
use crate::route_table::{Routes, routes};
use crate::routes::drawings::no_commitment;
use crate::views::{LandingPageView, StaffRefused};
use actix_web::http::StatusCode;
use actix_web::web::{Json, Query};
use actix_web::{HttpRequest, HttpResponse};
use chrono::{DateTime, SecondsFormat, Utc};
use drawing::{Drawing, DrawingSort, RaffleStatistics};
use kernel::{PageRequest, SortOrder};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use usecases::perform_drawing::{PerformDrawingCommand, PerformDrawingError};
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

pub(super) fn routes<S: Store>() -> Routes {
    routes![Some(Limit::Reads); stats::<S>, history::<S>, export::<S>, perform::<S>]
}

impl From<PerformDrawingError> for ApiError {
    fn from(error: PerformDrawingError) -> Self {
        match error {
            PerformDrawingError::NoParticipants => Self::new(
                StatusCode::CONFLICT,
                "no_participants",
                "Nobody can be drawn: this raffle has no participants.",
            ),
            PerformDrawingError::NoCommitment => no_commitment(),
            PerformDrawingError::KeyReused => Self::idempotency_mismatch(),
            PerformDrawingError::ClearingUnfinished => Self::new(
                StatusCode::CONFLICT,
                "clearing_unfinished",
                "Referral data is being cleared, so some entrants still have entries that others have lost. Draw when that is done.",
            ),
            PerformDrawingError::Sealed => {
                tracing::error!(
                    "the seed was sealed with a SECRET_KEY that is not configured any more; add it to SECRET_KEY_PREVIOUS"
                );
                Self::internal()
            }
            PerformDrawingError::Unlistable(error) => {
                tracing::error!(%error, "cannot freeze the list of entrants");
                Self::internal()
            }
            PerformDrawingError::Store(error) => error.into(),
        }
    }
}

/// How long a drawing may take: it waits for other drawings and reads every entrant.
const DRAWING_DEADLINE: Duration = Duration::from_secs(120);
/// How long counting all entrants may take.
const COUNTING_DEADLINE: Duration = Duration::from_secs(30);

/// The raffle to draw.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PerformDrawingBody {
    #[schema(value_type = LandingPageView, required)]
    #[validate(required(message = "Required"), custom(function = rules::raffle))]
    landing_page: Option<String>,
}

impl JsonBody for PerformDrawingBody {
    const FIELDS: &'static [&'static str] = &["landingPage"];
}

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

/// A drawing that was performed.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DrawingView {
    id: i64,
    landing_page: LandingPageView,
    winner_id: i64,
    /// In full; the screen shows the last four digits.
    #[schema(example = "+15551234567")]
    winner_phone_number: String,
    winning_entry_number: u64,
    total_participants: u64,
    total_entries: u64,
    #[schema(example = "random")]
    drawing_method: &'static str,
    /// A hash of the whole drawing; the proof lists its parts.
    verification_hash: String,
    created_at: DateTime<Utc>,
}

impl From<&Drawing> for DrawingView {
    fn from(drawing: &Drawing) -> Self {
        Self {
            id: drawing.record.drawing.get(),
            landing_page: drawing.record.raffle.into(),
            winner_id: drawing.winner.get(),
            winner_phone_number: drawing.winner_phone.as_e164().to_owned(),
            winning_entry_number: drawing.record.winning_entry_number,
            total_participants: drawing.record.participants,
            total_entries: drawing.record.entries,
            drawing_method: Drawing::METHOD,
            verification_hash: drawing.verification_hash.to_string(),
            created_at: drawing.record.drawn_at,
        }
    }
}

/// The order of drawings.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct DrawingOrderQuery {
    /// The field to sort by; `createdAt` without it.
    #[param(value_type = Option<DrawingSortView>)]
    sort: Option<String>,
    /// The direction; `desc` without it.
    #[param(value_type = Option<SortOrderView>)]
    order: Option<String>,
}

/// The fields by which drawings can be sorted.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "for the description only; it is read as text")]
pub(crate) enum DrawingSortView {
    CreatedAt,
    LandingPage,
    WinningEntryNumber,
    TotalParticipants,
    TotalEntries,
}

/// The first one is the default.
const SORTS: [(&str, DrawingSort); 5] = [
    ("createdAt", DrawingSort::CreatedAt),
    ("landingPage", DrawingSort::Raffle),
    ("winningEntryNumber", DrawingSort::WinningEntryNumber),
    ("totalParticipants", DrawingSort::TotalParticipants),
    ("totalEntries", DrawingSort::TotalEntries),
];

impl DrawingOrderQuery {
    fn order(&self) -> Result<(DrawingSort, SortOrder), FieldErrors> {
        let (sort, order) = (self.sort.as_deref(), self.order.as_deref());
        read_sorting(sort, order, &SORTS, "Drawings cannot be sorted by this")
    }
}

/// Counts the participants of each raffle.
#[utoipa::path(
    get,
    path = "/api/admin/drawing/stats",
    operation_id = "get_drawing_stats",
    tag = "staff",
    responses((status = 200, body = DrawingStatsView), StaffRefused)
)]
pub(crate) async fn stats<S: Store>(admin: Admin<S>) -> Result<Json<DrawingStatsView>, ApiError> {
    let statistics = admin
        .run_within(COUNTING_DEADLINE, |call| {
            usecases::drawings::statistics(call.store)
        })
        .await?;
    Ok(Json(DrawingStatsView {
        landing_page_stats: statistics.into_iter().map(Into::into).collect(),
    }))
}

/// Lists past drawings. `X-Total-Count` has their number.
#[utoipa::path(
    get,
    path = "/api/admin/drawing/history",
    operation_id = "list_drawing_history",
    tag = "staff",
    params(DrawingOrderQuery, PageQuery),
    responses(
        (
            status = 200,
            body = Vec<DrawingView>,
            headers(("X-Total-Count" = i64, description = "The number of all rows"))
        ),
        (status = 400, body = ErrorView, description = "No such order or page"),
        StaffRefused,
    )
)]
pub(crate) async fn history<S: Store>(
    admin: Admin<S>,
    order: Query<DrawingOrderQuery>,
    page: Query<PageQuery>,
) -> Result<HttpResponse, ApiError> {
    let (sort, order) = order.order()?;
    let page = page.page()?;
    let list = admin
        .run(move |call| usecases::drawings::list(call.store, sort, order, page))
        .await?;
    let views: Vec<DrawingView> = list.drawings.iter().map(Into::into).collect();
    Ok(page_of(list.total, views))
}

const COLUMNS: [&str; 10] = [
    "id",
    "createdAt",
    "landingPage",
    "winnerId",
    "winnerPhoneNumber",
    "winningEntryNumber",
    "totalParticipants",
    "totalEntries",
    "drawingMethod",
    "verificationHash",
];

/// Exports past drawings as CSV, newest first.
#[utoipa::path(
    get,
    path = "/api/admin/drawing/history/export",
    operation_id = "export_drawing_history",
    tag = "staff",
    responses(
        (
            status = 200,
            body = String,
            content_type = "text/csv",
            description = "Columns id, createdAt, landingPage, winnerId, winnerPhoneNumber, winningEntryNumber, totalParticipants, totalEntries, drawingMethod and verificationHash"
        ),
        StaffRefused,
    )
)]
pub(crate) async fn export<S: Store>(admin: Admin<S>) -> Result<HttpResponse, ApiError> {
    // Four a month: even in a hundred years they fit into one response.
    let all = PageRequest {
        limit: i32::MAX as u32,
        offset: 0,
    };
    let (sort, order) = (DrawingSort::CreatedAt, SortOrder::Descending);
    let list = admin
        .run(move |call| usecases::drawings::list(call.store, sort, order, all))
        .await?;
    csv_file("drawings.csv", COLUMNS, list.drawings.iter().map(cells))
}

fn cells(drawing: &Drawing) -> [String; 10] {
    let record = &drawing.record;
    [
        record.drawing.to_string(),
        record.drawn_at.to_rfc3339_opts(SecondsFormat::AutoSi, true),
        record.raffle.to_string(),
        drawing.winner.to_string(),
        drawing.winner_phone.as_e164().to_owned(),
        record.winning_entry_number.to_string(),
        record.participants.to_string(),
        record.entries.to_string(),
        Drawing::METHOD.to_owned(),
        drawing.verification_hash.to_string(),
    ]
}

/// Draws a winner at random from all entries of a raffle. It cannot be undone.
///
/// A repeated call with the same `Idempotency-Key` gets the same drawing.
#[utoipa::path(
    post,
    path = "/api/admin/drawing/perform",
    operation_id = "perform_drawing",
    tag = "staff",
    params(("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII characters")),
    request_body = PerformDrawingBody,
    responses(
        (status = 201, body = DrawingView),
        (status = 400, body = ErrorView, description = "No such raffle, or an invalid key"),
        (status = 409, body = ErrorView, description = "The raffle has no participants or no commitment, or the key belongs to another raffle's drawing"),
        StaffRefused,
    )
)]
pub(crate) async fn perform<S: Store>(
    admin: Admin<S>,
    request: HttpRequest,
    body: Body<PerformDrawingBody>,
) -> Result<HttpResponse, ApiError> {
    let body = body.valid()?;
    let raffle = required(body.landing_page.as_deref()).and_then(read_raffle);
    let raffle = field("landingPage", raffle)?;
    let idempotency_key = read_key(&request)?;
    let draw = move |call: Call<'_, S>| {
        let command = PerformDrawingCommand {
            actor: call.actor,
            raffle,
            idempotency_key,
        };
        usecases::perform_drawing::perform(call.store, call.state.drawing_tools(), &command)
    };
    let drawing = admin.run_in_background(DRAWING_DEADLINE, draw).await?;
    metrics::counter!("drawings_total", "raffle" => drawing.record.raffle.as_str()).increment(1);
    Ok(created(DrawingView::from(&drawing)))
}
