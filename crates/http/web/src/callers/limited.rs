//! Counts requests under the rate limits (D33).

use crate::identity::address::client_address;
use crate::identity::limits::Limit;
use crate::{ApiError, AppState};
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::{Error, HttpRequest, ResponseError, web};

/// Counts a request under a limit.
///
/// # Errors
/// 429 when the address has sent too many.
pub(crate) async fn count(limit: Limit, request: &HttpRequest) -> Result<(), ApiError> {
    let Some(state) = request.app_data::<web::Data<AppState>>() else {
        return Ok(());
    };
    let Some(address) = client_address(request, &state.trusted_proxies) else {
        return Ok(());
    };
    state.limiter.check(limit, address).await.map_err(|wait| {
        metrics::counter!("rate_limited_total", "limit" => limit.as_str()).increment(1);
        ApiError::rate_limited(wait)
    })
}

/// Middleware that returns 429 when an address sends too many requests.
pub(crate) async fn limited(
    limit: Limit,
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    if let Err(error) = count(limit, request.request()).await {
        let answer = error.error_response();
        return Ok(request.into_response(answer).map_into_right_body());
    }
    Ok(next.call(request).await?.map_into_left_body())
}
