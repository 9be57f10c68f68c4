use crate::as_seen::as_seen;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A phone number in E.164: a plus sign and 8 to 15 digits (D2).
///
/// Two spellings of one number are one `Phone`. Its `Debug` shows only the last four digits, so that
/// a number cannot get into a log.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Phone(String);

/// Why a text is not a phone number. The sentences are the product's exact copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum PhoneError {
    /// Fewer than 10 characters.
    #[error("Phone number must be at least 10 digits")]
    TooShort,
    /// More than 20 characters.
    #[error("Phone number is too long")]
    TooLong,
    /// A character other than a digit, space, dash, parenthesis or one leading plus sign.
    #[error("Phone number can only contain digits, spaces, dashes, parentheses, and plus sign")]
    Forbidden,
    /// The right characters, but too few or too many digits.
    #[error("Please enter a valid phone number.")]
    NotANumber,
}

const MIN_CHARS: usize = 10;
const MAX_CHARS: usize = 20;
/// The calling code and national length (US) that are assumed for a number without a plus sign.
const REGION_CODE: &str = "1";
const REGION_DIGITS: usize = 10;

impl Phone {
    /// Parses a number as people type it, or paste it: digits, spaces and dashes of all scripts are read, and what nobody sees
    /// is left out (D76).
    ///
    /// # Errors
    /// Every rule that the text breaks, at least one, in the order of [`PhoneError`].
    pub fn parse(typed: &str) -> Result<Self, Vec<PhoneError>> {
        let seen = as_seen(typed);
        let typed = seen.trim();
        let broken = broken_rules(typed);
        if !broken.is_empty() {
            return Err(broken);
        }
        normalize(typed)
            .map(Self)
            .ok_or_else(|| vec![PhoneError::NotANumber])
    }

    /// Wraps a number that is in E.164 already, such as a stored one. `None` if it is not.
    pub fn from_e164(number: &str) -> Option<Self> {
        let digits = number.strip_prefix('+')?;
        let valid = (8..=15).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
        valid.then(|| Self(number.to_owned()))
    }

    /// The number in full, `+15551234567`.
    pub fn as_e164(&self) -> &str {
        &self.0
    }

    /// The number with all but the last four digits hidden, `***-***-4567`.
    pub fn masked(&self) -> String {
        format!("***-***-{}", self.last_four())
    }

    /// The last four digits.
    pub fn last_four(&self) -> &str {
        // A Phone is ASCII and longer than four characters.
        self.0.get(self.0.len().saturating_sub(4)..).unwrap_or_default()
    }
}

/// From E.164, as it is stored.
impl TryFrom<String> for Phone {
    type Error = PhoneError;

    fn try_from(number: String) -> Result<Self, PhoneError> {
        Self::from_e164(&number).ok_or(PhoneError::NotANumber)
    }
}

impl From<Phone> for String {
    fn from(phone: Phone) -> Self {
        phone.0
    }
}

impl fmt::Debug for Phone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Phone({})", self.masked())
    }
}

fn broken_rules(typed: &str) -> Vec<PhoneError> {
    let chars = typed.chars().count();
    let unsigned = typed.strip_prefix('+').unwrap_or(typed);
    let allowed = |c: char| c.is_ascii_digit() || matches!(c, ' ' | '-' | '(' | ')');
    [
        (chars < MIN_CHARS, PhoneError::TooShort),
        (chars > MAX_CHARS, PhoneError::TooLong),
        (!unsigned.chars().all(allowed), PhoneError::Forbidden),
    ]
    .into_iter()
    .filter_map(|(broken, rule)| broken.then_some(rule))
    .collect()
}

