//! What an entrant bought.

use super::Store;
use super::purchases::{gateway, story_failed};
use crate::callers::visitor::BrowserEntrant;
use crate::http::path_id::PathId;
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, routes};
use crate::{ApiError, AppState, RequestPools};
use actix_web::http::StatusCode;
use actix_web::web::{Data, Json, Path};
use chrono::{DateTime, Utc};
use kernel::EntrantId;
use pricing::{Purchase, PurchaseId};
use serde::Serialize;
use usecases::purchases::ReceiptError;
use utoipa::ToSchema;

pub(super) fn routes<S: Store>() -> Routes {
    routes![Some(Limit::Reads); list::<S>].and(routes![Some(Limit::Buying); receipt::<S>])
}

impl From<ReceiptError> for ApiError {
    fn from(error: ReceiptError) -> Self {
        match error {
            ReceiptError::Unknown => Self::not_found(),
            ReceiptError::Store(error) => error.into(),
        }
    }
}

/// A purchase that the entrant paid.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PaidPurchaseView {
    id: i64,
    /// The price, in cents.
    amount: i64,
    entries_added: i64,
    /// `completed`, `refunding` or `refunded`.
    status: String,
    /// When it was begun.
    created_at: DateTime<Utc>,
}

impl From<Purchase> for PaidPurchaseView {
    fn from(purchase: Purchase) -> Self {
        Self {
            id: purchase.id.get(),
            amount: purchase.sold.price.cents(),
            entries_added: purchase.sold.entries.get(),
            status: purchase.status.as_str().to_owned(),
            created_at: purchase.sold.at,
        }
    }
}

/// What an entrant bought.
#[derive(Serialize, ToSchema)]
pub(crate) struct PaidPurchasesView {
    /// Newest first, at most a hundred.
    purchases: Vec<PaidPurchaseView>,
}

/// A receipt of the payment provider.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReceiptView {
    /// Its address, which works for a month.
    url: String,
}

/// Lists the purchases that an entrant paid, newest first. Only for the browser that entered.
#[utoipa::path(
    get, path = "/api/users/{id}/purchases", operation_id = "list_paid_purchases",
    responses((status = 403, description = "`another_browser`: not the browser that entered"))
)]
pub(crate) async fn list<S: Store>(
    pools: Data<RequestPools<S>>,
    browser: BrowserEntrant<S>,
    PathId(id): PathId<EntrantId>,
) -> Result<Json<PaidPurchasesView>, ApiError> {
    browser.must_be(id)?;
    let paid = pools
        .visitor_reads
        .run(move |store| usecases::purchases::paid(store, id))
        .await?;
    let purchases = paid.into_iter().map(Into::into).collect();
    Ok(Json(PaidPurchasesView { purchases }))
}

/// Gets the address of the payment provider's receipt for a purchase. Only for the browser that entered.
#[utoipa::path(
    get, path = "/api/users/{id}/purchases/{purchaseId}/receipt", operation_id = "get_receipt",
    params(("id" = i64, Path, description = "The entrant."), ("purchaseId" = i64, Path, description = "The purchase.")),
    responses(
        (status = 403, description = "`another_browser`: not the browser that entered"),
        (status = 404, description = "The entrant paid no such purchase, or the provider has no receipt"),
        (status = 502, description = "The provider failed"),
        (status = 503, description = "No provider is configured, or the database is away")
    )
)]
pub(crate) async fn receipt<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    browser: BrowserEntrant<S>,
    path: Path<(i64, i64)>,
) -> Result<Json<ReceiptView>, ApiError> {
    let (entrant, purchase) = (EntrantId::new(path.0), PurchaseId::new(path.1));
    browser.must_be(entrant)?;
    let gateway = gateway(&state)?;
    let pool = &pools.visitor_reads;
    let found = usecases::purchases::receipt(pool.store(), pool, &*gateway.payments, entrant, purchase).await;
    let url = found.map_err(|error| story_failed(error, receipt_failed()))?;
    Ok(Json(ReceiptView { url }))
}

const fn receipt_failed() -> ApiError {
    ApiError::new(
        StatusCode::BAD_GATEWAY,
        "receipt_failed",
        "We could not get the receipt from our payment provider. Please try again.",
    )
}
