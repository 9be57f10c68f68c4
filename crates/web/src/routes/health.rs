//! Health checks for operators (D33).

use super::Store;
use crate::error::ErrorView;
use crate::route_table::{Routes, routes};
use crate::{ApiError, AppState};
use actix_web::web::{Data, Json};
use kernel::StoreError;
use raffle::Entrants;
use serde::Serialize;
use utoipa::ToSchema;

pub(super) fn routes<S: Store>() -> Routes {
    routes![None; alive, ready::<S>]
}

/// The state of the server.
#[derive(Serialize, ToSchema)]
pub(crate) struct HealthView {
    #[schema(example = "ready")]
    status: &'static str,
}

/// Gets whether the process runs.
#[utoipa::path(get, path = "/healthz", tag = "health", responses((status = 200, body = HealthView)))]
pub(crate) async fn alive() -> Json<HealthView> {
    Json(HealthView { status: "alive" })
}

/// Gets whether the database can be reached, and whether the server is about to stop.
#[utoipa::path(
    get,
    path = "/readyz",
    tag = "health",
    responses((status = 200, body = HealthView), (status = 503, body = ErrorView))
)]
pub(crate) async fn ready<S: Store>(
    store: Data<S>,
    state: Data<AppState>,
) -> Result<Json<HealthView>, ApiError> {
    if state.stopping.has_begun() {
        return Err(ApiError::stopping());
    }
    let nobody = kernel::EntrantId::new(0);
    state
        .flows
        .run(move || store.read::<_, StoreError>(|tx| tx.find_entrant(nobody)))
        .await?;
    Ok(Json(HealthView { status: "ready" }))
}
