use crate::encryption::encrypt;
use crate::vapid::Vapid;
use async_trait::async_trait;
use chrono::{DateTime, Utc};
use kernel::Clock;
use push::{PushMessage, PushOutcome, PushService};
use reqwest::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, RETRY_AFTER};
use reqwest::{Client, Response, StatusCode};
use std::sync::Arc;
use std::time::Duration;

/// The most idle connections to one push service: as many as messages are sent at once.
const IDLE_CONNECTIONS: usize = 128;
/// How long a connection may be idle: shorter than a proxy might wait before closing it.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// The timeouts of a call.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// The timeout for connecting.
    pub connect_timeout: Duration,
    /// The timeout for the whole call.
    pub total_timeout: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(5),
            total_timeout: Duration::from_secs(10),
        }
    }
}

/// Messages through the push services of browsers.
pub struct WebPush {
    client: Client,
    vapid: Vapid,
    clock: Arc<dyn Clock>,
}

impl WebPush {
    /// Signs its requests with these keys. Redirects are not followed: only the known push services get requests.
    ///
    /// # Errors
    /// When the certificates of the system cannot be used.
    pub fn new(vapid: Vapid, timeouts: Timeouts, clock: Arc<dyn Clock>) -> Result<Self, reqwest::Error> {
        let client = Client::builder()
            .user_agent(concat!("Tombola/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(timeouts.connect_timeout)
            .timeout(timeouts.total_timeout)
            .pool_max_idle_per_host(IDLE_CONNECTIONS)
            .pool_idle_timeout(IDLE_TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .build()?;
        Ok(Self { client, vapid, clock })
    }
}

#[async_trait]
impl PushService for WebPush {
    async fn push(&self, message: &PushMessage) -> PushOutcome {
        let now = self.clock.now();
        // No message can ever be encrypted for keys that this one cannot be encrypted for: ours are short.
        let Ok(body) = encrypt(&message.payload, &message.keys) else {
            return PushOutcome::Gone;
        };
        let Ok(authorization) = self.vapid.authorization(&message.endpoint.origin(), now) else {
            return PushOutcome::Later { after: None };
        };
        let request = self
            .client
            .post(message.endpoint.as_str())
            .header(AUTHORIZATION, authorization)
            .header(CONTENT_TYPE, "application/octet-stream")
            .header(CONTENT_ENCODING, "aes128gcm")
            .header("TTL", message.ttl.as_secs())
            .header("Topic", &message.topic)
            .header("Urgency", "normal")
            .body(body);
        match request.send().await {
            Ok(response) => outcome(&response, now),
            Err(_) => PushOutcome::Later { after: None },
        }
    }
}

fn outcome(response: &Response, now: DateTime<Utc>) -> PushOutcome {
    let status = response.status();
    match status {
        _ if status.is_success() => PushOutcome::Accepted,
        StatusCode::NOT_FOUND | StatusCode::GONE => PushOutcome::Gone,
        StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT => later(response.headers(), now),
        _ if status.is_server_error() => later(response.headers(), now),
        _ => PushOutcome::Refused(status.as_u16()),
    }
}

fn later(headers: &HeaderMap, now: DateTime<Utc>) -> PushOutcome {
    let text = headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok());
    PushOutcome::Later {
        after: text.and_then(|text| retry_after(text, now)),
    }
}

/// The wait that `Retry-After` asks for: seconds, or a date (RFC 9110, section 10.2.3).
fn retry_after(text: &str, now: DateTime<Utc>) -> Option<Duration> {
    let text = text.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = DateTime::parse_from_rfc2822(text).ok()?;
    (date.with_timezone(&Utc) - now).to_std().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = DateTime::UNIX_EPOCH;
        let seconds = |text| retry_after(text, now).map(|after| after.as_secs());
        assert_eq!(seconds("120"), Some(120));
        assert_eq!(seconds("Thu, 01 Jan 1970 00:02:00 GMT"), Some(120));
        assert_eq!(seconds("Wed, 31 Dec 1969 23:59:00 GMT"), None);
        assert_eq!(seconds("soon"), None);
        assert_eq!(seconds("-1"), None);
    }
}
