//! The cap on bought and free entries (D48), and what can be had free of it on a date (D68).

use crate::{EntryCount, FreeOutcome, PurchaseStatus};
use chrono::{DateTime, Datelike, Months, NaiveDate, TimeDelta, Utc};
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
    pub const DEFAULT_ENTRIES: u32 = 100;
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

    /// The date of a free claim at a time. What is left is spread until the month's end or the next cut-off.
    pub fn free_date_at(self, time: DateTime<Utc>, next_cut_off: Option<DateTime<Utc>>) -> FreeDate {
        let day = self.date_at(time);
        let month_end = day.last_of_month();
        // At midnight, the date of the cut-off has no time before it.
        let before = next_cut_off.map(|cut_off| self.date_at(cut_off - TimeDelta::microseconds(1)).date);
        let last = before
            .map_or(month_end, |before| before.min(month_end))
            .max(day.date);
        FreeDate { day, last }
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

    /// The last day of its month.
    fn last_of_month(self) -> NaiveDate {
        let next = self.month().checked_add_months(Months::new(1));
        next.and_then(|first| first.pred_opt()).unwrap_or(self.date)
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
    pub fn used(self, entries: impl IntoIterator<Item = MonthEntries>) -> CapUse {
        let mut used = MonthEntries::used_by_month(entries);
        used.remove(&self.month()).unwrap_or_default()
    }

    /// How many more entries fit beside those that are used. A cap that became smaller takes nothing back.
    pub fn room(self, used: CapUse) -> i64 {
        (self.cap.get() - used.all()).max(0)
    }

    /// Whether a purchase of so many entries fits beside those that are used.
    pub fn has_room(self, used: CapUse, entries: EntryCount) -> bool {
        entries.get() <= self.room(used)
    }
}

/// A date on which free entries can be claimed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FreeDate {
    day: CapDate,
    /// The last date for what is left: of its month, or before the next cut-off.
    last: NaiveDate,
}

impl FreeDate {
    /// The date.
    pub const fn day(self) -> CapDate {
        self.day
    }

    /// What one claim gives: what the entrant has not had of the cap, spread over the dates that are left, this one
    /// included, and rounded up. So whoever claims on each date, or on the last alone, ends where a buyer ends. Entries that
    /// open purchases reserve are spread too, but not given while they are reserved.
    pub fn free_entries(self, used: CapUse) -> i64 {
        let rest = (self.day.cap.get() - used.had).max(0);
        let dates_left = (self.last - self.day.date).num_days() + 1;
        let share = (rest + dates_left - 1) / dates_left;
        share.min(self.day.room(used))
    }

    /// What becomes of a claim by an entrant who used this many, may be flagged (D77), and may have claimed on this date before.
    pub fn when_claimed(self, is_flagged: bool, is_claimed: bool, used: CapUse) -> FreeOutcome {
        match self.free_entries(used) {
            _ if is_flagged => FreeOutcome::OnHold,
            _ if is_claimed => FreeOutcome::AlreadyClaimed,
            0 => FreeOutcome::OverCap,
            entries => FreeOutcome::Given(entries),
        }
    }
}

/// How many of an entrant's entries count toward the cap of a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CapUse {
    /// Those that the entrant got: free, or paid and not taken back.
    pub had: i64,
    /// Those that open purchases reserve.
    pub reserved: i64,
}

impl CapUse {
    /// All of them.
    pub const fn all(self) -> i64 {
        self.had + self.reserved
    }

