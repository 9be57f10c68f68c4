//! When the provider is asked about an open purchase.

use crate::Purchase;
use chrono::{DateTime, TimeDelta, Utc};

const FIRST: TimeDelta = TimeDelta::minutes(3);
const LONGEST: TimeDelta = TimeDelta::hours(24);

/// The pause after this many checks: three minutes, doubled by each check, and at most a day.
pub fn check_delay(checks: u32) -> TimeDelta {
    let doubled = FIRST.checked_mul(1 << checks.min(16));
    doubled.unwrap_or(LONGEST).min(LONGEST)
}

/// The time of the next check of a purchase that began at `begun` and was checked this often, the last time `now`. One
/// check is at the end of [`Purchase::OPEN_FOR`], because the payment is canceled then.
pub fn next_check(begun: DateTime<Utc>, checks: u32, now: DateTime<Utc>) -> DateTime<Utc> {
    let next = now + check_delay(checks);
    let end = Purchase::open_until(begun);
    if now < end { next.min(end) } else { next }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_purchase_is_checked_five_times_in_its_hour() {
        let begun = DateTime::UNIX_EPOCH;
        let mut minutes = Vec::new();
        let mut now = begun;
        for checks in 0..14 {
            now = next_check(begun, checks, now);
            minutes.push((now - begun).num_minutes());
        }
        assert_eq!(
            minutes,
            [
                3, 9, 21, 45, 60, 156, 348, 732, 1500, 2940, 4380, 5820, 7260, 8700
            ]
        );
        assert_eq!(check_delay(u32::MAX), LONGEST);
    }
}
