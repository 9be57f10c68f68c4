//! What Twilio answers, and what it means for a text.

use crate::reasons;
use chrono::{DateTime, Utc};
use reqwest::header::{HeaderMap, RETRY_AFTER};
use serde::Deserialize;
use sms::{Failure, MessageQueryError, ProviderMessage, ProviderMessageId, ProviderStatus, SendError};
use std::time::Duration;

/// No pause that is asked for is heeded beyond this.
const LONGEST_PAUSE: Duration = Duration::from_secs(600);

/// Why there is no text in the answer, or no answer. The texts and numbers that were asked about are not in it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoText {
    /// There is no connection, so that nothing was asked.
    #[error("no connection")]
    NoConnection(#[source] reqwest::Error),
    #[error("no answer")]
    NoAnswer(#[source] reqwest::Error),
    #[error("{0}")]
    Refused(Refusal),
    #[error("status {status}, and the answer cannot be read")]
    Unreadable { status: u16 },
}

/// An answer other than success.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("status {status}, code {code:?}")]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) code: Option<u32>,
    /// Whether the answer says when to come again.
    pub(crate) says_when: bool,
    pub(crate) retry_after: Option<Duration>,
}

#[derive(Default, Deserialize)]
struct ErrorBody {
    code: Option<u32>,
}

/// A text in an answer, as far as it is of use.
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

impl NoText {
    /// An error of the connection, without the address, which has a phone number in it when texts are looked up.
    pub(crate) fn unanswered(error: reqwest::Error) -> Self {
        let error = error.without_url();
        if error.is_connect() {
            Self::NoConnection(error)
        } else {
            Self::NoAnswer(error)
        }
    }
}

impl Refusal {
    pub(crate) fn new(status: u16, headers: &HeaderMap, body: &[u8]) -> Self {
        // A proxy's error page is no JSON: then there is the status alone.
        let ErrorBody { code } = serde_json::from_slice(body).unwrap_or_default();
        let asked = headers.get(RETRY_AFTER);
        let seconds = asked.and_then(|value| value.to_str().ok()?.trim().parse().ok());
        Self {
            status,
            code,
            says_when: asked.is_some(),
            retry_after: seconds.map(|seconds| Duration::from_secs(seconds).min(LONGEST_PAUSE)),
        }
    }

    /// Whether it is the account that is not accepted. One that does not exist is not found.
    fn is_about_credentials(&self) -> bool {
        self.status == 401 || matches!(self.code, Some(20003 | 20005 | 20404 | 90010))
    }

    /// Whether Twilio says that it did nothing, and may do better later.
    fn is_too_busy(&self) -> bool {
        let is_busy = self.status == 429 || matches!(self.code, Some(20429 | 21611));
        is_busy || (self.status == 503 && self.says_when)
    }

    fn failure(&self) -> Failure {
        match self.code {
            Some(code) => reasons::failure(code),
            None => Failure {
                code: None,
                sentence: format!("Refused by the provider with status {}", self.status),
            },
        }
    }
}

impl From<NoText> for SendError {
    fn from(error: NoText) -> Self {
        match error {
            NoText::NoConnection(_) => not_sent(error, None),
            NoText::Refused(refusal) => match refusal {
                _ if refusal.is_about_credentials() => Self::Credentials,
                _ if refusal.is_too_busy() => not_sent(error, refusal.retry_after),
                Refusal {
                    code: Some(21610), ..
                } => Self::OptedOut,
                // 408: something in between waited for the rest of the call, and who knows what got through.
                Refusal { status: 408, .. } => Self::MaybeSent(Box::new(error)),
                Refusal { status: 400..500, .. } => Self::Refused(refusal.failure()),
                _ => Self::MaybeSent(Box::new(error)),
            },
            NoText::NoAnswer(_) | NoText::Unreadable { .. } => Self::MaybeSent(Box::new(error)),
        }
    }
}

fn not_sent(cause: NoText, retry_after: Option<Duration>) -> SendError {
    SendError::NotSent {
        retry_after,
        cause: Box::new(cause),
    }
}

impl From<NoText> for MessageQueryError {
    fn from(error: NoText) -> Self {
        match error {
            NoText::Refused(refusal) if refusal.is_about_credentials() => Self::Credentials,
            error => Self::Unavailable(Box::new(error)),
        }
    }
}

impl Message {
    /// The text, if it has a name that can be one.
    pub(crate) fn text(&self) -> Option<ProviderMessage> {
        // A status that is not known is one on the way.
        let status = status(&self.status).unwrap_or(ProviderStatus::Accepted);
        Some(ProviderMessage {
            id: ProviderMessageId::parse(&self.sid)?,
            status,
            failure: self.error_code.map(reasons::failure),
        })
    }

    pub(crate) fn has(&self, needle: &str) -> bool {
        self.body.as_ref().is_some_and(|body| body.contains(needle))
    }

    pub(crate) fn created_at(&self) -> Option<DateTime<Utc>> {
        let date = DateTime::parse_from_rfc2822(self.date_created.as_ref()?);
        Some(date.ok()?.to_utc())
    }
}

/// How far a text has come, by Twilio's word for it.
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
        NoText::Refused(Refusal::new(status, &headers.collect(), body.as_bytes())).into()
    }

    fn pause(status: u16, headers: &[(&str, &str)], body: &str) -> Option<Duration> {
        match meaning(status, headers, body) {
            SendError::NotSent { retry_after, .. } => retry_after,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn only_what_says_that_nothing_was_done_is_not_sent() {
        assert_eq!(pause(429, &[], ""), None);
        assert_eq!(
            pause(429, &[("retry-after", "7")], ""),
            Some(Duration::from_secs(7))
        );
        assert_eq!(pause(400, &[], r#"{"code": 20429}"#), None);
        assert_eq!(pause(400, &[], r#"{"code": 21611}"#), None);
        assert_eq!(pause(503, &[("retry-after", "86400")], ""), Some(LONGEST_PAUSE));
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
    fn a_wrong_account_is_told_from_a_wrong_text() {
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
