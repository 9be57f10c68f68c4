use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, Utc};
use kernel::StoreError;

/// How many texts may be sent on one day, in UTC, campaign texts aside (D38). Welcome texts wait once half of it is used,
/// codes for sign-ups stop at four fifths of it, the same for numbers that are known and for new ones, and other codes at its
/// end (D64). So whoever signs up thousands of numbers keeps no winner from the prize.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DailyBudget(u32);

impl DailyBudget {
    /// A budget of so many texts a day.
    pub const fn new(texts: u32) -> Self {
        Self(texts)
    }

    /// All texts of a day.
    pub const fn texts(self) -> u32 {
        self.0
    }

    /// How many texts of a day may have been counted before a welcome text is the last one.
    pub const fn for_welcomes(self) -> u32 {
        self.0 / 2
    }

    /// The same for codes for sign-ups.
    pub const fn for_sign_ups(self) -> u32 {
        // The quotient of a number and one comes close to it without overflow.
        self.0 - self.0.div_ceil(5)
    }

    /// The same for a code that may be one of the last fifth, or not.
    pub const fn for_codes(self, is_of_last_fifth: bool) -> u32 {
        if is_of_last_fifth {
            self.texts()
        } else {
            self.for_sign_ups()
        }
    }

    /// What waits until the next day when so many texts are counted; `None` if nothing does.
    pub const fn over(self, counted: u32) -> Option<OverBudget> {
        if counted >= self.texts() {
            Some(OverBudget::Codes)
        } else if counted >= self.for_sign_ups() {
            Some(OverBudget::SignUps)
        } else if counted >= self.for_welcomes() {
            Some(OverBudget::Welcomes)
        } else {
            None
        }
    }
}

/// When the next day begins, and with it the next budget.
pub fn next_day(now: DateTime<Utc>) -> DateTime<Utc> {
    now.date_naive().and_time(NaiveTime::MIN).and_utc() + TimeDelta::days(1)
}

/// What waits until the next day, because the budget of this one is used up. Each includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum OverBudget {
    /// Welcome texts wait.
    Welcomes,
    /// Codes for sign-ups are refused.
    SignUps,
    /// All codes are refused.
    Codes,
}

/// The texts of each day that count toward the budget.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait DailyCounts {
    /// Counts one more text on the day of `at`, unless so many are counted already. Returns whether it was counted.
    /// Until the transaction ends, others that count wait here.
    fn count_text(&mut self, at: DateTime<Utc>, most: u32) -> Result<bool, StoreError>;

    /// Counts texts that are sent whatever is counted already.
    fn count_texts(&mut self, at: DateTime<Utc>, texts: u32) -> Result<(), StoreError>;

    /// The texts that were counted on a day.
    fn texts_on(&self, day: NaiveDate) -> Result<u32, StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn welcomes_end_at_half_and_sign_ups_at_four_fifths() {
        let limits = |texts| {
            let budget = DailyBudget::new(texts);
            [
                budget.for_welcomes(),
                budget.for_codes(false),
                budget.for_codes(true),
            ]
        };
        assert_eq!(limits(10_000), [5_000, 8_000, 10_000]);
        assert_eq!(limits(7), [3, 5, 7]);
        assert_eq!(limits(1), [0, 0, 1]);
        assert_eq!(limits(0), [0, 0, 0]);
        assert_eq!(limits(u32::MAX)[1], u32::MAX - u32::MAX.div_ceil(5));
    }

    #[test]
    fn the_budget_of_a_day_ends_at_midnight_utc() {
        for (now, next) in [
            ("2026-01-31T00:00:00Z", "2026-02-01T00:00:00Z"),
            ("2026-01-31T23:59:59.999Z", "2026-02-01T00:00:00Z"),
        ] {
            let now: DateTime<Utc> = now.parse().unwrap();
            assert_eq!(next_day(now), next.parse::<DateTime<Utc>>().unwrap());
        }
    }

    #[test]
    fn what_waits_follows_the_texts_that_are_counted() {
        let budget = DailyBudget::new(10);
        let over = |counted| budget.over(counted);
        assert_eq!([over(0), over(4)], [None, None]);
        assert_eq!([over(5), over(7)], [Some(OverBudget::Welcomes); 2]);
        assert_eq!([over(8), over(9)], [Some(OverBudget::SignUps); 2]);
        assert_eq!([over(10), over(u32::MAX)], [Some(OverBudget::Codes); 2]);
        assert_eq!(DailyBudget::new(0).over(0), Some(OverBudget::Codes));
    }
}
