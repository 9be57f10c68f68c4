//! What staff can do to a sealed drawing whose beacon does not come.

use super::perform::performed_drawing;
use super::{ReasonField, Store, view_of};
use crate::ApiError;
use crate::callers::admin::{Admin, Call, may};
use crate::http::body::{Body, JsonBody};
use crate::http::path_id::PathId;
use crate::identity::limits::Limit;
use crate::routes::beacon_rounds::{BeaconBody, DRAWING_DEADLINE};
use crate::routes::drawing_views::DrawingView;
use crate::routes::route_table::{Routes, staff_routes};
use crate::routes::staff::two_people::{Details, ProposedView, make_in, mismatched, proposed};
use actix_web::HttpResponse;
use actix_web::web::Json;
use drawing::beacon::{Asked, HostAnswer};
use drawing::steps::{DrawingState, VoidDetails};
use drawing::{BeaconChoice, DrawingId};
use serde::Deserialize;
use staff::Actor;
use usecases::approvals::{Made, Outcome, Request};
use usecases::drawings::{Bringer, BroughtRound, VoidError};
use utoipa::ToSchema;
use validator::Validate;

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); bring_beacon::<S>, make_void::<S>]
}

impl From<VoidError> for ApiError {
    fn from(error: VoidError) -> Self {
        match error {
            VoidError::UnknownDrawing => Self::not_found(),
            VoidError::NotVoidable => ApiError::conflict(
                "not_voidable",
                "Only a sealed drawing whose beacon has been missing for 7 days can be voided.",
            ),
            VoidError::NeedsApproval(needed) => needed.into(),
            VoidError::Store(error) => error.into(),
        }
    }
}

/// Why a drawing is voided. Public.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VoidBody {
    #[schema(inline)]
    #[validate(nested)]
    reason: ReasonField,
}

impl JsonBody for VoidBody {}

/// Draws a sealed drawing with a round of the beacon that staff bring, when the server cannot reach the beacon.
#[utoipa::path(
    post, path = "/api/admin/drawing/{id}/beacon", operation_id = "bring_beacon",
    responses(
        (status = 400, description = "`beacon_invalid`: the signature is not valid for the round"),
        (status = 409, description = "The drawing is not sealed, or another round was announced")
    )
)]
pub(crate) async fn bring_beacon<S: Store>(
    admin: Admin<S, may::ManageDrawings>,
    PathId(id): PathId<DrawingId>,
    body: Body<BeaconBody>,
) -> Result<Json<DrawingView>, ApiError> {
    let brought = body.valid()?.brought()?;
    let state = draw_with(&admin, id, brought, Bringer::Staff).await?;
    Ok(Json(view_of(&admin, &state)))
}

/// Voids a sealed drawing whose beacon has been missing for 7 days. It stays public, with the reason and with what each
/// host of the beacon answers now. If one of them has the round, the drawing is drawn instead.
#[utoipa::path(
    post, path = "/api/admin/drawing/{id}/void", operation_id = "void_drawing",
    responses(
        (status = 200, body = DrawingView),
        (status = 202, body = ProposedView, description = "Somebody else must approve it"),
        (
            status = 409,
            description = "It is not sealed, or its round was due less than 7 days ago; or `beacon_came`: a host has the round, and the drawing is drawn"
        )
    )
)]
pub(crate) async fn make_void<S: Store>(
    admin: Admin<S, may::ManageDrawings>,
    PathId(drawing): PathId<DrawingId>,
    body: Body<VoidBody>,
) -> Result<HttpResponse, ApiError> {
    let reason = body.valid()?.reason.value()?.0;
    let hosts = ask_hosts(&admin, drawing).await?;
    let void = VoidDetails { reason, hosts };
    let request = Request::VoidDrawing { drawing, void };
    let make = move |call: Call<'_, S>| make_in(&call, &request, Details::Hidden, ApiError::from);
    let made = admin
        .run_in(&admin.pools().drawings, DRAWING_DEADLINE, make)
        .await?;
    match made {
        Made::Proposed(approval) => Ok(proposed(&approval)),
        Made::Done(Outcome::Drawing(voided)) => {
            let (_, drawing) = performed_drawing(*voided, &admin);
            Ok(HttpResponse::Ok().json(drawing))
        }
        Made::Done(_) => Err(mismatched()),
    }
}

/// What the hosts of the beacon answer about a drawing that may be voided. One that has the round decides it.
async fn ask_hosts<S: Store>(
    admin: &Admin<S, may::ManageDrawings>,
    id: DrawingId,
) -> Result<Vec<HostAnswer>, ApiError> {
    let missing = admin
        .run(move |call| usecases::drawings::missing_round(call.store, id))
        .await?;
    let (BeaconChoice::Chain(chain), Some(round)) = missing else {
        return Ok(Vec::new());
    };
    let Some(beacon) = admin.state().drawings.beacon_of(chain) else {
        return Ok(Vec::new());
    };
    match beacon.ask(round).await {
        Asked::Missing(answers) => Ok(answers),
        Asked::Published(signature) => {
            let brought = BroughtRound { round, signature };
            draw_with(admin, id, brought, |_| Bringer::Server).await?;
            Err(ApiError::conflict(
                "beacon_came",
                "The beacon has come, and the drawing is drawn.",
            ))
        }
    }
}

async fn draw_with<S: Store>(
    admin: &Admin<S, may::ManageDrawings>,
    id: DrawingId,
    brought: BroughtRound,
    by: fn(Actor) -> Bringer,
) -> Result<DrawingState, ApiError> {
    let draw = move |call: Call<'_, S>| {
        let tools = call.state.drawing_tools();
        let verifier = &*call.state.drawings.verifier;
        usecases::drawings::draw(call.store, tools, verifier, id, brought, by(call.actor))
    };
    admin
        .run_in(&admin.pools().drawings, DRAWING_DEADLINE, draw)
        .await
}
