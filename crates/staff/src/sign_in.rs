use chrono::{DateTime, TimeDelta, Utc};

kernel::id_type! {
    /// The id of an attempt to sign in.
    pub struct AttemptId
}

/// The limit of failed attempts of one subscriber.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttemptLimit {
    /// The number of failures allowed.
    pub attempts: u32,
    /// The window in which they count.
    pub window: TimeDelta,
}

impl AttemptLimit {
    /// The limit of signing in (D10): the sixth failure within 15 minutes is refused.
    pub const SIGN_IN: Self = Self {
        attempts: 5,
        window: TimeDelta::minutes(15),
    };

    /// The start of the window that ends now.
    pub fn since(self, now: DateTime<Utc>) -> DateTime<Utc> {
        now - self.window
    }

    /// How long until the oldest attempt leaves the window.
    pub fn wait(self, oldest: DateTime<Utc>, now: DateTime<Utc>) -> TimeDelta {
        (oldest + self.window - now).max(TimeDelta::zero())
    }
}

/// Whether one more attempt may be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reservation {
    /// The attempt may be made. It counts as failed until it is removed.
    Granted(AttemptId),
    /// The attempt may not be made.
    Refused {
        /// The oldest attempt that still counts.
        oldest: DateTime<Utc>,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attempt_counts_for_fifteen_minutes() {
        let (made, limit) = (DateTime::UNIX_EPOCH, AttemptLimit::SIGN_IN);
        let after = |minutes| made + TimeDelta::minutes(minutes);
        assert!(limit.since(after(14)) < made);
        assert_eq!(limit.since(after(15)), made);
        assert_eq!(limit.wait(made, after(5)), TimeDelta::minutes(10));
        assert_eq!(limit.wait(made, after(16)), TimeDelta::zero());
    }
}
