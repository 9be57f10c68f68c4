//! `/2010-04-01`: what Twilio's API answers.

use crate::failures::{Failure, FailureKind};
use crate::form::Form;
use crate::refusal::Refusal;
use crate::server::{Answer, Call, Server};
use actix_web::body::BodyStream;
use actix_web::http::StatusCode;
use actix_web::web::{Bytes, Data, Path};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use futures_util::stream;
use std::io;

pub(crate) async fn call(
    request: HttpRequest,
    path: Path<String>,
    body: Bytes,
    server: Data<Server>,
) -> HttpResponse {
    let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
    let method = request.method().as_str();
    let query = request.query_string().as_bytes();
    let call = Call {
        method,
        path: &path,
        form: Form::parse(if method == "GET" { query } else { &body }),
        authorization: header("authorization"),
        content_type: header("content-type"),
    };
    let failure = server
        .failures
        .take(method, call.form.get("To").unwrap_or_default());
    let response = match failure {
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
    builder(answer.status).json(answer.body)
}

async fn failed(server: &Server, call: &Call<'_>, failure: Failure) -> HttpResponse {
    if failure.kind.is_done() {
        server.answer(call);
    }
    server.state().count_call(call.name(), failure.kind.name());
    match failure.kind {
        FailureKind::TooMany => refused(20429, Some(failure.retry_after)),
        FailureKind::Unavailable => refused(20503, Some(failure.retry_after)),
        FailureKind::Error | FailureKind::ErrorAfter => refused(20500, None),
        FailureKind::Drop | FailureKind::DropBefore => broken(),
        // Until the caller gives up: then the server drops this.
        FailureKind::Hang => std::future::pending().await,
    }
}

fn refused(code: u32, retry_after: Option<u32>) -> HttpResponse {
    let Answer { status, body } = Refusal::new(code).into();
    let mut response = builder(status);
    if let Some(seconds) = retry_after {
        response.insert_header(("retry-after", seconds));
    }
    response.json(body)
}

/// The connection breaks, with nothing said of what was asked.
fn broken() -> HttpResponse {
    let broken = io::Error::from(io::ErrorKind::ConnectionReset);
    builder(201).body(BodyStream::new(stream::iter([Err::<Bytes, _>(broken)])))
}

fn builder(status: u16) -> HttpResponseBuilder {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    HttpResponse::build(status)
}
