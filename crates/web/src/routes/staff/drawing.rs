//! Drawing winners: spec section 2 (Drawing screen), D16.

use super::{StaffRefused, Store, read_key};
use crate::admin::Admin;
use crate::body::{Body, FieldErrors, JsonBody};
use crate::csv::csv_lines;
use crate::error::ErrorView;
use crate::query::PageQuery;
use crate::routes::entrants::{LandingPageView, REQUIRED, read_landing_page};
use crate::{ApiError, AppState};
use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::web::{Data, Json, Query};
use actix_web::{HttpRequest, HttpResponse};
use chrono::{DateTime, SecondsFormat, Utc};
use drawing::{Drawing, DrawingSort, RaffleStatistics, SortOrder};
use kernel::PageRequest;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use usecases::perform_drawing::PerformDrawingCommand;
use utoipa::{IntoParams, ToSchema};

/// A drawing waits for others, and reads every entrant.
const PATIENCE: Duration = Duration::from_secs(120);
/// Counting every entrant, too, may take longer than other reads.
const COUNTING_PATIENCE: Duration = Duration::from_secs(30);

/// Of which raffle a winner is wanted.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PerformDrawingBody {
    #[schema(value_type = LandingPageView, required)]
    landing_page: Option<String>,
}

impl JsonBody for PerformDrawingBody {
    const FIELDS: &'static [&'static str] = &["landingPage"];
}

/// Who could win now.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DrawingStatsView {
    /// All four raffles, in the order in which they are shown.
    landing_page_stats: Vec<RaffleStatisticsView>,
}

/// Who could win a raffle now. People who are flagged cannot.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RaffleStatisticsView {
    landing_page: LandingPageView,
    users: u64,
    total_entries: u64,
    /// For each of them; 0 when there is nobody.
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
    /// Sums the drawing up; the proof says of what it is made.
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

/// In which order.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct DrawingOrderQuery {
    /// By what; `createdAt` without it.
    #[param(value_type = Option<DrawingSortView>)]
    sort: Option<String>,
    /// Which way round; `desc` without it.
    #[param(value_type = Option<SortOrderView>)]
    order: Option<String>,
}

/// By what drawings are sorted.
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

/// Which way round.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "for the description only; it is read as text")]
pub(crate) enum SortOrderView {
    Asc,
    Desc,
}

impl DrawingOrderQuery {
    fn order(&self) -> Result<(DrawingSort, SortOrder), ApiError> {
        let mut reading = FieldErrors::default();
        let sort = reading.field("sort", read_sort(self.sort.as_deref()));
        let order = reading.field("order", read_order(self.order.as_deref()));
        reading.finish()?;
        Ok((sort.unwrap_or_default(), order.unwrap_or_default()))
    }
}

fn read_sort(name: Option<&str>) -> Result<DrawingSort, Vec<String>> {
    match name {
        None | Some("createdAt") => Ok(DrawingSort::CreatedAt),
        Some("landingPage") => Ok(DrawingSort::Raffle),
        Some("winningEntryNumber") => Ok(DrawingSort::WinningEntryNumber),
        Some("totalParticipants") => Ok(DrawingSort::TotalParticipants),
        Some("totalEntries") => Ok(DrawingSort::TotalEntries),
        Some(_) => Err(vec!["Drawings cannot be sorted by this".to_owned()]),
    }
}

fn read_order(name: Option<&str>) -> Result<SortOrder, Vec<String>> {
    match name {
        None | Some("desc") => Ok(SortOrder::Descending),
        Some("asc") => Ok(SortOrder::Ascending),
        Some(_) => Err(vec!["Must be asc or desc".to_owned()]),
    }
}

/// Who could win each raffle now.
#[utoipa::path(
    get,
    path = "/api/admin/drawing/stats",
    operation_id = "get_drawing_stats",
    tag = "staff",
    security(("bearer" = []), ("session_token" = [])),
    responses((status = 200, body = DrawingStatsView), StaffRefused)
)]
pub(crate) async fn stats<S: Store>(
    _: Admin<S>,
    store: Data<S>,
    state: Data<AppState>,
) -> Result<Json<DrawingStatsView>, ApiError> {
    let count = move || usecases::drawings::statistics(&**store);
    let statistics = state.flows.run_within(COUNTING_PATIENCE, count).await?;
    Ok(Json(DrawingStatsView {
        landing_page_stats: statistics.into_iter().map(Into::into).collect(),
    }))
}

