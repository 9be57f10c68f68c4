//! `/v1`: the responses of Stripe's API.

use crate::kit::{ApiCall, broken_response, response};
use crate::stripe::errors::ApiError;
use crate::stripe::failures::{Failure, FailureKind};
use crate::stripe::objects;
use crate::stripe::server::{Answer, Server};
use actix_web::web::Data;
use actix_web::{HttpResponse, HttpResponseBuilder};

pub(crate) async fn call(call: ApiCall, server: Data<Server>) -> HttpResponse {
    let failure = server
        .failures
        .take(call.method(), &format!("/v1/{}", call.path()));
    match failure {
        None => answered(&call, server.answer(&call)),
        Some(failure) if failure.kind == FailureKind::Status => failed(&server, &call, &failure),
        Some(failure) => {
            server.answer(&call);
            unanswered(failure.kind).await
        }
    }
}

fn answered(call: &ApiCall, answer: Answer) -> HttpResponse {
    let mut response = head(answer.status);
    if let Some(key) = call.header("idempotency-key") {
        response.insert_header(("idempotency-key", key));
    }
    if answer.is_replay {
        response.insert_header(("idempotent-replayed", "true"));
    }
    response.json(answer.body)
}

fn failed(server: &Server, call: &ApiCall, failure: &Failure) -> HttpResponse {
    server.state().log_call(call, failure.status, false);
    let mut response = head(failure.status);
    for (name, value) in &failure.headers {
        response.insert_header((name.as_str(), value.as_str()));
    }
    response.json(ApiError::new(failure.status, "api_error", None, "This failure was requested").body())
}

/// The call was processed, and its caller does not learn that.
async fn unanswered(kind: FailureKind) -> HttpResponse {
    if kind == FailureKind::Hang {
        // The server drops this when the caller closes the connection.
        std::future::pending::<()>().await;
    }
    broken_response(head(200))
}

fn head(status: u16) -> HttpResponseBuilder {
    let mut response = response(status);
    response.insert_header(("request-id", objects::new_id("req")));
    response.insert_header(("stripe-version", objects::API_VERSION));
    response
}
