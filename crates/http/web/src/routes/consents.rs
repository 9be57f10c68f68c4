//! The switch for campaign texts on an entrant's page.

use super::Store;
use super::codes::texts_from;
use crate::callers::right::site_number;
use crate::callers::tracking::Tracking;
use crate::callers::visitor::BrowserEntrant;
use crate::http::body::{Body, JsonBody};
use crate::http::field::BoolField;
use crate::http::path_id::PathId;
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, routes};
use crate::{ApiError, AppState, RequestPools};
use actix_web::web::{Data, Json};
use kernel::EntrantId;
use serde::{Deserialize, Serialize};
use usecases::consents::ConsentState;
use utoipa::ToSchema;
use validator::Validate;

pub(super) fn routes<S: Store>() -> Routes {
    routes![Some(Limit::Reads); show::<S>, change::<S>]
}

/// Whether an entrant wants campaign texts.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ConsentBody {
    #[schema(inline)]
    #[validate(nested)]
    sms_campaigns: BoolField,
}

impl JsonBody for ConsentBody {}

/// Whether an entrant gets campaign texts.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ConsentView {
    /// Whether the entrant has consented.
    sms_campaigns: bool,
    /// Whether the number gets no texts at all, because it sent STOP. Only a text that says START lifts that.
    has_opted_out: bool,
    /// The number that texts come from, to send START to; null while texts are not configured.
    #[schema(required, example = "+15550100000")]
    texts_from: Option<String>,
}

fn view<S: Store>(state: &AppState, store: &S, consent: ConsentState) -> Result<ConsentView, ApiError> {
    Ok(ConsentView {
        sms_campaigns: consent.granted,
        has_opted_out: consent.has_opted_out,
        texts_from: texts_from(state, store)?.as_ref().map(site_number),
    })
}

/// Gets whether an entrant gets campaign texts. Only for the browser that entered.
#[utoipa::path(
    get, path = "/api/users/{id}/consent", operation_id = "get_consent",
    responses((status = 403, description = "`another_browser`: not the browser that entered"))
)]
pub(crate) async fn show<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    browser: BrowserEntrant<S>,
    PathId(entrant): PathId<EntrantId>,
) -> Result<Json<ConsentView>, ApiError> {
    browser.must_be(entrant)?;
    let find = move |store: &S| {
        let consent = usecases::consents::find(store, entrant)?;
        view(&state, store, consent)
    };
    pools.visitor_reads.run(find).await.map(Json)
}

/// Switches campaign texts on or off. Only for the browser that entered. It does not lift STOP.
#[utoipa::path(
    put, path = "/api/users/{id}/consent", operation_id = "change_consent",
    responses((status = 403, description = "`another_browser`: not the browser that entered"))
)]
pub(crate) async fn change<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    tracking: Tracking,
    browser: BrowserEntrant<S>,
    PathId(entrant): PathId<EntrantId>,
    body: Body<ConsentBody>,
) -> Result<Json<ConsentView>, ApiError> {
    browser.must_be(entrant)?;
    let granted = body.valid()?.sms_campaigns.value()?;
    let change = move |store: &S| {
        let consent = usecases::consents::set(store, &*state.clock, entrant, granted, &tracking.origin)?;
        view(&state, store, consent)
    };
    pools.visitor_writes.run(change).await.map(Json)
}
