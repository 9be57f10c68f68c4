//! What staff can do to a sealed drawing whose beacon does not come.

use super::{DRAWING_DEADLINE, Store, conflict, read_reason, view_of};
use crate::ApiError;
use crate::callers::admin::{Admin, Call, may};
use crate::http::body::{Body, JsonBody};
use crate::http::error::ErrorView;
use crate::http::fields::{All, Messages, field, message, path_id, required};
use crate::identity::limits::Limit;
use crate::routes::drawing_views::DrawingView;
use crate::routes::route_table::{Routes, staff_routes};
use actix_web::http::StatusCode;
use actix_web::web::{Json, Path};
use drawing::DrawingId;
use drawing::beacon::{BeaconSignature, Round};
use serde::Deserialize;
use usecases::drawings::{BroughtRound, DrawError, VoidError};
use utoipa::ToSchema;
use validator::Validate;

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); bring_beacon::<S>, make_void::<S>]
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

impl JsonBody for BeaconBody {}

/// Why a drawing is given up. Public.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VoidBody {
    #[schema(value_type = String, required, min_length = 3, max_length = 500)]
    #[validate(required(message = "Required"))]
    reason: Option<String>,
}

impl JsonBody for VoidBody {}

/// Draws a sealed drawing with a round of the beacon that staff bring, when the server cannot reach the beacon.
#[utoipa::path(
    post,
    path = "/api/admin/drawing/{id}/beacon",
    operation_id = "bring_beacon",
    params(("id" = i64, Path)),
    request_body = BeaconBody,
    responses(
        (status = 200, body = DrawingView),
        (status = 400, body = ErrorView, description = "The signature is not one, or is not valid for the round"),
        (status = 409, body = ErrorView, description = "The drawing is not sealed, or another round was announced")
    )
)]
pub(crate) async fn bring_beacon<S: Store>(
    admin: Admin<S, may::ManageDrawings>,
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
    let state = admin
        .run_in(&admin.pools().drawings, DRAWING_DEADLINE, draw)
        .await?;
    Ok(Json(view_of(&admin, &state)))
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
    params(("id" = i64, Path)),
    request_body = VoidBody,
    responses(
        (status = 200, body = DrawingView),
        (status = 400, body = ErrorView, description = "Without a reason of 3 to 500 characters"),
        (status = 409, body = ErrorView, description = "It is not sealed, or its round was due less than 24 hours ago")
    )
)]
pub(crate) async fn make_void<S: Store>(
    admin: Admin<S, may::ManageDrawings>,
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
    Ok(Json(view_of(&admin, &state)))
}
