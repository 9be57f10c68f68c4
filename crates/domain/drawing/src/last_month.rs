//! The last month of a raffle that was closed, and how long it can still be drawn (D56b).

use crate::Period;
use chrono::{DateTime, Utc};
use raffle::Openings;

/// Who announces drawings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, strum::EnumIter, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Schedule {
    /// Staff, with a button.
    #[default]
    Manual,
    /// The server, one for each raffle and month. Staff can ask for additional drawings.
    Monthly,
}

/// The month in which a raffle was closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastMonth {
    /// The month.
    pub period: Period,
    /// Its first moment.
    pub begins_at: DateTime<Utc>,
    /// The first moment after it.
    pub ends_at: DateTime<Utc>,
    /// The first moment after the month that follows it.
    pub next_ends_at: DateTime<Utc>,
}

impl LastMonth {
    /// Whether staff can still draw the month: until the next one ends.
    pub fn can_be_drawn_at(&self, now: DateTime<Utc>) -> bool {
        now < self.next_ends_at
    }

    /// Whether the month has no regular drawing yet and can still get one. The server announces one only within the month,
    /// and only for a raffle that takes part in it.
    pub fn awaits_drawing(
        &self,
        openings: &Openings,
        schedule: Schedule,
        has_regular: bool,
        now: DateTime<Utc>,
    ) -> bool {
        if has_regular {
            return false;
        }
        match schedule {
            Schedule::Manual => self.can_be_drawn_at(now),
            Schedule::Monthly => {
                now < self.ends_at && openings.part_of(self.begins_at, self.ends_at, now).is_some()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Schedule::{Manual, Monthly};
    use chrono::TimeDelta;
    use raffle::Opening;

    fn at(hour: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::hours(hour)
    }

    /// A month from hour 1,000 to 2,000, and the next one until 3,000.
    fn month() -> LastMonth {
        LastMonth {
            period: Period::new(2026, 11).unwrap(),
            begins_at: at(1_000),
            ends_at: at(2_000),
            next_ends_at: at(3_000),
        }
    }

    fn awaits(from: i64, until: i64, schedule: Schedule, has_regular: bool, now: i64) -> bool {
        let opening = Opening {
            opens_at: at(from),
            closes_at: Some(at(until)),
        };
        let openings = Openings::new(vec![opening]).unwrap();
        month().awaits_drawing(&openings, schedule, has_regular, at(now))
    }

    #[test]
    fn staff_draw_the_last_month_until_the_next_one_ends() {
        for now in [1_500, 2_000, 2_999] {
            assert!(awaits(0, 1_400, Manual, false, now), "{now}");
            assert!(month().can_be_drawn_at(at(now)));
        }
        assert!(!awaits(0, 1_400, Manual, false, 3_000));
        assert!(!month().can_be_drawn_at(at(3_000)));
    }

    #[test]
    fn the_server_announces_the_last_month_only_within_it() {
        assert!(awaits(0, 1_400, Monthly, false, 1_999));
        assert!(!awaits(0, 1_400, Monthly, false, 2_000));
        assert!(!awaits(0, 2_000, Monthly, false, 2_000));
        assert!(
            !awaits(1_980, 1_990, Monthly, false, 1_995),
            "opened for less than a day"
        );
    }

    #[test]
    fn a_month_is_drawn_once() {
        for schedule in [Manual, Monthly] {
            assert!(!awaits(0, 1_400, schedule, true, 1_500), "{schedule:?}");
        }
    }
}
