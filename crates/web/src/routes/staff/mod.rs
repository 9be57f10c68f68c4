//! What staff do and read in the console. Every call but signing in takes an [`crate::admin::Admin`].

pub(crate) mod audit;
pub(crate) mod sessions;

use super::{Store, get, post};
use crate::error::ErrorView;
use crate::limits::limit_reads;
use actix_web::middleware::from_fn;
use actix_web::web;
use utoipa::IntoResponses;

pub(super) fn configure<S: Store>(config: &mut web::ServiceConfig) {
    let login = post("/api/admin/login", web::post().to(sessions::login::<S>));
    let logout = post("/api/admin/logout", web::post().to(sessions::logout::<S>));
    let log = get("/api/admin/audit-log", web::get().to(audit::list::<S>));
    let export = get("/api/admin/audit-log/export", web::get().to(audit::export::<S>));
    for resource in [login, logout, log, export] {
        config.service(resource.wrap(from_fn(limit_reads)));
    }
}

/// What every call from within a session may answer besides its own.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "for the description only; the answers are `ApiError`'s")]
pub(crate) enum StaffRefused {
    /// No session, or none any more
    #[response(status = 401)]
    Unauthorized(ErrorView),
    /// Too many requests from this address; `Retry-After` says how long to wait
    #[response(status = 429)]
    RateLimited(ErrorView),
    /// The database is away; `Retry-After` says how long to wait
    #[response(status = 503)]
    Unavailable(ErrorView),
}
