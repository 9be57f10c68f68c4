//! The browsers of an entrant.

use super::Store;
use crate::callers::visitor::BrowserEntrant;
use crate::http::path_id::PathId;
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, routes};
use crate::{ApiError, AppState, RequestPools};
use actix_web::HttpResponse;
use actix_web::web::Data;
use kernel::EntrantId;

pub(super) fn routes<S: Store>() -> Routes {
    routes![Some(Limit::Reads); sign_out_others::<S>]
}

/// Signs out all other browsers of an entrant: from then on they may do what strangers may. With codes, they can enter the number
/// again. Only for a browser that entered, which stays signed in.
#[utoipa::path(
    post, path = "/api/users/{id}/sign-out-others", operation_id = "sign_out_other_browsers",
    responses(
        (status = 204, description = "Done"),
        (status = 403, description = "`another_browser`: not the browser that entered")
    )
)]
pub(crate) async fn sign_out_others<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    browser: BrowserEntrant<S>,
    PathId(entrant): PathId<EntrantId>,
) -> Result<HttpResponse, ApiError> {
    let token = browser.must_be(entrant)?;
    let sign_out = move |store: &S| usecases::entrants::sign_out_others(store, &*state.clock, &token);
    pools.visitor_writes.run(sign_out).await?;
    Ok(HttpResponse::NoContent().finish())
}
