//! What the routes of one-time codes share.

use super::Store;
use crate::http::field::{Field, WithExample, parsed, text, texts};
use crate::{ApiError, AppState};
use actix_web::http::StatusCode;
use chrono::TimeDelta;
use kernel::Phone;
use usecases::phone_verification::Refusal;
use verification::Code;

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        let (error, wait) = match refusal {
            Refusal::Limited(wait) => (too_many_codes(wait), wait),
            Refusal::BudgetUsed(wait) => (no_more_codes_today(), wait),
            Refusal::Store(error) => return error.into(),
        };
        metrics::counter!("codes_refused_total", "reason" => error.code()).increment(1);
        error.retry_after(wait.to_std().unwrap_or_default())
    }
}

pub(crate) fn wrong_code(left: u32) -> String {
    match left {
        0 => "This is not the code, and there are no tries left. Please ask for a new one.".to_owned(),
        1 => "This is not the code. You have one more try.".to_owned(),
        left => format!("This is not the code. You have {left} more tries."),
    }
}

pub(crate) fn too_many_codes(wait: TimeDelta) -> ApiError {
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

pub(crate) const fn no_more_codes_today() -> ApiError {
    ApiError::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "texts_used_up",
        "We cannot send more codes today. Please try again tomorrow.",
    )
}

pub(crate) const fn texts_not_configured() -> ApiError {
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
        "This code has expired. Please enter your number again.",
    )
}

pub(crate) const fn used() -> ApiError {
    ApiError::new(
        StatusCode::CONFLICT,
        "verification_used",
        "This code was used already.",
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
