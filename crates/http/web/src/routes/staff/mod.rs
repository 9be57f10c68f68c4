//! The console. Every route but signing in and accepting an invitation takes an [`crate::callers::admin::Admin`], which names the
//! permission that the call needs.

pub(crate) mod account;
pub(crate) mod analytics;
pub(crate) mod appeals;
pub(crate) mod approvals;
pub(crate) mod audit;
pub(crate) mod claims;
pub(crate) mod clearing;
pub(crate) mod data_requests;
pub(crate) mod drawing;
pub(crate) mod evidence;
pub(crate) mod flags;
pub(crate) mod jobs;
pub(crate) mod media;
pub(crate) mod members;
pub(crate) mod opening;
pub(crate) mod packages;
pub(crate) mod people;
pub(crate) mod purchases;
pub(crate) mod raffles;
pub(crate) mod sessions;
pub(crate) mod settings;
pub(crate) mod shared_networks;
pub(crate) mod sms;
pub(crate) mod trends;
pub(crate) mod two_people;
pub(crate) mod waiting;

use super::Store;
use crate::ApiError;
use crate::routes::route_table::Routes;
use actix_web::HttpRequest;
use kernel::IdempotencyKey;

pub(super) fn routes<S: Store>() -> Routes {
    sessions::routes::<S>()
        .and(account::routes::<S>())
        .and(members::routes::<S>())
        .and(approvals::routes::<S>())
        .and(audit::routes::<S>())
        .and(analytics::routes::<S>())
        .and(trends::routes::<S>())
        .and(flags::routes::<S>())
        .and(people::routes::<S>().tagged("people"))
        .and(data_requests::routes::<S>().tagged("people"))
        .and(shared_networks::routes::<S>())
        .and(appeals::routes::<S>())
        .and(drawing::routes::<S>())
        .and(raffles::routes::<S>())
        .and(media::routes::<S>())
        .and(claims::routes::<S>())
        .and(packages::routes::<S>())
        .and(purchases::routes::<S>())
        .and(opening::routes::<S>())
        .and(waiting::routes::<S>())
        .and(settings::routes::<S>())
        .and(clearing::routes::<S>())
        .and(jobs::routes::<S>())
        .and(sms::routes::<S>().tagged("texts"))
}

/// The `Idempotency-Key` of a request, so that repeated requests are carried out once.
fn read_key(request: &HttpRequest) -> Result<Option<IdempotencyKey>, ApiError> {
    let Some(value) = request.headers().get("Idempotency-Key") else {
        return Ok(None);
    };
    let key = value.to_str().ok().and_then(IdempotencyKey::parse);
    key.map(Some).ok_or(ApiError::malformed(
        "The Idempotency-Key must have 1 to 255 visible ASCII characters.",
    ))
}
