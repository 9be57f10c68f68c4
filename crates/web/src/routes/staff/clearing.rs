//! Deleting stored data: D13.

use super::Store;
use crate::ApiError;
use crate::admin::Admin;
use crate::limits::Limit;
use crate::route_table::{Routes, routes};
use crate::views::StaffRefused;
use actix_web::web::Json;
use analytics::{AnalyticsCounts, ReferralCounts};
use serde::Serialize;
use sms::SmsCounts;
use std::time::Duration;
use utoipa::ToSchema;

pub(super) fn routes<S: Store>() -> Routes {
    routes![
        Some(Limit::Reads);
        stored::<S>,
        clear_analytics::<S>,
        clear_referrals::<S>,
        clear_campaigns::<S>,
        clear_sms::<S>,
    ]
}

/// How long clearing may take: it waits for writers and changes many entrants. Longer than the store's own time-out.
const CLEARING_DEADLINE: Duration = Duration::from_secs(70);

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

/// The counts of stored data.
#[utoipa::path(
    get,
    path = "/api/admin/stored-data",
    operation_id = "get_stored_data",
    tag = "staff",
    responses((status = 200, body = StoredDataView), StaffRefused)
)]
pub(crate) async fn stored<S: Store>(admin: Admin<S>) -> Result<Json<StoredDataView>, ApiError> {
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
    post,
    path = "/api/admin/clear-analytics",
    operation_id = "clear_analytics",
    tag = "staff",
    responses((status = 200, body = ClearedAnalyticsView), StaffRefused)
)]
pub(crate) async fn clear_analytics<S: Store>(
    admin: Admin<S>,
) -> Result<Json<ClearedAnalyticsView>, ApiError> {
    let deleted = admin
        .run_within(CLEARING_DEADLINE, |call| {
            usecases::clearing::clear_analytics(call.store, call.clock, call.actor)
        })
        .await?
        .into();
    admin.state().dashboard.invalidate().await;
    Ok(Json(ClearedAnalyticsView {
        success: true,
        deleted,
    }))
}

/// Deletes referrals and takes back their entries.
#[utoipa::path(
    post,
    path = "/api/admin/clear-referrals",
    operation_id = "clear_referrals",
    tag = "staff",
    responses((status = 200, body = ClearedReferralsView), StaffRefused)
)]
pub(crate) async fn clear_referrals<S: Store>(
    admin: Admin<S>,
) -> Result<Json<ClearedReferralsView>, ApiError> {
    let deleted = admin
        .run_within(CLEARING_DEADLINE, |call| {
            usecases::clearing::clear_referrals(call.store, call.clock, call.actor)
        })
        .await?
        .into();
    admin.state().dashboard.invalidate().await;
    Ok(Json(ClearedReferralsView {
        success: true,
        deleted,
    }))
}

/// Deletes campaigns, their messages and their clicks. Opt-outs and the counts of this month's limit stay.
#[utoipa::path(
    post,
    path = "/api/admin/clear-campaigns",
    operation_id = "clear_campaigns",
    tag = "texts",
    responses((status = 200, body = ClearedSmsView), StaffRefused)
)]
pub(crate) async fn clear_campaigns<S: Store>(admin: Admin<S>) -> Result<Json<ClearedSmsView>, ApiError> {
    let deleted = admin
        .run_within(CLEARING_DEADLINE, |call| {
            usecases::clearing::clear_campaigns(call.store, call.clock, call.actor)
        })
        .await?
        .into();
    Ok(Json(ClearedSmsView {
        success: true,
        deleted,
    }))
}

/// Deletes campaigns, their messages and clicks, and the templates of campaigns. Opt-outs and the counts of this month's limit stay.
#[utoipa::path(
    post,
    path = "/api/admin/clear-sms",
    operation_id = "clear_sms",
    tag = "texts",
    responses((status = 200, body = ClearedSmsView), StaffRefused)
)]
pub(crate) async fn clear_sms<S: Store>(admin: Admin<S>) -> Result<Json<ClearedSmsView>, ApiError> {
    let deleted = admin
        .run_within(CLEARING_DEADLINE, |call| {
            usecases::clearing::clear_sms(call.store, call.clock, call.actor)
        })
        .await?
        .into();
    Ok(Json(ClearedSmsView {
        success: true,
        deleted,
    }))
}
