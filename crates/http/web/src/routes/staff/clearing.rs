//! Deleting stored data, as jobs in the background.

use super::Store;
use super::two_people::{ProposedView, make, mismatched, proposed};
use crate::ApiError;
use crate::callers::admin::{Admin, Needs, may};
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, staff_routes};
use actix_web::HttpResponse;
use actix_web::web::Json;
use analytics::{AnalyticsCounts, ReferralCounts};
use serde::Serialize;
use sms::SmsCounts;
use staff::{ClearingKind, JobFigures, JobId, JobState};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::timeout;
use usecases::approvals::{Made, Outcome, Request};
use usecases::clearing::{self, BatchSizes, StartedJob};
use utoipa::ToSchema;

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![
        Some(Limit::Reads);
        stored::<S>,
        clear_analytics::<S>,
        clear_referrals::<S>,
        clear_campaigns::<S>,
        clear_sms::<S>,
    ]
}

/// How long a request waits for its job before it answers 202.
const WAIT: Duration = Duration::from_secs(2);

/// The counts of stored data.
#[derive(Serialize, ToSchema)]
pub(crate) struct StoredDataView {
    /// Deleted by clearing analytics.
    analytics: AnalyticsCountsView,
    /// Deleted by clearing referrals.
    referrals: ReferralCountsView,
    /// Deleted by clearing messages. Clearing campaigns keeps the templates and the replies.
    sms: SmsCountsView,
}

/// Rows of analytics.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AnalyticsCountsView {
    page_views: i64,
    social_shares: i64,
    funnel_steps: i64,
}

impl From<AnalyticsCounts> for AnalyticsCountsView {
    fn from(counts: AnalyticsCounts) -> Self {
        Self {
            page_views: counts.page_views,
            social_shares: counts.social_shares,
            funnel_steps: counts.funnel_steps,
        }
    }
}

/// Referrals and their entries.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReferralCountsView {
    referrals: i64,
    bonus_entries: i64,
}

impl From<ReferralCounts> for ReferralCountsView {
    fn from(counts: ReferralCounts) -> Self {
        Self {
            referrals: counts.referrals,
            bonus_entries: counts.bonus_entries,
        }
    }
}

/// Rows of campaigns and replies.
#[derive(Serialize, ToSchema)]
pub(crate) struct SmsCountsView {
    campaigns: i64,
    messages: i64,
    clicks: i64,
    templates: i64,
    replies: i64,
}

impl From<SmsCounts> for SmsCountsView {
    fn from(counts: SmsCounts) -> Self {
        Self {
            campaigns: counts.campaigns,
            messages: counts.messages,
            clicks: counts.clicks,
            templates: counts.templates,
            replies: counts.replies,
        }
    }
}

/// The counts of deleted data.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClearedAnalyticsView {
    #[schema(example = true)]
    success: bool,
    deleted: AnalyticsCountsView,
}

/// The counts of deleted data.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClearedReferralsView {
    #[schema(example = true)]
    success: bool,
    deleted: ReferralCountsView,
}

/// The counts of deleted data.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClearedSmsView {
    #[schema(example = true)]
    success: bool,
    deleted: SmsCountsView,
}

impl From<&JobFigures> for AnalyticsCountsView {
    fn from(figures: &JobFigures) -> Self {
        Self {
            page_views: figures.get("pageViews"),
            social_shares: figures.get("socialShares"),
            funnel_steps: figures.get("funnelSteps"),
        }
    }
}

impl From<&JobFigures> for ReferralCountsView {
    fn from(figures: &JobFigures) -> Self {
        Self {
            referrals: figures.get("referrals"),
            bonus_entries: figures.get("bonusEntries"),
        }
    }
}

impl From<&JobFigures> for SmsCountsView {
    fn from(figures: &JobFigures) -> Self {
        Self {
            campaigns: figures.get("campaigns"),
            messages: figures.get("messages"),
            clicks: figures.get("clicks"),
            templates: figures.get("templates"),
            replies: figures.get("replies"),
        }
    }
}

/// The data is being deleted in the background.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StartedJobView {
    /// For `GET /api/admin/jobs/{jobId}`.
    job_id: i64,
}

/// A job in the background, or a proposal.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "for the description only; the answers are the two views")]
pub(crate) enum ClearingAcceptedView {
    /// It takes longer, or was running already.
    Started(StartedJobView),
    /// Somebody else must approve it.
    Proposed(ProposedView),
}

/// The counts of stored data.
#[utoipa::path(get, path = "/api/admin/stored-data", operation_id = "get_stored_data")]
pub(crate) async fn stored<S: Store>(
    admin: Admin<S, may::ViewFigures>,
) -> Result<Json<StoredDataView>, ApiError> {
    let data = admin
        .run(|call| usecases::clearing::stored_data(call.store))
        .await?;
    Ok(Json(StoredDataView {
        analytics: data.analytics.into(),
        referrals: data.referrals.into(),
        sms: data.sms.into(),
    }))
}

