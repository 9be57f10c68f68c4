//! How far an entrant has come with sharing the link.

use super::Store;
use crate::callers::visitor::BrowserEntrant;
use crate::http::path_id::PathId;
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, routes};
use crate::{ApiError, AppState, RequestPools};
use actix_web::web::{Data, Json};
use analytics::{Achievement, Platform};
use chrono::NaiveDate;
use kernel::EntrantId;
use serde::Serialize;
use usecases::sharing::SeenProgress;
use utoipa::ToSchema;

pub(super) fn routes<S: Store>() -> Routes {
    routes![Some(Limit::Reads); progress::<S>]
}

/// How far an entrant has come with sharing the link.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShareProgressView {
    /// The platforms on which the link was shared.
    #[schema(value_type = Vec<String>, example = json!(["email", "sms"]))]
    platforms_shared: Vec<&'static str>,
    /// How often it was shared.
    total_shares: i64,
    /// The days in a row on which it was shared, until today or yesterday.
    share_streak: i64,
    /// The last date on which it was shared, by the site's calendar.
    #[schema(required)]
    last_share_date: Option<NaiveDate>,
    /// What was reached: `first_share`, `both_channels`, `three_day_streak` and `five_friends`.
    #[schema(value_type = Vec<String>, example = json!(["first_share"]))]
    achievements: Vec<&'static str>,
    /// The entries for sharing. It is always 0: only friends who enter give entries.
    bonus_entries: i64,
    /// The level: 1, and 1 more for each 100 points.
    level: i64,
    /// The points: 10 for each platform and date.
    xp: i64,
}

impl From<SeenProgress> for ShareProgressView {
    fn from(seen: SeenProgress) -> Self {
        let SeenProgress {
            progress,
            streak,
            friends,
        } = seen;
        let platforms = progress.platforms().map(Platform::as_str).collect();
        let achievements = progress.achievements(friends).into_iter();
        Self {
            platforms_shared: platforms,
            total_shares: progress.total,
            share_streak: streak,
            last_share_date: progress.last_shared_on(),
            achievements: achievements.map(Achievement::as_str).collect(),
            bonus_entries: 0,
            level: progress.level(),
            xp: progress.xp,
        }
    }
}

/// Gets how far an entrant has come with sharing the link. It grants no entries. Only for the browser that entered.
#[utoipa::path(
    get, path = "/api/users/{id}/share-progress", operation_id = "get_share_progress",
    responses((status = 403, description = "`another_browser`: not the browser that entered"))
)]
pub(crate) async fn progress<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    browser: BrowserEntrant<S>,
    PathId(id): PathId<EntrantId>,
) -> Result<Json<ShareProgressView>, ApiError> {
    browser.must_be(id)?;
    let (clock, zone) = (state.clock.clone(), state.time_zone);
    let seen = pools
        .visitor_reads
        .run(move |store| usecases::sharing::progress(store, &*clock, zone, id))
        .await?;
    Ok(Json(seen.into()))
}
