//! The times of messages: the site's quiet hours, the calendar month of the cap, and how long to wait after a failure.

use chrono::{DateTime, Datelike, NaiveDate, TimeDelta, TimeZone, Utc};

/// The part of the day in which the site sends nothing but codes, replies and tests, by the clock of the recipient. It may span
/// midnight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuietHours {
    /// The first quiet minute, in minutes after midnight.
    pub from: u16,
    /// The first minute that is not quiet, in minutes after midnight.
    pub until: u16,
}

impl QuietHours {
    /// Whether a minute of the day, counted from midnight, is quiet.
    pub fn contains(self, minute: u32) -> bool {
        let (from, until) = (u32::from(self.from), u32::from(self.until));
        match from > until {
            true => minute >= from || minute < until,
            false => (from..until).contains(&minute),
        }
    }
}

/// The first day of the calendar month of a moment in the time zone `zone`.
pub fn month_of<Z: TimeZone>(moment: DateTime<Utc>, zone: &Z) -> NaiveDate {
    let day = moment.with_timezone(zone).date_naive();
    day.with_day(1).unwrap_or(day)
}

/// The number of attempts after which a message fails. They take about a day.
pub const MAX_ATTEMPTS: u32 = 150;
/// The wait after the first attempt, in milliseconds. It doubles with each attempt.
const FIRST_WAIT_MS: i64 = 500;
/// The longest wait, in milliseconds.
const LONGEST_WAIT_MS: i64 = 600_000;

/// How long to wait after the attempt with this number, from 1. The wait doubles with each attempt, and its second half
/// is random, so that messages that failed together are not all sent again together.
pub(crate) fn wait_after(attempt: u32, random: u8) -> TimeDelta {
    let doubled = FIRST_WAIT_MS << attempt.saturating_sub(1).min(12);
    let longest = doubled.min(LONGEST_WAIT_MS);
    TimeDelta::milliseconds(longest / 2 + longest / 2 * i64::from(random) / 255)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::FixedOffset;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    fn eastern() -> FixedOffset {
        FixedOffset::west_opt(5 * 3600).unwrap()
    }

    #[test]
    fn quiet_hours_may_span_midnight_lie_within_one_day_or_be_empty() {
        let hours = |from: u16, until: u16| QuietHours {
            from: from * 60,
            until: until * 60,
        };
        for (hours, quiet, loud) in [
            (
                hours(21, 8),
                vec![21 * 60, 23 * 60 + 59, 0, 8 * 60 - 1],
                vec![8 * 60, 21 * 60 - 1],
            ),
            (
                hours(12, 13),
                vec![12 * 60, 13 * 60 - 1],
                vec![12 * 60 - 1, 13 * 60],
            ),
            (hours(10, 10), vec![], vec![0, 10 * 60]),
        ] {
            assert!(
                quiet.into_iter().all(|minute| hours.contains(minute)),
                "{hours:?}"
            );
            assert!(
                !loud.into_iter().any(|minute| hours.contains(minute)),
                "{hours:?}"
            );
        }
    }

    #[test]
    fn the_month_follows_the_time_zone_of_the_site() {
        let month = |now, zone: &FixedOffset| month_of(at(now), zone).to_string();
        assert_eq!(month("2026-02-01T04:59:59Z", &eastern()), "2026-01-01");
        assert_eq!(month("2026-02-01T05:00:00Z", &eastern()), "2026-02-01");
    }

    #[test]
    fn waits_double_up_to_ten_minutes_and_differ() {
        assert_eq!(wait_after(1, 0), TimeDelta::milliseconds(250));
        assert_eq!(wait_after(1, 255), TimeDelta::milliseconds(500));
        assert_eq!(wait_after(4, 255), TimeDelta::seconds(4));
        for attempt in [12, 24, u32::MAX] {
            assert_eq!(wait_after(attempt, 255), TimeDelta::seconds(600), "{attempt}");
        }
        assert!(wait_after(0, 0) > TimeDelta::zero());
    }
}
