use std::fmt;

/// An amount in US dollars, in whole cents: from 1 to 99,999,999, so that sums of them never overflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Money(u32);

impl Money {
    /// The largest amount, in cents: the most that the provider accepts in one payment.
    pub const MAX_CENTS: u32 = 99_999_999;
    /// The currency of every amount, as the provider names it.
    pub const CURRENCY: &'static str = "usd";

    /// An amount of cents. `None` outside of 1 to [`Money::MAX_CENTS`].
    pub fn from_cents(cents: i64) -> Option<Self> {
        let cents = u32::try_from(cents).ok()?;
        (1..=Self::MAX_CENTS).contains(&cents).then_some(Self(cents))
    }

    /// The amount in cents.
    pub const fn cents(self) -> i64 {
        self.0 as i64
    }
}

/// For people: `$5.00`.
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}.{:02}", self.0 / 100, self.0 % 100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_between_one_cent_and_the_provider_maximum() {
        for (cents, text) in [(1, "$0.01"), (500, "$5.00"), (99_999_999, "$999999.99")] {
            let money = Money::from_cents(cents).unwrap();
            assert_eq!((money.cents(), money.to_string().as_str()), (cents, text));
        }
        for wrong in [0, -1, 100_000_000, i64::MAX, i64::MIN] {
            assert_eq!(Money::from_cents(wrong), None, "{wrong}");
        }
    }
}
