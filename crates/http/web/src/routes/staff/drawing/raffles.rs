//! What each raffle is, and what comes next.

use super::{DrawingView, Store};
use crate::ApiError;
use crate::callers::admin::{Admin, Sight, may};
use crate::http::names::{Name, Named};
use crate::identity::limits::Limit;
use crate::routes::raffle_views::{RaffleCardView, RaffleStatusView};
use crate::routes::route_table::{Routes, staff_routes};
use actix_web::web::Json;
use chrono::{DateTime, Utc};
use drawing::steps::{DrawingState, DrawingStatus};
use serde::Serialize;
use usecases::drawings::{DrawingTools, RaffleState, Schedule};
use utoipa::ToSchema;

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); list::<S>]
}

type ScheduleView = Name<Schedule>;

impl Named for Schedule {
    const VIEW: &'static str = "ScheduleView";
    const ABOUT: Option<&'static str> = Some("Who announces drawings.");
}

/// All raffles, drafts too, with their next drawings.
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

/// A raffle with its drawings.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RaffleView {
    #[serde(flatten)]
    card: RaffleCardView,
    /// Whether the draft says something else than what was published last.
    has_changes: bool,
    /// Whether it is the raffle of whoever names none, while it is open.
    is_default: bool,
    /// How the ids of the links in its texts begin, before a dash.
    link_prefix: String,
    /// What it is next; null while nobody has decided that.
    #[schema(required)]
    next_status: Option<RaffleStatusView>,
    /// From when on.
    #[schema(required)]
    next_at: Option<DateTime<Utc>>,
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
            card: RaffleCardView::new(
                &raffle.raffle,
                raffle.raffle.status_at(at),
                raffle.shown(),
                raffle.in_force.as_ref().map(|version| version.number),
                raffle.waiting(at),
            ),
            has_changes: raffle.has_changes(),
            is_default: raffle.raffle.is_default,
            link_prefix: raffle.raffle.link_prefix(),
            next_status: next.map(|(status, _)| status.into()),
            next_at: next.map(|(_, at)| at),
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

/// Lists all raffles, drafts too, with their next drawings.
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