/// Deletes page views, shares and funnel steps.
#[utoipa::path(
    post, path = "/api/admin/clear-analytics", operation_id = "clear_analytics",
    responses(
        (status = 200, body = ClearedAnalyticsView),
        (
            status = 202,
            description = "It takes longer, or was running already; or somebody else must approve it",
            body = ClearingAcceptedView
        )
    )
)]
pub(crate) async fn clear_analytics<S: Store>(
    admin: Admin<S, may::ClearData>,
) -> Result<HttpResponse, ApiError> {
    clear(&admin, ClearingKind::ClearAnalytics, |figures| {
        ClearedAnalyticsView {
            success: true,
            deleted: figures.into(),
        }
    })
    .await
}

/// Deletes referrals and takes back their entries.
#[utoipa::path(
    post, path = "/api/admin/clear-referrals", operation_id = "clear_referrals",
    responses(
        (status = 200, body = ClearedReferralsView),
        (
            status = 202,
            description = "It takes longer, or was running already; or somebody else must approve it",
            body = ClearingAcceptedView
        )
    )
)]
pub(crate) async fn clear_referrals<S: Store>(
    admin: Admin<S, may::ClearData>,
) -> Result<HttpResponse, ApiError> {
    clear(&admin, ClearingKind::ClearReferrals, |figures| {
        ClearedReferralsView {
            success: true,
            deleted: figures.into(),
        }
    })
    .await
}

/// Deletes campaigns, their messages and their clicks. Opt-outs and the counts of this month's limit stay.
#[utoipa::path(
    post, path = "/api/admin/clear-campaigns", operation_id = "clear_campaigns", tag = "texts",
    responses(
        (status = 200, body = ClearedSmsView),
        (
            status = 202,
            description = "It takes longer, or was running already; or somebody else must approve it",
            body = ClearingAcceptedView
        )
    )
)]
pub(crate) async fn clear_campaigns<S: Store>(
    admin: Admin<S, may::ClearData>,
) -> Result<HttpResponse, ApiError> {
    clear(&admin, ClearingKind::ClearCampaigns, cleared_sms).await
}

/// Deletes campaigns, their messages and clicks, and the templates of campaigns. Opt-outs and the counts of this month's limit stay.
#[utoipa::path(
    post, path = "/api/admin/clear-sms", operation_id = "clear_sms", tag = "texts",
    responses(
        (status = 200, body = ClearedSmsView),
        (
            status = 202,
            description = "It takes longer, or was running already; or somebody else must approve it",
            body = ClearingAcceptedView
        )
    )
)]
pub(crate) async fn clear_sms<S: Store>(admin: Admin<S, may::ClearData>) -> Result<HttpResponse, ApiError> {
    clear(&admin, ClearingKind::ClearSms, cleared_sms).await
}

fn cleared_sms(figures: &JobFigures) -> ClearedSmsView {
    ClearedSmsView {
        success: true,
        deleted: figures.into(),
    }
}

/// Starts a job and waits for it for a moment. The job continues when nobody waits any more.
async fn clear<S: Store, V: Serialize>(
    admin: &Admin<S, may::ClearData>,
    kind: ClearingKind,
    view: fn(&JobFigures) -> V,
) -> Result<HttpResponse, ApiError> {
    let started = match make(admin, Request::Clear(kind)).await? {
        Made::Proposed(approval) => return Ok(proposed(&approval)),
        Made::Done(Outcome::Clearing(started)) => started,
        Made::Done(_) => return Err(mismatched()),
    };
    let (id, Some(ended)) = work_on(admin, started) else {
        return Ok(accepted(started.id()));
    };
    // An error is the end of the work.
    let _ = timeout(WAIT, ended).await;
    let job = admin.run(move |call| clearing::find(call.store, id)).await?;
    match job {
        Some(job) if job.state == JobState::Completed => {
            admin.state().dashboard.invalidate();
            Ok(HttpResponse::Ok().json(view(&job.deleted)))
        }
        _ => Ok(accepted(id)),
    }
}

/// Works on a new job in the background. The receiver fails when the work has ended.
pub(super) fn work_on<S: Store, P: Needs>(
    admin: &Admin<S, P>,
    started: StartedJob,
) -> (JobId, Option<oneshot::Receiver<()>>) {
    let id = started.id();
    let StartedJob::New(_) = started else {
        return (id, None);
    };
    let ended = admin.start_clearing(move |store, clock| {
        if let Err(error) = clearing::run(store, clock, id, BatchSizes::default(), || true) {
            tracing::warn!(job = %id, %error, "a clearing has to wait");
        }
    });
    (id, Some(ended))
}

pub(super) const fn job_view(id: JobId) -> StartedJobView {
    StartedJobView { job_id: id.get() }
}

fn accepted(id: JobId) -> HttpResponse {
    HttpResponse::Accepted().json(job_view(id))
}
