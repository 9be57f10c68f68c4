//! What staff can do to a sealed drawing whose beacon does not come.

use super::{DRAWING_DEADLINE, ReasonField, Store, conflict, view_of};
use crate::ApiError;
use crate::callers::admin::{Admin, Call, may};
use crate::http::body::{Body, JsonBody};
use crate::http::field::{Field, FieldSchema, FieldType, number, text, texts};
use crate::http::fields::{Messages, message};
use crate::http::path_id::PathId;
use crate::identity::limits::Limit;
use crate::routes::drawing_views::DrawingView;
use crate::routes::route_table::{Routes, staff_routes};
use actix_web::http::StatusCode;
use actix_web::web::Json;
use drawing::DrawingId;
use drawing::beacon::{BeaconSignature, Round};
use serde::Deserialize;
use usecases::drawings::{BroughtRound, DrawError, VoidError};
use utoipa::ToSchema;
use utoipa::openapi::schema::KnownFormat;
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
    #[schema(inline)]
    #[validate(nested)]
    round: RoundField,
    /// The signature of the round, as the beacon publishes it.
    #[schema(inline)]
    #[validate(nested)]
    signature: SignatureField,
}

type RoundField = Field<Round>;
type SignatureField = Field<BeaconSignature>;

impl FieldType for Round {
    type Json = u64;

    fn read(sent: u64) -> Result<Self, Messages> {
        Self::new(sent).ok_or_else(|| message("Must be the number of a round"))
    }

    fn describe() -> FieldSchema {
        number(KnownFormat::Int64).minimum(Some(0)).into()
    }
}

texts! {
    BeaconSignature: text().pattern(Some("^[0-9a-f]{96}$")), |sent| {
        let signature = sent.trim().parse();
        signature.map_err(|_| message("Must have 96 hexadecimal digits in lower case"))
    };
}

impl JsonBody for BeaconBody {}

/// Why a drawing is given up. Public.
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
    let body = body.valid()?;
    let brought = BroughtRound {
        round: body.round.value()?,
        signature: body.signature.value()?,
    };
    let draw = move |call: Call<'_, S>| {
        let verifier = &*call.state.drawings.verifier;
        usecases::drawings::draw(
            call.store,
            call.state.drawing_tools(),
            verifier,
            id,
            brought,
            Some(call.actor),
        )
    };
    let state = admin
        .run_in(&admin.pools().drawings, DRAWING_DEADLINE, draw)
        .await?;
    Ok(Json(view_of(&admin, &state)))
}

/// Voids a sealed drawing whose beacon has been missing for 24 hours. It stays public, with the reason.
#[utoipa::path(
    post, path = "/api/admin/drawing/{id}/void", operation_id = "void_drawing",
    responses((status = 409, description = "It is not sealed, or its round was due less than 24 hours ago"))
)]
pub(crate) async fn make_void<S: Store>(
    admin: Admin<S, may::ManageDrawings>,
    PathId(id): PathId<DrawingId>,
    body: Body<VoidBody>,
) -> Result<Json<DrawingView>, ApiError> {
    let reason = body.valid()?.reason.value()?.0;
    let state = admin
        .run(move |call| usecases::drawings::void(call.store, call.actor, id, &reason))
        .await?;
    Ok(Json(view_of(&admin, &state)))
}
