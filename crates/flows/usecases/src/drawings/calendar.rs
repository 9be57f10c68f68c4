//! Months in the time zone of the site, with its daylight-saving changes.

use chrono::{DateTime, Datelike, Months, NaiveDate, NaiveTime, TimeDelta, TimeZone, Utc};
use chrono_tz::Tz;
use drawing::{LastMonth, Period};

/// The month that contains a moment.
pub fn period_at(moment: DateTime<Utc>, zone: Tz) -> Option<Period> {
    let day = moment.with_timezone(&zone).date_naive();
    Period::new(day.year(), day.month())
}

/// The first moment of a month, and the first moment after it.
pub fn bounds_of(period: Period, zone: Tz) -> Option<(DateTime<Utc>, DateTime<Utc>)> {
    let first = NaiveDate::from_ymd_opt(period.year(), period.month(), 1)?;
    Some((
        first_moment_at(first, NaiveTime::MIN, zone)?,
        end_of(period, zone)?,
    ))
}

/// The first moment after a month: the cut-off of its drawing.
pub fn end_of(period: Period, zone: Tz) -> Option<DateTime<Utc>> {
    first_moment_at(day_after(period)?, NaiveTime::MIN, zone)
}

/// When the month of a moment began, and when the three after it begin. Shorter where the calendar ends.
pub fn months_from(moment: DateTime<Utc>, zone: Tz) -> Vec<DateTime<Utc>> {
    let mut months = Vec::new();
    let mut next = moment;
    for _ in 0..3 {
        let Some((begin, end)) = period_at(next, zone).and_then(|period| bounds_of(period, zone)) else {
            break;
        };
        if months.is_empty() {
            months.push(begin);
        }
        months.push(end);
        next = end;
    }
    months
}

/// Noon of the day after a month: the monthly drawing takes the first round from then on.
pub fn noon_after(period: Period, zone: Tz) -> Option<DateTime<Utc>> {
    first_moment_at(day_after(period)?, NaiveTime::from_hms_opt(12, 0, 0)?, zone)
}

/// The month in which a raffle was closed at this moment. One that closes when a month ends was open in that month.
pub fn last_month(closed_at: DateTime<Utc>, zone: Tz) -> Option<LastMonth> {
    let period = period_at(closed_at - TimeDelta::microseconds(1), zone)?;
    let (begins_at, ends_at) = bounds_of(period, zone)?;
    Some(LastMonth {
        period,
        begins_at,
        ends_at,
        next_ends_at: end_of(period.next()?, zone)?,
    })
}

fn day_after(period: Period) -> Option<NaiveDate> {
    let first = NaiveDate::from_ymd_opt(period.year(), period.month(), 1)?;
    first.checked_add_months(Months::new(1))
}

/// The first moment of a day when its clock shows this time or a later one. Where clocks go back over the time, it is the
/// first of the two; where they skip it, it is the moment after the gap.
fn first_moment_at(day: NaiveDate, time: NaiveTime, zone: Tz) -> Option<DateTime<Utc>> {
    (0..2 * 24 * 60).find_map(|minutes| {
        let local = day.and_time(time) + TimeDelta::minutes(minutes);
        Some(zone.from_local_datetime(&local).earliest()?.to_utc())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(period: &str, zone: Tz) -> [String; 2] {
        let period = period.parse().unwrap();
        [end_of(period, zone), noon_after(period, zone)].map(|moment| moment.unwrap().to_rfc3339())
    }

    #[test]
    fn months_of_new_york_follow_both_daylight_saving_changes() {
        let zone = Tz::America__New_York;
        // Clocks go forward on March 8 and back on November 1, 2026.
        let expected = [
            (
                "2026-02",
                "2026-03-01T05:00:00+00:00",
                "2026-03-01T17:00:00+00:00",
            ),
            (
                "2026-03",
                "2026-04-01T04:00:00+00:00",
                "2026-04-01T16:00:00+00:00",
            ),
            // They go back two hours after midnight, so noon is 13 hours after it.
            (
                "2026-10",
                "2026-11-01T04:00:00+00:00",
                "2026-11-01T17:00:00+00:00",
            ),
            (
                "2026-12",
                "2027-01-01T05:00:00+00:00",
                "2027-01-01T17:00:00+00:00",
            ),
        ];
        for (period, midnight, noon) in expected {
            assert_eq!(ends(period, zone), [midnight, noon], "{period}");
        }
    }

    #[test]
    fn a_midnight_that_clocks_skip_is_the_moment_after_the_gap() {
        // Asuncion went from 24:00 on September 30 to 1:00 on October 1, 2017.
        let [midnight, noon] = ends("2017-09", Tz::America__Asuncion);
        assert_eq!(
            [midnight.as_str(), noon.as_str()],
            ["2017-10-01T04:00:00+00:00", "2017-10-01T15:00:00+00:00"]
        );
    }

    #[test]
    fn a_midnight_that_comes_twice_is_the_first() {
        // Havana goes from 1:00 back to 0:00 on November 1, 2026.
        let [midnight, _] = ends("2026-10", Tz::America__Havana);
        assert_eq!(midnight, "2026-11-01T04:00:00+00:00");
    }

    #[test]
    fn a_month_begins_when_the_one_before_ends() {
        for zone in [Tz::UTC, Tz::America__New_York, Tz::Pacific__Kiritimati] {
            for (before, after) in [
                ("2026-02", "2026-03"),
                ("2026-10", "2026-11"),
                ("2026-12", "2027-01"),
            ] {
                let (before, after): (Period, Period) = (before.parse().unwrap(), after.parse().unwrap());
                let end = end_of(before, zone).unwrap();
                assert_eq!(period_at(end, zone), Some(after));
                assert_eq!(period_at(end - TimeDelta::microseconds(1), zone), Some(before));
                assert_eq!(bounds_of(after, zone), Some((end, end_of(after, zone).unwrap())));
            }
        }
    }
}
