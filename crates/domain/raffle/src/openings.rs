use chrono::{DateTime, TimeDelta, Utc};

/// Whether a raffle can be entered.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    strum::Display,
    strum::EnumIter,
    strum::EnumString,
    strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum RaffleStatus {
    /// It was never open. Only staff know of it.
    Draft,
    /// It can be entered.
    Open,
    /// It was open before.
    Closed,
}

/// A time in which a raffle is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opening {
    /// From when on.
    pub opens_at: DateTime<Utc>,
    /// Until when; `None` if nobody has closed the raffle.
    pub closes_at: Option<DateTime<Utc>>,
}

impl Opening {
    fn contains(&self, moment: DateTime<Utc>) -> bool {
        self.opens_at <= moment && self.closes_at.is_none_or(|end| moment < end)
    }
}

/// What opening or closing a raffle changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpeningChange {
    /// Nothing: it was so already.
    None,
    /// It is open from then on.
    Opens(DateTime<Utc>),
    /// It is closed from then on.
    Closes(DateTime<Utc>),
    /// It would have opened at that time, and stays as it is.
    OpeningTakenBack(DateTime<Utc>),
    /// It would have closed at that time, and stays open.
    ClosingTakenBack(DateTime<Utc>),
}

/// All times in which a raffle was, is or will be open, in order and apart from each other. At most the last one is to come.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Openings(Vec<Opening>);

/// A month that a raffle is drawn for begins for it this long before its end at the latest.
const LEAST_OF_A_MONTH: TimeDelta = TimeDelta::hours(24);

impl Openings {
    /// Reads what a store has; `None` if it is not in order.
    pub fn new(openings: Vec<Opening>) -> Option<Self> {
        let mut end = None;
        for (n, opening) in openings.iter().enumerate() {
            let is_after = n == 0 || end.is_some_and(|end| end <= opening.opens_at);
            let is_forward = opening.closes_at.is_none_or(|end| opening.opens_at < end);
            if !is_after || !is_forward {
                return None;
            }
            end = opening.closes_at;
        }
        Some(Self(openings))
    }

    /// In order.
    pub fn as_slice(&self) -> &[Opening] {
        &self.0
    }

    /// Whether the raffle can be entered at a moment.
    pub fn status_at(&self, moment: DateTime<Utc>) -> RaffleStatus {
        if self.0.iter().any(|opening| opening.contains(moment)) {
            return RaffleStatus::Open;
        }
        match self.0.first() {
            Some(first) if first.opens_at <= moment => RaffleStatus::Closed,
            _ => RaffleStatus::Draft,
        }
    }

    /// The next time after a moment at which the raffle opens or closes, if that is known, and what it is then.
    pub fn next_change(&self, moment: DateTime<Utc>) -> Option<(RaffleStatus, DateTime<Utc>)> {
        let last = self.0.last()?;
        if moment < last.opens_at {
            return Some((RaffleStatus::Open, last.opens_at));
        }
        let closes_at = last.closes_at.filter(|end| moment < *end)?;
        Some((RaffleStatus::Closed, closes_at))
    }

    /// When the raffle was closed; `None` while it is open or was never open.
    pub fn closed_at(&self, moment: DateTime<Utc>) -> Option<DateTime<Utc>> {
        match self.status_at(moment) {
            RaffleStatus::Closed => self.ended(moment).last(),
            RaffleStatus::Draft | RaffleStatus::Open => None,
        }
    }

    fn ended(&self, moment: DateTime<Utc>) -> impl Iterator<Item = DateTime<Utc>> {
        self.0
            .iter()
            .filter_map(|opening| opening.closes_at)
            .filter(move |end| *end <= moment)
    }