/// Past drawings. `X-Total-Count` has their number.
#[utoipa::path(
    get,
    path = "/api/admin/drawing/history",
    operation_id = "list_drawing_history",
    tag = "staff",
    security(("bearer" = []), ("session_token" = [])),
    params(DrawingOrderQuery, PageQuery),
    responses(
        (
            status = 200,
            body = Vec<DrawingView>,
            headers(("X-Total-Count" = i64, description = "How many there are in all"))
        ),
        (status = 400, body = ErrorView, description = "No such order or page"),
        StaffRefused,
    )
)]
pub(crate) async fn history<S: Store>(
    _: Admin<S>,
    store: Data<S>,
    state: Data<AppState>,
    (order, page): (Query<DrawingOrderQuery>, Query<PageQuery>),
) -> Result<HttpResponse, ApiError> {
    let (sort, order) = order.order()?;
    let page = page.page()?;
    let list = state
        .flows
        .run(move || usecases::drawings::list(&**store, sort, order, page))
        .await?;
    let views: Vec<DrawingView> = list.drawings.iter().map(Into::into).collect();
    Ok(HttpResponse::Ok()
        .insert_header(("X-Total-Count", list.total.to_string()))
        .json(views))
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

/// Past drawings as CSV, newest first.
#[utoipa::path(
    get,
    path = "/api/admin/drawing/history/export",
    operation_id = "export_drawing_history",
    tag = "staff",
    security(("bearer" = []), ("session_token" = [])),
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
pub(crate) async fn export<S: Store>(
    _: Admin<S>,
    store: Data<S>,
    state: Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    // Four a month: even in a hundred years they fit into one answer.
    let all = PageRequest {
        limit: i32::MAX as u32,
        offset: 0,
    };
    let (sort, order) = (DrawingSort::CreatedAt, SortOrder::Descending);
    let list = state
        .flows
        .run(move || usecases::drawings::list(&**store, sort, order, all))
        .await?;
    let rows = list.drawings.iter().map(cells);
    let lines = csv_lines(std::iter::once(COLUMNS.map(str::to_owned)).chain(rows))?;
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/csv; charset=utf-8"))
        .insert_header((CONTENT_DISPOSITION, "attachment; filename=\"drawings.csv\""))
        .body(lines))
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
/// With an `Idempotency-Key` it can be asked for again, and the same drawing is answered.
#[utoipa::path(
    post,
    path = "/api/admin/drawing/perform",
    operation_id = "perform_drawing",
    tag = "staff",
    security(("bearer" = []), ("session_token" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII characters")),
    request_body = PerformDrawingBody,
    responses(
        (status = 201, body = DrawingView),
        (status = 400, body = ErrorView, description = "No such raffle, or a key that cannot be one"),
        (status = 409, body = ErrorView, description = "Nobody can be drawn, or the key belongs to another raffle's drawing"),
        StaffRefused,
    )
)]
pub(crate) async fn perform<S: Store>(
    admin: Admin<S>,
    store: Data<S>,
    state: Data<AppState>,
    (request, body): (HttpRequest, Body<PerformDrawingBody>),
) -> Result<HttpResponse, ApiError> {
    let command = PerformDrawingCommand {
        actor: admin.actor,
        raffle: body.0.landing_page()?,
        idempotency_key: read_key(&request)?,
    };
    let at = state.clone();
    let draw = move || usecases::perform_drawing::perform(&**store, at.drawing_tools(), &command);
    let drawing = state.drawings.run_within(PATIENCE, draw).await?;
    metrics::counter!("drawings_total", "raffle" => drawing.record.raffle.as_str()).increment(1);
    Ok(HttpResponse::Created().json(DrawingView::from(&drawing)))
}

impl PerformDrawingBody {
    fn landing_page(&self) -> Result<kernel::Raffle, ApiError> {
        let key = self
            .landing_page
            .as_deref()
            .ok_or_else(|| ApiError::field("landingPage", REQUIRED))?;
        read_landing_page(Some(key))
            .map_err(|messages| ApiError::Validation([("landingPage", messages)].into()))
    }
}
