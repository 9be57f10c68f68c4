//! The application and its routes: a module for each flow, with its handlers, errors, bodies and views.

pub(crate) mod clicks;
pub(crate) mod collection;
pub(crate) mod drawings;
pub(crate) mod entering;
pub(crate) mod entrants;
pub(crate) mod health;
mod pages;
pub(crate) mod provider_callbacks;
pub(crate) mod purchases;
pub(crate) mod staff;
mod visitor_events;

use crate::limits::{Limit, limited};
use crate::middleware::{RequestSpan, instrument};
use crate::route_table::Routes;
use crate::{ApiError, AppState, Collector, openapi_json};
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::ContentType;
use actix_web::middleware::{Next, from_fn};
use actix_web::web::Bytes;
use actix_web::{App, Error, HttpResponse, Responder, web};
use std::sync::OnceLock;
use tracing_actix_web::TracingLogger;
pub use usecases::Store;

/// The whole application over a store.
pub fn application<S: Store>(
    store: web::Data<S>,
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
        .app_data(store)
        .app_data(state)
        .app_data(collector)
        .wrap(from_fn(instrument))
        .wrap(TracingLogger::<RequestSpan>::new())
        .configure(configure::<S>)
}

/// Registers all routes. Any other path is a page of the client, or a 404.
pub fn configure<S: Store>(config: &mut web::ServiceConfig) {
    config
        .app_data(web::QueryConfig::default().error_handler(|_, _| unreadable_query().into()))
        .app_data(web::PathConfig::default().error_handler(|_, _| ApiError::not_found().into()));
    routes::<S>().configure(config);
    let limit = |request, next: Next<_>| limited(Limit::Pages, request, next);
    config.default_service(web::to(pages::page_or_not_found).wrap(from_fn(limit)));
}

/// The table of all routes. A path with a placeholder stands after the paths that it would match too.
pub(crate) fn routes<S: Store>() -> Routes {
    entering::routes::<S>()
        .and(entrants::routes::<S>())
        .and(collection::routes())
        .and(visitor_events::routes())
        .and(drawings::routes::<S>())
        .and(purchases::routes::<S>())
        .and(clicks::routes::<S>())
        .and(provider_callbacks::routes::<S>())
        .and(staff::routes::<S>())
        .and(health::routes::<S>())
        .undescribed(Method::GET, "/api/openapi.json", description::<S>)
}

const fn unreadable_query() -> ApiError {
    ApiError::malformed("The query string cannot be read.")
}

/// The description of the API, made at the first request.
async fn description<S: Store>() -> Result<impl Responder, ApiError> {
    static JSON: OnceLock<Bytes> = OnceLock::new();
    let json = match JSON.get() {
        Some(json) => json.clone(),
        None => {
            let json = openapi_json::<S>().map_err(|_| ApiError::internal())?;
            JSON.get_or_init(|| json.into()).clone()
        }
    };
    Ok(HttpResponse::Ok().insert_header(ContentType::json()).body(json))
}
