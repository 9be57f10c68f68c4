//! Twilio's responses, and what they mean for a message.

use crate::error_codes;
use chrono::{DateTime, Utc};
use reqwest::header::{HeaderMap, RETRY_AFTER};
use serde::Deserialize;
use sms::{
    Failure, MessageQueryError, OPTED_OUT, ProviderMessage, ProviderMessageId, ProviderStatus, SendError,
};
use std::time::Duration;

/// The longest `Retry-After` that is respected.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(600);

/// Why a call failed. It contains no phone numbers and no message texts.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CallError {
    /// There was no connection, so nothing was sent.
    #[error("no connection")]
    NoConnection(#[source] reqwest::Error),
    #[error("no response")]
    NoResponse(#[source] reqwest::Error),
    #[error("{0}")]
    Response(ErrorResponse),
    #[error("status {status}, and the response cannot be read")]
    Unreadable { status: u16 },
}

/// An error response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("status {status}, code {code:?}")]
pub(crate) struct ErrorResponse {
    pub(crate) status: u16,
    pub(crate) code: Option<u32>,
    /// Whether there is a `Retry-After` header.
    pub(crate) has_retry_after: bool,
    pub(crate) retry_after: Option<Duration>,
}

#[derive(Default, Deserialize)]
struct ErrorBody {
    code: Option<u32>,
}

/// A message in a response, with the fields that are used.
#[derive(Deserialize)]
pub(crate) struct Message {
    sid: String,
    status: String,
    error_code: Option<u32>,
    body: Option<String>,
    date_created: Option<String>,
}

#[derive(Deserialize)]
pub(crate) struct MessageList {
    pub(crate) messages: Vec<Message>,
    pub(crate) next_page_uri: Option<String>,
}

impl CallError {
    /// A connection error, without the URL, which contains a phone number in a list of messages.
    pub(crate) fn no_response(error: reqwest::Error) -> Self {
        let error = error.without_url();
        if error.is_connect() {
            Self::NoConnection(error)
        } else {
            Self::NoResponse(error)
        }
    }
}

impl ErrorResponse {
    pub(crate) fn new(status: u16, headers: &HeaderMap, body: &[u8]) -> Self {
        // The error page of a proxy is not JSON: then only the status is known.
        let ErrorBody { code } = serde_json::from_slice(body).unwrap_or_default();
        let header = headers.get(RETRY_AFTER);
        let seconds = header.and_then(|value| value.to_str().ok()?.trim().parse().ok());
        Self {
            status,
            code,
            has_retry_after: header.is_some(),
            retry_after: seconds.map(|seconds| Duration::from_secs(seconds).min(MAX_RETRY_AFTER)),
        }
    }

    /// Whether the credentials are wrong. An account that does not exist is answered with 404.
    fn is_about_credentials(&self) -> bool {
        self.status == 401 || matches!(self.code, Some(20003 | 20005 | 20404 | 90010))
    }

    /// Whether Twilio did not process the call, and may later.
    fn is_too_busy(&self) -> bool {
        let is_busy = self.status == 429 || matches!(self.code, Some(20429 | 21611));
        is_busy || (self.status == 503 && self.has_retry_after)
    }

    fn failure(&self) -> Failure {
        match self.code {
            Some(code) => error_codes::failure(code),
            None => Failure {
                code: None,
                sentence: format!("Refused by the provider with status {}", self.status),
            },
        }
    }
}

impl From<CallError> for SendError {
    fn from(error: CallError) -> Self {
        match error {
            CallError::NoConnection(_) => not_sent(error, None),
            CallError::Response(response) => match response {
                _ if response.is_about_credentials() => Self::Credentials,
                _ if response.is_too_busy() => not_sent(error, response.retry_after),
                ErrorResponse {
                    code: Some(OPTED_OUT),
                    ..
                } => Self::OptedOut,
                // 408: a proxy waited for the rest of the request, and Twilio may have received it.
                ErrorResponse { status: 408, .. } => Self::MaybeSent(Box::new(error)),
                ErrorResponse { status: 400..500, .. } => Self::Refused(response.failure()),
                _ => Self::MaybeSent(Box::new(error)),
            },
            CallError::NoResponse(_) | CallError::Unreadable { .. } => Self::MaybeSent(Box::new(error)),
        }
    }
}

fn not_sent(cause: CallError, retry_after: Option<Duration>) -> SendError {
    SendError::NotSent {
        retry_after,
        cause: Box::new(cause),
    }
}

impl From<CallError> for MessageQueryError {
    fn from(error: CallError) -> Self {
        match error {
            CallError::Response(response) if response.is_about_credentials() => Self::Credentials,
            error => Self::Unavailable(Box::new(error)),
        }
    }
}

impl Message {
    /// The message, if its SID is well-formed.
    pub(crate) fn text(&self) -> Option<ProviderMessage> {
        // A message with an unknown status is still in progress.
        let status = status(&self.status).unwrap_or(ProviderStatus::Accepted);
        Some(ProviderMessage {
            id: ProviderMessageId::parse(&self.sid)?,
            status,
            failure: self.error_code.map(error_codes::failure),
        })
    }

    pub(crate) fn contains(&self, needle: &str) -> bool {
        self.body.as_ref().is_some_and(|body| body.contains(needle))
    }

    pub(crate) fn created_at(&self) -> Option<DateTime<Utc>> {
        let date = DateTime::parse_from_rfc2822(self.date_created.as_ref()?);
        Some(date.ok()?.to_utc())
    }
}

/// The status with Twilio's name.
pub(crate) fn status(name: &str) -> Option<ProviderStatus> {
    match name {
        "accepted" | "queued" | "scheduled" | "sending" | "sent" => Some(ProviderStatus::Accepted),
        "delivered" | "read" => Some(ProviderStatus::Delivered),
        "undelivered" => Some(ProviderStatus::Undelivered),
        "failed" | "canceled" => Some(ProviderStatus::Failed),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meaning(status: u16, headers: &[(&str, &str)], body: &str) -> SendError {
        let headers = headers.iter().map(|(name, value)| {
            let name: reqwest::header::HeaderName = name.parse().unwrap();
            (name, value.parse().unwrap())
        });
        CallError::Response(ErrorResponse::new(status, &headers.collect(), body.as_bytes())).into()
    }

    fn pause(status: u16, headers: &[(&str, &str)], body: &str) -> Option<Duration> {
        match meaning(status, headers, body) {
            SendError::NotSent { retry_after, .. } => retry_after,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn only_a_call_that_was_not_processed_is_not_sent() {
        assert_eq!(pause(429, &[], ""), None);
        assert_eq!(
            pause(429, &[("retry-after", "7")], ""),
            Some(Duration::from_secs(7))
        );
        assert_eq!(pause(400, &[], r#"{"code": 20429}"#), None);
        assert_eq!(pause(400, &[], r#"{"code": 21611}"#), None);
        assert_eq!(pause(503, &[("retry-after", "86400")], ""), Some(MAX_RETRY_AFTER));
        assert_eq!(
            pause(503, &[("retry-after", "Sat, 21 Nov 2026 21:00:00 GMT")], ""),
            None
        );
        for status in [100, 302, 408, 500, 502, 503, 504, 599] {
            let meaning = meaning(status, &[], r#"{"code": 20500}"#);
            assert!(matches!(meaning, SendError::MaybeSent(_)), "{status} {meaning:?}");
        }
    }

    #[test]
    fn wrong_credentials_are_distinguished_from_a_rejected_message() {
        for (status, body) in [
            (401, ""),
            (401, r#"{"code": 20003}"#),
            (403, r#"{"code": 20003}"#),
            (404, r#"{"code": 20404}"#),
        ] {
            assert!(
                matches!(meaning(status, &[], body), SendError::Credentials),
                "{status} {body}"
            );
        }
        assert!(matches!(
            meaning(400, &[], r#"{"code": 21610}"#),
            SendError::OptedOut
        ));
        for (status, body, shown) in [
            (
                400,
                r#"{"code": 21211, "message": "+15551234567"}"#,
                "21211 Invalid number",
            ),
            (
                403,
                r#"{"code": 21408}"#,
                "21408 Texts to this region are not enabled",
            ),
            (400, r#"{"code": 99999}"#, "99999 Refused by the provider"),
            (413, "<html>", "Refused by the provider with status 413"),
        ] {
            match meaning(status, &[], body) {
                SendError::Refused(failure) => assert_eq!(failure.to_string(), shown),
                other => panic!("{other:?}"),
            }
        }
    }
}
