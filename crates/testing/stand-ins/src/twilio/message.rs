//! A message: the request that creates it, its status, and the resource that Twilio returns.

use crate::kit::{FormFields, unix_millis};
use crate::twilio::errors::{ApiError, message_of};
use chrono::DateTime;
use serde_json::{Value, json};
use std::sync::Arc;
use url::Url;

/// The most characters that a message may have.
const MAX_CHARACTERS: usize = 1600;
/// The supported parameters of a request. Others are rejected rather than ignored.
const CREATE_FIELDS: [&str; 4] = ["To", "From", "Body", "StatusCallback"];

#[derive(Debug, Clone)]
pub(crate) struct Message {
    /// The SID of the sending account.
    pub(crate) account: Arc<str>,
    pub(crate) to: Box<str>,
    pub(crate) from: Box<str>,
    pub(crate) body: Box<str>,
    pub(crate) status_callback: Option<Box<str>>,
    /// In milliseconds since 1970.
    pub(crate) created_at: i64,
    pub(crate) sent_at: Option<i64>,
    pub(crate) status: Status,
    pub(crate) error_code: Option<u32>,
    /// The index of the previous message to the same number.
    pub(crate) previous: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    Queued,
    Sent,
    Delivered,
    Undelivered,
    Failed,
}

impl Status {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Sent => "sent",
            Self::Delivered => "delivered",
            Self::Undelivered => "undelivered",
            Self::Failed => "failed",
        }
    }
}

impl Message {
    /// Reads the parameters of a request.
    pub(crate) fn read(account: &Arc<str>, form: &FormFields) -> Result<Self, ApiError> {
        if let Some(name) = form.first_unknown(&CREATE_FIELDS) {
            let message = format!("The stand-in does not support {name}");
            return Err(ApiError::unsupported(message));
        }
        let required = |name: &str, missing: u32| form.get(name).ok_or_else(|| ApiError::new(missing));
        let (to, from, body) = (
            required("To", 21604)?,
            required("From", 21603)?,
            required("Body", 21602)?,
        );
        let status_callback = form.get("StatusCallback");
        for (is_wrong, code) in [
            (!is_e164(to), 21211),
            (!is_e164(from), 21212),
            (to == from, 21266),
            (body.chars().count() > MAX_CHARACTERS, 21617),
            (status_callback.is_some_and(|url| !is_http_url(url)), 21609),
        ] {
            if is_wrong {
                return Err(ApiError::new(code));
            }
        }
        Ok(Self {
            account: Arc::clone(account),
            to: to.into(),
            from: from.into(),
            body: body.into(),
            status_callback: status_callback.map(Into::into),
            created_at: unix_millis(),
            sent_at: None,
            status: Status::Queued,
            error_code: None,
            previous: None,
        })
    }

    /// The statuses that it has had after `queued`, in order.
    pub(crate) fn history(&self) -> Vec<Status> {
        match self.status {
            Status::Queued => vec![],
            Status::Delivered | Status::Undelivered => vec![Status::Sent, self.status],
            Status::Sent | Status::Failed => vec![self.status],
        }
    }

    /// The resource that Twilio returns. Segments and prices are left out.
    pub(crate) fn resource(&self, sid: &str) -> Value {
        let uri = format!("/2010-04-01/Accounts/{}/Messages/{sid}", self.account);
        json!({
            "account_sid": &*self.account, "api_version": "2010-04-01", "body": self.body,
            "date_created": rfc2822(Some(self.created_at)), "date_sent": rfc2822(self.sent_at),
            "date_updated": rfc2822(self.sent_at.or(Some(self.created_at))), "direction": "outbound-api",
            "error_code": self.error_code, "error_message": self.error_code.map(message_of), "from": self.from,
            "messaging_service_sid": null, "num_media": "0", "num_segments": null, "price": null,
            "price_unit": "USD", "sid": sid, "status": self.status.name(),
            "subresource_uris": {"media": format!("{uri}/Media.json")}, "to": self.to, "uri": format!("{uri}.json"),
        })
    }
}

pub(crate) fn is_e164(number: &str) -> bool {
    number.strip_prefix('+').is_some_and(|digits| {
        (8..=15).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_digit())
    })
}

fn is_http_url(url: &str) -> bool {
    Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}

pub(crate) fn rfc2822(milliseconds: Option<i64>) -> Option<String> {
    let time = DateTime::from_timestamp_millis(milliseconds?)?;
    Some(time.to_rfc2822())
}
