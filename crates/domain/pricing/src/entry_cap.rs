//! The cap on bought and free entries (D48).

use crate::{EntryCount, FreeOutcome, PurchaseStatus};
use chrono::{DateTime, Datelike, NaiveDate, Utc};
use chrono_tz::Tz;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

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

    /// The first date of a month, by any day of it.
    pub fn first_of(month: NaiveDate, cap: EntryCap) -> Self {
        let date = month.with_day(1).unwrap_or(month);
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

    /// The causes of the free entries of all dates of its month.
    pub fn causes_of_month(self) -> RangeInclusive<i64> {
        let first = cause_of(self.month());
        first..=first + 30
    }

    /// How many of an entrant's entries count toward the cap of the month. Those of other months do not.
    pub fn used(self, entries: impl IntoIterator<Item = MonthEntries>) -> i64 {
        let used = MonthEntries::used_by_month(entries);
        used.get(&self.month()).copied().unwrap_or_default()
    }

    /// How many more entries fit when this many are used. A cap that became smaller takes nothing back.
    pub fn room(self, used: i64) -> i64 {
        (self.cap.get() - used).max(0)
    }

    /// Whether a purchase of so many entries fits when this many are used.
    pub fn has_room(self, used: i64, entries: EntryCount) -> bool {
        entries.get() <= self.room(used)
    }

    /// What one free claim gives when this many are used: a day's entries, or what still fits.
    pub fn free_entries(self, used: i64) -> i64 {
        self.cap.free_a_day().min(self.room(used))
    }

    /// What becomes of a claim by an entrant who used this many, may be flagged (D77), and may have claimed on this date before.
    pub fn when_claimed(self, is_flagged: bool, is_claimed: bool, used: i64) -> FreeOutcome {
        match self.free_entries(used) {
            _ if is_flagged => FreeOutcome::OnHold,
            _ if is_claimed => FreeOutcome::AlreadyClaimed,
            0 => FreeOutcome::OverCap,
            entries => FreeOutcome::Given(entries),
        }
    }
}

fn cause_of(date: NaiveDate) -> i64 {
    i64::from(date.year()) * 10_000 + i64::from(date.month()) * 100 + i64::from(date.day())
}

/// The first day of the month of free entries with this cause in the ledger.
fn month_of(cause: i64) -> Option<NaiveDate> {
    let year = i32::try_from(cause / 10_000).ok()?;
    NaiveDate::from_ymd_opt(year, u32::try_from(cause / 100 % 100).ok()?, 1)
}

/// Where entries of a month come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CapSource {
    /// They were claimed for free.
    Free,
    /// They are those of purchases with this status that began in the month.
    Bought {
        /// The status.
        status: PurchaseStatus,
        /// How many of them were taken back.
        taken: i64,
    },
    /// They counted for an erased person with the same number.
    Inherited,
}

/// Entries of an entrant that may count toward the cap of a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MonthEntries {
    /// The first day of the month.
    pub month: NaiveDate,
    /// Where they come from.
    pub source: CapSource,
    /// How many.
    pub entries: i64,
}

impl MonthEntries {
    /// Free entries with this cause in the ledger. `None` if the cause is no date.
    pub fn free(cause: i64, entries: i64) -> Option<Self> {
        Some(Self {
            month: month_of(cause)?,
            source: CapSource::Free,
            entries,
        })
    }

    /// How many of them count: all but those that were taken back, and those of purchases that gave none.
    fn counted(self) -> i64 {
        match self.source {
            CapSource::Free | CapSource::Inherited => self.entries,
            CapSource::Bought { status, taken } if status.counts_toward_cap() => self.entries - taken,
            CapSource::Bought { .. } => 0,
        }
    }

    /// How many of an entrant's entries count toward the cap of each month, by its first day.
    pub fn used_by_month(entries: impl IntoIterator<Item = Self>) -> BTreeMap<NaiveDate, i64> {
        let mut used = BTreeMap::new();
        for entries in entries {
            *used.entry(entries.month).or_default() += entries.counted();
        }
        used
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use PurchaseStatus::{Canceled, Completed, Failed, Pending, Refunded, Refunding};
    use chrono::TimeZone;

    fn november(day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 11, day).unwrap()
    }

    fn bought(status: PurchaseStatus, entries: i64, taken: i64) -> MonthEntries {
        MonthEntries {
            month: november(1),
            source: CapSource::Bought { status, taken },
            entries,
        }
    }

    /// A date of November under a cap of 1,000 entries: a claim gives 36.
    fn date() -> CapDate {
        CapDate::first_of(november(23), EntryCap::DEFAULT)
    }

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
    fn a_claim_gives_once_a_day_what_still_fits() {
        use FreeOutcome::{AlreadyClaimed, Given, OnHold, OverCap};
        assert_eq!(date().when_claimed(false, false, 0), Given(36));
        assert_eq!(date().when_claimed(false, false, 964), Given(36));
        assert_eq!(date().when_claimed(false, false, 965), Given(35));
        assert_eq!(date().when_claimed(false, false, 1_000), OverCap);
        assert_eq!(
            date().when_claimed(false, false, 1_200),
            OverCap,
            "a smaller cap takes nothing back"
        );
        assert_eq!(date().when_claimed(false, true, 0), AlreadyClaimed);
        assert_eq!(date().when_claimed(false, true, 1_000), AlreadyClaimed);
        assert_eq!(date().when_claimed(true, false, 0), OnHold);
    }

    #[test]
    fn a_purchase_fits_up_to_the_last_entry_of_the_cap() {
        let fits = |used, entries| date().has_room(used, EntryCount::new(entries).unwrap());
        assert!(fits(0, 1_000) && !fits(0, 1_001));
        assert!(fits(980, 20) && !fits(981, 20));
        assert!(!fits(1_000, 1) && !fits(1_200, 1));
        assert_eq!((date().room(981), date().room(1_200)), (19, 0));
    }

    #[test]
    fn what_is_reserved_or_credited_counts_and_what_was_given_up_does_not() {
        for (status, counted) in [
            (Pending, 20),
            (Failed, 20),
            (Completed, 20),
            (Canceled, 0),
            (Refunding, 0),
            (Refunded, 0),
        ] {
            assert_eq!(date().used([bought(status, 20, 0)]), counted, "{status:?}");
        }
        assert_eq!(date().used([bought(Completed, 20, 5)]), 15, "5 were taken back");
    }

    #[test]
    fn free_bought_and_inherited_entries_of_a_month_count_together() {
        let inherited = MonthEntries {
            month: november(1),
            source: CapSource::Inherited,
            entries: 300,
        };
        let free = |cause| MonthEntries::free(cause, 36).unwrap();
        let all = [
            free(20_261_101),
            free(20_261_130),
            free(20_261_201),
            bought(Completed, 20, 0),
            inherited,
        ];
        assert_eq!(date().used(all), 36 + 36 + 20 + 300);
        let december = november(30).succ_opt().unwrap();
        let by_month = [(november(1), 392), (december, 36)];
        assert_eq!(MonthEntries::used_by_month(all), by_month.into());
        assert_eq!(date().used([]), 0);
    }

    #[test]
    fn the_cause_of_free_entries_is_their_date() {
        let causes = date().causes_of_month();
        assert!(causes.contains(&20_261_101) && causes.contains(&20_261_130));
        assert!(!causes.contains(&20_261_031) && !causes.contains(&20_261_201));
        assert_eq!(MonthEntries::free(20_261_301, 36), None, "no thirteenth month");
        assert_eq!(MonthEntries::free(i64::MAX, 36), None);
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
