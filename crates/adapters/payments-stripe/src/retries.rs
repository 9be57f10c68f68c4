//! When a call is retried and after which pause, as in Stripe's own clients.

use std::time::Duration;

/// The timeouts and retries of a call.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// The timeout of one attempt.
    pub attempt_timeout: Duration,
    /// The timeout of all attempts with their pauses.
    pub total_timeout: Duration,
    /// The most retries.
    pub retries: u32,
    /// The shortest pause before a retry.
    pub min_pause: Duration,
    /// The longest pause, unless the provider asks for a longer one.
    pub max_pause: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            attempt_timeout: Duration::from_secs(8),
            total_timeout: Duration::from_secs(20),
            retries: 2,
            min_pause: Duration::from_millis(500),
            max_pause: Duration::from_secs(8),
        }
    }
}

impl Timeouts {
    /// The pause before the next retry. It doubles with each retry, is shortened by up to a half at random (`jitter` is
    /// from 0 to 1), and is at least the `Retry-After` of the provider.
    pub(crate) fn pause(&self, retries: u32, jitter: f64, retry_after: Option<Duration>) -> Duration {
        let doubled = self.min_pause.saturating_mul(1 << retries.min(16));
        let jittered = doubled.min(self.max_pause).mul_f64(0.5 + jitter / 2.0);
        jittered.max(self.min_pause).max(retry_after.unwrap_or_default())
    }
}

/// Whether to retry after a response with this status and `Stripe-Should-Retry` header.
pub(crate) fn is_retryable(status: u16, should_retry: Option<bool>) -> bool {
    should_retry.unwrap_or(is_temporary(status))
}

/// Whether the same call may succeed later.
pub(crate) fn is_temporary(status: u16) -> bool {
    matches!(status, 409 | 429 | 500..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_with_jitter_between_half_a_second_and_eight() {
        let patience = Timeouts::default();
        for (retries, least, most) in [
            (0, 500, 500),
            (1, 500, 1000),
            (2, 1000, 2000),
            (4, 4000, 8000),
            (40, 4000, 8000),
        ] {
            assert_eq!(patience.pause(retries, 0.0, None).as_millis(), least);
            assert_eq!(patience.pause(retries, 1.0, None).as_millis(), most);
        }
        let pause = patience.pause(0, 0.5, Some(Duration::from_secs(3)));
        assert_eq!(pause.as_secs(), 3);
    }

    #[test]
    fn stripe_should_retry_takes_precedence_over_the_status() {
        for (status, expected) in [
            (400, false),
            (402, false),
            (404, false),
            (409, true),
            (429, true),
            (500, true),
            (503, true),
        ] {
            assert_eq!(is_retryable(status, None), expected, "{status}");
            assert!(is_retryable(status, Some(true)));
            assert!(!is_retryable(status, Some(false)));
        }
    }
}
