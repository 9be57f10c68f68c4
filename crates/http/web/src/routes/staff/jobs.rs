//! How far clearings of data are.

use super::Store;
use crate::ApiError;
use crate::callers::admin::{Admin, may};
use crate::http::names::{Name, Named};
use crate::http::path_id::PathId;
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, staff_routes};
use actix_web::web::Json;
use chrono::{DateTime, Utc};
use serde::Serialize;
use staff::{ClearingJob, ClearingKind, JobId, JobState};
use std::collections::BTreeMap;
use usecases::clearing;
use utoipa::ToSchema;

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); list_jobs::<S>, find_job::<S>]
}

pub(crate) type JobKindView = Name<ClearingKind>;

impl Named for ClearingKind {
    const VIEW: &'static str = "JobKindView";
    const ABOUT: Option<&'static str> = Some("What a job deletes: the name of its action in the audit log.");
}

pub(crate) type JobStateView = Name<JobState>;

impl Named for JobState {
    const VIEW: &'static str = "JobStateView";
    const ABOUT: Option<&'static str> =
        Some("Whether a job has ended. A failed job has stopped, and only a part may be deleted.");
}

/// A clearing of data.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct JobView {
    job_id: i64,
    what: JobKindView,
    state: JobStateView,
    /// How much has been deleted, by the names of the clearing's own answer.
    #[schema(example = json!({"referrals": 300, "bonusEntries": 120}))]
    deleted: BTreeMap<&'static str, i64>,
    /// The sum of `deleted`.
    deleted_rows: i64,
    /// How much there was to delete. `null` before it is counted.
    total_rows: Option<i64>,
    started_at: DateTime<Utc>,
    finished_at: Option<DateTime<Utc>>,
    /// Why it failed: `busy` (other work held the data for too long) or `store_failed`.
    error_code: Option<&'static str>,
}

impl From<ClearingJob> for JobView {
    fn from(job: ClearingJob) -> Self {
        Self {
            job_id: job.id.get(),
            what: job.kind.into(),
            state: job.state.into(),
            deleted_rows: job.deleted.sum(),
            total_rows: job.total.map(|total| total.sum()),
            deleted: job.deleted.iter().collect(),
            started_at: job.started_at,
            finished_at: job.finished_at,
            error_code: job.error.map(|error| error.as_str()),
        }
    }
}

/// The running jobs.
#[derive(Serialize, ToSchema)]
pub(crate) struct JobsView {
    jobs: Vec<JobView>,
}

/// The running jobs, oldest first.
#[utoipa::path(get, path = "/api/admin/jobs", operation_id = "list_jobs")]
pub(crate) async fn list_jobs<S: Store>(
    admin: Admin<S, may::ViewFigures>,
) -> Result<Json<JobsView>, ApiError> {
    let jobs = admin.run(|call| clearing::list_running(call.store)).await?;
    Ok(Json(JobsView {
        jobs: jobs.into_iter().map(JobView::from).collect(),
    }))
}

/// How far a job is.
#[utoipa::path(
    get, path = "/api/admin/jobs/{jobId}", operation_id = "get_job",
    responses((status = 404, description = "There is no such job"))
)]
pub(crate) async fn find_job<S: Store>(
    admin: Admin<S, may::ViewFigures>,
    PathId(id): PathId<JobId>,
) -> Result<Json<JobView>, ApiError> {
    let job = admin.run(move |call| clearing::find(call.store, id)).await?;
    Ok(Json(job.ok_or_else(ApiError::not_found)?.into()))
}
