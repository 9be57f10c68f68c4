//! The application and its routes: a module for each flow, with its handlers, errors, bodies and views.

pub(crate) mod appeals;
mod beacon_rounds;
mod browsers;
mod claim_records;
pub(crate) mod claims;
pub(crate) mod clicks;
pub(crate) mod codes;
pub(crate) mod collection;
pub(crate) mod consents;
mod data_archive;
pub(crate) mod data_requests;
pub(crate) mod drawing_list;
pub(crate) mod drawing_log;
mod drawing_views;
pub(crate) mod drawings;
pub(crate) mod entered;
pub(crate) mod entering;
pub(crate) mod entrants;
mod free_entries;
pub(crate) mod health;
mod media;
pub(crate) mod openapi;
mod pages;
pub(crate) mod paid_purchases;
pub(crate) mod proof_document;
pub(crate) mod provider_callbacks;
pub(crate) mod purchases;
mod push;
mod raffle_views;
mod raffles;
pub(crate) mod route_table;
mod rules;
mod security_txt;
mod sharing;
pub(crate) mod staff;
pub(crate) mod verification;
mod visitor_events;

use crate::callers::limited::limited;
use crate::callers::middleware::{RequestSpan, instrument};
use crate::callers::same_origin::same_origin;
use crate::identity::limits::Limit;
use crate::routes::openapi::served_description;
use crate::routes::route_table::Routes;
use crate::{ApiError, AppState, Collector, RequestPools, Store};
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::{Next, from_fn};
use actix_web::{App, Error, HttpRequest, HttpResponse, web};
pub use staff::two_people::approval_tools;
use tracing_actix_web::TracingLogger;

/// The whole application over a store.
pub fn application<S: Store>(
    pools: web::Data<RequestPools<S>>,
    state: web::Data<AppState>,
    collector: web::Data<Collector>,
) -> App<
    impl ServiceFactory<
        ServiceRequest,
        Config = (),
        Response = ServiceResponse<impl MessageBody>,
        Error = Error,
        InitError = (),
    >,
> {
    App::new()
        .app_data(pools)
        .app_data(state)
        .app_data(collector)
        .wrap(from_fn(same_origin))
        .wrap(from_fn(instrument))
        .wrap(TracingLogger::<RequestSpan>::new())
        .configure(configure::<S>)
}

/// Registers all routes. Any other path is a page of the client, or a 404.
pub fn configure<S: Store>(config: &mut web::ServiceConfig) {
    config.app_data(web::PathConfig::default().error_handler(|_, _| ApiError::not_found().into()));
    routes::<S>().configure(config);
    let limit = |request, next: Next<_>| limited(Limit::Pages, request, next);
    config.default_service(web::to(pages::page_or_not_found).wrap(from_fn(limit)));
}

/// The table of all routes. Of two paths with placeholders that match the same, the first one counts. The routes that are
/// called most come first, because actix-web tries one after the other.
pub(crate) fn routes<S: Store>() -> Routes {
    collection::routes::<S>()
        .tagged("analytics")
        .and(entering::routes::<S>().tagged("entrants"))
        .and(verification::routes::<S>().tagged("entrants"))
        .and(entrants::routes::<S>().tagged("entrants"))
        .and(appeals::routes::<S>().tagged("entrants"))
        .and(browsers::routes::<S>().tagged("entrants"))
        .and(consents::routes::<S>().tagged("entrants"))
        .and(free_entries::routes::<S>().tagged("entrants"))
        .and(data_requests::routes::<S>().tagged("privacy"))
        .and(sharing::routes::<S>().tagged("entrants"))
        .and(push::routes::<S>().tagged("push"))
        .and(visitor_events::routes().tagged("analytics"))
        .and(raffles::routes::<S>().tagged("raffles"))
        .and(drawing_log::routes::<S>().tagged("drawings"))
        .and(drawings::routes::<S>().tagged("drawings"))
        .and(drawing_list::routes::<S>().tagged("drawings"))
        .and(rules::routes::<S>().tagged("drawings"))
        .and(claims::routes::<S>().tagged("claims"))
        .and(purchases::routes::<S>().tagged("purchases"))
        .and(paid_purchases::routes::<S>().tagged("purchases"))
        .and(clicks::routes::<S>().tagged("texts"))
        .and(provider_callbacks::routes::<S>().tagged("texts"))
        .and(staff::routes::<S>().tagged("staff"))
        .and(media::routes::<S>().tagged("raffles"))
        .and(health::routes().tagged("health"))
        .and(security_txt::routes())
        .undescribed(Some(Limit::Pages), Method::GET, "/api/openapi.json", description)
}

/// How long clients and proxies may keep the description before they ask whether it has changed.
const DESCRIPTION_CACHE_CONTROL: &str = "public, max-age=300";

async fn description(request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let description = served_description().await?;
    let mime = "application/json";
    Ok(description.answer(&request, StatusCode::OK, mime, DESCRIPTION_CACHE_CONTROL))
}
