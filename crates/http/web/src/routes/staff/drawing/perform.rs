//! Asking for a drawing.

use super::{PrizeField, ReasonField, Store, view_of};
use crate::ApiError;
use crate::callers::admin::{Admin, Call, Needs, may};
use crate::http::body::{Body, JsonBody};
use crate::http::field::optional;
use crate::http::fields::NO_SUCH_RAFFLE;
use crate::http::views::RaffleField;
use crate::identity::limits::Limit;
use crate::routes::beacon_rounds::DRAWING_DEADLINE;
use crate::routes::drawing_views::DrawingView;
use crate::routes::entered::RAFFLE_CLOSED;
use crate::routes::route_table::{Routes, staff_routes};
use crate::routes::staff::read_key;
use crate::routes::staff::two_people::{Details, ProposedView, make_in, mismatched, proposed};
use actix_web::{HttpRequest, HttpResponse};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};
use usecases::approvals::{AskedDrawing, Made, Outcome, ProposalError, Request};
use usecases::drawings::{PerformError, Performed};
use utoipa::ToSchema;
use validator::Validate;

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); perform::<S>]
}

impl From<PerformError> for ApiError {
    fn from(error: PerformError) -> Self {
        match error {
            PerformError::UnknownRaffle => Self::field("landingPage", NO_SUCH_RAFFLE),
            PerformError::RaffleClosed => RAFFLE_CLOSED,
            PerformError::NoParticipants => ApiError::conflict(
                "no_participants",
                "Nobody can be drawn: this raffle has no participants.",
            ),
            PerformError::AlreadyDrawn => ApiError::conflict(
                "already_drawn",
                "This raffle has its drawing of this month. An additional drawing needs a reason.",
            ),
            PerformError::NothingToDraw { .. } => NOTHING_TO_DRAW,
            PerformError::NeedsApproval(needed) => needed.into(),
            PerformError::KeyReused => Self::idempotency_mismatch(),
            PerformError::ClearingUnfinished => ApiError::conflict(
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

const NOTHING_TO_DRAW: ApiError = ApiError::conflict(
    "nothing_to_draw",
    "The server draws this raffle by itself. An additional drawing needs a reason.",
);

/// The date is one in the time zone of the site.
fn explain(error: ProposalError, zone: Tz) -> ApiError {
    let ProposalError::Drawing(PerformError::NothingToDraw { next }) = error else {
        return error.into();
    };
    let day = next.with_timezone(&zone).format("%B %-d, %Y");
    NOTHING_TO_DRAW.saying(format!(
        "The server draws this raffle by itself, next on {day}. An additional drawing needs a reason."
    ))
}

/// The drawing that staff ask for.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PerformDrawingBody {
    #[validate(nested)]
    landing_page: RaffleField,
    /// Why there is an additional drawing in this month. Public.
    #[schema(inline)]
    #[validate(nested)]
    reason: Option<ReasonField>,
    /// The prize of an additional drawing; the prize of the raffle without it.
    #[validate(nested)]
    prize: Option<PrizeField>,
}

impl JsonBody for PerformDrawingBody {}

/// A drawing that waits, or a proposal.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "for the description only; the answers are the two views")]
pub(crate) enum DrawingAcceptedView {
    /// It waits for its time.
    Waiting(Box<DrawingView>),
    /// Somebody else must approve it.
    Proposed(ProposedView),
}

/// Announces a drawing and seals it. Without a beacon, it is drawn at once. It cannot be undone.
///
/// A repeated call with the same `Idempotency-Key` gets the same drawing, as far as it is by then.
#[utoipa::path(
    post, path = "/api/admin/drawing/perform", operation_id = "perform_drawing",
    params(("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII characters")),
    responses(
        (status = 201, body = DrawingView, description = "It is drawn"),
        (
            status = 202,
            body = DrawingAcceptedView,
            description = "It is sealed, and the server draws it when the round of the beacon comes; or it is announced, and the server seals it later; or somebody else must approve an additional drawing"
        ),
        (status = 409, description = "The raffle has no participants, or has its drawing of this month, or the key belongs to another request")
    )
)]
pub(crate) async fn perform<S: Store>(
    admin: Admin<S, may::ManageDrawings>,
    request: HttpRequest,
    body: Body<PerformDrawingBody>,
) -> Result<HttpResponse, ApiError> {
    let body = body.valid()?;
    let raffle = body.landing_page.value()?;
    let reason = optional(body.reason)?.map(|reason| reason.0);
    let prize = optional(body.prize)?;
    let idempotency_key = read_key(&request)?;
    let asked = AskedDrawing {
        raffle,
        reason,
        prize,
        idempotency_key,
    };
    let request = Request::PerformDrawing(asked);
    let perform = move |call: Call<'_, S>| {
        let refuse = |error| explain(error, call.state.time_zone);
        make_in(&call, &request, Details::Hidden, refuse)
    };
    let performed = admin
        .run_in(&admin.pools().drawings, DRAWING_DEADLINE, perform)
        .await?;
    match performed {
        Made::Proposed(approval) => Ok(proposed(&approval)),
        Made::Done(Outcome::Drawing(performed)) => Ok(match performed_drawing(*performed, &admin) {
            (true, drawing) => HttpResponse::Created().json(drawing),
            (false, drawing) => HttpResponse::Accepted().json(drawing),
        }),
        Made::Done(_) => Err(mismatched()),
    }
}

/// The drawing, and whether it has a winner. Counts those that have.
pub(crate) fn performed_drawing<S: Store, P: Needs>(
    performed: Performed,
    admin: &Admin<S, P>,
) -> (bool, DrawingView) {
    match performed {
        Performed::Drawn(state) => {
            let raffle = admin.state().raffles.label(state.plan.raffle);
            metrics::counter!("drawings_total", "raffle" => raffle).increment(1);
            (true, view_of(admin, &state))
        }
        Performed::Waiting(state) => (false, view_of(admin, &state)),
    }
}
