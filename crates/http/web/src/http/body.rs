//! JSON bodies: bounded in size and time, with errors that name the field.

use crate::ApiError;
use crate::http::description::{Describe, Description};
use crate::http::field_names::names_of;
use crate::http::fields::{INVALID, field_errors};
use actix_web::dev::Payload;
use actix_web::http::StatusCode;
use actix_web::web::{self, Bytes};
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use futures_util::future::LocalBoxFuture;
use futures_util::{Stream, StreamExt};
use raffle::pictures::MOST_UPLOAD_BYTES;
use serde::de::DeserializeOwned;
use serde_json::error::Category;
use std::time::Duration;
use tokio::time::timeout;
use utoipa::ToSchema;
use validator::Validate;

/// The largest body, in bytes, unless its type says otherwise.
pub const BODY_LIMIT: usize = 16 * 1024;
/// How long a body may take to arrive, unless its type says otherwise.
const BODY_TIMEOUT: Duration = Duration::from_secs(5);
/// How much of a body that is too large is still read, so that the client can read the response.
const DRAIN_LIMIT: usize = 64 * BODY_LIMIT;

/// A body whose fields have the right types. [`Body::valid`] checks the rest: a handler does so after the checks that
/// come first, such as for a session or for a configured payment provider.
pub(crate) struct Body<T>(T);

impl<T: JsonBody> Body<T> {
    /// The body, if its fields follow the rules that its type declares.
    pub(crate) fn valid(self) -> Result<T, ApiError>
    where
        T: Validate,
    {
        validated(self.0)
    }

    /// The body as it was sent, for rules that need more than the body.
    pub(crate) fn unchecked(self) -> T {
        self.0
    }
}

/// The body, if its fields follow the rules that its type declares.
pub(crate) fn validated<T: JsonBody + Validate>(body: T) -> Result<T, ApiError> {
    match body.validate() {
        Ok(()) => Ok(body),
        Err(errors) => Err(field_errors(&errors, names_of::<T>()).into()),
    }
}

/// A type of body.
pub(crate) trait JsonBody: DeserializeOwned + 'static {
    /// The content types that it may be sent as.
    const CONTENT_TYPES: &'static [&'static str] = &["application/json"];
    /// The largest size, in bytes.
    const LIMIT: usize = BODY_LIMIT;
    /// How long it may take to arrive.
    const TIMEOUT: Duration = BODY_TIMEOUT;
}

impl<T: JsonBody + ToSchema> Describe for Body<T> {
    fn describe(call: &mut Description) {
        call.body::<T>(T::CONTENT_TYPES);
    }
}

impl<T: JsonBody> FromRequest for Body<T> {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let content_type = request.content_type().trim().to_ascii_lowercase();
        let mut payload = payload.take();
        Box::pin(async move {
            if !T::CONTENT_TYPES.contains(&content_type.as_str()) {
                return Err(wrong_content_type());
            }
            let bytes = timeout(T::TIMEOUT, read(&mut payload, T::LIMIT))
                .await
                .map_err(|_| too_slow())??;
            parse(&bytes).map(Self)
        })
    }
}

/// A CSV file, sent as `text/csv`.
pub(crate) struct CsvBody(pub(crate) Vec<u8>);

impl CsvBody {
    /// The largest file, in bytes: 10 MiB.
    pub(crate) const LIMIT: usize = 10 * 1024 * 1024;
    const TIMEOUT: Duration = Duration::from_secs(60);
}

impl Describe for CsvBody {}

impl FromRequest for CsvBody {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let content_type = request.content_type().trim().to_ascii_lowercase();
        let mut payload = payload.take();
        Box::pin(async move {
            if content_type != "text/csv" {
                return Err(no_csv());
            }
            let bytes = timeout(Self::TIMEOUT, read(&mut payload, Self::LIMIT))
                .await
                .map_err(|_| too_slow())??;
            Ok(Self(bytes))
        })
    }
}

const fn no_csv() -> ApiError {
    ApiError::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "wrong_content_type",
        "The request must be sent as CSV.",
    )
}

/// A file, sent as what its bytes say that it is.
pub(crate) struct FileBody(pub(crate) Vec<u8>);

impl FileBody {
    /// The largest file, in bytes.
    const LIMIT: usize = MOST_UPLOAD_BYTES;
    const TIMEOUT: Duration = Duration::from_secs(60);
}

impl Describe for FileBody {}

impl FromRequest for FileBody {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(_: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let mut payload = payload.take();
        Box::pin(async move {
            let bytes = timeout(Self::TIMEOUT, read(&mut payload, Self::LIMIT))
                .await
                .map_err(|_| too_slow())??;
            Ok(Self(bytes))
        })
    }
}

/// A header's text; empty when it is missing or not readable.
pub(crate) fn header_text<'a>(request: &'a HttpRequest, name: &str) -> &'a str {
    let value = request.headers().get(name);
    value.and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// The bytes of a body as they were received.
pub(crate) async fn read_raw(mut payload: web::Payload, limit: usize) -> Result<Vec<u8>, ApiError> {
    timeout(BODY_TIMEOUT, read(&mut payload, limit))
        .await
        .map_err(|_| too_slow())?
}

async fn read<E>(
    payload: &mut (impl Stream<Item = Result<Bytes, E>> + Unpin),
    limit: usize,
) -> Result<Vec<u8>, ApiError> {
    let mut bytes = Vec::new();
    let mut length = 0usize;
    while let Some(chunk) = payload.next().await {
        let chunk = chunk.map_err(|_| ApiError::malformed("The request ended too early."))?;
        length = length.saturating_add(chunk.len());
        if length > DRAIN_LIMIT.max(limit) {
            break;
        }
        if length <= limit {
            bytes.extend_from_slice(&chunk);
        }
    }
    if length > limit {
        Err(too_large())
    } else {
        Ok(bytes)
    }
}

fn parse<T: JsonBody>(bytes: &[u8]) -> Result<T, ApiError> {
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let path = error.path().to_string();
        // A wrong element, `numbers[3]` or `details.name`, is reported under the field's name.
        let name = path.split(['[', '.']).next().unwrap_or_default();
        let field = names_of::<T>().iter().find(|field| **field == name);
        match (error.inner().classify(), field) {
            (Category::Data, Some(field)) => ApiError::field(field, INVALID),
            _ => not_an_object(),
        }
    })?;
    json.end().map_err(|_| not_an_object())?;
    Ok(value)
}

const fn not_an_object() -> ApiError {
    ApiError::malformed("The request must be a JSON object.")
}

const fn wrong_content_type() -> ApiError {
    ApiError::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "wrong_content_type",
        "The request must be sent as JSON.",
    )
}

const fn too_slow() -> ApiError {
    ApiError::new(
        StatusCode::REQUEST_TIMEOUT,
        "body_timeout",
        "Your request took too long to arrive. Please try again.",
    )
}

const fn too_large() -> ApiError {
    ApiError::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        "too_large",
        "The request is too large.",
    )
}
