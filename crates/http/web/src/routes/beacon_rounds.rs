//! Bringing the round of the beacon that a drawing waits for.

use super::Store;
use crate::callers::limited::count;
use crate::http::body::{Body, JsonBody};
use crate::http::field::{Field, FieldSchema, FieldType, number, text, texts};
use crate::http::fields::{Messages, message};
use crate::http::path_id::PathId;
use crate::identity::limits::Limit;
use crate::routes::drawing_views::PublicDrawingView;
use crate::routes::drawings::one;
use crate::routes::route_table::{Routes, routes};
use crate::{ApiError, AppState, RequestPools};
use actix_web::HttpRequest;
use actix_web::http::StatusCode;
use actix_web::web::{Data, Json};
use drawing::DrawingId;
use drawing::beacon::{BeaconSignature, Round};
use serde::Deserialize;
use std::time::Duration;
use usecases::drawings::{Bringer, BroughtRound, DrawError};
use utoipa::ToSchema;
use utoipa::openapi::schema::KnownFormat;
use validator::Validate;

/// How long a drawing may take: it waits for other drawings and may read every entrant.
pub(crate) const DRAWING_DEADLINE: Duration = Duration::from_secs(120);

/// The handler counts its requests itself, once the body is valid.
pub(super) fn routes<S: Store>() -> Routes {
    routes![None; bring_round::<S>]
}

impl From<DrawError> for ApiError {
    fn from(error: DrawError) -> Self {
        match error {
            DrawError::UnknownDrawing => Self::not_found(),
            DrawError::NotSealed => {
                ApiError::conflict("not_sealed", "This drawing does not wait for a beacon.")
            }
            DrawError::TooEarly => {
                ApiError::conflict("too_early", "The round of this drawing is not due yet.")
            }
            DrawError::AnotherRound => ApiError::conflict(
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

/// A round of the beacon that somebody brings.
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

impl BeaconBody {
    /// The round and its signature.
    ///
    /// # Errors
    /// When one of them is not valid.
    pub(crate) fn brought(self) -> Result<BroughtRound, ApiError> {
        Ok(BroughtRound {
            round: self.round.value()?,
            signature: self.signature.value()?,
        })
    }
}

/// Draws a sealed or void drawing with its round of the beacon, which anybody may bring.
#[utoipa::path(
    post, path = "/api/drawings/{id}/beacon", operation_id = "bring_round",
    responses(
        (status = 400, description = "`beacon_invalid`: the signature is not valid for the round"),
        (
            status = 409,
            description = "`too_early`: the round is not due; `another_round`: another one was announced; `not_sealed`: the drawing waits for none"
        )
    )
)]
pub(crate) async fn bring_round<S: Store>(
    request: HttpRequest,
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    PathId(id): PathId<DrawingId>,
    body: Body<BeaconBody>,
) -> Result<Json<PublicDrawingView>, ApiError> {
    let brought = body.valid()?.brought()?;
    count(Limit::Beacons, &request).await?;
    let tools = state.clone();
    let bring = move |store: &S| {
        let verifier = &*tools.drawings.verifier;
        let by = Bringer::Visitor;
        usecases::drawings::draw(store, tools.drawing_tools(), verifier, id, brought, by)
    };
    pools.drawings.run_within(DRAWING_DEADLINE, bring).await?;
    one(pools, state, PathId(id)).await
}
