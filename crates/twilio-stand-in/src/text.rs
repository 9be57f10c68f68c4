//! One text: how it is asked for, how far it has come, how Twilio tells of it.

use crate::form::Form;
use crate::refusal::{Refusal, words_of};
use chrono::DateTime;
use serde_json::{Value, json};
use std::sync::Arc;
use url::Url;

/// The most characters that a text may have.
const LONGEST: usize = 1600;
/// What a call may ask of a text here. Anything else is refused rather than ignored.
const CREATE_FIELDS: [&str; 4] = ["To", "From", "Body", "StatusCallback"];

#[derive(Debug, Clone)]
pub(crate) struct Text {
    /// Whose account it is sent from.
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
    /// The text before this one to the same number.
    pub(crate) earlier: Option<u32>,
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

impl Text {
    /// The text that a call asks for.
    pub(crate) fn read(account: &Arc<str>, form: &Form) -> Result<Self, Refusal> {
        if let Some(name) = form.stranger(&CREATE_FIELDS) {
            let message = format!("The stand-in does not know {name}");
            return Err(Refusal::not_understood(message));
        }
        let asked = |name: &str, missing: u32| form.get(name).ok_or_else(|| Refusal::new(missing));
        let (to, from, body) = (asked("To", 21604)?, asked("From", 21603)?, asked("Body", 21602)?);
        let status_callback = form.get("StatusCallback");
        for (is_wrong, code) in [
            (!is_e164(to), 21211),
            (!is_e164(from), 21212),
            (to == from, 21266),
            (body.chars().count() > LONGEST, 21617),
            (status_callback.is_some_and(|url| !is_web_address(url)), 21609),
        ] {
            if is_wrong {
                return Err(Refusal::new(code));
            }
        }
        Ok(Self {
            account: Arc::clone(account),
            to: to.into(),
            from: from.into(),
            body: body.into(),
            status_callback: status_callback.map(Into::into),
            created_at: now(),
            sent_at: None,
            status: Status::Queued,
            error_code: None,
            earlier: None,
        })
    }

    /// The statuses that it has had after the first one, in order.
    pub(crate) fn history(&self) -> Vec<Status> {
        match self.status {
            Status::Queued => vec![],
            Status::Delivered | Status::Undelivered => vec![Status::Sent, self.status],
            Status::Sent | Status::Failed => vec![self.status],
        }
    }

    /// As Twilio answers. Segments are not counted here, and nothing has a price.
    pub(crate) fn resource(&self, sid: &str) -> Value {
        let uri = format!("/2010-04-01/Accounts/{}/Messages/{sid}", self.account);
        json!({
            "account_sid": &*self.account, "api_version": "2010-04-01", "body": self.body,
            "date_created": rfc2822(Some(self.created_at)), "date_sent": rfc2822(self.sent_at),
            "date_updated": rfc2822(self.sent_at.or(Some(self.created_at))), "direction": "outbound-api",
            "error_code": self.error_code, "error_message": self.error_code.map(words_of), "from": self.from,
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

fn is_web_address(text: &str) -> bool {
    Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}

/// Milliseconds since 1970.
#[expect(clippy::disallowed_methods, reason = "this is the stand-in's clock")]
pub(crate) fn now() -> i64 {
    chrono::Utc::now().timestamp_millis()
}

pub(crate) fn rfc2822(milliseconds: Option<i64>) -> Option<String> {
    let time = DateTime::from_timestamp_millis(milliseconds?)?;
    Some(time.to_rfc2822())
}