    /// From when on the raffle took part in a month, from its beginning to its end: from its beginning, or since the
    /// raffle first opened in it. `None` if it was not open in the month, or for the first time in its last 24 hours.
    ///
    /// What is known at `moment` decides: an opening that is to come then could be taken back.
    pub fn part_of(
        &self,
        begin: DateTime<Utc>,
        end: DateTime<Utc>,
        moment: DateTime<Utc>,
    ) -> Option<DateTime<Utc>> {
        let is_in = |opening: &&Opening| {
            opening.opens_at <= moment
                && opening.opens_at < end
                && opening.closes_at.is_none_or(|closes_at| begin < closes_at)
        };
        let from = self.0.iter().find(is_in)?.opens_at.max(begin);
        (from == begin || end - from >= LEAST_OF_A_MONTH).then_some(from)
    }

    /// Opens the raffle at a time, which is now or later. If it is open now, takes back a closing that is to come.
    pub fn open(&mut self, now: DateTime<Utc>, at: DateTime<Utc>) -> OpeningChange {
        let Some(last) = self
            .0
            .last_mut()
            .filter(|last| last.closes_at.is_none_or(|end| now < end))
        else {
            self.0.push(Opening {
                opens_at: at,
                closes_at: None,
            });
            return OpeningChange::Opens(at);
        };
        if last.opens_at <= now {
            return last
                .closes_at
                .take()
                .map_or(OpeningChange::None, OpeningChange::ClosingTakenBack);
        }
        if last.opens_at == at {
            return OpeningChange::None;
        }
        last.opens_at = at;
        OpeningChange::Opens(at)
    }

