//! When a call is made again, and how long to wait before: as Stripe's own clients do.

use std::time::Duration;

/// How long a call may take, and how it is made again.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// One try.
    pub one_try: Duration,
    /// All tries with the pauses between them.
    pub altogether: Duration,
    /// How often it is tried again.
    pub retries: u32,
    /// The least pause before another try.
    pub least_pause: Duration,
    /// The longest pause that is not asked for by the provider.
    pub longest_pause: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            one_try: Duration::from_secs(8),
            altogether: Duration::from_secs(20),
            retries: 2,
            least_pause: Duration::from_millis(500),
            longest_pause: Duration::from_secs(8),
        }
    }
}

impl Timeouts {
    /// How long to wait after so many retries: twice as long each time, less up to half of it by chance (0 to 1), and
    /// at least as long as the provider asks for.
    pub(crate) fn pause(&self, retries_so_far: u32, chance: f64, asked_for: Option<Duration>) -> Duration {
        let doubled = self.least_pause.saturating_mul(1 << retries_so_far.min(16));
        let jittered = doubled.min(self.longest_pause).mul_f64(0.5 + chance / 2.0);
        jittered.max(self.least_pause).max(asked_for.unwrap_or_default())
    }
}

/// Whether an answer with this status, and what it says of retries, is worth another try.
pub(crate) fn is_worth_another_try(status: u16, should_retry: Option<bool>) -> bool {
    should_retry.unwrap_or(is_temporary(status))
}

/// Whether the same call may do better later.
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
        let asked = patience.pause(0, 0.5, Some(Duration::from_secs(3)));
        assert_eq!(asked.as_secs(), 3);
    }

    #[test]
    fn what_the_provider_says_of_retries_wins_over_the_status() {
        for (status, worth) in [
            (400, false),
            (402, false),
            (404, false),
            (409, true),
            (429, true),
            (500, true),
            (503, true),
        ] {
            assert_eq!(is_worth_another_try(status, None), worth, "{status}");
            assert!(is_worth_another_try(status, Some(true)));
            assert!(!is_worth_another_try(status, Some(false)));
        }
    }
}
