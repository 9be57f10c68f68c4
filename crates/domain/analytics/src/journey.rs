//! The contribution of one session to the figures of the funnel.
//!
//! A session counts in the hour in which it began. The funnel of a range shows how many of the sessions that began in it
//! took each step, and which step was their last (D27). In the figures of one raffle only the steps on its pages count;
//! in the figures of all pages a session counts once, however many raffles it visited.

use crate::{Scope, StepName, hour_of};
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use raffle::RaffleKey;
use std::collections::{BTreeMap, BTreeSet};

/// The first time that a session took a step on the pages of a raffle, or on other pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JourneyRow {
    /// The raffle of the pages.
    pub raffle: Option<RaffleKey>,
    /// The step.
    pub step: StepName,
    /// The time.
    pub at: DateTime<Utc>,
}

/// One count in the roll-ups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Contribution {
    /// A session that began in this hour.
    Session(DateTime<Utc>, Scope),
    /// A session of this hour took this step.
    Took(DateTime<Utc>, Scope, StepName),
    /// This step was the last of a session of this hour.
    Left(DateTime<Utc>, Scope, StepName),
}

/// The counts that one session adds one to.
pub fn contributions(rows: &[JourneyRow], zone: Tz) -> BTreeSet<Contribution> {
    let mut scopes: BTreeMap<Scope, Vec<JourneyRow>> = BTreeMap::new();
    for row in rows {
        scopes.entry(None).or_default().push(*row);
        if row.raffle.is_some() {
            scopes.entry(row.raffle).or_default().push(*row);
        }
    }
    scopes
        .into_iter()
        .flat_map(|(scope, rows)| in_scope(scope, &rows, zone))
        .collect()
}

fn in_scope(scope: Scope, rows: &[JourneyRow], zone: Tz) -> Vec<Contribution> {
    let first = rows.iter().map(|row| row.at).min();
    // Of steps at the same time, the later one in the funnel is the last.
    let last = rows.iter().max_by_key(|row| (row.at, row.step));
    let (Some(first), Some(last)) = (first, last) else {
        return Vec::new();
    };
    let hour = hour_of(first, zone);
    let took = rows.iter().map(|row| Contribution::Took(hour, scope, row.step));
    let ends = [
        Contribution::Session(hour, scope),
        Contribution::Left(hour, scope, last.step),
    ];
    ends.into_iter().chain(took).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use StepName::{FormStart, PageView, SignUp};
    use chrono::TimeDelta;
    use raffle::fixtures::{FRESH_SIPS, GARDEN_BAG};

    fn row(raffle: Option<RaffleKey>, step: StepName, minute: i64) -> JourneyRow {
        let at = DateTime::from_timestamp(1_754_049_600, 0).unwrap() + TimeDelta::minutes(minute);
        JourneyRow { raffle, step, at }
    }

    fn hour(n: i64) -> DateTime<Utc> {
        row(None, PageView, n * 60).at
    }

    #[test]
    fn a_session_counts_in_the_hour_it_began_and_ends_once() {
        let rows = [
            row(Some(GARDEN_BAG), PageView, 59),
            row(Some(GARDEN_BAG), SignUp, 61),
        ];
        let expected = [None, Some(GARDEN_BAG)].into_iter().flat_map(|scope| {
            [
                Contribution::Session(hour(0), scope),
                Contribution::Took(hour(0), scope, PageView),
                Contribution::Took(hour(0), scope, SignUp),
                Contribution::Left(hour(0), scope, SignUp),
            ]
        });
        assert_eq!(contributions(&rows, Tz::UTC), expected.collect());
    }

    #[test]
    fn a_session_on_two_raffles_counts_once_in_each_and_once_in_all() {
        let rows = [
            row(Some(GARDEN_BAG), PageView, 0),
            row(Some(FRESH_SIPS), PageView, 70),
            row(None, PageView, 80),
        ];
        let all = contributions(&rows, Tz::UTC);
        assert!(all.contains(&Contribution::Session(hour(0), None)));
        assert!(all.contains(&Contribution::Session(hour(0), Some(GARDEN_BAG))));
        assert!(all.contains(&Contribution::Session(hour(1), Some(FRESH_SIPS))));
        assert_eq!(
            all.len(),
            3 * 3,
            "one step, one exit and one session in each scope"
        );
    }

    #[test]
    fn of_steps_at_the_same_time_the_later_in_the_funnel_is_the_last() {
        let rows = [row(None, FormStart, 0), row(None, PageView, 0)];
        let all = contributions(&rows, Tz::UTC);
        assert!(all.contains(&Contribution::Left(hour(0), None, FormStart)));
        assert_eq!(contributions(&[], Tz::UTC), BTreeSet::new());
    }
}
