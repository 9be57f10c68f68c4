//! The data of an entrant's success screen: the entrant, the entries and the referred friends.

use super::Store;
use crate::callers::right::{Right, ShownNumber};
use crate::callers::visitor::BrowserEntrant;
use crate::http::path_id::PathId;
use crate::http::query::{PageQuery, Params};
use crate::http::responses::page_of;
use crate::http::views::LandingPageView;
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, routes};
use crate::{ApiError, AppState, RequestPools};
use actix_web::HttpResponse;
use actix_web::web::{Data, Json};
use chrono::{DateTime, Utc};
use kernel::EntrantId;
use raffle::Entrant;
use serde::Serialize;
use usecases::drawings::LastDrawing;
use usecases::entrants::FindEntrantError;
use utoipa::ToSchema;

pub(super) fn routes<S: Store>() -> Routes {
    routes![Some(Limit::Reads); find::<S>, stats::<S>, referrals::<S>]
}

impl From<FindEntrantError> for ApiError {
    fn from(error: FindEntrantError) -> Self {
        match error {
            FindEntrantError::UnknownEntrant => Self::not_found(),
            FindEntrantError::Store(error) => error.into(),
        }
    }
}

/// An entrant.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UserView {
    /// Random: a JavaScript number holds it exactly.
    #[schema(minimum = 1, maximum = 4_503_599_627_370_495_i64)]
    id: i64,
    /// In full for the browser that entered it, or else the last four digits.
    #[schema(example = "***-***-4567", value_type = String)]
    phone_number: ShownNumber,
    #[schema(example = "CDFG3467")]
    referral_code: String,
    landing_page: LandingPageView,
    /// The regular drawing that is still to come of a raffle that has ended. Until then the number stays in it.
    #[schema(required)]
    last_drawing: Option<LastDrawingView>,
    created_at: DateTime<Utc>,
}

/// The last drawing of a raffle that has ended.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LastDrawingView {
    /// When it is due; `null` while staff have not announced it.
    #[schema(required)]
    due_at: Option<DateTime<Utc>>,
}

/// An entrant's entries; `totalEntries` is the sum of the three kinds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StatsView {
    total_entries: i64,
    /// Friends who entered through the link.
    referral_count: i64,
    /// Entries for entering.
    base_entries: i64,
    /// Entries for friends, and free ones.
    bonus_entries: i64,
    /// Those of the bonus entries that were claimed for free.
    free_entries: i64,
    /// Entries that were bought; the screens call them Bonus Entries.
    paid_entries: i64,
    /// Entries for friends that do not count now, because the friends are flagged. No other number contains them.
    entries_on_hold: i64,
}

/// A friend who entered through the link.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReferralView {
    id: i64,
    /// In full for the browser that entered the inviter, or else the last four digits.
    #[schema(example = "***-***-4567", value_type = String)]
    referred_phone_number: ShownNumber,
    created_at: DateTime<Utc>,
}

/// Gets an entrant.
#[utoipa::path(get, path = "/api/users/{id}", operation_id = "get_user")]
pub(crate) async fn find<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    browser: BrowserEntrant<S>,
    PathId(id): PathId<EntrantId>,
) -> Result<Json<UserView>, ApiError> {
    let (times, now, raffles) = (state.drawing_times(), state.clock.now(), state.raffles.get());
    let find = move |store: &S| {
        let entrant = usecases::entrants::find(store, id)?;
        let raffle = raffles.find(entrant.raffle);
        let last_drawing = match raffle.is_some_and(|raffle| raffle.is_open_at(now)) {
            true => None, // spares a question to the store
            false => usecases::drawings::last_drawing(store, times, entrant.raffle)?,
        };
        Ok::<_, FindEntrantError>((entrant, last_drawing))
    };
    let (entrant, last_drawing) = pools.visitor_reads.run(find).await?;
    Ok(Json(user_view(&entrant, last_drawing, browser.right_to(id))))
}

fn user_view(entrant: &Entrant, last: Option<LastDrawing>, right: Option<Right>) -> UserView {
    UserView {
        id: entrant.id.get(),
        phone_number: ShownNumber::to(right, &entrant.phone),
        referral_code: entrant.referral_code.to_string(),
        landing_page: entrant.raffle.into(),
        last_drawing: last.map(|last| LastDrawingView { due_at: last.due_at }),
        created_at: entrant.created_at,
    }
}

/// Gets an entrant's entries.
#[utoipa::path(get, path = "/api/users/{id}/stats", operation_id = "get_user_stats")]
pub(crate) async fn stats<S: Store>(
    pools: Data<RequestPools<S>>,
    PathId(id): PathId<EntrantId>,
) -> Result<Json<StatsView>, ApiError> {
    let stats = pools
        .visitor_reads
        .run(move |store| usecases::entrants::stats(store, id))
        .await?;
    Ok(Json(StatsView {
        total_entries: stats.entries.total(),
        referral_count: stats.friends.all,
        base_entries: stats.entries.base,
        bonus_entries: stats.entries.bonus,
        free_entries: stats.free,
        paid_entries: stats.entries.paid,
        entries_on_hold: stats.friends.on_hold,
    }))
}

/// Lists the friends who entered through an entrant's link, newest first. `X-Total-Count` has their number.
#[utoipa::path(
    get, path = "/api/users/{id}/referrals", operation_id = "list_referrals",
    params(("id" = i64, Path)),
    responses(
        (
            status = 200,
            body = Vec<ReferralView>,
            headers(("X-Total-Count" = i64, description = "The number of all rows"))
        )
    )
)]
pub(crate) async fn referrals<S: Store>(
    pools: Data<RequestPools<S>>,
    browser: BrowserEntrant<S>,
    PathId(id): PathId<EntrantId>,
    Params(page): Params<PageQuery>,
) -> Result<HttpResponse, ApiError> {
    let list = pools
        .visitor_reads
        .run(move |store| usecases::entrants::list_referrals(store, id, page))
        .await?;
    let right = browser.right_to(id);
    let view = |referral: &referral::Referral| ReferralView {
        id: referral.id,
        referred_phone_number: ShownNumber::or_erased(right, referral.referred_phone.as_ref()),
        created_at: referral.created_at,
    };
    let views: Vec<_> = list.referrals.iter().map(view).collect();
    Ok(page_of(list.total, views).into())
}
