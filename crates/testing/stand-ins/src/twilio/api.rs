//! `/2010-04-01`: the responses of Twilio's API.

use crate::kit::{ApiCall, broken_response, response};
use crate::twilio::errors::ApiError;
use crate::twilio::failures::{Failure, FailureKind};
use crate::twilio::server::{Call, Server};
use actix_web::HttpResponse;
use actix_web::web::Data;

pub(crate) async fn call(call: ApiCall, server: Data<Server>) -> HttpResponse {
    let call = Call::new(&call);
    let to = call.form.get("To").unwrap_or_default();
    let response = match server.failures.take(call.method(), to) {
        None => answered(&server, &call),
        Some(failure) => failed(&server, &call, failure).await,
    };
    let latency = server.latency();
    if !latency.is_zero() {
        tokio::time::sleep(latency).await;
    }
    response
}

fn answered(server: &Server, call: &Call<'_>) -> HttpResponse {
    let answer = server.answer(call);
    server.state().count_call(call.name(), &answer.status.to_string());
    response(answer.status).json(answer.body)
}

async fn failed(server: &Server, call: &Call<'_>, failure: Failure) -> HttpResponse {
    if failure.kind.is_processed() {
        server.answer(call);
    }
    server.state().count_call(call.name(), failure.kind.name());
    match failure.kind {
        FailureKind::TooMany => error(20429, Some(failure.retry_after)),
        FailureKind::Unavailable => error(20503, Some(failure.retry_after)),
        FailureKind::Error | FailureKind::ErrorAfter => error(20500, None),
        FailureKind::Drop | FailureKind::DropBefore => broken_response(response(201)),
        // The server drops this when the caller closes the connection.
        FailureKind::Hang => std::future::pending().await,
    }
}

fn error(code: u32, retry_after: Option<u32>) -> HttpResponse {
    let error = ApiError::new(code);
    let mut response = response(error.status);
    if let Some(seconds) = retry_after {
        response.insert_header(("retry-after", seconds));
    }
    response.json(error.body())
}
