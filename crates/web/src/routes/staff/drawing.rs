//! Drawing winners: spec section 2 (Drawing screen), D39, D40.

mod raffles;

use super::{Store, read_key};
use crate::ApiError;
use crate::admin::{Admin, Call};
use crate::body::{Body, JsonBody};
use crate::drawing_views::{DrawingView, PrizeView};
use crate::error::ErrorView;
use crate::fields::{
    All, FieldErrors, Messages, field, message, path_id, read_line, read_raffle, required, rules,
};
use crate::limits::Limit;
use crate::query::{PageQuery, SortOrderView, read_sorting};
use crate::responses::{created, csv_file, page_of};
use crate::route_table::{Routes, routes};
use crate::views::{LandingPageView, StaffRefused};
use actix_web::http::StatusCode;
use actix_web::web::{Json, Path, Query};
use actix_web::{HttpRequest, HttpResponse};
use chrono::SecondsFormat;
use chrono_tz::Tz;
use drawing::beacon::{BeaconSignature, Round};
use drawing::steps::{AnyDrawing, DrawingState};
use drawing::v2::Prize;
use drawing::{Drawing, DrawingId, DrawingSort, RaffleStatistics};
use kernel::{PageRequest, SortOrder, StoredText};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use usecases::drawings::{BroughtRound, DrawError, PerformDrawing, PerformError, Performed, VoidError};
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

pub(super) fn routes<S: Store>() -> Routes {
    routes![
        Some(Limit::Reads);
        stats::<S>, history::<S>, export::<S>, perform::<S>, one::<S>, bring_beacon::<S>, make_void::<S>
    ]
    .and(raffles::routes::<S>())
}

impl From<PerformError> for ApiError {
    fn from(error: PerformError) -> Self {
        match error {
            PerformError::NoParticipants => conflict(
                "no_participants",
                "Nobody can be drawn: this raffle has no participants.",
            ),
            PerformError::AlreadyDrawn => conflict(
                "already_drawn",
                "This raffle has its drawing of this month. An additional drawing needs a reason.",
            ),
            PerformError::NothingToDraw { .. } => NOTHING_TO_DRAW,
            PerformError::KeyReused => Self::idempotency_mismatch(),
            PerformError::ClearingUnfinished => conflict(
                "clearing_unfinished",
                "Referral data is being cleared, so some entrants still have entries that others have lost. Draw when that is done.",
            ),
            PerformError::Secrets => {
                tracing::error!(
                    "the seed was sealed with a SECRET_KEY that is not configured any more; add it to SECRET_KEY_PREVIOUS"
                );
                Self::internal()
            }
            PerformError::Unlistable(error) => {
                tracing::error!(%error, "cannot freeze the list of entrants");
                Self::internal()
            }
            PerformError::Store(error) => error.into(),
        }
    }
}

const NOTHING_TO_DRAW: ApiError = conflict(
    "nothing_to_draw",
    "The server draws this raffle by itself. An additional drawing needs a reason.",
);

const fn conflict(code: &'static str, sentence: &'static str) -> ApiError {
    ApiError::new(StatusCode::CONFLICT, code, sentence)
}

/// The date is one in the time zone of the site.
fn explain(error: PerformError, zone: Tz) -> ApiError {
    let PerformError::NothingToDraw { next } = error else {
        return error.into();
    };
    let day = next.with_timezone(&zone).format("%B %-d, %Y");
    NOTHING_TO_DRAW.saying(format!(
        "The server draws this raffle by itself, next on {day}. An additional drawing needs a reason."
    ))
}

impl From<DrawError> for ApiError {
    fn from(error: DrawError) -> Self {
        match error {
            DrawError::UnknownDrawing => Self::not_found(),
            DrawError::NotSealed => conflict("not_sealed", "This drawing does not wait for a beacon."),
            DrawError::AnotherRound => conflict(
                "another_round",
                "This drawing was announced with another round of the beacon.",
            ),
            DrawError::InvalidSignature => Self::new(
                StatusCode::BAD_REQUEST,
                "beacon_invalid",
                "This signature is not valid for the round.",
            ),
            DrawError::UnknownChain => {
                tracing::error!(
                    "DRAWING_BEACON: a drawing was announced with a chain that is not configured any more"
                );
                Self::internal()
            }
            DrawError::Store(error) => error.into(),
        }
    }
}

impl From<VoidError> for ApiError {
    fn from(error: VoidError) -> Self {
        match error {
            VoidError::UnknownDrawing => Self::not_found(),
            VoidError::NotVoidable(_) => conflict(
                "not_voidable",
                "Only a sealed drawing whose beacon has been missing for 24 hours can be voided.",
            ),
            VoidError::Store(error) => error.into(),
        }
    }
}

/// How long a drawing may take: it waits for other drawings and reads every entrant.
const DRAWING_DEADLINE: Duration = Duration::from_secs(120);
/// How long counting all entrants may take.
const COUNTING_DEADLINE: Duration = Duration::from_secs(30);

