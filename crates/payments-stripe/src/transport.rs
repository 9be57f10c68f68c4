//! Carries `async-stripe`'s requests: connections, time-outs, retries with one idempotency key, errors.

use crate::retries::{Timeouts, is_temporary, is_worth_another_try};
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

/// Where Stripe's API is.
pub const API_BASE: &str = "https://api.stripe.com";

/// As long as the provider may make us wait; its own clients heed no more either.
const LONGEST_RETRY_AFTER: Duration = Duration::from_secs(60);

/// How to reach the provider.
#[derive(Debug)]
pub struct StripeConfig {
    /// What we are known by.
    pub secret_key: SecretString,
    /// Scheme, host and port, without a version; [`API_BASE`] unless it is a stand-in.
    pub api_base: Url,
    /// How long calls may take.
    pub patience: Timeouts,
}

pub(crate) struct Transport {
    client: Client,
    base: Url,
    patience: Timeouts,
    entropy: Arc<dyn Entropy>,
}

/// Why there is no answer, or not the one that was asked for.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TransportError {
    #[error("no answer")]
    Connection(#[source] reqwest::Error),
    #[error("{0}")]
    Answer(Box<ErrorAnswer>),
    #[error("the answer cannot be read: {0}")]
    Unreadable(String),
}

/// An error as the provider words it, as far as it helps whoever reads the log.
#[derive(Debug, thiserror::Error)]
#[error("status {status}, {kind} {code} {message} (request {request})")]
pub(crate) struct ErrorAnswer {
    pub(crate) status: u16,
    kind: String,
    pub(crate) code: String,
    message: String,
    request: String,
    should_retry: Option<bool>,
    retry_after: Option<Duration>,
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
            TransportError::Answer(answer) if !is_temporary(answer.status) => Self::Refused(Box::new(error)),
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
        let until = Instant::now() + self.patience.altogether;
        let mut retries = 0;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let error = match try_once(&call, left.min(self.patience.one_try)).await {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            let pause = self
                .patience
                .pause(retries, self.chance(), error.asks_for_pause());
            let in_time = until.saturating_duration_since(Instant::now()) > pause;
            if !(is_repeatable && in_time && retries < self.patience.retries && error.is_worth_another_try())
            {
                return Err(error);
            }
            tracing::warn!(retries, error = %error, "the payment provider is asked again");
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

    /// A number from 0 to 1.
    fn chance(&self) -> f64 {
        let mut bytes = [0; 4];
        self.entropy.fill(&mut bytes);
        f64::from(u32::from_le_bytes(bytes)) / f64::from(u32::MAX)
    }
}

impl TransportError {
    fn is_worth_another_try(&self) -> bool {
        match self {
            Self::Connection(_) => true,
            Self::Answer(answer) => is_worth_another_try(answer.status, answer.should_retry),
            Self::Unreadable(_) => false,
        }
    }

    fn asks_for_pause(&self) -> Option<Duration> {
        match self {
            Self::Answer(answer) => answer.retry_after,
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

async fn try_once(call: &RequestBuilder, time: Duration) -> Result<Bytes, TransportError> {
    let unanswered = |error: reqwest::Error| TransportError::Connection(error.without_url());
    let call = call
        .try_clone()
        .ok_or_else(|| TransportError::Unreadable("a body that is no text".to_owned()))?;
    let answer = call.timeout(time).send().await.map_err(unanswered)?;
    let success = answer.status() == StatusCode::OK;
    let head = error_head(&answer);
    let body = answer.bytes().await.map_err(unanswered)?;
    if success {
        return Ok(body);
    }
    // A proxy's error page is no JSON: then there is the status alone.
    let ErrorBody { error } = serde_json::from_slice(&body).unwrap_or_default();
    // What is said of a wrong key shows parts of it.
    let shown = head.status != StatusCode::UNAUTHORIZED.as_u16();
    Err(TransportError::Answer(Box::new(ErrorAnswer {
        kind: error.kind,
        code: error.code,
        message: if shown { error.message } else { String::new() },
        ..head
    })))
}

fn error_head(answer: &Response) -> ErrorAnswer {
    let header = |name: &str| answer.headers().get(name).and_then(|value| value.to_str().ok());
    let retry_after = header(RETRY_AFTER.as_str())
        .and_then(|value| value.trim().parse().ok())
        .map(Duration::from_secs)
        .filter(|pause| *pause <= LONGEST_RETRY_AFTER);
    ErrorAnswer {
        status: answer.status().as_u16(),
        kind: String::new(),
        code: String::new(),
        message: String::new(),
        request: header("request-id").unwrap_or("without a name").to_owned(),
        should_retry: header("stripe-should-retry").and_then(|value| value.parse().ok()),
        retry_after,
    }
}
