//! The figures of the dashboard and of the funnel.

use super::Store;
use crate::ApiError;
use crate::callers::admin::{Admin, Call, Needs, may};
use crate::callers::right::{Right, ShownAddress, ShownNumber};
use crate::http::query::{DateRangeQuery, Days, LandingPageQuery, Params};
use crate::http::views::LandingPageView;
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, staff_routes};
use actix_web::HttpResponse;
use actix_web::http::header::ContentType;
use actix_web::web::{Bytes, Json};
use analytics::{Dashboard, DateRange, Funnel, FunnelFilter};
use chrono::{DateTime, TimeDelta};
use chrono_tz::Tz;
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); dashboard::<S>, funnel::<S>]
}

/// The figures of the dashboard.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DashboardView {
    total_users: i64,
    total_referrals: i64,
    /// Views of any page.
    total_page_views: i64,
    /// Users per hundred views; 0 without views.
    conversion_rate: f64,
    /// The 50 referral codes with the most sign-ups.
    referral_funnel: Vec<ReferralFunnelRowView>,
    referral_velocity: ReferralVelocityView,
    /// The 50 entrants who brought the most friends.
    top_referrers: Vec<TopReferrerView>,
    /// The 50 networks with the most entrants.
    /// Empty for viewers.
    suspicious_activity: Vec<SuspiciousActivityView>,
    /// The raffles that were ever open, in their order.
    landing_page_stats: Vec<LandingPageStatsView>,
}

/// The figures of a referral code.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReferralFunnelRowView {
    #[schema(example = "CDFG3467")]
    referral_code: String,
    /// Page views with the code.
    views: i64,
    /// Entrants who came with the code.
    signups: i64,
    /// Credited referrals.
    referrals: i64,
    /// How often the code was shared.
    shares: i64,
    /// How many of the sign-ups bought something.
    conversions: i64,
}

/// How soon and how often entrants bring friends.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReferralVelocityView {
    /// Average seconds from entering to the first friend, over entrants who brought one.
    avg_time_to_first_referral: f64,
    avg_referrals_per_user: f64,
}

/// An entrant who brought many friends.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TopReferrerView {
    #[schema(example = "CDFG3467")]
    referral_code: String,
    /// The last four digits.
    #[schema(example = "***-***-4567", value_type = String)]
    phone_number: ShownNumber,
    count: i64,
}

/// A network with many entrants.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SuspiciousActivityView {
    /// An IPv4 address, or an IPv6 network in CIDR form, which is a /64.
    #[schema(example = "2001:db8:1:2::/64", value_type = String)]
    ip_address: ShownAddress,
    /// Entrants on this network.
    count: i64,
    /// Whether each of them is flagged or was unflagged by staff.
    flagged: bool,
    /// The newest of them who is neither; left out if `flagged`.
    #[serde(skip_serializing_if = "Option::is_none")]
    user_id: Option<i64>,
}

/// A raffle's figures.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LandingPageStatsView {
    landing_page: LandingPageView,
    users: i64,
    /// Friends of its entrants.
    referrals: i64,
    /// Views of its sign-up page.
    page_views: i64,
}

