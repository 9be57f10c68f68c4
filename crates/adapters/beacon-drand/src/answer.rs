//! What one host answers.

use drawing::beacon::{BeaconSignature, Round};
use reqwest::{Response, StatusCode};
use serde::Deserialize;

/// The most bytes of an answer. An answer has about 300.
const MAX_BYTES: usize = 4096;

/// A round as a host answers it. Its randomness is not read: it is computed from the signature.
#[derive(Deserialize)]
struct Answer {
    round: u64,
    signature: String,
}

/// Why an answer of a host is of no use.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HostError {
    #[error("there is no connection")]
    NoConnection(#[source] reqwest::Error),
    #[error("there was no answer in time")]
    TimedOut,
    #[error("the connection broke")]
    Broken(#[source] reqwest::Error),
    #[error("the status is {0}")]
    Status(u16),
    #[error("the answer is longer than {MAX_BYTES} bytes")]
    TooLong,
    #[error("the answer is not a round")]
    Unreadable,
    #[error("the answer is round {0}")]
    OtherRound(u64),
    #[error("the signature is not valid")]
    InvalidSignature,
}

impl HostError {
    /// The reason as a label of metrics.
    pub(crate) fn label(&self) -> &'static str {
        match self {
            Self::NoConnection(_) => "no_connection",
            Self::TimedOut => "timed_out",
            Self::Broken(_) => "broken",
            Self::Status(_) => "status",
            Self::TooLong => "too_long",
            Self::Unreadable => "unreadable",
            Self::OtherRound(_) => "other_round",
            Self::InvalidSignature => "invalid_signature",
        }
    }
}

impl From<reqwest::Error> for HostError {
    fn from(error: reqwest::Error) -> Self {
        match error {
            error if error.is_timeout() => Self::TimedOut,
            error if error.is_connect() => Self::NoConnection(error),
            error => Self::Broken(error),
        }
    }
}

/// The signature in a response, which was not verified; `None` when the host does not have this round yet.
pub(crate) async fn read(response: Response, round: Round) -> Result<Option<BeaconSignature>, HostError> {
    match response.status() {
        StatusCode::OK => {}
        // A relay answers 425 for a round of the future. drand's own nodes and their documentation say 404.
        StatusCode::TOO_EARLY | StatusCode::NOT_FOUND => return Ok(None),
        status => return Err(HostError::Status(status.as_u16())),
    }
    let answer: Answer = serde_json::from_slice(&body(response).await?).map_err(|_| HostError::Unreadable)?;
    if answer.round != round.number() {
        return Err(HostError::OtherRound(answer.round));
    }
    answer
        .signature
        .parse()
        .map(Some)
        .map_err(|_| HostError::Unreadable)
}

async fn body(mut response: Response) -> Result<Vec<u8>, HostError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if body.len() + chunk.len() > MAX_BYTES {
            return Err(HostError::TooLong);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}
