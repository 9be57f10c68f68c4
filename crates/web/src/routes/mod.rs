//! Which path is answered by whom.

pub(crate) mod collection;
pub(crate) mod drawings;
pub(crate) mod entrants;
pub(crate) mod health;
mod pages;
pub(crate) mod provider_callbacks;
pub(crate) mod purchases;
pub(crate) mod staff;

use crate::limits::{limit_entering, limit_reads};
use crate::middleware::{RequestSpan, around};
use crate::{ApiError, AppState, Collector, openapi_json};
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::http::header::ContentType;
use actix_web::middleware::from_fn;
use actix_web::{App, Error, HttpResponse, Resource, Responder, Route, web};
use serde::Serialize;
use tracing_actix_web::TracingLogger;
pub use usecases::Store;
use utoipa::ToSchema;

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
        .wrap(from_fn(around))
        .wrap(TracingLogger::<RequestSpan>::new())
        .configure(configure::<S>)
}

/// All routes. What is none of them is a page, or a 404.
pub fn configure<S: Store>(config: &mut web::ServiceConfig) {
    config
        .app_data(web::QueryConfig::default().error_handler(|_, _| unreadable_query().into()))
        .app_data(web::PathConfig::default().error_handler(|_, _| ApiError::NotFound.into()))
        .service(
            post("/api/users/register", web::post().to(entrants::register::<S>))
                .wrap(from_fn(limit_entering)),
        )
        .service(
            post(
                "/api/users/register-referred",
                web::post().to(entrants::register_referred::<S>),
            )
            .wrap(from_fn(limit_entering)),
        )
        .service(get("/api/users/{id}", web::get().to(entrants::find::<S>)).wrap(from_fn(limit_reads)))
        .service(get("/api/users/{id}/stats", web::get().to(entrants::stats::<S>)).wrap(from_fn(limit_reads)))
        .service(
            get(
                "/api/users/{id}/referrals",
                web::get().to(entrants::referrals::<S>),
            )
            .wrap(from_fn(limit_reads)),
        )
        .configure(collection::configure)
        .configure(drawings::configure::<S>)
        .configure(purchases::configure::<S>)
        .configure(provider_callbacks::configure::<S>)
        .configure(staff::configure::<S>)
        .service(get("/api/openapi.json", web::get().to(describe)))
        .service(get("/healthz", web::get().to(health::alive)))
        .service(get("/readyz", web::get().to(health::ready::<S>)))
        .default_service(web::to(pages::page_or_not_found));
}

fn unreadable_query() -> ApiError {
    ApiError::Malformed("The address's query cannot be read.")
}

fn get(path: &str, route: Route) -> Resource {
    only(path, route, "GET")
}

fn post(path: &str, route: Route) -> Resource {
    only(path, route, "POST")
}

/// It was done, and there is nothing else to say (D6).
#[derive(Serialize, ToSchema)]
pub(crate) struct SuccessView {
    #[schema(example = true)]
    success: bool,
}

impl SuccessView {
    pub(crate) const fn new() -> Self {
        Self { success: true }
    }
}

/// One method; any other is 405 with an `Allow` header.
fn only(path: &str, route: Route, allowed: &'static str) -> Resource {
    these(path, [route], allowed)
}

/// Several methods of one path.
fn these<const N: usize>(path: &str, routes: [Route; N], allowed: &'static str) -> Resource {
    let refuse = move || std::future::ready(Err::<HttpResponse, _>(ApiError::MethodNotAllowed(allowed)));
    let resource = routes.into_iter().fold(web::resource(path), Resource::route);
    resource.default_service(web::to(refuse))
}

async fn describe() -> Result<impl Responder, ApiError> {
    let json = openapi_json().map_err(|_| ApiError::Internal)?;
    Ok(HttpResponse::Ok().insert_header(ContentType::json()).body(json))
}
