//! What staff set for each raffle, and what comes next.

use super::{DrawingView, PrizeView, Store, read_prize};
use crate::ApiError;
use crate::callers::admin::{Admin, Sight, may};
use crate::http::body::{Body, JsonBody};
use crate::http::fields::path_raffle;
use crate::http::names::{Name, Named};
use crate::http::views::LandingPageView;
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, staff_routes};
use crate::routes::staff::raffles::RaffleStatusView;
use actix_web::web::{Json, Path};
use chrono::{DateTime, Utc};
use drawing::steps::{DrawingState, DrawingStatus};
use serde::Serialize;
use usecases::drawings::{DrawingTools, RaffleState, Schedule};
use utoipa::ToSchema;

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); list::<S>, set_prize::<S>]
}

type ScheduleView = Name<Schedule>;

impl Named for Schedule {
    const VIEW: &'static str = "ScheduleView";
    const ABOUT: Option<&'static str> = Some("Who announces drawings.");
}

/// The raffles that were ever open, with their prizes and their next drawings.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RafflesView {
    schedule: ScheduleView,
    /// The hash of the beacon's chain for new drawings, or `off`.
    beacon: String,
    /// How many seconds after it is announced a drawing of staff is drawn.
    delay_seconds: i64,
    raffles: Vec<RaffleView>,
}

/// A raffle with its prize and its drawings.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RaffleView {
    landing_page: LandingPageView,
    /// What can be won, as its pages say it.
    name: String,
    status: RaffleStatusView,
    /// What it is next; null while nobody has decided that.
    #[schema(required)]
    next_status: Option<RaffleStatusView>,
    /// From when on.
    #[schema(required)]
    next_at: Option<DateTime<Utc>>,
    /// The prize that staff set; null for the kit of the raffle's page.
    prize: Option<PrizeView>,
    /// Whether the regular drawing of this month is sealed or drawn.
    is_drawn: bool,
    /// Whether a drawing now is an additional one that needs a reason.
    reason_required: bool,
    /// When the server draws this raffle next. Null when staff announce drawings.
    draws_at: Option<DateTime<Utc>>,
    /// The newest drawing that is announced or sealed, if there is one.
    waiting: Vec<DrawingView>,
}

impl RaffleView {
    /// `at` is by the store's clock, which opens and closes raffles.
    fn of(raffle: RaffleState, at: DateTime<Utc>, tools: &DrawingTools, now: DateTime<Utc>) -> Self {
        let next = raffle.raffle.openings.next_change(at);
        let regular = raffle.regular.as_ref();
        let is_drawn = regular.is_some_and(|state| state.seal.is_some());
        let is_monthly = tools.schedule == Schedule::Monthly;
        Self {
            landing_page: raffle.raffle.key.into(),
            name: raffle.name.clone(),
            status: raffle.raffle.status_at(at).into(),
            next_status: next.map(|(status, _)| status.into()),
            next_at: next.map(|(_, at)| at),
            prize: raffle.prize.as_ref().map(Into::into),
            is_drawn,
            reason_required: is_monthly || (tools.production && regular.is_some()),
            draws_at: regular.filter(|_| is_monthly).and_then(draws_at),
            waiting: raffle
                .open
                .iter()
                .map(|open| DrawingView::of(open, Sight::NOTHING, now)) // nobody is drawn yet
                .collect(),
        }
    }
}

/// When an announced drawing is drawn.
fn draws_at(state: &DrawingState) -> Option<DateTime<Utc>> {
    let announced = (state.status == DrawingStatus::Announced).then_some(state.announcement.step)?;
    Some(announced.round_at.unwrap_or(announced.seal_due_at))
}

/// Lists the raffles with their prizes and their next drawings.
#[utoipa::path(get, path = "/api/admin/raffles", operation_id = "list_raffles")]
pub(crate) async fn list<S: Store>(admin: Admin<S, may::ViewFigures>) -> Result<Json<RafflesView>, ApiError> {
    let (raffles, at) = admin
        .run(|call| usecases::drawings::overview(call.store, call.state.drawing_tools()))
        .await?;
    let tools = admin.state().drawing_tools();
    let now = admin.state().clock.now();
    Ok(Json(RafflesView {
        schedule: tools.schedule.into(),
        beacon: tools.beacon_choice().to_string(),
        delay_seconds: tools.delay.num_seconds(),
        raffles: raffles
            .into_iter()
            .map(|raffle| RaffleView::of(raffle, at, &tools, now))
            .collect(),
    }))
}

impl JsonBody for PrizeView {}

/// Sets the prize of a raffle. The seal of its next drawing writes it into the record.
#[utoipa::path(
    put, path = "/api/admin/raffles/{landingPage}/prize", operation_id = "set_prize",
    params(("landingPage" = LandingPageView, Path))
)]
pub(crate) async fn set_prize<S: Store>(
    admin: Admin<S, may::ManageDrawings>,
    landing_page: Path<String>,
    body: Body<PrizeView>,
) -> Result<Json<PrizeView>, ApiError> {
    let raffle = path_raffle(&landing_page)?;
    let prize = read_prize(&body.unchecked())?;
    let view = PrizeView::from(&prize);
    admin
        .run(move |call| usecases::drawings::set_prize(call.store, call.actor, raffle, &prize))
        .await?;
    Ok(Json(view))
}
