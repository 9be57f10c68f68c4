//! What staff read out to a winner whom they reached on the drawn number (D63).

use chrono::TimeDelta;
use kernel::{Entropy, letters};
use std::fmt;

/// How long a code can be entered.
pub const CALL_CODE_LIFE: TimeDelta = TimeDelta::days(1);
/// 50 random bits.
const LETTERS: usize = 10;
const GROUP: usize = 5;

/// A code that opens a claim in one browser, once. It is shown once and read out on a call.
#[derive(Clone, PartialEq, Eq)]
pub struct CallCode(String);

impl fmt::Debug for CallCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CallCode(…)")
    }
}

impl CallCode {
    /// A new code.
    pub fn random(entropy: &dyn Entropy) -> Self {
        Self(letters::random::<LETTERS>(entropy))
    }

    /// Reads a code in either case, with or without dashes and spaces.
    pub fn parse(typed: &str) -> Option<Self> {
        letters::read(typed, LETTERS).map(Self)
    }

    /// The letters, without dashes.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The code in two groups of five, as it is read out.
    pub fn grouped(&self) -> String {
        letters::grouped(&self.0, GROUP)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_as_people_type_it_and_not_printed() {
        let code = CallCode::parse("abcde-23456").unwrap();
        assert_eq!(
            (code.as_str(), code.grouped()),
            ("ABCDE23456", "ABCDE-23456".to_owned())
        );
        assert_eq!(CallCode::parse(" ABCDE 23456 "), Some(code.clone()));
        assert_eq!(format!("{code:?}"), "CallCode(…)");
        for wrong in [
            "",
            "123456",
            "ABCDE-2345",
            "ABCDE-234567",
            "ABCDE-2345O",
            "ÄBCDE-2345",
        ] {
            assert_eq!(CallCode::parse(wrong), None, "{wrong}");
        }
    }
}
