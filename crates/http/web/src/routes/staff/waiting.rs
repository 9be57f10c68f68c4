//! How much waits for staff, for the counts in the console's menu.

use super::Store;
use crate::ApiError;
use crate::callers::admin::{Admin, may};
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, staff_routes};
use actix_web::web::Json;
use serde::Serialize;
use staff::Permission;
use utoipa::ToSchema;

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); waiting::<S>]
}

/// How much waits for staff.
#[derive(Serialize, ToSchema)]
pub(crate) struct WaitingView {
    /// Open appeals of flagged entrants.
    appeals: i64,
    /// Claims that were submitted, have an objection or need a call.
    claims: i64,
    /// Proposals that can be approved; 0 for roles that may not read them.
    approvals: i64,
}

/// Counts what waits for staff.
#[utoipa::path(get, path = "/api/admin/waiting", operation_id = "count_waiting")]
pub(crate) async fn waiting<S: Store>(
    admin: Admin<S, may::ViewFigures>,
) -> Result<Json<WaitingView>, ApiError> {
    let count = admin.run(|call| usecases::waiting::count(call.store, call.clock));
    let waiting = count.await?;
    let reads_approvals = admin.member().role.allows(Permission::ViewApprovals);
    Ok(Json(WaitingView {
        appeals: waiting.appeals,
        claims: waiting.claims,
        approvals: if reads_approvals { waiting.approvals } else { 0 },
    }))
}
