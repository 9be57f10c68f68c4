//! The holidays on which some states allow no texts.

use chrono::{Datelike, Days, NaiveDate, Weekday};

/// A holiday of the United States, or of one of its states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumIter, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum Holiday {
    NewYearsDay,
    MartinLutherKingDay,
    WashingtonsBirthday,
    MemorialDay,
    Juneteenth,
    IndependenceDay,
    LaborDay,
    ColumbusDay,
    VeteransDay,
    Thanksgiving,
    Christmas,
    MardiGras,
    GoodFriday,
    ConfederateMemorialDay,
    JeffersonDavisBirthday,
    PioneerDay,
    VictoryDay,
    ElectionDay,
    DayAfterThanksgiving,
}

/// The public holidays of 5 U.S.C. § 6103(a).
const FEDERAL: [Holiday; 11] = [
    Holiday::NewYearsDay,
    Holiday::MartinLutherKingDay,
    Holiday::WashingtonsBirthday,
    Holiday::MemorialDay,
    Holiday::Juneteenth,
    Holiday::IndependenceDay,
    Holiday::LaborDay,
    Holiday::ColumbusDay,
    Holiday::VeteransDay,
    Holiday::Thanksgiving,
    Holiday::Christmas,
];

impl Holiday {
    /// The date of the holiday in this year, `None` outside of the calendar's range.
    fn date(self, year: i32) -> Option<NaiveDate> {
        let fixed = |month, day| NaiveDate::from_ymd_opt(year, month, day);
        let nth = |month, weekday, n| NaiveDate::from_weekday_of_month_opt(year, month, weekday, n);
        match self {
            Self::NewYearsDay => fixed(1, 1),
            Self::MartinLutherKingDay => nth(1, Weekday::Mon, 3),
            Self::WashingtonsBirthday => nth(2, Weekday::Mon, 3),
            Self::MemorialDay => last_monday_of_may(year),
            Self::Juneteenth => fixed(6, 19),
            Self::IndependenceDay => fixed(7, 4),
            Self::LaborDay => nth(9, Weekday::Mon, 1),
            Self::ColumbusDay => nth(10, Weekday::Mon, 2),
            Self::VeteransDay => fixed(11, 11),
            Self::Thanksgiving => nth(11, Weekday::Thu, 4),
            Self::Christmas => fixed(12, 25),
            Self::MardiGras => easter(year)?.checked_sub_days(Days::new(47)),
            Self::GoodFriday => easter(year)?.checked_sub_days(Days::new(2)),
            Self::ConfederateMemorialDay => nth(4, Weekday::Mon, 4),
            Self::JeffersonDavisBirthday => nth(6, Weekday::Mon, 1),
            Self::PioneerDay => fixed(7, 24),
            Self::VictoryDay => nth(8, Weekday::Mon, 2),
            // The Tuesday after the first Monday of November, in even years.
            Self::ElectionDay if year % 2 == 0 => nth(11, Weekday::Mon, 1)?.succ_opt(),
            Self::ElectionDay => None,
            Self::DayAfterThanksgiving => nth(11, Weekday::Thu, 4)?.succ_opt(),
        }
    }

    /// Whether the holiday is on this day, or is observed on it: on the Friday before a Saturday and on the Monday after a
    /// Sunday (5 U.S.C. § 6103(b)). The day itself counts too.
    fn is_on(self, day: NaiveDate) -> bool {
        // New Year's Day may be observed on the last day of the year before.
        [day.year(), day.year() + 1]
            .into_iter()
            .filter_map(|year| self.date(year))
            .any(|date| {
                let observed = match date.weekday() {
                    Weekday::Sat => date.pred_opt(),
                    Weekday::Sun => date.succ_opt(),
                    _ => None,
                };
                day == date || Some(day) == observed
            })
    }
}

/// Whether a day is a federal holiday, or one of these.
pub(crate) fn is_holiday(day: NaiveDate, own: &[Holiday]) -> bool {
    FEDERAL.iter().chain(own).any(|holiday| holiday.is_on(day))
}

fn last_monday_of_may(year: i32) -> Option<NaiveDate> {
    let nth = |n| NaiveDate::from_weekday_of_month_opt(year, 5, Weekday::Mon, n);
    nth(5).or_else(|| nth(4))
}