    /// Closes the raffle at a time, which is now or later. If it is not open yet, takes back an opening that is to come.
    pub fn close(&mut self, now: DateTime<Utc>, at: DateTime<Utc>) -> OpeningChange {
        let Some(last) = self
            .0
            .last_mut()
            .filter(|last| last.closes_at.is_none_or(|end| now < end))
        else {
            return OpeningChange::None;
        };
        let opens_at = last.opens_at;
        if now < opens_at {
            self.0.pop();
            return OpeningChange::OpeningTakenBack(opens_at);
        }
        if last.closes_at == Some(at) {
            return OpeningChange::None;
        }
        // Closed in the moment in which it opened, it is open for no time at all.
        last.closes_at = Some(at.max(opens_at + TimeDelta::microseconds(1)));
        OpeningChange::Closes(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(hour: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::hours(hour)
    }

    fn opening(from: i64, until: Option<i64>) -> Opening {
        Opening {
            opens_at: at(from),
            closes_at: until.map(at),
        }
    }

    fn openings(all: &[(i64, Option<i64>)]) -> Openings {
        Openings::new(all.iter().map(|(from, until)| opening(*from, *until)).collect()).unwrap()
    }

    #[test]
    fn a_raffle_is_a_draft_then_open_then_closed_and_may_open_again() {
        let openings = openings(&[(10, Some(20)), (30, None)]);
        let status = [9, 10, 19, 20, 29, 30, 99].map(|hour| openings.status_at(at(hour)));
        use RaffleStatus::{Closed, Draft, Open};
        assert_eq!(status, [Draft, Open, Open, Closed, Closed, Open, Open]);
        assert_eq!(Openings::default().status_at(at(1)), Draft);
        let closed_at = [9, 15, 20, 25, 30].map(|hour| openings.closed_at(at(hour)));
        assert_eq!(closed_at, [None, None, Some(at(20)), Some(at(20)), None]);
    }

    #[test]
    fn openings_are_in_order_and_apart() {
        for wrong in [
            vec![opening(10, Some(10))],
            vec![opening(10, Some(9))],
            vec![opening(10, None), opening(20, None)],
            vec![opening(10, Some(15)), opening(14, None)],
        ] {
            assert_eq!(Openings::new(wrong.clone()), None, "{wrong:?}");
        }
    }

    #[test]
    fn opening_takes_effect_once() {
        let mut raffle = Openings::default();
        assert_eq!(raffle.open(at(1), at(1)), OpeningChange::Opens(at(1)));
        assert_eq!(raffle.open(at(2), at(2)), OpeningChange::None);
        assert_eq!(raffle.open(at(2), at(9)), OpeningChange::None);
        assert_eq!(raffle, openings(&[(1, None)]));
    }

    #[test]
    fn an_opening_that_is_to_come_can_be_moved_and_taken_back() {
        let mut raffle = openings(&[(1, Some(5))]);
        assert_eq!(raffle.open(at(6), at(9)), OpeningChange::Opens(at(9)));
        assert_eq!(raffle.next_change(at(6)), Some((RaffleStatus::Open, at(9))));
        assert_eq!(raffle.open(at(7), at(9)), OpeningChange::None);
        assert_eq!(raffle.open(at(7), at(7)), OpeningChange::Opens(at(7)));
        assert_eq!(raffle, openings(&[(1, Some(5)), (7, None)]));

        let mut raffle = openings(&[(1, Some(5)), (9, None)]);
        assert_eq!(raffle.close(at(6), at(8)), OpeningChange::OpeningTakenBack(at(9)));
        assert_eq!(raffle.close(at(6), at(8)), OpeningChange::None);
        assert_eq!(raffle, openings(&[(1, Some(5))]));
    }

    #[test]
    fn a_closing_that_is_to_come_can_be_moved_and_taken_back() {
        let mut raffle = openings(&[(1, None)]);
        assert_eq!(raffle.close(at(2), at(9)), OpeningChange::Closes(at(9)));
        assert_eq!(raffle.next_change(at(2)), Some((RaffleStatus::Closed, at(9))));
        assert_eq!(raffle.close(at(3), at(9)), OpeningChange::None);
        assert_eq!(raffle.close(at(3), at(3)), OpeningChange::Closes(at(3)));
        assert_eq!(raffle, openings(&[(1, Some(3))]));
        assert_eq!(raffle.next_change(at(3)), None);

        let mut raffle = openings(&[(1, Some(9))]);
        assert_eq!(raffle.open(at(3), at(3)), OpeningChange::ClosingTakenBack(at(9)));
        assert_eq!(raffle, openings(&[(1, None)]));
    }

    #[test]
    fn a_raffle_takes_part_in_a_month_from_when_it_first_opened_in_it() {
        let month = |openings: &Openings| openings.part_of(at(100), at(200), at(500));
        assert_eq!(month(&openings(&[(1, None)])), Some(at(100)));
        assert_eq!(month(&openings(&[(1, Some(150))])), Some(at(100)));
        assert_eq!(month(&openings(&[(1, Some(100))])), None);
        assert_eq!(month(&openings(&[(130, None)])), Some(at(130)));
        assert_eq!(month(&openings(&[(110, Some(120)), (130, None)])), Some(at(110)));
        assert_eq!(
            month(&openings(&[(176, None)])),
            Some(at(176)),
            "24 hours are left"
        );
        assert_eq!(month(&openings(&[(177, None)])), None);
        assert_eq!(month(&openings(&[(200, None)])), None);
        assert_eq!(
            openings(&[(130, None)]).part_of(at(100), at(200), at(120)),
            None,
            "to come"
        );
    }

    proptest! {
        /// Whatever staff do in whatever order, the openings stay in order, and what was stays as it was.
        #[test]
        fn nothing_changes_the_past(steps in prop::collection::vec((any::<bool>(), 0i64..50, 0i64..50), 1..40)) {
            let (mut openings, mut now) = (Openings::default(), 0);
            for (opens, pause, later) in steps {
                now += pause;
                let before = openings.clone();
                let change = match opens {
                    true => openings.open(at(now), at(now + later)),
                    false => openings.close(at(now), at(now + later)),
                };
                prop_assert!(Openings::new(openings.as_slice().to_vec()).is_some(), "{openings:?}");
                prop_assert_eq!(change == OpeningChange::None, openings == before);
                for hour in 0..now {
                    prop_assert_eq!(openings.status_at(at(hour)), before.status_at(at(hour)));
                }
                let is_to_come = |opening: &&Opening| opening.opens_at > at(now);
                prop_assert!(openings.as_slice().iter().filter(is_to_come).count() <= 1);
            }
        }
    }
}
