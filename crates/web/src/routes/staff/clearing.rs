//! Deleting what was collected: D13.

use super::{StaffRefused, Store};
use crate::admin::Admin;
use crate::{ApiError, AppState};
use actix_web::web::{Data, Json};
use analytics::{AnalyticsCounts, ReferralCounts};
use serde::Serialize;
use sms::SmsCounts;
use std::time::Duration;
use utoipa::ToSchema;

/// A clear waits for writers, and takes entries from many people. Longer than the store gives it.
const PATIENCE: Duration = Duration::from_secs(70);

/// What a clear would delete now.
#[derive(Serialize, ToSchema)]
pub(crate) struct StoredDataView {
    /// By clearing analytics.
    analytics: AnalyticsCountsView,
    /// By clearing referrals.
    referrals: ReferralCountsView,
    /// By clearing texts; without the templates by clearing campaigns.
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

/// Referrals, and the entries that they gave.
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

/// What was stored about campaigns.
#[derive(Serialize, ToSchema)]
pub(crate) struct SmsCountsView {
    campaigns: i64,
    messages: i64,
    clicks: i64,
    templates: i64,
}

impl From<SmsCounts> for SmsCountsView {
    fn from(counts: SmsCounts) -> Self {
        Self {
            campaigns: counts.campaigns,
            messages: counts.messages,
            clicks: counts.clicks,
            templates: counts.templates,
        }
    }
}

/// It was done, and this is how much it was.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClearedAnalyticsView {
    #[schema(example = true)]
    success: bool,
    deleted: AnalyticsCountsView,
}

/// It was done, and this is how much it was.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClearedReferralsView {
    #[schema(example = true)]
    success: bool,
    deleted: ReferralCountsView,
}

/// It was done, and this is how much it was.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClearedSmsView {
    #[schema(example = true)]
    success: bool,
    deleted: SmsCountsView,
}

/// What a clear would delete now.
#[utoipa::path(
    get,
    path = "/api/admin/stored-data",
    operation_id = "get_stored_data",
    tag = "staff",
    security(("bearer" = []), ("session_token" = [])),
    responses((status = 200, body = StoredDataView), StaffRefused)
)]
pub(crate) async fn stored<S: Store>(
    _: Admin<S>,
    store: Data<S>,
    state: Data<AppState>,
) -> Result<Json<StoredDataView>, ApiError> {
    let data = state
        .flows
        .run(move || usecases::clearing::stored_data(&**store))
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
    security(("bearer" = []), ("session_token" = [])),
    responses((status = 200, body = ClearedAnalyticsView), StaffRefused)
)]
pub(crate) async fn clear_analytics<S: Store>(
    admin: Admin<S>,
    store: Data<S>,
    state: Data<AppState>,
) -> Result<Json<ClearedAnalyticsView>, ApiError> {
    let clock = state.clock.clone();
    let clear = move || usecases::clearing::clear_analytics(&**store, &*clock, admin.actor);
    let deleted = state.flows.run_within(PATIENCE, clear).await?.into();
    state.dashboard.forget().await;
    Ok(Json(ClearedAnalyticsView {
        success: true,
        deleted,
    }))
}

/// Deletes referrals and takes the entries that they gave.
#[utoipa::path(
    post,
    path = "/api/admin/clear-referrals",
    operation_id = "clear_referrals",
    tag = "staff",
    security(("bearer" = []), ("session_token" = [])),
    responses((status = 200, body = ClearedReferralsView), StaffRefused)
)]
pub(crate) async fn clear_referrals<S: Store>(
    admin: Admin<S>,
    store: Data<S>,
    state: Data<AppState>,
) -> Result<Json<ClearedReferralsView>, ApiError> {
    let clock = state.clock.clone();
    let clear = move || usecases::clearing::clear_referrals(&**store, &*clock, admin.actor);
    let deleted = state.flows.run_within(PATIENCE, clear).await?.into();
    state.dashboard.forget().await;
    Ok(Json(ClearedReferralsView {
        success: true,
        deleted,
    }))
}

/// Deletes campaigns, their texts and their clicks. Opt-outs, and what counts for the month's cap, stay.
#[utoipa::path(
    post,
    path = "/api/admin/clear-campaigns",
    operation_id = "clear_campaigns",
    tag = "texts",
    security(("bearer" = []), ("session_token" = [])),
    responses((status = 200, body = ClearedSmsView), StaffRefused)
)]
pub(crate) async fn clear_campaigns<S: Store>(
    admin: Admin<S>,
    store: Data<S>,
    state: Data<AppState>,
) -> Result<Json<ClearedSmsView>, ApiError> {
    let clock = state.clock.clone();
    let clear = move || usecases::clearing::clear_campaigns(&**store, &*clock, admin.actor);
    let deleted = state.flows.run_within(PATIENCE, clear).await?.into();
    Ok(Json(ClearedSmsView {
        success: true,
        deleted,
    }))
}

/// Deletes campaigns, their texts and clicks, and the templates of campaigns. Opt-outs, and what counts for the month's cap, stay.
#[utoipa::path(
    post,
    path = "/api/admin/clear-sms",
    operation_id = "clear_sms",
    tag = "texts",
    security(("bearer" = []), ("session_token" = [])),
    responses((status = 200, body = ClearedSmsView), StaffRefused)
)]
pub(crate) async fn clear_sms<S: Store>(
    admin: Admin<S>,
    store: Data<S>,
    state: Data<AppState>,
) -> Result<Json<ClearedSmsView>, ApiError> {
    let clock = state.clock.clone();
    let clear = move || usecases::clearing::clear_sms(&**store, &*clock, admin.actor);
    let deleted = state.flows.run_within(PATIENCE, clear).await?.into();
    Ok(Json(ClearedSmsView {
        success: true,
        deleted,
    }))
}