/// Easter Sunday of the Gregorian calendar, by the anonymous algorithm in the form of J. Meeus, "Astronomical Algorithms"
/// (1991), chapter 8. The names of the variables are his.
fn easter(year: i32) -> Option<NaiveDate> {
    let a = year % 19;
    let (b, c) = (year / 100, year % 100);
    let (d, e) = (b / 4, b % 4);
    let f = (b + 8) / 25;
    let g = (b - f + 1) / 3;
    let h = (19 * a + b - d - g + 15) % 30;
    let (i, k) = (c / 4, c % 4);
    let l = (32 + 2 * e + 2 * i - h - k) % 7;
    let m = (a + 11 * h + 22 * l) / 451;
    let sum = h + l - 7 * m + 114;
    NaiveDate::from_ymd_opt(
        year,
        u32::try_from(sum / 31).ok()?,
        u32::try_from(sum % 31 + 1).ok()?,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use strum::IntoEnumIterator;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn holidays_are_on_their_days() {
        use Holiday as H;
        for (holiday, date) in [
            (H::NewYearsDay, "2026-01-01"),
            (H::MartinLutherKingDay, "2026-01-19"),
            (H::WashingtonsBirthday, "2026-02-16"),
            (H::MardiGras, "2026-02-17"),
            (H::GoodFriday, "2026-04-03"),
            (H::ConfederateMemorialDay, "2026-04-27"),
            (H::MemorialDay, "2026-05-25"),
            (H::JeffersonDavisBirthday, "2026-06-01"),
            (H::Juneteenth, "2026-06-19"),
            (H::IndependenceDay, "2026-07-04"),
            (H::PioneerDay, "2026-07-24"),
            (H::VictoryDay, "2026-08-10"),
            (H::LaborDay, "2026-09-07"),
            (H::ColumbusDay, "2026-10-12"),
            (H::ElectionDay, "2026-11-03"),
            (H::VeteransDay, "2026-11-11"),
            (H::Thanksgiving, "2026-11-26"),
            (H::DayAfterThanksgiving, "2026-11-27"),
            (H::Christmas, "2026-12-25"),
            (H::MemorialDay, "2027-05-31"),
            (H::GoodFriday, "2038-04-23"),
        ] {
            assert!(holiday.is_on(day(date)), "{holiday:?} {date}");
            let days = day(date).iter_days().skip(3).take(300);
            assert_eq!(
                days.filter(|day| holiday.is_on(*day)).count(),
                0,
                "{holiday:?} {date}"
            );
        }
        assert!(
            !day("2027-11-02")
                .iter_days()
                .take(9)
                .any(|day| H::ElectionDay.is_on(day))
        );
    }

    #[test]
    fn a_holiday_on_a_weekend_is_observed_on_the_next_working_day_too() {
        for (date, is_holiday_then) in [
            ("2026-07-03", true), // Independence Day is a Saturday
            ("2026-07-04", true),
            ("2026-07-05", false),
            ("2023-01-01", true), // a Sunday
            ("2023-01-02", true),
            ("2021-12-31", true), // New Year's Day of 2022 is a Saturday
            ("2022-01-01", true),
            ("2022-01-03", false),
        ] {
            assert_eq!(is_holiday(day(date), &[]), is_holiday_then, "{date}");
        }
    }

    #[test]
    fn a_states_own_holidays_are_its_own() {
        let pioneer_day = day("2026-07-24");
        assert!(!is_holiday(pioneer_day, &[]));
        assert!(is_holiday(pioneer_day, &[Holiday::PioneerDay]));
    }

    #[test]
    fn easter_is_on_its_sundays() {
        // From the tables of the United States Naval Observatory: the earliest and the latest day of the century too.
        for date in [
            "2000-04-23",
            "2008-03-23",
            "2024-03-31",
            "2026-04-05",
            "2038-04-25",
            "2100-03-28",
        ] {
            assert_eq!(easter(day(date).year()), Some(day(date)));
        }
    }

    #[test]
    fn every_holiday_has_a_date_in_every_even_year() {
        for year in (2024..2100).step_by(2) {
            for holiday in Holiday::iter() {
                assert!(holiday.date(year).is_some(), "{holiday:?} {year}");
            }
        }
    }
}
