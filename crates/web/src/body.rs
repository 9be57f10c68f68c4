//! Reading JSON bodies: bounded in size and time, with an error that names the field.

use crate::{ApiError, Fields};
use actix_web::dev::Payload;
use actix_web::web::{self, Bytes};
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use futures_util::future::LocalBoxFuture;
use futures_util::{Stream, StreamExt};
use serde::de::DeserializeOwned;
use serde_json::error::Category;
use std::time::Duration;
use tokio::time::timeout;

/// The largest body, in bytes, unless its type says otherwise.
pub const BODY_LIMIT: usize = 16 * 1024;
/// How long a body may take to arrive, unless its type says otherwise.
const BODY_TIMEOUT: Duration = Duration::from_secs(5);
/// How much of a body that is too large is still read, so that the client gets to read the answer.
const DRAIN_LIMIT: usize = 64 * BODY_LIMIT;

/// A body whose fields have the right types. Their meaning is checked where it becomes a command.
pub(crate) struct Body<T>(pub(crate) T);

/// A body type, and its fields by the names they have in JSON.
pub(crate) trait JsonBody: DeserializeOwned + 'static {
    const FIELDS: &'static [&'static str];
    /// What it may be sent as.
    const CONTENT_TYPES: &'static [&'static str] = &["application/json"];
    /// How large it may be, in bytes.
    const LIMIT: usize = BODY_LIMIT;
    /// How long it may take to arrive.
    const TIMEOUT: Duration = BODY_TIMEOUT;
}

impl<T: JsonBody> FromRequest for Body<T> {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let content_type = request.content_type().trim().to_ascii_lowercase();
        let mut payload = payload.take();
        Box::pin(async move {
            if !T::CONTENT_TYPES.contains(&content_type.as_str()) {
                return Err(ApiError::WrongContentType);
            }
            let bytes = timeout(T::TIMEOUT, read(&mut payload, T::LIMIT))
                .await
                .map_err(|_| ApiError::BodyTimeout)??;
            parse(&bytes).map(Self)
        })
    }
}

/// A body as it came, byte for byte.
pub(crate) async fn read_raw(mut payload: web::Payload, limit: usize) -> Result<Vec<u8>, ApiError> {
    timeout(BODY_TIMEOUT, read(&mut payload, limit))
        .await
        .map_err(|_| ApiError::BodyTimeout)?
}

async fn read<E>(
    payload: &mut (impl Stream<Item = Result<Bytes, E>> + Unpin),
    limit: usize,
) -> Result<Vec<u8>, ApiError> {
    let mut bytes = Vec::new();
    let mut length = 0usize;
    while let Some(chunk) = payload.next().await {
        let chunk = chunk.map_err(|_| ApiError::Malformed("The request ended too early."))?;
        length = length.saturating_add(chunk.len());
        if length > DRAIN_LIMIT.max(limit) {
            break;
        }
        if length <= limit {
            bytes.extend_from_slice(&chunk);
        }
    }
    if length > limit {
        Err(ApiError::TooLarge)
    } else {
        Ok(bytes)
    }
}

fn parse<T: JsonBody>(bytes: &[u8]) -> Result<T, ApiError> {
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let path = error.path().to_string();
        // A wrong value in a list is the list's fault: `numbers[3]`.
        let name = path.split('[').next().unwrap_or_default();
        let field = T::FIELDS.iter().find(|field| **field == name);
        match (error.inner().classify(), field) {
            (Category::Data, Some(field)) => {
                ApiError::field(field, "This is not the kind of value that belongs here.")
            }
            _ => not_an_object(),
        }
    })?;
    json.end().map_err(|_| not_an_object())?;
    Ok(value)
}

fn not_an_object() -> ApiError {
    ApiError::Malformed("The request must be a JSON object.")
}

/// Collects what is wrong with a body's fields while its values are read.
#[derive(Default)]
pub(crate) struct FieldErrors(Fields);

impl FieldErrors {
    /// The value, or nothing and a note of what is wrong with it.
    pub(crate) fn field<T>(&mut self, name: &'static str, value: Result<T, Vec<String>>) -> Option<T> {
        value.map_err(|messages| self.0.insert(name, messages)).ok()
    }

    /// What was wrong, if anything was.
    pub(crate) fn finish(self) -> Result<(), ApiError> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(ApiError::Validation(self.0))
        }
    }
}
