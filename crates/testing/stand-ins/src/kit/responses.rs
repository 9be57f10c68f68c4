use actix_web::body::BodyStream;
use actix_web::http::StatusCode;
use actix_web::web::Bytes;
use actix_web::{HttpResponse, HttpResponseBuilder};
use futures_util::stream;
use std::io;

/// A response with this status; 500 if there is no such status.
pub fn response(status: u16) -> HttpResponseBuilder {
    HttpResponse::build(StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR))
}

/// A response whose connection breaks before the body arrives.
pub fn broken_response(mut head: HttpResponseBuilder) -> HttpResponse {
    let reset = io::Error::from(io::ErrorKind::ConnectionReset);
    head.body(BodyStream::new(stream::iter([Err::<Bytes, _>(reset)])))
}