impl DashboardView {
    /// Without networks for whoever may not see addresses.
    fn new(dashboard: Dashboard, right: Option<Right>) -> Self {
        let suspicious = |right| {
            let rows = dashboard.suspicious.iter();
            rows.map(|row| SuspiciousActivityView::new(row, right)).collect()
        };
        Self {
            suspicious_activity: right.map(suspicious).unwrap_or_default(),
            total_users: dashboard.total_users(),
            total_referrals: dashboard.total_referrals(),
            total_page_views: dashboard.total_page_views,
            conversion_rate: dashboard.conversion_rate(),
            referral_velocity: ReferralVelocityView {
                avg_time_to_first_referral: dashboard.referral_velocity.average_seconds(),
                avg_referrals_per_user: dashboard.average_referrals(),
            },
            referral_funnel: dashboard.referral_funnel.into_iter().map(Into::into).collect(),
            top_referrers: dashboard.top_referrers.into_iter().map(Into::into).collect(),
            landing_page_stats: dashboard.raffles.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<analytics::ReferralFunnelRow> for ReferralFunnelRowView {
    fn from(row: analytics::ReferralFunnelRow) -> Self {
        Self {
            referral_code: row.referral_code.to_string(),
            views: row.views,
            signups: row.referrals,
            referrals: row.referrals,
            shares: row.shares,
            conversions: row.conversions,
        }
    }
}

impl From<analytics::TopReferrer> for TopReferrerView {
    fn from(top: analytics::TopReferrer) -> Self {
        Self {
            referral_code: top.referral_code.to_string(),
            phone_number: ShownNumber::masked(&top.phone),
            count: top.count,
        }
    }
}

impl SuspiciousActivityView {
    fn new(row: &analytics::SuspiciousNetwork, right: Right) -> Self {
        Self {
            ip_address: ShownAddress::full(row.network, right),
            count: row.accounts,
            flagged: row.is_flagged(),
            user_id: row.newest_open.map(|entrant| entrant.get()),
        }
    }
}

impl From<analytics::RaffleStats> for LandingPageStatsView {
    fn from(stats: analytics::RaffleStats) -> Self {
        Self {
            landing_page: stats.raffle.into(),
            users: stats.users,
            referrals: stats.referrals,
            page_views: stats.page_views,
        }
    }
}

/// Gets the figures of the dashboard, at most a second old.
#[utoipa::path(
    get, path = "/api/admin/analytics/dashboard", operation_id = "get_dashboard",
    responses((status = 200, body = DashboardView))
)]
pub(crate) async fn dashboard<S: Store>(admin: Admin<S, may::ViewFigures>) -> Result<HttpResponse, ApiError> {
    let cache = admin.state().dashboard.shown_to(admin.sight().people.is_some());
    let json = cache.get(async || read_dashboard(&admin).await).await?;
    Ok(HttpResponse::Ok().insert_header(ContentType::json()).body(json))
}

async fn read_dashboard<S: Store, P: Needs>(admin: &Admin<S, P>) -> Result<Bytes, ApiError> {
    let read = |call: Call<'_, S>| {
        let (zone, accounts) = (call.state.time_zone, call.state.fraud_rules.suspicious_from());
        usecases::analytics::dashboard(call.store, zone, accounts)
    };
    let dashboard = DashboardView::new(admin.run(read).await?, admin.sight().people);
    let json = serde_json::to_vec(&dashboard).map_err(|_| ApiError::internal())?;
    Ok(json.into())
}

#[derive(Serialize, ToSchema)]
pub(crate) struct FunnelAnswer {
    funnel: FunnelView,
}

/// The funnel: how far sessions got.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FunnelView {
    /// Sessions that began in the range.
    total_sessions: i64,
    /// Average seconds on pages per session.
    avg_time_spent: f64,
    /// The steps by name, in the order of the funnel. Steps that did not occur are left out.
    #[schema(value_type = BTreeMap<String, StepView>)]
    step_breakdown: BTreeMap<StepKey, StepView>,
}

/// A step's place and name: JSON objects keep their order.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct StepKey(analytics::StepName);

impl Serialize for StepKey {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.as_str())
    }
}

/// The figures of a step.
#[derive(Serialize, ToSchema)]
pub(crate) struct StepView {
    /// Sessions that reached the step.
    count: i64,
    /// Sessions that ended at the step.
    exits: i64,
}

impl From<Funnel> for FunnelView {
    fn from(funnel: Funnel) -> Self {
        let avg_time_spent = funnel.average_seconds();
        let steps = funnel.steps.into_iter().map(|(step, figures)| {
            let view = StepView {
                count: figures.count,
                exits: figures.exits,
            };
            (StepKey(step), view)
        });
        Self {
            total_sessions: funnel.sessions,
            avg_time_spent,
            step_breakdown: steps.collect(),
        }
    }
}

/// Gets the funnel of the sessions that began in a range of days.
#[utoipa::path(get, path = "/api/admin/analytics/funnel", operation_id = "get_funnel")]
pub(crate) async fn funnel<S: Store>(
    admin: Admin<S, may::ViewFigures>,
    Params((scope, days)): Params<(LandingPageQuery, DateRangeQuery)>,
) -> Result<Json<FunnelAnswer>, ApiError> {
    let zone = admin.state().time_zone;
    let filter = FunnelFilter {
        scope,
        range: range_of(days, zone),
    };
    let funnel = admin
        .run(move |call| usecases::analytics::funnel(call.store, zone, &filter))
        .await?;
    Ok(Json(FunnelAnswer {
        funnel: funnel.into(),
    }))
}

/// Longer than any raffle runs.
const CENTURIES: TimeDelta = TimeDelta::days(200 * 365);

fn range_of(days: Days, zone: Tz) -> Option<DateRange> {
    if days == Days::default() {
        return None;
    }
    Some(DateRange {
        from: days.from(zone).unwrap_or(DateTime::UNIX_EPOCH),
        until: days.until(zone).unwrap_or(DateTime::UNIX_EPOCH + CENTURIES),
    })
}
