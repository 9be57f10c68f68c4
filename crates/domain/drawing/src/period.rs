use std::fmt;
use std::str::FromStr;

/// A calendar month, to which a drawing belongs: `2026-11`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Period {
    year: u16,
    month: u8,
}

/// The text is not a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a month such as 2026-11")]
pub struct InvalidPeriod;

impl Period {
    /// The period of a year up to 9999 and a month from 1 to 12.
    pub fn new(year: i32, month: u32) -> Option<Self> {
        let year = u16::try_from(year).ok().filter(|year| *year <= 9999)?;
        let month = u8::try_from(month)
            .ok()
            .filter(|month| (1..=12).contains(month))?;
        Some(Self { year, month })
    }

    /// The month after it; `None` after the last one of the year 9999.
    pub fn next(self) -> Option<Self> {
        match self.month {
            12 => Self::new(self.year() + 1, 1),
            month => Self::new(self.year(), u32::from(month) + 1),
        }
    }

    /// The year.
    pub fn year(self) -> i32 {
        self.year.into()
    }

    /// The month, from 1.
    pub fn month(self) -> u32 {
        self.month.into()
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.year, self.month)
    }
}

impl FromStr for Period {
    type Err = InvalidPeriod;

    fn from_str(text: &str) -> Result<Self, InvalidPeriod> {
        let (year, month) = text.split_once('-').ok_or(InvalidPeriod)?;
        let numbers = (year.parse().ok(), month.parse().ok());
        let (Some(year), Some(month)) = numbers else {
            return Err(InvalidPeriod);
        };
        // `parse` also accepts a plus sign and other numbers of digits.
        Self::new(year, month)
            .filter(|period| period.to_string() == text)
            .ok_or(InvalidPeriod)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_has_one_spelling() {
        for text in ["2026-11", "2027-01", "0001-12", "9999-12"] {
            let period: Period = text.parse().unwrap();
            assert_eq!(period.to_string(), text);
            assert_eq!(Period::new(period.year(), period.month()), Some(period));
        }
        for text in [
            "",
            "2026",
            "2026-",
            "2026-0",
            "2026-00",
            "2026-13",
            "2026-1",
            "26-11",
            "+026-11",
            "2026-+1",
            "2026-011",
            "2026-11-01",
            "-2026-11",
            "10000-01",
            " 2026-11",
        ] {
            assert_eq!(text.parse::<Period>(), Err(InvalidPeriod), "{text}");
        }
        assert_eq!((Period::new(2026, 13), Period::new(-1, 1)), (None, None));
    }

    #[test]
    fn periods_are_in_the_order_of_time() {
        let mut periods = ["2027-01", "2026-02", "2026-11"].map(|text| text.parse::<Period>().unwrap());
        periods.sort();
        assert_eq!(
            periods.map(|period| period.to_string()),
            ["2026-02", "2026-11", "2027-01"]
        );
    }

    #[test]
    fn each_month_has_a_next_one() {
        for (period, next) in [("2026-11", "2026-12"), ("2026-12", "2027-01")] {
            let period: Period = period.parse().unwrap();
            assert_eq!(period.next().unwrap().to_string(), next);
        }
        assert_eq!(Period::new(9999, 12).unwrap().next(), None);
    }
}
