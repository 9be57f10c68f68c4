use chrono::{DateTime, Utc};
use kernel::Clock;

/// A clock that always returns the same time.
pub struct FixedClock(DateTime<Utc>);

impl FixedClock {
    /// Creates a clock with this time.
    pub fn at(now: DateTime<Utc>) -> Self {
        Self(now)
    }
}

impl Default for FixedClock {
    /// Noon on 1 August 2025, UTC.
    fn default() -> Self {
        Self::at(DateTime::from_timestamp(1_754_049_600, 0).unwrap_or_default())
    }
}

impl Clock for FixedClock {
    fn now(&self) -> DateTime<Utc> {
        self.0
    }
}
