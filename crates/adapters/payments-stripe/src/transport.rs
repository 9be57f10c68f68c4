//! Sends the requests of `async-stripe`: connections, timeouts, retries with the same idempotency key, and errors.

use crate::retries::{Timeouts, is_retryable, is_temporary};
use bytes::Bytes;
use kernel::Entropy;
use pricing::PaymentsError;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER};
use reqwest::{Client, RequestBuilder, Response, StatusCode};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;
use stripe_client_core::{CustomizedStripeRequest, StripeClient, StripeClientErr, StripeMethod, VERSION};
use tokio::time::Instant;
use url::Url;

/// The base URL of Stripe's API.
pub const API_BASE: &str = "https://api.stripe.com";

/// The longest `Retry-After` that is respected, as in Stripe's own clients.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(60);

/// How to call Stripe's API.
#[derive(Debug)]
pub struct StripeConfig {
    /// The secret API key.
    pub secret_key: SecretString,
    /// Scheme, host and port, without a version: [`API_BASE`], or the address of a stand-in.
    pub api_base: Url,
    /// The timeouts and retries of calls.
    pub patience: Timeouts,
}

pub(crate) struct Transport {
    client: Client,
    base: Url,
    patience: Timeouts,
    entropy: Arc<dyn Entropy>,
}

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TransportError {
    #[error("no connection")]
    Unreachable(#[source] reqwest::Error),
    #[error("no response")]
    Connection(#[source] reqwest::Error),
    #[error("{0}")]
    Response(Box<ErrorResponse>),
    #[error("the response cannot be read: {0}")]
    Unreadable(String),
}

/// An error response, with the fields that help to find the cause.
#[derive(Debug, thiserror::Error)]
#[error("status {status}, {kind} {code} {message} (request {request})")]
pub(crate) struct ErrorResponse {
    pub(crate) status: u16,
    kind: String,
    pub(crate) code: String,
    message: String,
    request: String,
    should_retry: Option<bool>,
    retry_after: Option<Duration>,
    /// Whether an earlier attempt of the same call may have had an effect.
    follows_uncertain: bool,
}

#[derive(Default, Deserialize)]
struct ErrorBody {
    #[serde(default)]
    error: ErrorFields,
}

#[derive(Default, Deserialize)]
struct ErrorFields {
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    code: String,
    #[serde(default)]
    message: String,
}

impl StripeClientErr for TransportError {
    fn deserialize_err(message: impl Display) -> Self {
        Self::Unreadable(message.to_string())
    }
}

impl From<TransportError> for PaymentsError {
    fn from(error: TransportError) -> Self {
        match &error {
            TransportError::Unreachable(_) => Self::Unreachable(Box::new(error)),
            TransportError::Response(response)
                if !is_temporary(response.status) && !response.follows_uncertain =>
            {
                Self::Refused(Box::new(error))
            }
            _ => Self::Unavailable(Box::new(error)),
        }
    }
}

impl StripeClient for Transport {
    type Err = TransportError;

    async fn execute(&self, request: CustomizedStripeRequest) -> Result<Bytes, TransportError> {
        let (request, overrides) = request.into_pieces();
        let key = overrides
            .request_strategy
            .and_then(|strategy| strategy.get_key())
            .map(|key| key.into_inner());
        let is_repeatable = key.is_some() || matches!(request.method, StripeMethod::Get);
        let call = self.call(request, key)?;
        let deadline = Instant::now() + self.patience.total_timeout;
        let mut retries = 0;
        let mut is_uncertain = false;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let error = match attempt(&call, left.min(self.patience.attempt_timeout)).await {
                Ok(body) => return Ok(body),
                Err(error) => error.after(is_uncertain),
            };
            is_uncertain |= error.may_have_had_effect();
            let pause = self.patience.pause(retries, self.jitter(), error.retry_after());
            let in_time = deadline.saturating_duration_since(Instant::now()) > pause;
            if !(is_repeatable && in_time && retries < self.patience.retries && error.is_retryable()) {
                return Err(error);
            }
            tracing::warn!(retries, error = %error, "retrying a call of the payment provider");
            tokio::time::sleep(pause).await;
            retries += 1;
        }
    }
}

impl Transport {
    pub(crate) fn new(config: StripeConfig, entropy: Arc<dyn Entropy>) -> Result<Self, PaymentsError> {
        Ok(Self {
            client: client(&config.secret_key)?,
            base: config.api_base,
            patience: config.patience,
            entropy,
        })
    }

    fn call(
        &self,
        request: stripe_client_core::RequestBuilder,
        key: Option<String>,
    ) -> Result<RequestBuilder, TransportError> {
        let mut url = self
            .base
            .join(&format!("/v1{}", request.path))
            .map_err(|error| TransportError::Unreadable(error.to_string()))?;
        url.set_query(request.query.as_deref());
        let mut call = match request.method {
            StripeMethod::Get => self.client.get(url),
            StripeMethod::Post => self.client.post(url),
            StripeMethod::Delete => self.client.delete(url),
        };
        if let Some(key) = key {
            call = call.header("idempotency-key", key);
        }
        if let Some(body) = request.body {
            call = call
                .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
                .body(body);
        }
        Ok(call)
    }

    /// A random number from 0 to 1.
    fn jitter(&self) -> f64 {
        f64::from(u32::from_le_bytes(self.entropy.bytes())) / f64::from(u32::MAX)
    }
}

impl TransportError {
    /// This error, when an earlier attempt of the same call may have had an effect.
    fn after(self, is_uncertain: bool) -> Self {
        match self {
            Self::Unreachable(error) if is_uncertain => Self::Connection(error),
            Self::Response(response) => Self::Response(Box::new(ErrorResponse {
                follows_uncertain: is_uncertain,
                ..*response
            })),
            error => error,
        }
    }

    fn may_have_had_effect(&self) -> bool {
        match self {
            Self::Unreachable(_) => false,
            Self::Connection(_) | Self::Unreadable(_) => true,
            Self::Response(response) => is_temporary(response.status) || response.follows_uncertain,
        }
    }

    fn is_retryable(&self) -> bool {
        match self {
            Self::Unreachable(_) | Self::Connection(_) => true,
            Self::Response(response) => is_retryable(response.status, response.should_retry),
            Self::Unreadable(_) => false,
        }
    }

    fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Response(response) => response.retry_after,
            _ => None,
        }
    }
}