/// The drawing that staff ask for.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PerformDrawingBody {
    #[schema(value_type = LandingPageView, required)]
    #[validate(required(message = "Required"), custom(function = rules::raffle))]
    landing_page: Option<String>,
    /// Why there is an additional drawing in this month. Public.
    #[schema(min_length = 3, max_length = 500)]
    reason: Option<String>,
    /// The prize of an additional drawing; the prize of the raffle without it.
    prize: Option<PrizeView>,
}

impl JsonBody for PerformDrawingBody {
    const FIELDS: &'static [&'static str] = &["landingPage", "reason", "prize"];
}

/// A round of the beacon that staff bring.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BeaconBody {
    #[schema(value_type = u64, required)]
    #[validate(required(message = "Required"))]
    round: Option<u64>,
    /// The signature of the round, as the beacon publishes it.
    #[schema(value_type = String, required, pattern = "^[0-9a-f]{96}$")]
    #[validate(required(message = "Required"))]
    signature: Option<String>,
}

impl JsonBody for BeaconBody {
    const FIELDS: &'static [&'static str] = &["round", "signature"];
}

/// Why a drawing is given up. Public.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VoidBody {
    #[schema(value_type = String, required, min_length = 3, max_length = 500)]
    #[validate(required(message = "Required"))]
    reason: Option<String>,
}

impl JsonBody for VoidBody {
    const FIELDS: &'static [&'static str] = &["reason"];
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

/// Lists sealed, drawn and void drawings. `X-Total-Count` has their number.
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
    let now = admin.state().clock.now();
    let views = list.drawings.iter().map(|drawing| DrawingView::of(drawing, now));
    Ok(page_of(list.total, views.collect::<Vec<_>>()))
}

const COLUMNS: [&str; 14] = [
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
    "status",
    "period",
    "reason",
    "voidReason",
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
            description = "Columns id, createdAt, landingPage, winnerId, winnerPhoneNumber, winningEntryNumber, totalParticipants, totalEntries, drawingMethod, verificationHash, status, period, reason and voidReason"
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

fn cells(drawing: &AnyDrawing) -> [String; 14] {
    let number = |number: Option<u64>| number.map(|number| number.to_string()).unwrap_or_default();
    let state = match drawing {
        AnyDrawing::First(_) => None,
        AnyDrawing::Second(state) => Some(state),
    };
    [
        drawing.id().to_string(),
        drawing.created_at().to_rfc3339_opts(SecondsFormat::AutoSi, true),
        drawing.raffle().to_string(),
        drawing
            .winner()
            .map(|winner| winner.to_string())
            .unwrap_or_default(),
        drawing
            .winner_phone()
            .map(|phone| phone.as_e164().to_owned())
            .unwrap_or_default(),
        number(drawing.winning_entry_number()),
        number(drawing.participants()),
        number(drawing.entries()),
        Drawing::METHOD.to_owned(),
        drawing
            .verification_hash()
            .map(|hash| hash.to_string())
            .unwrap_or_default(),
        drawing.status().to_string(),
        state
            .map(|state| state.plan.period.to_string())
            .unwrap_or_default(),
        state
            .and_then(|state| state.plan.reason.clone())
            .unwrap_or_default(),
        state
            .and_then(|state| Some(state.void.as_ref()?.step.reason.clone()))
            .unwrap_or_default(),
    ]
}

/// Announces a drawing and seals it. Without a beacon, it is drawn at once. It cannot be undone.
///
/// A repeated call with the same `Idempotency-Key` gets the same drawing, as far as it is by then.
#[utoipa::path(
    post,
    path = "/api/admin/drawing/perform",
    operation_id = "perform_drawing",
    tag = "staff",
    params(("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII characters")),
    request_body = PerformDrawingBody,
    responses(
        (status = 201, body = DrawingView, description = "It is drawn"),
        (status = 202, body = DrawingView, description = "It is sealed, and the server draws it when the round of the beacon comes; or it is announced, and the server seals it later"),
        (status = 400, body = ErrorView, description = "No such raffle, an invalid reason or prize, or an invalid key"),
        (status = 409, body = ErrorView, description = "The raffle has no participants, or has its drawing of this month, or the key belongs to another request"),
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
    let reason = body.reason.as_deref().map(read_reason).transpose();
    let prize = body.prize.as_ref().map(read_prize).transpose();
    let prize = prize.map_err(|_| message("Must have a name and a value, each one short line"));
    let (raffle, reason, prize) = (
        field("landingPage", raffle),
        field("reason", reason),
        field("prize", prize),
    )
        .all()?;
    let idempotency_key = read_key(&request)?;
    let perform = move |call: Call<'_, S>| {
        let command = PerformDrawing {
            actor: call.actor,
            raffle,
            reason,
            prize,
            idempotency_key,
        };
        usecases::drawings::perform(call.store, call.state.drawing_tools(), &command)
            .map_err(|error| explain(error, call.state.time_zone))
    };
    let performed = admin.run_in_background(DRAWING_DEADLINE, perform).await?;
    Ok(performed_view(performed, &admin))
}

