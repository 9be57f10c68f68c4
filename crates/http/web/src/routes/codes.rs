//! What the routes of one-time codes share.

use super::Store;
use crate::http::field::{Field, WithExample, parsed, text, texts};
use crate::{ApiError, AppState};
use actix_web::http::StatusCode;
use chrono::{DateTime, TimeDelta, Utc};
use codes::Code;
use kernel::Phone;
use serde::Serialize;
use usecases::codes::{Awaited, Refusal, Rejected};
use utoipa::ToSchema;

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        let (error, wait) = match refusal {
            Refusal::TextsNotConfigured => return texts_not_configured(),
            Refusal::Limited(wait) => (too_many_codes(wait), wait),
            Refusal::BudgetUsed(wait) => (no_more_codes_today(), wait),
            Refusal::Store(error) => return error.into(),
        };
        metrics::counter!("codes_refused_total", "reason" => error.code()).increment(1);
        error.retry_after(wait.to_std().unwrap_or_default())
    }
}

impl From<Rejected> for ApiError {
    fn from(rejected: Rejected) -> Self {
        match rejected {
            Rejected::Wrong { left } => Self::field("code", wrong_code(left)),
            Rejected::Expired => expired(),
            Rejected::Used => Self::new(
                StatusCode::CONFLICT,
                "verification_used",
                "This code was used already.",
            ),
        }
    }
}

/// A code that waits to be entered.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AwaitedCodeView {
    /// From when on the code is no longer valid.
    expires_at: DateTime<Utc>,
    /// The same in seconds from now on, for a browser whose clock is wrong.
    #[schema(minimum = 0)]
    expires_after: i64,
    /// After how many seconds another code can be sent.
    #[schema(minimum = 0, maximum = 60)]
    resend_after: i64,
    /// Whether the provider said that no text can reach the number.
    undeliverable: bool,
}

impl From<Awaited> for AwaitedCodeView {
    fn from(code: Awaited) -> Self {
        Self {
            expires_at: code.expires_at,
            expires_after: code.expires_after.num_seconds(),
            // Rounded up, so that nobody asks too early.
            resend_after: (code.resend_after.num_milliseconds() + 999) / 1000,
            undeliverable: code.is_undeliverable,
        }
    }
}

fn wrong_code(left: u32) -> String {
    match left {
        0 => "That code isn't right, and there are no tries left. Please ask for a new one.".to_owned(),
        1 => "That code isn't right. 1 try left.".to_owned(),
        left => format!("That code isn't right. {left} tries left."),
    }
}

fn too_many_codes(wait: TimeDelta) -> ApiError {
    let sentence = format!(
        "We cannot send a code right now. Please try again in {}.",
        words(wait)
    );
    let error = ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many_codes", "");
    error.saying(sentence)
}

/// A wait in words, rounded up: `40 seconds`, `1 minute`, `3 hours`.
fn words(wait: TimeDelta) -> String {
    let seconds = (wait.num_milliseconds() + 999) / 1000;
    let (count, unit) = match seconds {
        ..=90 => (seconds.max(1), "second"),
        91..=5_400 => ((seconds + 59) / 60, "minute"),
        _ => ((seconds + 3_599) / 3_600, "hour"),
    };
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

const fn no_more_codes_today() -> ApiError {
    ApiError::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "texts_used_up",
        "We cannot send more codes today. Please try again tomorrow.",
    )
}

const fn texts_not_configured() -> ApiError {
    ApiError::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "texts_not_configured",
        "We cannot send codes right now. Please try again later.",
    )
}

pub(crate) const fn expired() -> ApiError {
    ApiError::new(
        StatusCode::GONE,
        "verification_expired",
        "This code has expired. Please ask for a new one.",
    )
}

/// The number that texts come from; `None` while none can be sent.
pub(crate) fn texts_from<S: Store>(state: &AppState, store: &S) -> Result<Option<Phone>, ApiError> {
    let account = state.sms.account(store)?.credentials();
    Ok(account.map(|account| account.phone().clone()))
}

pub(crate) type CodeField = Field<Code>;

texts! {
    Code: text().max_length(Some(32)).with_example("012345"), |sent| parsed(Self::parse(&sent));
}

pub(crate) fn count_try<T, E>(completed: &Result<T, E>) {
    let outcome = if completed.is_ok() { "right" } else { "wrong" };
    metrics::counter!("codes_tried_total", "outcome" => outcome).increment(1);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_in_words() {
        let words = |milliseconds| words(TimeDelta::milliseconds(milliseconds));
        assert_eq!(words(1), "1 second");
        assert_eq!(words(59_001), "60 seconds");
        assert_eq!(words(100_000), "2 minutes");
        assert_eq!(words(540_000), "9 minutes");
        assert_eq!(words(86_400_000), "24 hours");
    }
}
