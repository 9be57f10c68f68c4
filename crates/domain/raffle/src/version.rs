use crate::{Content, Openings, RaffleKey, RaffleStatus};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{StaffName, StoreError};
use std::collections::BTreeMap;

/// What a raffle's pages, rules and drawings say from a time on. A version never changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Version {
    /// The raffle.
    pub raffle: RaffleKey,
    /// Counts up from 1 in each raffle.
    pub number: i64,
    /// What it says.
    pub content: Content,
    /// When staff published it.
    pub published_at: DateTime<Utc>,
    /// Who published it; `None` for the versions that a new site has.
    pub published_by: Option<StaffName>,
    /// From when on it counts: of the versions that count by then, the one with the highest number is in force.
    pub takes_effect_at: DateTime<Utc>,
}

/// Another prize is published at least this long before the month that it is drawn for.
const NOTICE: TimeDelta = TimeDelta::hours(24);

impl Version {
    /// From when on a version counts that is published now (D58): at once, unless people have entered for the prize in force.
    /// Then another prize waits until the first month begins that is 24 hours or more away.
    ///
    /// `in_force`: what counts now. `months`: when this month began and when the next ones begin, at least two of them. `None`
    /// if the calendar ends before.
    pub fn takes_effect_at(
        content: &Content,
        in_force: Option<&Content>,
        openings: &Openings,
        months: &[DateTime<Utc>],
        now: DateTime<Utc>,
    ) -> Option<DateTime<Utc>> {
        if in_force.is_none_or(|in_force| in_force.has_same_prize(content)) {
            return Some(now);
        }
        Self::another_prize_takes_effect_at(openings, months, now)
    }

    /// The same for a version with another prize than that of the version in force.
    pub fn another_prize_takes_effect_at(
        openings: &Openings,
        months: &[DateTime<Utc>],
        now: DateTime<Utc>,
    ) -> Option<DateTime<Utc>> {
        let (begin, next) = (*months.first()?, months.get(1..)?);
        let is_awaited = openings.status_at(now) == RaffleStatus::Open
            || openings.part_of(begin, *next.first()?, now).is_some();
        match is_awaited {
            true => next.iter().copied().find(|begin| *begin - now >= NOTICE),
            false => Some(now),
        }
    }
}

/// The versions of raffles.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Versions {
    /// The version of a raffle that is in force at a time; `None` if none was published by then.
    fn version_in_force(&self, raffle: RaffleKey, at: DateTime<Utc>) -> Result<Option<Version>, StoreError>;

    /// The version of each raffle that is in force at a time.
    fn versions_in_force(&self, at: DateTime<Utc>) -> Result<BTreeMap<RaffleKey, Version>, StoreError>;

    /// The version of each raffle that was published last, be it in force or not.
    fn newest_versions(&self) -> Result<BTreeMap<RaffleKey, Version>, StoreError>;

    /// All versions of a raffle, the newest first.
    fn list_versions(&self, raffle: RaffleKey) -> Result<Vec<Version>, StoreError>;

    /// The content of a version, byte for byte as it was published.
    fn version_bytes(&self, raffle: RaffleKey, number: i64) -> Result<Option<String>, StoreError>;

    /// Publishes a version. Call [`crate::Drafts::lock_draft`] before, so that each gets its own number.
    fn add_version(&mut self, version: &Version) -> Result<(), StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Opening, TotalValue};
    use proptest::prelude::*;

    /// Months of 30 days, from the third before the epoch on.
    const MONTH: i64 = 30 * 24;

    fn at(hour: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::hours(hour)
    }

    fn prize(dollars: i64) -> Content {
        Content {
            total_value: TotalValue {
                dollars,
                or_more: false,
            },
            ..Content::default()
        }
    }

    fn openings(times: &[(i64, Option<i64>)]) -> Openings {
        let opening = |&(from, until): &(i64, Option<i64>)| Opening {
            opens_at: at(from),
            closes_at: until.map(at),
        };
        Openings::new(times.iter().map(opening).collect()).unwrap()
    }

    /// When another prize counts that is published at an hour, after its month began.
    fn waits_until(openings: &Openings, hour: i64) -> i64 {
        let begin = hour.div_euclid(MONTH) * MONTH;
        let months = [begin, begin + MONTH, begin + 2 * MONTH].map(at);
        let effect = Version::takes_effect_at(&prize(2), Some(&prize(1)), openings, &months, at(hour));
        (effect.unwrap() - at(0)).num_hours()
    }

    #[test]
    fn another_prize_waits_for_the_first_month_that_is_24_hours_away() {
        let open = openings(&[(0, None)]);
        assert_eq!(waits_until(&open, 0), MONTH);
        assert_eq!(waits_until(&open, MONTH - 24), MONTH);
        assert_eq!(waits_until(&open, MONTH - 23), 2 * MONTH);
    }

    #[test]
    fn what_nobody_has_entered_for_counts_at_once() {
        for (never, when) in [
            (openings(&[]), "a draft"),
            (openings(&[(MONTH, None)]), "one that opens later"),
            (openings(&[(-99, Some(-9))]), "one that closed before this month"),
        ] {
            assert_eq!(waits_until(&never, 5), 5, "{when}");
        }
        assert_eq!(
            waits_until(&openings(&[(-9, Some(3))]), 5),
            MONTH,
            "its people wait for their drawing"
        );
        let months = [0, MONTH, 2 * MONTH].map(at);
        let first = Version::takes_effect_at(&prize(2), None, &openings(&[]), &months, at(5));
        assert_eq!(first, Some(at(5)));
    }

    #[test]
    fn other_words_about_the_same_prize_count_at_once() {
        let words = Content {
            title: "Another title".to_owned(),
            ..prize(1)
        };
        let months = [0, MONTH, 2 * MONTH].map(at);
        let open = openings(&[(0, None)]);
        let effect = Version::takes_effect_at(&words, Some(&prize(1)), &open, &months, at(5));
        assert_eq!(effect, Some(at(5)));
    }

    proptest! {
        /// Whenever something is published, the prize of a month that has begun for a raffle stays what it was.
        #[test]
        fn the_prize_of_a_month_that_has_begun_stays(
            times in proptest::collection::vec((1..500_i64, 1..500_i64), 1..5),
            hour in 0..3 * MONTH,
        ) {
            let mut from = 0;
            let mut all = Vec::new();
            for (closed, open) in times {
                from += closed;
                all.push((from, Some(from + open)));
                from += open;
            }
            let openings = openings(&all);
            let begin = hour.div_euclid(MONTH) * MONTH;
            let effect = waits_until(&openings, hour);
            prop_assert!(effect >= hour);
            if let Some(since) = openings.part_of(at(begin), at(begin + MONTH), at(hour)) {
                prop_assert!(since <= at(hour) && at(hour) < at(begin + MONTH) && effect >= begin + MONTH);
            }
            let is_month = effect.rem_euclid(MONTH) == 0 && effect - hour >= 24;
            prop_assert!(effect == hour || is_month);
        }
    }
}
