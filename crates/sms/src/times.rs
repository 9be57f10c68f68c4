//! When messages may be sent: quiet hours, the calendar month of the cap, and how long to wait after a failure.

use chrono::{DateTime, Datelike, Days, NaiveDate, NaiveTime, TimeDelta, TimeZone, Timelike, Utc};

/// The part of the day in which only test messages are sent. It may span midnight (D23).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuietHours {
    /// The first quiet minute, in minutes after midnight.
    pub from: u16,
    /// The first minute that is not quiet, in minutes after midnight.
    pub until: u16,
}

impl QuietHours {
    /// When the quiet hours that hold now end, in the time zone `zone`. `None` if none hold.
    pub fn quiet_until<Z: TimeZone>(self, now: DateTime<Utc>, zone: &Z) -> Option<DateTime<Utc>> {
        let local = now.with_timezone(zone).naive_local();
        let minute = local.hour() * 60 + local.minute();
        let (from, until) = (u32::from(self.from), u32::from(self.until));
        let spans_midnight = from > until;
        let quiet = if spans_midnight {
            minute >= from || minute < until
        } else {
            (from..until).contains(&minute)
        };
        if !quiet {
            return None;
        }
        let ends_tomorrow = spans_midnight && minute >= from;
        let day = local.date().checked_add_days(Days::new(ends_tomorrow.into()))?;
        let end = NaiveTime::from_hms_opt(until / 60 % 24, until % 60, 0)?;
        // A local time that the change to daylight saving time skips: take the next minute that exists.
        (0..180).find_map(|minutes| {
            let local = day.and_time(end) + TimeDelta::minutes(minutes);
            Some(zone.from_local_datetime(&local).earliest()?.with_timezone(&Utc))
        })
    }
}

/// The time since which messages could be sent for as long as `long`: quiet hours do not count. Exact to a quarter of an
/// hour.
pub fn sendable_since<Z: TimeZone>(
    quiet: Option<QuietHours>,
    now: DateTime<Utc>,
    zone: &Z,
    long: TimeDelta,
) -> DateTime<Utc> {
    const STEP: TimeDelta = TimeDelta::minutes(15);
    let is_quiet = |at| quiet.is_some_and(|hours| hours.quiet_until(at, zone).is_some());
    let (mut since, mut counted) = (now, TimeDelta::zero());
    // However long quiet hours are, a quarter of an hour of each day is not quiet; a month is enough.
    for _ in 0..30 * 24 * 4 {
        if counted >= long {
            break;
        }
        since -= STEP;
        if !is_quiet(since) {
            counted += STEP;
        }
    }
    since
}

/// The first day of the present calendar month in the time zone `zone`.
pub fn month_of<Z: TimeZone>(now: DateTime<Utc>, zone: &Z) -> NaiveDate {
    let day = now.with_timezone(zone).date_naive();
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
pub fn wait_after(attempt: u32, random: u8) -> TimeDelta {
    let doubled = FIRST_WAIT_MS << attempt.saturating_sub(1).min(12);
    let longest = doubled.min(LONGEST_WAIT_MS);
    TimeDelta::milliseconds(longest / 2 + longest / 2 * i64::from(random) / 255)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::FixedOffset;

    const NIGHT: QuietHours = QuietHours {
        from: 21 * 60,
        until: 8 * 60,
    };

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    fn eastern() -> FixedOffset {
        FixedOffset::west_opt(5 * 3600).unwrap()
    }

    #[test]
    fn quiet_hours_follow_the_time_zone_of_the_site() {
        for (now, until) in [
            ("2026-01-10T01:59:59Z", None),
            ("2026-01-10T02:00:00Z", Some("2026-01-10T13:00:00Z")),
            ("2026-01-10T04:59:59Z", Some("2026-01-10T13:00:00Z")),
            ("2026-01-10T05:00:00Z", Some("2026-01-10T13:00:00Z")),
            ("2026-01-10T12:59:59Z", Some("2026-01-10T13:00:00Z")),
            ("2026-01-10T13:00:00Z", None),
        ] {
            assert_eq!(NIGHT.quiet_until(at(now), &eastern()), until.map(at), "{now}");
        }
    }

    #[test]
    fn a_day_in_which_messages_can_be_sent_spans_more_than_a_day_with_quiet_hours() {
        let day = TimeDelta::hours(24);
        let now = at("2026-01-10T18:00:00Z");
        assert_eq!(
            sendable_since(None, now, &eastern(), day),
            at("2026-01-09T18:00:00Z")
        );
        // 13 hours of each day: 5 on the 10th, 13 on the 9th, and 6 of the 8th, which ended at 2:00 UTC.
        let since = sendable_since(Some(NIGHT), now, &eastern(), day);
        assert_eq!(since, at("2026-01-08T20:00:00Z"));
    }

    #[test]
    fn hours_that_are_nearly_always_quiet_end_after_a_month() {
        let always = QuietHours { from: 1, until: 0 };
        let now = at("2026-01-31T12:00:00Z");
        let since = sendable_since(Some(always), now, &eastern(), TimeDelta::hours(24));
        assert_eq!(since, at("2026-01-01T12:00:00Z"));
    }

    #[test]
    fn quiet_hours_that_end_in_a_skipped_hour_end_with_it() {
        let night = QuietHours {
            from: 21 * 60,
            until: 2 * 60 + 30,
        };
        // In New York, 2 o'clock becomes 3 o'clock on this day, which is 7:00 UTC.
        let before = at("2026-03-08T06:00:00Z");
        let end = night.quiet_until(before, &chrono_tz::America::New_York);
        assert_eq!(end, Some(at("2026-03-08T07:00:00Z")));
    }

    #[test]
    fn quiet_hours_may_lie_within_one_day_or_be_empty() {
        let noon = QuietHours {
            from: 12 * 60,
            until: 13 * 60 + 30,
        };
        assert_eq!(
            noon.quiet_until(at("2026-01-10T12:00:00Z"), &Utc),
            Some(at("2026-01-10T13:30:00Z"))
        );
        assert_eq!(noon.quiet_until(at("2026-01-10T13:30:00Z"), &Utc), None);
        let never = QuietHours {
            from: 600,
            until: 600,
        };
        assert_eq!(never.quiet_until(at("2026-01-10T10:00:00Z"), &Utc), None);
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
