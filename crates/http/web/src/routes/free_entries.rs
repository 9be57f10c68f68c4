//! Free entries and live odds.

use super::Store;
use super::entered::RAFFLE_CLOSED;
use crate::callers::visitor::BrowserEntrant;
use crate::http::path_id::PathId;
use crate::http::responses::Created;
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, routes};
use crate::{ApiError, AppState, RequestPools};
use actix_web::http::StatusCode;
use actix_web::web::{Bytes, Data, Json};
use chrono::{DateTime, Utc};
use kernel::EntrantId;
use serde::Serialize;
use usecases::free_entries::{FreeClaim, FreeEntriesError, FreeOffer};
use usecases::odds::{Odds, RaffleTotals};
use utoipa::ToSchema;

pub(super) fn routes<S: Store>() -> Routes {
    routes![Some(Limit::Reads); offer::<S>, claim::<S>, odds::<S>]
}

impl From<FreeEntriesError> for ApiError {
    fn from(error: FreeEntriesError) -> Self {
        match error {
            FreeEntriesError::UnknownEntrant => Self::not_found(),
            FreeEntriesError::OnHold => on_hold(),
            FreeEntriesError::RaffleClosed => RAFFLE_CLOSED,
            FreeEntriesError::AlreadyClaimed { .. } => Self::new(
                StatusCode::CONFLICT,
                "already_claimed",
                "You have your free entries of today. Come back tomorrow for more.",
            ),
            FreeEntriesError::EntryCap => Self::new(
                StatusCode::CONFLICT,
                "entry_cap",
                "You have all the bought and free entries that one person can get in a month.",
            ),
            FreeEntriesError::Store(error) => error.into(),
        }
    }
}

/// 409: a flagged entrant is sold and given nothing, because it would not count (D77).
pub(super) const fn on_hold() -> ApiError {
    ApiError::new(
        StatusCode::CONFLICT,
        "on_hold",
        "These entries are on hold, so none can be added. Open this page in the browser that you entered with to read why.",
    )
}

/// What an entrant can have for free now.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FreeOfferView {
    /// The entries that a claim would give now; 0 when today's are claimed, or nothing fits under the cap.
    entries: i64,
    /// Whether today's free entries are claimed.
    is_claimed: bool,
    /// When the next day of the site begins.
    again_at: DateTime<Utc>,
    /// The bought and free entries of this month, without those of payments that were only begun.
    used: i64,
    /// The most bought and free entries of one entrant in a month.
    cap: i64,
}

impl From<FreeOffer> for FreeOfferView {
    fn from(offer: FreeOffer) -> Self {
        Self {
            entries: offer.entries,
            is_claimed: offer.is_claimed,
            again_at: offer.again_at,
            used: offer.used,
            cap: offer.cap,
        }
    }
}

/// Free entries that were given.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FreeClaimView {
    /// How many.
    entries_added: i64,
    /// When the next day of the site begins.
    again_at: DateTime<Utc>,
}

impl From<FreeClaim> for FreeClaimView {
    fn from(claim: FreeClaim) -> Self {
        Self {
            entries_added: claim.entries,
            again_at: claim.again_at,
        }
    }
}

/// An entrant's share of the entries of the raffle.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OddsView {
    /// The entrant's entries that take part in the drawing.
    entries: i64,
    /// All entries that take part. Those of others were counted at most a minute ago.
    total_entries: i64,
    /// The probability that the first drawn entry is the entrant's, from 0 to 1.
    probability: f64,
}

impl From<Odds> for OddsView {
    fn from(odds: Odds) -> Self {
        Self {
            entries: odds.entries,
            total_entries: odds.total,
            probability: odds.probability(),
        }
    }
}

/// Says how many free entries an entrant can claim now.
#[utoipa::path(get, path = "/api/users/{id}/free-entries", operation_id = "get_free_entries")]
pub(crate) async fn offer<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    PathId(id): PathId<EntrantId>,
) -> Result<Json<FreeOfferView>, ApiError> {
    let (clock, rules) = (state.clock.clone(), state.cap_rules());
    let offer = pools
        .visitor_reads
        .run(move |store| usecases::free_entries::offer(store, &*clock, rules, id))
        .await?;
    Ok(Json(offer.into()))
}

/// Gives an entrant the free entries of today, by the site's calendar: what is left of the cap, divided by the dates that are
/// left of the month or until the next announced cut-off, and rounded up. Only for the browser that entered.
#[utoipa::path(
    post, path = "/api/users/{id}/free-entries", operation_id = "claim_free_entries",
    responses(
        (status = 403, description = "`another_browser`: not the browser that entered"),
        (status = 409, description = "`on_hold`: the entrant's entries are on hold; `already_claimed`: today's are claimed; `entry_cap`: nothing fits under the cap")
    )
)]
pub(crate) async fn claim<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    browser: BrowserEntrant<S>,
    PathId(id): PathId<EntrantId>,
) -> Result<Created<FreeClaimView>, ApiError> {
    browser.must_be(id)?;
    let (clock, rules) = (state.clock.clone(), state.cap_rules());
    let claim = pools
        .visitor_writes
        .run(move |store| usecases::free_entries::claim(store, &*clock, rules, id))
        .await?;
    Ok(Created(FreeClaimView::from(claim)))
}

/// Gets an entrant's odds in the drawing of the raffle. In the browser of an entrant whose entries are on hold, they are 0.
#[utoipa::path(get, path = "/api/users/{id}/odds", operation_id = "get_odds")]
pub(crate) async fn odds<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    browser: BrowserEntrant<S>,
    PathId(id): PathId<EntrantId>,
) -> Result<Json<OddsView>, ApiError> {
    let totals = totals(&pools, &state).await?;
    let is_own = browser.is(id);
    let odds = pools
        .visitor_reads
        .run(move |store| usecases::odds::odds(store, &totals, id, is_own))
        .await?;
    Ok(Json(odds.into()))
}

/// The entries of all raffles, counted at most a minute ago.
async fn totals<S: Store>(pools: &RequestPools<S>, state: &AppState) -> Result<RaffleTotals, ApiError> {
    let json = state.raffle_totals.get(async || count(pools).await).await?;
    let (counted_at, entries) = serde_json::from_slice(&json).map_err(|_| ApiError::internal())?;
    Ok(RaffleTotals { counted_at, entries })
}

async fn count<S: Store>(pools: &RequestPools<S>) -> Result<Bytes, ApiError> {
    let totals = pools
        .visitor_reads
        .run(|store| usecases::odds::count(store))
        .await?;
    let json = serde_json::to_vec(&(totals.counted_at, totals.entries)).map_err(|_| ApiError::internal())?;
    Ok(json.into())
}
