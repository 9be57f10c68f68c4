use std::time::UNIX_EPOCH;

/// The time now, in milliseconds since 1970.
#[expect(clippy::disallowed_methods, reason = "this is the stand-ins' clock")]
pub fn unix_millis() -> i64 {
    std::time::SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
