//! When a campaign begins.

use chrono::{DateTime, TimeDelta, Utc};

/// When staff want a campaign to begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// As soon as it is scheduled.
    Now,
    /// At this time.
    At(DateTime<Utc>),
}

impl Start {
    /// When a campaign begins that is requested at `now`.
    pub const fn moment(self, now: DateTime<Utc>) -> DateTime<Utc> {
        match self {
            Self::Now => now,
            Self::At(time) => time,
        }
    }

    /// Whether the time is over, so that a wrong date sends nothing. Staff choose a minute: the present one is not over.
    pub fn is_past(self, now: DateTime<Utc>) -> bool {
        now.signed_duration_since(self.moment(now)) >= TimeDelta::minutes(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minute_is_past_when_it_is_over() {
        let now = DateTime::UNIX_EPOCH;
        let is_past = |seconds| Start::At(now + TimeDelta::seconds(seconds)).is_past(now);
        assert!(is_past(-60) && is_past(-31_536_000));
        assert!(!is_past(-59) && !is_past(0) && !is_past(60));
        assert!(Start::At(DateTime::<Utc>::MIN_UTC).is_past(DateTime::<Utc>::MAX_UTC));
        assert!(!Start::Now.is_past(now));
    }

    #[test]
    fn now_is_the_moment_of_the_request() {
        let (now, later) = (DateTime::UNIX_EPOCH, DateTime::UNIX_EPOCH + TimeDelta::days(1));
        assert_eq!(Start::Now.moment(now), now);
        assert_eq!(Start::At(later).moment(now), later);
    }
}
