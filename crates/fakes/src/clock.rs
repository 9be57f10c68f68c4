use chrono::{DateTime, TimeDelta, Utc};
use kernel::Clock;
use std::sync::{Mutex, PoisonError};

/// A clock that stands still until it is told to move.
pub struct FixedClock(Mutex<DateTime<Utc>>);

impl FixedClock {
    /// Stands at this moment.
    pub fn at(now: DateTime<Utc>) -> Self {
        Self(Mutex::new(now))
    }

    /// Moves by this much.
    pub fn advance(&self, by: TimeDelta) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) += by;
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
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
