use chrono::{DateTime, Utc};

/// Where the time comes from. Rules take `now` as a value; only flows ask a clock.
pub trait Clock: Send + Sync {
    /// The present moment, in UTC.
    fn now(&self) -> DateTime<Utc>;
}
