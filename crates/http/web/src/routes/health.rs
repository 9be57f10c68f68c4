//! Health checks for operators.

use crate::routes::route_table::{Routes, routes};
use crate::{ApiError, AppState};
use actix_web::web::{Data, Json};
use serde::Serialize;
use utoipa::ToSchema;

pub(super) fn routes() -> Routes {
    routes![None; alive, ready, writes_ready]
}

/// The state of the server.
#[derive(Serialize, ToSchema)]
pub(crate) struct HealthView {
    #[schema(example = "alive")]
    status: &'static str,
}

/// What the server can do.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReadinessView {
    #[schema(example = "ready")]
    status: &'static str,
    /// Pages and files, which need no database: `ready`.
    #[schema(example = "ready")]
    pages: &'static str,
    /// Whether the database can be written: `ready` or `unavailable`.
    #[schema(example = "ready")]
    writes: &'static str,
}

impl ReadinessView {
    fn of(state: &AppState) -> Self {
        let can_write = state.readiness.can_write();
        Self {
            status: "ready",
            pages: "ready",
            writes: if can_write { "ready" } else { "unavailable" },
        }
    }
}

/// Gets whether the process runs.
#[utoipa::path(get, path = "/healthz")]
pub(crate) async fn alive() -> Json<HealthView> {
    Json(HealthView { status: "alive" })
}

/// Gets whether the server takes requests. It serves pages without a database; `writes` says whether it can also write.
#[utoipa::path(get, path = "/readyz", responses((status = 503, description = "The server is about to stop")))]
pub(crate) async fn ready(state: Data<AppState>) -> Result<Json<ReadinessView>, ApiError> {
    if state.stopping.has_begun() {
        return Err(ApiError::stopping());
    }
    Ok(Json(ReadinessView::of(&state)))
}

/// Gets whether the server can write to the database, as it found out within the last three seconds.
#[utoipa::path(get, path = "/readyz/writes", responses((status = 503)))]
pub(crate) async fn writes_ready(state: Data<AppState>) -> Result<Json<ReadinessView>, ApiError> {
    let view = ready(state.clone()).await?;
    if state.readiness.can_write() {
        Ok(view)
    } else {
        Err(ApiError::unavailable())
    }
}
