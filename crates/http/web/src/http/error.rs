//! The error response of every route, and its general cases.
//!
//! A flow's own errors become an [`ApiError`] beside its route, in a `From` without a wildcard: docs/adr/0012.

use actix_web::http::{StatusCode, header};
use actix_web::{HttpResponse, ResponseError};
use kernel::StoreError;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::time::Duration;
use utoipa::ToSchema;

/// What is wrong with each field, by its name in JSON or in the query.
pub type Fields = BTreeMap<Cow<'static, str>, Vec<String>>;

/// An error response. It never contains the cause, which is logged where it is found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiError {
    status: StatusCode,
    code: &'static str,
    sentence: Cow<'static, str>,
    fields: Fields,
    retry_after: Option<Duration>,
    allow: Option<Box<str>>,
}

/// The body of an error.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ErrorView {
    /// A sentence for a person.
    #[schema(example = "Referral code not found")]
    #[schema(value_type = String)]
    error: Cow<'static, str>,
    /// The same for a program.
    #[schema(example = "referral_code_not_found")]
    code: &'static str,
    /// What is wrong with each field, for `validation` only.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(required = false, value_type = Option<BTreeMap<String, Vec<String>>>)]
    fields: Fields,
}

/// The `Retry-After` of a 503.
const RETRY_UNAVAILABLE: Duration = Duration::from_secs(5);

impl ApiError {
    /// An error with a status, a code for programs and a sentence for people.
    pub(crate) const fn new(status: StatusCode, code: &'static str, sentence: &'static str) -> Self {
        Self {
            status,
            code,
            sentence: Cow::Borrowed(sentence),
            fields: Fields::new(),
            retry_after: None,
            allow: None,
        }
    }

    /// 400: some fields are wrong, and nothing was stored.
    pub(crate) fn validation(fields: Fields) -> Self {
        let error = Self::new(
            StatusCode::BAD_REQUEST,
            "validation",
            "Please check the marked fields.",
        );
        Self { fields, ..error }
    }

    /// 400: one field is wrong.
    pub(crate) fn field(name: &'static str, message: impl Into<String>) -> Self {
        Self::validation(Fields::from([(name.into(), vec![message.into()])]))
    }

    /// 400: the request cannot be read.
    pub(crate) const fn conflict(code: &'static str, sentence: &'static str) -> Self {
        Self::new(StatusCode::CONFLICT, code, sentence)
    }

    pub(crate) const fn malformed(sentence: &'static str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "malformed", sentence)
    }

    /// 401: there is no session, or it has ended.
    pub(crate) const fn unauthorized() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "unauthorized", "Please log in again.")
    }

    /// 404: nothing has this path or id.
    pub(crate) const fn not_found() -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "not_found",
            "There is nothing at this address.",
        )
    }

    /// 405: the path exists, with the methods that `allow` lists.
    pub(crate) fn method_not_allowed(allow: &str) -> Self {
        let error = Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method_not_allowed",
            "This address does not support this method.",
        );
        Self {
            allow: Some(allow.into()),
            ..error
        }
    }

    /// 409: the `Idempotency-Key` came with another body before.
    pub(crate) const fn idempotency_mismatch() -> Self {
        Self::new(
            StatusCode::CONFLICT,
            "idempotency_mismatch",
            "This key was used for another request. Please reload the page and try again.",
        )
    }

    /// 429: too many requests from one address; the next one passes after `wait`.
    pub(crate) fn rate_limited(wait: Duration) -> Self {
        let error = Self::new(
            StatusCode::TOO_MANY_REQUESTS,
            "rate_limited",
            "Too many tries. Please wait a moment and try again.",
        );
        Self {
            retry_after: Some(wait),
            ..error
        }
    }

    /// The same error with another sentence, for one that names a date or a number.
    pub(crate) fn saying(self, sentence: String) -> Self {
        Self {
            sentence: Cow::Owned(sentence),
            ..self
        }
    }

    /// The same error, with the time after which the request may succeed.
    pub(crate) fn retry_after(self, wait: Duration) -> Self {
        Self {
            retry_after: Some(wait),
            ..self
        }
    }

    /// 503: too many requests of this kind are waiting, and nothing was done. The sentence says what many people do.
    pub(crate) fn busy(sentence: &'static str) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", sentence).retry_after(RETRY_UNAVAILABLE)
    }

    /// 503: the database is not available.
    pub(crate) fn unavailable() -> Self {
        let error = Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "unavailable",
            "We cannot reach our records right now. Please try again in a moment.",
        );
        Self {
            retry_after: Some(RETRY_UNAVAILABLE),
            ..error
        }
    }

    /// 503: the server is about to stop.
    pub(crate) fn stopping() -> Self {
        let error = Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "stopping",
            "This server is stopping. Please use another one.",
        );
        Self {
            retry_after: Some(RETRY_UNAVAILABLE),
            ..error
        }
    }

    /// 500: a fault of the server.
    pub(crate) const fn internal() -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "Something went wrong on our side. Please try again.",
        )
    }

    /// The sentence for people.
    pub(crate) fn sentence(&self) -> &str {
        &self.sentence
    }

    /// The code for programs.
    pub(crate) const fn code(&self) -> &'static str {
        self.code
    }

    /// The status of the response.
    pub(crate) const fn status(&self) -> StatusCode {
        self.status
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code)
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        self.status
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.status);
        if let Some(wait) = self.retry_after {
            // Rounded up to whole seconds, so that a client that waits this long is let through.
            let seconds = wait.as_millis().div_ceil(1000).max(1);
            response.insert_header((header::RETRY_AFTER, seconds.to_string()));
        }
        if let Some(allow) = &self.allow {
            response.insert_header((header::ALLOW, &**allow));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            response.insert_header((header::WWW_AUTHENTICATE, "Bearer"));
        }
        response.json(ErrorView {
            error: self.sentence.clone(),
            code: self.code,
            fields: self.fields.clone(),
        })
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        Self::from(&error)
    }
}

impl From<&StoreError> for ApiError {
    fn from(error: &StoreError) -> Self {
        let causes = Causes(error);
        match error {
            StoreError::Unavailable(_) | StoreError::Conflict => {
                tracing::warn!(error = %causes, "the store is not available");
                Self::unavailable()
            }
            StoreError::Duplicate(_)
            | StoreError::TooLate
            | StoreError::Corrupt { .. }
            | StoreError::Failed(_) => {
                tracing::error!(error = %causes, "the store failed");
                Self::internal()
            }
        }
    }
}

/// An error with its chain of sources. Messages only: PostgreSQL's details would hold the row's values.
struct Causes<'a>(&'a dyn Error);

impl fmt::Display for Causes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        let mut cause = self.0.source();
        while let Some(error) = cause {
            write!(f, ": {error}")?;
            cause = error.source();
        }
        Ok(())
    }
}