/// 201 for a drawing with a winner, 202 for one that waits.
fn performed_view<S: Store>(performed: Performed, admin: &Admin<S>) -> HttpResponse {
    let view = |state: DrawingState| {
        let now = admin.state().clock.now();
        DrawingView::of(&AnyDrawing::Second(Box::new(state)), now)
    };
    match performed {
        Performed::Drawn(state) => {
            metrics::counter!("drawings_total", "raffle" => state.plan.raffle.as_str()).increment(1);
            created(view(state))
        }
        Performed::Waiting(state) => HttpResponse::Accepted().json(view(state)),
    }
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

/// Gets a drawing, in whatever state it is.
#[utoipa::path(
    get,
    path = "/api/admin/drawing/{id}",
    operation_id = "get_drawing",
    tag = "staff",
    params(("id" = i64, Path)),
    responses(
        (status = 200, body = DrawingView),
        (status = 404, body = ErrorView),
        StaffRefused,
    )
)]
pub(crate) async fn one<S: Store>(admin: Admin<S>, id: Path<String>) -> Result<Json<DrawingView>, ApiError> {
    let id = path_id(&id, DrawingId::new)?;
    let drawing = admin
        .run(move |call| usecases::drawings::find(call.store, id))
        .await?;
    Ok(Json(DrawingView::of(&drawing, admin.state().clock.now())))
}

/// Draws a sealed drawing with a round of the beacon that staff bring, when the server cannot reach the beacon.
#[utoipa::path(
    post,
    path = "/api/admin/drawing/{id}/beacon",
    operation_id = "bring_beacon",
    tag = "staff",
    params(("id" = i64, Path)),
    request_body = BeaconBody,
    responses(
        (status = 200, body = DrawingView),
        (status = 400, body = ErrorView, description = "The signature is not one, or is not valid for the round"),
        (status = 404, body = ErrorView),
        (status = 409, body = ErrorView, description = "The drawing is not sealed, or another round was announced"),
        StaffRefused,
    )
)]
pub(crate) async fn bring_beacon<S: Store>(
    admin: Admin<S>,
    id: Path<String>,
    body: Body<BeaconBody>,
) -> Result<Json<DrawingView>, ApiError> {
    let id = path_id(&id, DrawingId::new)?;
    let body = body.valid()?;
    let round = required(body.round).and_then(read_round);
    let signature = required(body.signature.as_deref()).and_then(read_signature);
    let (round, signature) = (field("round", round), field("signature", signature)).all()?;
    let brought = BroughtRound { round, signature };
    let draw = move |call: Call<'_, S>| {
        let verifier = &*call.state.drawings.verifier;
        usecases::drawings::draw(call.store, call.state.drawing_tools(), verifier, id, brought)
    };
    let state = admin.run_in_background(DRAWING_DEADLINE, draw).await?;
    let drawing = AnyDrawing::Second(Box::new(state));
    Ok(Json(DrawingView::of(&drawing, admin.state().clock.now())))
}

fn read_round(number: u64) -> Result<Round, Messages> {
    Round::new(number).ok_or_else(|| message("Must be the number of a round"))
}

fn read_signature(text: &str) -> Result<BeaconSignature, Messages> {
    let signature = text.trim().parse();
    signature.map_err(|_| message("Must have 96 hexadecimal digits in lower case"))
}

/// Voids a sealed drawing whose beacon has been missing for 24 hours. It stays public, with the reason.
#[utoipa::path(
    post,
    path = "/api/admin/drawing/{id}/void",
    operation_id = "void_drawing",
    tag = "staff",
    params(("id" = i64, Path)),
    request_body = VoidBody,
    responses(
        (status = 200, body = DrawingView),
        (status = 400, body = ErrorView, description = "Without a reason of 3 to 500 characters"),
        (status = 404, body = ErrorView),
        (status = 409, body = ErrorView, description = "It is not sealed, or its round was due less than 24 hours ago"),
        StaffRefused,
    )
)]
pub(crate) async fn make_void<S: Store>(
    admin: Admin<S>,
    id: Path<String>,
    body: Body<VoidBody>,
) -> Result<Json<DrawingView>, ApiError> {
    let id = path_id(&id, DrawingId::new)?;
    let body = body.valid()?;
    let reason = required(body.reason.as_deref()).and_then(read_reason);
    let reason = field("reason", reason)?;
    let state = admin
        .run(move |call| usecases::drawings::void(call.store, call.actor, id, &reason))
        .await?;
    let drawing = AnyDrawing::Second(Box::new(state));
    Ok(Json(DrawingView::of(&drawing, admin.state().clock.now())))
}
