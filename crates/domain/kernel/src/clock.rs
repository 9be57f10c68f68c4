use chrono::{DateTime, Utc};

/// The source of the time. Rules take `now` as a value; only flows read a clock.
pub trait Clock: Send + Sync {
    /// The present moment, in UTC.
    fn now(&self) -> DateTime<Utc>;
}
