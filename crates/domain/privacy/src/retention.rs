//! How long data is kept (D46): the rules, and what they need of the store.
//!
//! Views of 25 months are kept, in parts of a month, by UTC. Addresses, user agents and fingerprints are erased after
//! [`Terms::days`]. The console's figures do not change by either.

use chrono::{DateTime, Datelike, Days, Months, NaiveDate, TimeDelta, Utc};
use kernel::StoreError;
use std::fmt;

/// For how many whole months views are kept, besides the current one.
const KEPT_MONTHS: u32 = 25;
/// For how many months from now on there is a place before they begin.
const MONTHS_AHEAD: u32 = 3;
/// For how many days the ids of the payment provider's events are kept. It repeats an event for three days.
const DAYS_OF_EVENTS: u64 = 90;

/// A month of the calendar in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Month(NaiveDate);

impl Month {
    /// The month of a moment.
    pub fn of(time: DateTime<Utc>) -> Self {
        let date = time.date_naive();
        Self(date.with_day(1).unwrap_or(date))
    }

    /// The moment with which it begins.
    pub fn start(self) -> DateTime<Utc> {
        self.0.and_time(chrono::NaiveTime::MIN).and_utc()
    }

    /// The month that is `count` months later.
    #[must_use]
    pub fn later(self, count: u32) -> Self {
        Self(self.0.checked_add_months(Months::new(count)).unwrap_or(self.0))
    }

    /// The month that is `count` months earlier.
    #[must_use]
    pub fn earlier(self, count: u32) -> Self {
        Self(self.0.checked_sub_months(Months::new(count)).unwrap_or(self.0))
    }
}

/// Such as `2026-11`.
impl fmt::Display for Month {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:04}-{:02}", self.0.year(), self.0.month())
    }
}

/// How long the operator keeps what could identify a visitor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    /// The days after which addresses, user agents and fingerprints are erased.
    pub days: u32,
}

impl Default for Terms {
    fn default() -> Self {
        Self { days: 90 }
    }
}

impl Terms {
    /// What is older than the terms at this moment.
    pub fn limits(self, now: DateTime<Utc>) -> Limits {
        Limits {
            identifying: before(now, self.days.into()),
            events: before(now, DAYS_OF_EVENTS),
            views: Month::of(now).earlier(KEPT_MONTHS),
        }
    }
}

/// Days of 24 hours, so that a change of the clocks in some zone makes none shorter.
fn before(now: DateTime<Utc>, days: u64) -> DateTime<Utc> {
    now.checked_sub_days(Days::new(days))
        .unwrap_or(DateTime::<Utc>::MIN_UTC)
}

/// What is not kept at some moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Addresses, user agents and fingerprints from before this moment.
    pub identifying: DateTime<Utc>,
    /// Events of the payment provider from before this moment.
    pub events: DateTime<Utc>,
    /// Views from before this month.
    pub views: Month,
}

impl Limits {
    /// Before which moment rows of a source are cleaned.
    pub fn of(&self, source: Source) -> DateTime<Utc> {
        match source {
            Source::ProviderEvents => self.events,
            Source::ViewTimes | Source::StrayViews => self.views.start(),
            Source::Views
            | Source::SignUps
            | Source::Consents
            | Source::Referrals
            | Source::Shares
            | Source::Clicks
            | Source::PushSubscriptions => self.identifying,
        }
    }
}

/// The months that must have a place now: this one and the next three.
pub fn months_to_make(now: DateTime<Utc>) -> impl Iterator<Item = Month> {
    let this = Month::of(now);
    (0..=MONTHS_AHEAD).map(move |count| this.later(count))
}

/// A run is due if none began after this moment. A little less than a day ago, so that runs keep to their hour.
pub fn last_run(now: DateTime<Utc>) -> DateTime<Utc> {
    now.checked_sub_signed(TimeDelta::hours(23)).unwrap_or(now)
}

/// What a run cleans row by row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::IntoStaticStr)]
#[strum(serialize_all = "camelCase")]
pub enum Source {
    /// Address, user agent and fingerprint of views are erased.
    Views,
    /// Address, user agent and fingerprint of entrants are erased, and their networks forgotten.
    SignUps,
    /// Address and user agent of consents are erased.
    Consents,
    /// The address of friends is erased.
    Referrals,
    /// The address of shares is erased.
    Shares,
    /// Address and user agent of clicks on links in texts are erased.
    Clicks,
    /// The user agent of browsers that are told of drawings is erased.
    PushSubscriptions,
    /// Ids of events are deleted.
    ProviderEvents,
    /// Times spent on pages are deleted; their sums are kept.
    ViewTimes,
    /// Views that no month has, because their browser's session has no time or a wrong one, are deleted; their numbers are
    /// kept.
    StrayViews,
}

