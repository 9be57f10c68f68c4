use serde::{Deserialize, Serialize};
use std::fmt;

/// The last part of an entrant's referral link: 8 characters without look-alikes.
///
/// Letters are stored in upper case, and codes are parsed in either case.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ReferralCode(String);

/// The text is not a referral code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a referral code")]
pub struct ReferralCodeError;

impl ReferralCode {
    /// The number of characters of a code.
    pub const LENGTH: usize = 8;

    /// The characters of codes: no `0`/`O`, `1`/`I`/`L`, `5`/`S`, `2`/`Z`, `8`/`B`, and no vowels, so that
    /// none spells a word.
    pub const ALPHABET: &'static [u8] = b"34679CDFGHJKMNPQRTVWXY";

    /// Parses a code in either case.
    ///
    /// # Errors
    /// [`ReferralCodeError`] when the length or a character is wrong.
    pub fn parse(text: &str) -> Result<Self, ReferralCodeError> {
        let code = text.trim().to_ascii_uppercase();
        let valid = code.len() == Self::LENGTH && code.bytes().all(|b| Self::ALPHABET.contains(&b));
        valid.then_some(Self(code)).ok_or(ReferralCodeError)
    }

    /// The code in what was taken from a link, with what clung to it on its way: the dot of a sentence, a bracket, a space of
    /// no width, a parameter (D76). It is the first 8 characters in a row that can be a code.
    pub fn in_link(text: &str) -> Option<Self> {
        let in_code =
            |c: char| u8::try_from(c.to_ascii_uppercase()).is_ok_and(|b| Self::ALPHABET.contains(&b));
        let rest = text.trim_start_matches(|c| !in_code(c));
        Self::parse(rest.get(..Self::LENGTH)?).ok()
    }

    /// The code in upper case.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ReferralCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for ReferralCode {
    type Error = ReferralCodeError;

    fn try_from(text: String) -> Result<Self, ReferralCodeError> {
        Self::parse(&text)
    }
}

impl From<ReferralCode> for String {
    fn from(code: ReferralCode) -> Self {
        code.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_does_not_matter() {
        let code = ReferralCode::parse("cdfg3467").unwrap();
        assert_eq!(ReferralCode::parse(" CDFG3467 "), Ok(code.clone()));
        assert_eq!(
            (code.as_str(), code.to_string().as_str()),
            ("CDFG3467", "CDFG3467")
        );
    }

    #[test]
    fn what_clings_to_a_code_in_a_link_is_cut_off() {
        let code = ReferralCode::parse("CDFG3467").ok();
        for text in [
            "cdfg3467",
            "CDFG3467.",
            "CDFG3467)",
            "(CDFG3467!",
            "“CDFG3467”",
            "\u{200b}CDFG3467\u{200b}",
            "CDFG3467&fbclid=1",
            "CDFG3467 and more",
        ] {
            assert_eq!(ReferralCode::in_link(text), code, "{text:?}");
        }
        for text in ["", "CDFG346", "CDFG-3467", "CDFG346\u{200b}7", "....", "CDFG346é"] {
            assert_eq!(ReferralCode::in_link(text), None, "{text:?}");
        }
    }

    #[test]
    fn the_alphabet_has_no_look_alikes_and_no_vowels() {
        for confusing in b"01258ABEILOSUZ" {
            assert!(
                !ReferralCode::ALPHABET.contains(confusing),
                "{}",
                char::from(*confusing)
            );
        }
    }

    #[test]
    fn text_of_another_length_or_alphabet_is_refused() {
        for wrong in [
            "",
            "CDFG346",
            "CDFG34677",
            "CDFG346O",
            "CDFG346\0",
            "ＣDFG3467",
            "CDFG 467",
        ] {
            assert_eq!(ReferralCode::parse(wrong), Err(ReferralCodeError), "{wrong:?}");
        }
    }
}
