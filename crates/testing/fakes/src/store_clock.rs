use chrono::{DateTime, SubsecRound, TimeDelta, Utc};
use std::sync::{Arc, Mutex, PoisonError};

/// The clock of the store, which sets the times of ledger rows and flags: the system's, unless a test sets the time.
/// The system's never shows the same microsecond twice, like that of a database that needs longer for each statement.
#[derive(Clone, Default)]
pub(crate) struct StoreClock(Arc<Mutex<Times>>);

#[derive(Default)]
struct Times {
    set: Option<DateTime<Utc>>,
    last: DateTime<Utc>,
}

impl StoreClock {
    pub(crate) fn set(&self, time: DateTime<Utc>) {
        self.times(|times| times.set = Some(time));
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "a database has a clock of its own, which the caller does not pass"
    )]
    pub(crate) fn now(&self) -> DateTime<Utc> {
        self.times(|times| {
            times.set.unwrap_or_else(|| {
                let later = times.last + TimeDelta::microseconds(1);
                times.last = later.max(Utc::now().trunc_subsecs(6));
                times.last
            })
        })
    }

    fn times<T>(&self, work: impl FnOnce(&mut Times) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
