use crate::Hash;
use std::fmt;

/// The number of a round. The first round is 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Round(u64);

impl Round {
    /// The first round of every chain.
    pub const FIRST: Self = Self(1);

    /// The highest number: 2^53 − 1. Every program reads it exactly from JSON, and a `bigint` holds it.
    pub const MAX: Self = Self((1 << 53) - 1);

    /// The round with this number, from 1 to [`Self::MAX`].
    pub const fn new(number: u64) -> Option<Self> {
        if number >= Self::FIRST.0 && number <= Self::MAX.0 {
            Some(Self(number))
        } else {
            None
        }
    }

    /// Its number.
    pub const fn number(self) -> u64 {
        self.0
    }

    /// What the network signs for this round: the SHA-256 of its number in eight bytes.
    pub fn message(self) -> [u8; 32] {
        *Hash::of(self.0.to_be_bytes()).as_bytes()
    }
}

impl fmt::Display for Round {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_has_a_number_that_json_holds_exactly() {
        assert_eq!(Round::new(0), None);
        assert_eq!(Round::new(1), Some(Round::FIRST));
        assert_eq!(Round::new((1 << 53) - 1), Some(Round::MAX));
        assert_eq!(Round::new(1 << 53), None);
        assert_eq!(Round::new(1000).map(Round::number), Some(1000));
        assert_eq!(Round::MAX.to_string(), "9007199254740991");
    }
}