fn client(secret_key: &SecretString) -> Result<Client, PaymentsError> {
    let refused = |error: reqwest::header::InvalidHeaderValue| PaymentsError::Refused(Box::new(error));
    let mut authorization =
        HeaderValue::try_from(format!("Bearer {}", secret_key.expose_secret())).map_err(refused)?;
    authorization.set_sensitive(true);
    let version = HeaderValue::try_from(VERSION.as_str()).map_err(refused)?;
    let headers = HeaderMap::from_iter([
        (AUTHORIZATION, authorization),
        (
            reqwest::header::HeaderName::from_static("stripe-version"),
            version,
        ),
    ]);
    Client::builder()
        .default_headers(headers)
        .user_agent(concat!("Tombola/", env!("CARGO_PKG_VERSION")))
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .map_err(|error| PaymentsError::Unavailable(Box::new(error)))
}

async fn attempt(call: &RequestBuilder, timeout: Duration) -> Result<Bytes, TransportError> {
    let no_response = |error: reqwest::Error| TransportError::Connection(error.without_url());
    let not_sent = |error: reqwest::Error| match error.is_connect() {
        true => TransportError::Unreachable(error.without_url()),
        false => no_response(error),
    };
    let call = call.try_clone().ok_or_else(|| {
        TransportError::Unreadable("the body of the request cannot be sent again".to_owned())
    })?;
    let response = call.timeout(timeout).send().await.map_err(not_sent)?;
    let is_success = response.status() == StatusCode::OK;
    let head = error_head(&response);
    let body = response.bytes().await.map_err(no_response)?;
    if is_success {
        return Ok(body);
    }
    // The error page of a proxy is not JSON: then only the status is known.
    let ErrorBody { error } = serde_json::from_slice(&body).unwrap_or_default();
    // The message about a wrong key contains parts of the key.
    let is_shown = head.status != StatusCode::UNAUTHORIZED.as_u16();
    Err(TransportError::Response(Box::new(ErrorResponse {
        kind: error.kind,
        code: error.code,
        message: if is_shown { error.message } else { String::new() },
        ..head
    })))
}

fn error_head(response: &Response) -> ErrorResponse {
    let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok());
    let retry_after = header(RETRY_AFTER.as_str())
        .and_then(|value| value.trim().parse().ok())
        .map(Duration::from_secs)
        .filter(|pause| *pause <= MAX_RETRY_AFTER);
    ErrorResponse {
        status: response.status().as_u16(),
        kind: String::new(),
        code: String::new(),
        message: String::new(),
        request: header("request-id").unwrap_or("unknown").to_owned(),
        should_retry: header("stripe-should-retry").and_then(|value| value.parse().ok()),
        retry_after,
        follows_uncertain: false,
    }
}
