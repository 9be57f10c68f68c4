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
use crate::http::field::{Field, FieldSchema, FieldType, text, texts};
use crate::http::fields::{All, FieldErrors, Messages, field, message, no_phone_number, read_line};
use crate::http::path_id::PathId;
use crate::http::views::{LandingPageView, PrizeView};
use crate::identity::limits::Limit;
use crate::routes::drawing_views::DrawingView;
use crate::routes::route_table::{Routes, staff_routes};
use actix_web::web::Json;
use drawing::steps::DrawingState;
use drawing::{DrawingId, Prize, RaffleStatistics};
use kernel::StoredText;
use raffle::{Content, only_amount};
use serde::Serialize;
use std::borrow::Cow;
use std::time::Duration;
use utoipa::{PartialSchema, ToSchema};

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); stats::<S>]
        .and(history::routes::<S>())
        .and(perform::routes::<S>())
        .and(staff_routes![Some(Limit::Reads); one::<S>])
        .and(steps::routes::<S>())
        .and(raffles::routes::<S>())
}

/// How long counting all entrants may take.
const COUNTING_DEADLINE: Duration = Duration::from_secs(30);

/// The participants of each raffle now.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DrawingStatsView {
    /// The raffles that were ever open, in their order.
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
#[utoipa::path(get, path = "/api/admin/drawing/stats", operation_id = "get_drawing_stats")]
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

/// Why something unusual is done, of which a drawing's page tells: 3 to 500 characters; line breaks are allowed.
pub(crate) struct Reason(pub(crate) String);

pub(crate) type ReasonField = Field<Reason>;

texts! {
    Reason: text().min_length(Some(3)).max_length(Some(500)), |sent| {
        no_phone_number(&sent)?;
        match StoredText::lines(&sent, 500) {
            Ok(reason) if reason.as_str().chars().count() >= 3 => Ok(Self(reason.into())),
            _ => Err(message(REASON)),
        }
    };
}

/// The prize of an additional drawing.
type PrizeField = Field<Prize>;

impl FieldType for Prize {
    type Json = PrizeView;

    fn read(sent: PrizeView) -> Result<Self, Messages> {
        read_prize(&sent).map_err(|_| {
            message(
                "Must have a name and a value, each one short line without a phone number. The value is an amount of at \
                 most $5,000, such as $49",
            )
        })
    }

    fn describe() -> FieldSchema {
        PrizeView::schema()
    }

    fn name() -> Cow<'static, str> {
        PrizeView::name()
    }
}

/// A prize and its value, each one line.
fn read_prize(view: &PrizeView) -> Result<Prize, FieldErrors> {
    let line =
        |text: &str, most, refusal| no_phone_number(text).and_then(|()| read_line(text, most, refusal));
    let name = line(&view.name, 120, "Must be one line of at most 120 characters");
    let value = line(&view.value, 40, "Must be one line of at most 40 characters").and_then(one_amount);
    let (name, value) = (field("name", name), field("value", value)).all()?;
    Ok(Prize { name, value })
}

/// The value of a prize of its own is in the record of the drawing in cents.
fn one_amount(value: String) -> Result<String, Messages> {
    match only_amount(&value) {
        Some(1..=MOST_CENTS) => Ok(value),
        Some(_) => Err(message(
            "Must be at most $5,000, because some states want more to be registered",
        )),
        None => Err(message("Must be an amount in dollars, such as $49")),
    }
}

const MOST_CENTS: i64 = Content::MAX_DOLLARS * 100;

fn view_of<S: Store, P: Needs>(admin: &Admin<S, P>, drawing: &DrawingState) -> DrawingView {
    DrawingView::of(drawing, admin.sight(), admin.state().clock.now())
}

/// Gets a drawing, in whatever state it is.
#[utoipa::path(get, path = "/api/admin/drawing/{id}", operation_id = "get_drawing")]
pub(crate) async fn one<S: Store>(
    admin: Admin<S, may::ViewFigures>,
    PathId(id): PathId<DrawingId>,
) -> Result<Json<DrawingView>, ApiError> {
    let drawing = admin
        .run(move |call| usecases::drawings::find(call.store, id))
        .await?;
    Ok(Json(view_of(&admin, &drawing)))
}