    const fn plus(self, other: Self) -> Self {
        Self {
            had: self.had + other.had,
            reserved: self.reserved + other.reserved,
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
    fn counted(self) -> CapUse {
        let (had, reserved) = match self.source {
            CapSource::Free | CapSource::Inherited => (self.entries, 0),
            CapSource::Bought {
                status: PurchaseStatus::Completed,
                taken,
            } => (self.entries - taken, 0),
            CapSource::Bought { status, .. } if status.is_open() => (0, self.entries),
            CapSource::Bought { .. } => (0, 0),
        };
        CapUse { had, reserved }
    }

    /// How many of an entrant's entries count toward the cap of each month, by its first day.
    pub fn used_by_month(entries: impl IntoIterator<Item = Self>) -> BTreeMap<NaiveDate, CapUse> {
        let mut used: BTreeMap<_, CapUse> = BTreeMap::new();
        for entries in entries {
            let month = used.entry(entries.month).or_default();
            *month = month.plus(entries.counted());
        }
        used
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use PurchaseStatus::{Canceled, Completed, Failed, Pending, Refunded, Refunding};
    use chrono::TimeZone;
    use proptest::prelude::*;

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

    /// The 23rd of November under a cap of 100 entries.
    fn date() -> CapDate {
        at_noon(23).day
    }

    /// Noon of a day of November, of which no drawing is announced.
    fn at_noon(day: u32) -> FreeDate {
        before(day, None)
    }

    /// The same before a cut-off at a day, hour and minute of November.
    fn before(day: u32, cut_off: Option<(u32, u32, u32)>) -> FreeDate {
        let time = |(day, hour, minute)| Utc.with_ymd_and_hms(2026, 11, day, hour, minute, 0).unwrap();
        CapRules::DEFAULT.free_date_at(time((day, 12, 0)), cut_off.map(time))
    }

    const fn had(had: i64) -> CapUse {
        CapUse { had, reserved: 0 }
    }

    #[test]
    fn a_claim_gives_what_is_left_spread_over_the_dates_that_are_left() {
        for (day, used, given) in [
            (1, 0, 4), // 100 over 30 dates
            (2, 4, 4), // 96 over 29
            (16, 0, 7),
            (29, 0, 50),
            (29, 99, 1),
            (30, 0, 100),
            (30, 40, 60),
            (30, 100, 0),
            (30, 120, 0), // a smaller cap takes nothing back
        ] {
            assert_eq!(at_noon(day).free_entries(had(used)), given, "{used} on the {day}");
        }
    }

    #[test]
    fn the_dates_left_end_before_the_next_cut_off() {
        for (cut_off, given) in [
            ((20, 13, 0), 100),  // later today
            ((21, 0, 0), 100),   // at midnight, tomorrow has no time before it
            ((21, 0, 1), 50),    // today and tomorrow
            ((24, 0, 0), 25),    // four dates
            ((20, 11, 59), 100), // one that is over leaves today
        ] {
            assert_eq!(
                before(20, Some(cut_off)).free_entries(had(0)),
                given,
                "{cut_off:?}"
            );
        }
        let december = Utc.with_ymd_and_hms(2026, 12, 24, 0, 0, 0).unwrap();
        let rules = CapRules::DEFAULT;
        let now = Utc.with_ymd_and_hms(2026, 11, 29, 12, 0, 0).unwrap();
        assert_eq!(
            rules.free_date_at(now, Some(december)),
            rules.free_date_at(now, None),
            "the month ends first"
        );
    }

    #[test]
    fn reserved_entries_are_spread_but_not_given() {
        let used = |had, reserved| CapUse { had, reserved };
        assert_eq!(at_noon(29).free_entries(used(0, 20)), 50);
        assert_eq!(at_noon(29).free_entries(used(0, 60)), 40);
        assert_eq!(at_noon(29).free_entries(used(0, 100)), 0);
    }

    #[test]
    fn a_claim_gives_once_a_day_what_still_fits() {
        use FreeOutcome::{AlreadyClaimed, Given, OnHold, OverCap};
        assert_eq!(at_noon(1).when_claimed(false, false, had(0)), Given(4));
        assert_eq!(at_noon(1).when_claimed(false, false, had(100)), OverCap);
        assert_eq!(at_noon(1).when_claimed(false, true, had(0)), AlreadyClaimed);
        assert_eq!(at_noon(1).when_claimed(false, true, had(100)), AlreadyClaimed);
        assert_eq!(at_noon(1).when_claimed(true, false, had(0)), OnHold);
    }

    proptest! {
        /// Whatever they bought, whoever claims on each date of the month, and whoever claims on the last one alone, have as
        /// many as a buyer can have, and at no time more.
        #[test]
        fn who_claims_ends_where_a_buyer_ends(
            cap in 1..=2_000_u32,
            bought in prop::collection::vec((1..=30_u32, 0..=300_i64), 0..4),
            claimed in prop::collection::vec(any::<bool>(), 30),
            cut_off in prop::option::of(2..=30_u32),
        ) {
            let rules = CapRules { cap: EntryCap::new(cap).unwrap(), zone: Tz::UTC };
            let time = |day, hour| Utc.with_ymd_and_hms(2026, 11, day, hour, 0, 0).unwrap();
            let ends = [cut_off.map(|day| day - 1), Some(30)];
            let mut ends = ends.into_iter().flatten();
            let mut end = ends.next().unwrap();
            let (mut always, mut sometimes) = (0, 0);
            for day in 1..=30 {
                let ahead = cut_off.filter(|cut_off| *cut_off > day).map(|day| time(day, 0));
                let date = rules.free_date_at(time(day, 12), ahead);
                let buys = |used: i64| {
                    let wanted = bought.iter().filter(|(on, _)| *on == day).map(|(_, entries)| *entries);
                    wanted.fold(used, |used, entries| match entries <= date.day.room(had(used)) {
                        true => used + entries,
                        false => used,
                    })
                };
                always = buys(always);
                sometimes = buys(sometimes);
                always += date.free_entries(had(always));
                if claimed[day as usize - 1] || day == end {
                    sometimes += date.free_entries(had(sometimes));
                }
                prop_assert!(always <= cap.into() && sometimes <= cap.into());
                if day == end {
                    prop_assert_eq!((always, sometimes), (cap.into(), cap.into()), "on the {}", day);
                    end = ends.next().unwrap_or(0);
                }
            }
        }
    }

    #[test]
    fn a_purchase_fits_up_to_the_last_entry_of_the_cap() {
        let fits = |used, entries| date().has_room(had(used), EntryCount::new(entries).unwrap());
        assert!(fits(0, 100) && !fits(0, 101));
        assert!(fits(80, 20) && !fits(81, 20));
        assert!(!fits(100, 1) && !fits(120, 1));
        let used = CapUse {
            had: 40,
            reserved: 41,
        };
        assert_eq!((date().room(used), date().room(had(120))), (19, 0));
    }

    #[test]
    fn what_is_reserved_or_credited_counts_and_what_was_given_up_does_not() {
        for (status, had, reserved) in [
            (Pending, 0, 20),
            (Failed, 0, 20),
            (Completed, 20, 0),
            (Canceled, 0, 0),
            (Refunding, 0, 0),
            (Refunded, 0, 0),
        ] {
            assert_eq!(
                date().used([bought(status, 20, 0)]),
                CapUse { had, reserved },
                "{status:?}"
            );
        }
        assert_eq!(
            date().used([bought(Completed, 20, 5)]),
            had(15),
            "5 were taken back"
        );
    }

    #[test]
    fn free_bought_and_inherited_entries_of_a_month_count_together() {
        let inherited = MonthEntries {
            month: november(1),
            source: CapSource::Inherited,
            entries: 300,
        };
        let free = |cause| MonthEntries::free(cause, 4).unwrap();
        let all = [
            free(20_261_101),
            free(20_261_130),
            free(20_261_201),
            bought(Completed, 20, 0),
            inherited,
        ];
        assert_eq!(date().used(all), had(4 + 4 + 20 + 300));
        let december = november(30).succ_opt().unwrap();
        let by_month = [(november(1), had(328)), (december, had(4))];
        assert_eq!(MonthEntries::used_by_month(all), by_month.into());
        assert_eq!(date().used([]), CapUse::default());
    }

    #[test]
    fn the_cause_of_free_entries_is_their_date() {
        let causes = date().causes_of_month();
        assert!(causes.contains(&20_261_101) && causes.contains(&20_261_130));
        assert!(!causes.contains(&20_261_031) && !causes.contains(&20_261_201));
        assert_eq!(MonthEntries::free(20_261_301, 4), None, "no thirteenth month");
        assert_eq!(MonthEntries::free(i64::MAX, 4), None);
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
