//! `/v1`: what Stripe's API answers.

use crate::account::Refusal;
use crate::failures::{Failure, FailureKind};
use crate::objects;
use crate::server::{Answer, Call, Server};
use actix_web::body::BodyStream;
use actix_web::http::StatusCode;
use actix_web::web::{Bytes, Data, Path};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use futures_util::stream;
use serde_json::json;
use std::io;

pub(crate) async fn call(
    request: HttpRequest,
    path: Path<String>,
    body: Bytes,
    server: Data<Server>,
) -> HttpResponse {
    let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
    let call = Call {
        method: request.method().as_str(),
        path: &path,
        query: request.query_string(),
        body: &body,
        authorization: header("authorization"),
        version: header("stripe-version"),
        content_type: header("content-type"),
        idempotency_key: header("idempotency-key"),
    };
    let failure = server.failures.take(call.method, &format!("/v1/{path}"));
    match failure {
        None => response(&call, server.answer(&call)),
        Some(failure) if failure.kind == FailureKind::Status => refused(&server, &call, &failure),
        Some(failure) => {
            server.answer(&call);
            unanswered(failure.kind).await
        }
    }
}

fn response(call: &Call<'_>, answer: Answer) -> HttpResponse {
    let mut response = builder(answer.status);
    if let Some(key) = call.idempotency_key {
        response.insert_header(("idempotency-key", key));
    }
    if answer.replayed {
        response.insert_header(("idempotent-replayed", "true"));
    }
    response.json(answer.body)
}

fn refused(server: &Server, call: &Call<'_>, failure: &Failure) -> HttpResponse {
    server.state().calls.push(json!({
        "method": call.method, "path": format!("/v1/{}", call.path), "idempotencyKey": call.idempotency_key,
        "status": failure.status, "replayed": false,
    }));
    let mut response = builder(failure.status);
    for (name, value) in &failure.headers {
        response.insert_header((name.as_str(), value.as_str()));
    }
    let refusal = Refusal::new(failure.status, "api_error", None, "A failure on demand");
    response.json(json!({ "error": refusal.error }))
}

/// What was asked is done, and the caller does not learn it.
async fn unanswered(kind: FailureKind) -> HttpResponse {
    if kind == FailureKind::Hang {
        // Until the caller gives up: then the server drops this.
        std::future::pending::<()>().await;
    }
    let broken = io::Error::from(io::ErrorKind::ConnectionReset);
    builder(200).body(BodyStream::new(stream::iter([Err::<Bytes, _>(broken)])))
}

fn builder(status: u16) -> HttpResponseBuilder {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = HttpResponse::build(status);
    response.insert_header(("request-id", objects::new_id("req")));
    response.insert_header(("stripe-version", objects::API_VERSION));
    response
}
