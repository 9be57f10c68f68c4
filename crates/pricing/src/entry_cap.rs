//! The cap on bought and free entries (D48).

use chrono::{DateTime, Datelike, NaiveDate, Utc};
use chrono_tz::Tz;

/// How many bought and free entries one entrant may get in a calendar month, together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryCap(u32);

impl EntryCap {
    /// The cap unless one is configured.
    pub const DEFAULT: Self = Self(Self::DEFAULT_ENTRIES);
    /// The number of entries of the default.
    pub const DEFAULT_ENTRIES: u32 = 1_000;
    /// The highest cap.
    pub const HIGHEST: Self = Self(Self::MAX);
    /// The number of entries of the highest cap.
    pub const MAX: u32 = 1_000_000;

    /// A cap of this many entries. `None` outside of 1 to [`EntryCap::MAX`].
    pub fn new(entries: u32) -> Option<Self> {
        (1..=Self::MAX).contains(&entries).then_some(Self(entries))
    }

    /// The number of entries.
    pub fn get(self) -> i64 {
        i64::from(self.0)
    }

    /// The entries that one free claim gives: whoever claims on 28 days of a month gets as many entries as anybody can buy.
    pub fn free_a_day(self) -> i64 {
        i64::from(self.0.div_ceil(28))
    }
}

/// The cap, and the zone of the site, whose calendar it goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CapRules {
    /// The cap.
    pub cap: EntryCap,
    /// The zone of the site.
    pub zone: Tz,
}

impl CapRules {
    /// The cap unless one is configured, by the calendar of UTC.
    pub const DEFAULT: Self = Self {
        cap: EntryCap::DEFAULT,
        zone: Tz::UTC,
    };

    /// The site's date at a time.
    pub fn date_at(self, time: DateTime<Utc>) -> CapDate {
        CapDate::at(time, self.zone, self.cap)
    }

    /// When the next date of the site begins after a time: when free entries can be claimed again. Where clocks skip midnight,
    /// it is the first time of that date.
    pub fn next_date_at(self, time: DateTime<Utc>) -> DateTime<Utc> {
        let mut next = time.with_timezone(&self.zone).date_naive();
        next = next.succ_opt().unwrap_or(next);
        let starts = (0..=24).filter_map(|hour| next.and_hms_opt(hour, 0, 0));
        let mut starts = starts.filter_map(|start| start.and_local_timezone(self.zone).earliest());
        starts.next().map_or(time, |start| start.with_timezone(&Utc))
    }
}

/// A date of the site's calendar, and the cap of its month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CapDate {
    date: NaiveDate,
    cap: EntryCap,
}

impl CapDate {
    /// The site's date at a time.
    pub fn at(time: DateTime<Utc>, zone: Tz, cap: EntryCap) -> Self {
        let date = time.with_timezone(&zone).date_naive();
        Self { date, cap }
    }

    /// The date.
    pub const fn date(self) -> NaiveDate {
        self.date
    }

    /// The cap.
    pub const fn cap(self) -> EntryCap {
        self.cap
    }

    /// The first day of its month.
    pub fn month(self) -> NaiveDate {
        self.date.with_day(1).unwrap_or(self.date)
    }

    /// The cause of the free entries of this date in the ledger: the date's digits, such as 20261123.
    pub fn cause(self) -> i64 {
        cause_of(self.date)
    }

    /// What one free claim gives when the entrant has this many bought and free entries in the month: a day's entries, or
    /// what still fits.
    pub fn free_entries(self, used: i64) -> i64 {
        self.cap.free_a_day().min(self.cap.get() - used).max(0)
    }
}

fn cause_of(date: NaiveDate) -> i64 {
    i64::from(date.year()) * 10_000 + i64::from(date.month()) * 100 + i64::from(date.day())
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::TimeZone;

    #[test]
    fn a_free_claim_on_28_days_reaches_the_cap() {
        for cap in [1, 27, 28, 29, 1_000, 1_000_000] {
            let cap = EntryCap::new(cap).unwrap();
            assert!(cap.free_a_day() * 28 >= cap.get());
            assert!((cap.free_a_day() - 1) * 28 < cap.get());
        }
        assert_eq!(EntryCap::DEFAULT.free_a_day(), 36);
        assert_eq!((EntryCap::new(0), EntryCap::new(1_000_001)), (None, None));
    }

    #[test]
    fn a_claim_gives_what_still_fits() {
        let day = CapDate::at(DateTime::UNIX_EPOCH, Tz::UTC, EntryCap::DEFAULT);
        assert_eq!(day.free_entries(0), 36);
        assert_eq!(day.free_entries(964), 36);
        assert_eq!(day.free_entries(965), 35);
        assert_eq!(day.free_entries(1_000), 0);
        assert_eq!(day.free_entries(1_200), 0, "a smaller cap takes nothing back");
    }

    #[test]
    fn the_next_date_begins_at_midnight_or_after_the_clocks_change() {
        let at = |zone, day, hour| {
            let rules = CapRules {
                cap: EntryCap::DEFAULT,
                zone,
            };
            rules.next_date_at(Utc.with_ymd_and_hms(2026, 9, day, hour, 0, 0).unwrap())
        };
        let new_york = at(chrono_tz::America::New_York, 4, 12);
        assert_eq!(new_york, Utc.with_ymd_and_hms(2026, 9, 5, 4, 0, 0).unwrap());
        let santiago = at(chrono_tz::America::Santiago, 5, 12); // no midnight on September 6
        assert_eq!(santiago, Utc.with_ymd_and_hms(2026, 9, 6, 4, 0, 0).unwrap());
    }

    #[test]
    fn the_date_is_that_of_the_site() {
        let zone = chrono_tz::America::New_York;
        let time = Utc.with_ymd_and_hms(2027, 1, 1, 4, 59, 59).unwrap();
        let day = CapDate::at(time, zone, EntryCap::DEFAULT);
        assert_eq!(day.cause(), 20_261_231);
        let next = CapDate::at(time + chrono::TimeDelta::seconds(1), zone, EntryCap::DEFAULT);
        assert_eq!((next.cause(), next.month()), (20_270_101, next.date()));
    }
}