impl Source {
    /// The name in the audit log.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// What one transaction cleaned of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// How many rows were changed or deleted.
    pub rows: i64,
    /// Whether nothing is left to clean.
    pub is_last: bool,
}

/// What became of views whose time has passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dropped {
    /// There are none.
    None,
    /// The views of one month, or of everything before the first month, were dropped.
    Views(i64),
    /// Others used them; the next run tries again.
    Busy,
}

/// How the store keeps the terms. Each call is for a transaction of its own, and several servers may make them at once.
pub trait Retention {
    /// Records that a daily run begins now, unless one began after `last`. Of several servers one gets `true`.
    fn begin_run(&mut self, now: DateTime<Utc>, last: DateTime<Utc>) -> Result<bool, StoreError>;

    /// Makes a place for the views of a month, and moves views of it there that are stored elsewhere. `false` if the month
    /// has one. Views are stored also without it.
    fn add_month(&mut self, month: Month) -> Result<bool, StoreError>;

    /// Drops the views of the oldest month before `kept`. Roll-ups stay; what a recount needs of the views is kept as
    /// numbers without anything of a visitor.
    fn drop_month(&mut self, kept: Month) -> Result<Dropped, StoreError>;

    /// Cleans rows from before a moment, oldest first, each once. Looks at `limit` rows at most. What is not in the roll-ups
    /// yet is left for later.
    fn clean(&mut self, source: Source, before: DateTime<Utc>, limit: u32) -> Result<Part, StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::FixedOffset;

    fn time(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    fn names(now: &str) -> Vec<String> {
        months_to_make(time(now)).map(|month| month.to_string()).collect()
    }

    #[test]
    fn there_is_a_place_for_this_month_and_the_next_three() {
        assert_eq!(
            names("2026-08-15T12:00:00Z"),
            ["2026-08", "2026-09", "2026-10", "2026-11"]
        );
    }

    #[test]
    fn months_go_on_at_the_turn_of_a_month_and_of_a_year() {
        assert_eq!(names("2026-10-31T23:59:59.999Z")[0], "2026-10");
        assert_eq!(names("2026-11-01T00:00:00Z")[0], "2026-11");
        assert_eq!(
            names("2026-12-31T23:59:59Z"),
            ["2026-12", "2027-01", "2027-02", "2027-03"]
        );
        assert_eq!(
            names("2027-01-01T00:00:00Z"),
            ["2027-01", "2027-02", "2027-03", "2027-04"]
        );
    }

    #[test]
    fn a_month_is_one_of_utc_in_every_zone() {
        let new_year_in_auckland =
            time("2026-12-31T11:00:00Z").with_timezone(&FixedOffset::east_opt(13 * 3600).unwrap());
        assert_eq!(new_year_in_auckland.year(), 2027);
        assert_eq!(Month::of(new_year_in_auckland.to_utc()).to_string(), "2026-12");
        assert_eq!(
            Month::of(time("2028-02-29T23:00:00Z")).start(),
            time("2028-02-01T00:00:00Z")
        );
    }

    #[test]
    fn views_are_dropped_when_their_whole_month_is_25_months_old() {
        let kept = |now| Terms::default().limits(time(now)).views.to_string();
        assert_eq!(kept("2026-12-31T23:59:59Z"), "2024-11");
        // November 2024 ended 25 months ago, to the second.
        assert_eq!(kept("2027-01-01T00:00:00Z"), "2024-12");
        assert_eq!(kept("2027-02-01T00:00:00Z"), "2025-01");
    }

    #[test]
    fn days_are_counted_in_utc_over_the_turn_of_a_year() {
        let limits = Terms::default().limits(time("2027-01-15T08:30:00Z"));
        assert_eq!(limits.identifying, time("2026-10-17T08:30:00Z"));
        assert_eq!(limits.of(Source::SignUps), limits.identifying);
        assert_eq!(limits.of(Source::ViewTimes), time("2024-12-01T00:00:00Z"));
    }

    #[test]
    fn the_operator_sets_the_days_but_not_those_of_events() {
        let now = time("2026-11-23T12:00:00Z");
        let limits = Terms { days: 30 }.limits(now);
        assert_eq!(limits.of(Source::Views), time("2026-10-24T12:00:00Z"));
        assert_eq!(limits.of(Source::ProviderEvents), time("2026-08-25T12:00:00Z"));
    }

    #[test]
    fn a_run_is_due_a_day_after_the_last() {
        assert_eq!(
            last_run(time("2027-01-01T12:00:00Z")),
            time("2026-12-31T13:00:00Z")
        );
    }
}
