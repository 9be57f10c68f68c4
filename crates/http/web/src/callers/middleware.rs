//! Middleware around every request: tracing span, response headers, access log and metrics.

use crate::http::headers::Sources;
use crate::{ApiError, AppState};
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::http::{ConnectionType, Method, StatusCode};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, ResponseError, web};
use std::time::Instant;
use tracing::Span;
use tracing_actix_web::{RequestId, RootSpanBuilder};

/// The largest total size of header names and values, in bytes. actix-web itself stops at 96 headers and 128 KiB.
const HEADER_LIMIT: usize = 16 * 1024;

/// A span with the request's id, method and route. Never the path: it may contain a phone number.
pub(crate) struct RequestSpan;

impl RootSpanBuilder for RequestSpan {
    fn on_request_start(request: &ServiceRequest) -> Span {
        let request_id = request
            .extensions()
            .get::<RequestId>()
            .map(ToString::to_string)
            .unwrap_or_default();
        tracing::info_span!("request", %request_id, method = method_label(request.method()), route = route(request.match_pattern()))
    }

    fn on_request_end<B: MessageBody>(_: Span, _: &Result<ServiceResponse<B>, Error>) {}
}

/// The route's pattern, from the table of routes, or `page` for every other path.
fn route(pattern: Option<String>) -> String {
    pattern.unwrap_or_else(|| "page".to_owned())
}

/// The methods that metrics and spans name. A client can invent any number of other ones.
const METHODS: [&str; 9] = [
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT",
];

fn method_label(method: &Method) -> &'static str {
    METHODS
        .into_iter()
        .find(|known| *known == method.as_str())
        .unwrap_or("other")
}

/// Adds the headers of all responses, and records the response in the log and in the metrics.
pub(crate) async fn instrument(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let started = Instant::now();
    let state = request.app_data::<web::Data<AppState>>().cloned();
    let request_id = request
        .extensions()
        .get::<RequestId>()
        .map(ToString::to_string)
        .unwrap_or_default();
    let is_stopping = state.as_ref().is_some_and(|state| state.stopping.has_begun());

    let mut response = if header_bytes(&request) > HEADER_LIMIT {
        request
            .into_response(headers_too_large().error_response())
            .map_into_right_body()
    } else {
        next.call(request).await?.map_into_left_body()
    };

    if is_stopping {
        let head = response.response_mut().head_mut();
        head.set_connection_type(ConnectionType::Close);
    }
    let sources = response.response().extensions().get::<Sources>().copied();
    let headers = response.headers_mut();
    if let Some(state) = state {
        state.headers.apply(sources.unwrap_or_default(), headers);
    }
    if let Ok(id) = HeaderValue::from_str(&request_id) {
        headers.insert(HeaderName::from_static("x-request-id"), id);
    }
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    record(&response, started);
    Ok(response)
}

const fn headers_too_large() -> ApiError {
    ApiError::new(
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
        "headers_too_large",
        "The request's headers are too large.",
    )
}

fn header_bytes(request: &ServiceRequest) -> usize {
    request
        .headers()
        .iter()
        .map(|(name, value)| name.as_str().len() + value.len())
        .sum()
}

fn record(response: &ServiceResponse<impl MessageBody>, started: Instant) {
    let status = response.status().as_u16();
    let elapsed = started.elapsed();
    let method = method_label(response.request().method());
    let route = route(response.request().match_pattern());
    tracing::info!(status, microseconds = elapsed.as_micros() as u64, "answered");
    metrics::histogram!("http_request_duration_seconds", "method" => method, "route" => route.clone())
        .record(elapsed.as_secs_f64());
    metrics::counter!("http_requests_total", "method" => method, "route" => route, "status" => status.to_string())
        .increment(1);
}
