//! What staff do and read in the console. Every call but signing in takes an [`crate::admin::Admin`].

pub(crate) mod analytics;
pub(crate) mod audit;
pub(crate) mod clearing;
pub(crate) mod drawing;
pub(crate) mod flags;
pub(crate) mod packages;
pub(crate) mod sessions;
pub(crate) mod sms;
pub(crate) mod trends;

use super::{Store, get, post, these};
use crate::ApiError;
use crate::error::ErrorView;
use crate::limits::limit_reads;
use actix_web::middleware::from_fn;
use actix_web::{HttpRequest, web};
use kernel::IdempotencyKey;
use utoipa::IntoResponses;

pub(super) fn configure<S: Store>(config: &mut web::ServiceConfig) {
    let login = post("/api/admin/login", web::post().to(sessions::login::<S>));
    let logout = post("/api/admin/logout", web::post().to(sessions::logout::<S>));
    let log = get("/api/admin/audit-log", web::get().to(audit::list::<S>));
    let export = get("/api/admin/audit-log/export", web::get().to(audit::export::<S>));
    let dashboard = get(
        "/api/admin/analytics/dashboard",
        web::get().to(analytics::dashboard::<S>),
    );
    let funnel = get(
        "/api/admin/analytics/funnel",
        web::get().to(analytics::funnel::<S>),
    );
    let trends = get("/api/admin/analytics/trends", web::get().to(trends::trends::<S>));
    let detect = post("/api/admin/fraud-detection", web::post().to(flags::detect::<S>));
    let flagged = get("/api/admin/flagged-users", web::get().to(flags::list::<S>));
    let flag = post("/api/admin/flag-user", web::post().to(flags::flag::<S>));
    let unflag = post("/api/admin/unflag-user", web::post().to(flags::unflag::<S>));
    let stored = get("/api/admin/stored-data", web::get().to(clearing::stored::<S>));
    let clear_analytics = post(
        "/api/admin/clear-analytics",
        web::post().to(clearing::clear_analytics::<S>),
    );
    let clear_referrals = post(
        "/api/admin/clear-referrals",
        web::post().to(clearing::clear_referrals::<S>),
    );
    let clear_campaigns = post(
        "/api/admin/clear-campaigns",
        web::post().to(clearing::clear_campaigns::<S>),
    );
    let clear_sms = post("/api/admin/clear-sms", web::post().to(clearing::clear_sms::<S>));
    let stats = get("/api/admin/drawing/stats", web::get().to(drawing::stats::<S>));
    let history = get("/api/admin/drawing/history", web::get().to(drawing::history::<S>));
    let export_history = get(
        "/api/admin/drawing/history/export",
        web::get().to(drawing::export::<S>),
    );
    let perform = post(
        "/api/admin/drawing/perform",
        web::post().to(drawing::perform::<S>),
    );
    let packages = these(
        "/api/admin/entry-packages",
        [
            web::get().to(packages::list::<S>),
            web::post().to(packages::create::<S>),
        ],
        "GET, POST",
    );
    let package = these(
        "/api/admin/entry-packages/{id}",
        [
            web::put().to(packages::update::<S>),
            web::delete().to(packages::delete::<S>),
        ],
        "PUT, DELETE",
    );
    let settings = these(
        "/api/admin/settings",
        [
            web::get().to(packages::settings::<S>),
            web::post().to(packages::update_settings::<S>),
        ],
        "GET, POST",
    );
    let signing_in = [login, logout];
    let activity = [log, export];
    let figures = [dashboard, funnel, trends];
    let flags = [detect, flagged, flag, unflag];
    let drawings = [stats, history, export_history, perform];
    let pricing = [packages, package, settings];
    let data = [
        stored,
        clear_analytics,
        clear_referrals,
        clear_campaigns,
        clear_sms,
    ];
    for resource in signing_in
        .into_iter()
        .chain(activity)
        .chain(figures)
        .chain(flags)
        .chain(drawings)
        .chain(pricing)
        .chain(data)
        .chain(sms::resources::<S>())
    {
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

/// The client's name for a wish, by which it is granted once.
fn read_key(request: &HttpRequest) -> Result<Option<IdempotencyKey>, ApiError> {
    let Some(value) = request.headers().get("Idempotency-Key") else {
        return Ok(None);
    };
    let key = value.to_str().ok().and_then(IdempotencyKey::parse);
    key.map(Some).ok_or(ApiError::Malformed(
        "The Idempotency-Key must have 1 to 255 visible ASCII characters.",
    ))
}