fn normalize(typed: &str) -> Option<String> {
    let digits: String = typed.chars().filter(char::is_ascii_digit).collect();
    let international = typed.starts_with('+');
    match digits.len() {
        // A browser that fills in the calling code twice, and a missing digit.
        count if international && digits.starts_with(REGION_CODE) && count != 1 + REGION_DIGITS => None,
        8..=15 if international => Some(format!("+{digits}")),
        REGION_DIGITS if !international => Some(format!("+{REGION_CODE}{digits}")),
        11 if !international && digits.starts_with(REGION_CODE) => Some(format!("+{digits}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_number_are_equal() {
        let spellings = [
            "(555) 123-4567",
            "555-123-4567",
            "5551234567",
            "1-555-123-4567",
            "+1 555 123 4567",
            "  5551234567\t",
            "555\u{a0}123\u{2011}4567",
            "\u{202d}+1 (555) 123-4567\u{202c}",
            "٥٥٥١٢٣٤٥٦٧",
            "５５５１２３４５６７",
        ];
        for typed in spellings {
            assert_eq!(Phone::parse(typed).unwrap().as_e164(), "+15551234567", "{typed}");
        }
    }

    #[test]
    fn each_rule_has_its_message() {
        use PhoneError::*;
        let cases: [(&str, &[PhoneError]); 17] = [
            ("", &[TooShort]),
            ("555123456", &[TooShort]),
            ("call me", &[TooShort, Forbidden]),
            ("555 123 4567 555 123 4567", &[TooLong]),
            ("555-123-4567 ext. 12 please", &[TooLong, Forbidden]),
            ("555.123.4567", &[Forbidden]),
            ("555123456\0", &[Forbidden]),
            ("555+1234567", &[Forbidden]),
            ("++15551234567", &[Forbidden]),
            ("----------", &[NotANumber]),
            ("+---------", &[NotANumber]),
            ("+1 (55)  12", &[NotANumber]),
            ("25551234567", &[NotANumber]),
            ("55512345678901", &[NotANumber]),
            ("+2234567890123456", &[NotANumber]),
            ("+1 15551234567", &[NotANumber]),
            ("+1 555 123 456", &[NotANumber]),
        ];
        for (typed, rules) in cases {
            assert_eq!(Phone::parse(typed).unwrap_err(), rules, "{typed:?}");
        }
    }

    #[test]
    fn an_international_number_keeps_its_country_code() {
        assert_eq!(
            Phone::parse("+44 20 7946 0958").unwrap().as_e164(),
            "+442079460958"
        );
        assert_eq!(Phone::parse("+223 45-678").unwrap().as_e164(), "+22345678");
        assert_eq!(
            Phone::parse("+223456789012345").unwrap().as_e164(),
            "+223456789012345"
        );
    }

    #[test]
    fn lengths_are_counted_in_characters_after_trimming() {
        assert!(Phone::parse("   (555)   123-4567  ").is_ok());
        let longest = "(555)  123  -  45 67";
        assert_eq!(longest.len(), MAX_CHARS);
        assert!(Phone::parse(longest).is_ok());
        assert_eq!(
            Phone::parse("(555)   123  -  45 67").unwrap_err(),
            [PhoneError::TooLong]
        );
        assert_eq!(
            Phone::parse(&"5".repeat(10_000)).unwrap_err(),
            [PhoneError::TooLong]
        );
        assert_eq!(
            Phone::parse("éééééé").unwrap_err(),
            [PhoneError::TooShort, PhoneError::Forbidden]
        );
    }

    #[test]
    fn a_number_shows_its_last_four_digits_only() {
        let phone = Phone::parse("5551234567").unwrap();
        assert_eq!(phone.masked(), "***-***-4567");
        assert_eq!(format!("{phone:?}"), "Phone(***-***-4567)");
    }

    #[test]
    fn a_stored_number_must_be_e164() {
        assert!(Phone::from_e164("+15551234567").is_some());
        for wrong in [
            "15551234567",
            "+1555",
            "+1555123456x",
            "",
            "+1234567890123456",
            "+５５５１２３４５",
        ] {
            assert!(Phone::from_e164(wrong).is_none(), "{wrong}");
        }
    }
}
