use crate::{ClaimId, PublicWinner};
use kernel::{Sealer, StoredText};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Names the key that encrypts winners' details.
#[derive(Debug)]
pub enum ClaimSecrets {}

/// Where the winner lives and the prize goes. Stored encrypted.
#[derive(Clone, PartialEq, Eq)]
pub struct ClaimDetails {
    /// The winner's name.
    pub name: StoredText,
    /// Street and number.
    pub address_line1: StoredText,
    /// Apartment, building or floor.
    pub address_line2: Option<StoredText>,
    /// The city.
    pub city: StoredText,
    /// The state.
    pub state: State,
    /// The ZIP code.
    pub postal_code: ZipCode,
    /// Whether the winner's first name and state may be published.
    pub publicity: bool,
}

/// Details that cannot be read: their key is not configured any more, or the row was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the details of the claim cannot be decrypted")]
pub struct DetailsError;

/// The details as they are encrypted.
#[derive(Serialize, Deserialize)]
struct Plain {
    name: String,
    address_line1: String,
    address_line2: Option<String>,
    city: String,
    state: String,
    postal_code: String,
    publicity: bool,
}

/// More characters than any field has.
const MOST: usize = 200;
/// Characters of a first name that is published.
const MOST_PUBLIC: usize = 40;

impl ClaimDetails {
    /// The details, encrypted and bound to their claim.
    pub fn seal(&self, sealer: &dyn Sealer<ClaimSecrets>, claim: ClaimId) -> Vec<u8> {
        let plain = Plain {
            name: self.name.as_str().to_owned(),
            address_line1: self.address_line1.as_str().to_owned(),
            address_line2: self.address_line2.as_ref().map(|line| line.as_str().to_owned()),
            city: self.city.as_str().to_owned(),
            state: self.state.as_str().to_owned(),
            postal_code: self.postal_code.as_str().to_owned(),
            publicity: self.publicity,
        };
        // A struct of texts has no value that JSON lacks.
        let json = serde_json::to_vec(&plain).unwrap_or_default();
        sealer.seal(&context(claim), &json)
    }

    /// Decrypts the details of a claim.
    ///
    /// # Errors
    /// [`DetailsError`].
    pub fn open(
        sealer: &dyn Sealer<ClaimSecrets>,
        claim: ClaimId,
        sealed: &[u8],
    ) -> Result<Self, DetailsError> {
        let json = sealer.open(&context(claim), sealed).ok_or(DetailsError)?;
        let plain: Plain = serde_json::from_slice(&json).map_err(|_| DetailsError)?;
        plain.read().ok_or(DetailsError)
    }

    /// What may be published of the winner, if the winner agrees and the first name is one: what stands before the first space
    /// of the name.
    pub fn public_winner(&self) -> Option<PublicWinner> {
        let first_name = self.name.as_str().split_whitespace().next().unwrap_or_default();
        (self.publicity && is_public_name(first_name)).then(|| PublicWinner {
            first_name: first_name.to_owned(),
            state: self.state.as_str().to_owned(),
        })
    }
}

/// Whether a name can be published (D75): letters, with hyphens, apostrophes and periods between them. So it is no formula, link or
/// number.
fn is_public_name(name: &str) -> bool {
    let is_between = |letter: char| matches!(letter, '-' | '\'' | '’' | '.');
    let parts = name.trim_end_matches('.').split(is_between);
    name.chars().count() <= MOST_PUBLIC
        && parts
            .into_iter()
            .all(|part| !part.is_empty() && part.chars().all(char::is_alphabetic))
}

impl Plain {
    fn read(self) -> Option<ClaimDetails> {
        let line = |text: &str| StoredText::line(text, MOST).ok();
        let address_line2 = match self.address_line2 {
            Some(text) => Some(line(&text)?),
            None => None,
        };
        Some(ClaimDetails {
            name: line(&self.name)?,
            address_line1: line(&self.address_line1)?,
            address_line2,
            city: line(&self.city)?,
            state: State::parse(&self.state).ok()?,
            postal_code: ZipCode::parse(&self.postal_code).ok()?,
            publicity: self.publicity,
        })
    }
}

/// Binds the details to their claim.
fn context(claim: ClaimId) -> String {
    format!("claim details {claim}")
}

impl fmt::Debug for ClaimDetails {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClaimDetails(…)")
    }
}

/// A state of the USA, the District of Columbia or a territory, by its two letters (USPS Publication 28, appendix B).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State(&'static str);

/// The text is not the abbreviation of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Choose a state")]
pub struct UnknownState;

const STATES: [&str; 56] = [
    "AL", "AK", "AZ", "AR", "AS", "CA", "CO", "CT", "DE", "DC", "FL", "GA", "GU", "HI", "ID", "IL", "IN",
    "IA", "KS", "KY", "LA", "ME", "MD", "MA", "MI", "MN", "MS", "MO", "MP", "MT", "NE", "NV", "NH", "NJ",
    "NM", "NY", "NC", "ND", "OH", "OK", "OR", "PA", "PR", "RI", "SC", "SD", "TN", "TX", "UT", "VT", "VA",
    "VI", "WA", "WV", "WI", "WY",
];

impl State {
    /// Reads the two letters of a state, in either case.
    ///
    /// # Errors
    /// [`UnknownState`] for any other text.
    pub fn parse(text: &str) -> Result<Self, UnknownState> {
        let text = text.trim();
        let known = STATES.iter().find(|state| state.eq_ignore_ascii_case(text));
        known.map(|state| Self(state)).ok_or(UnknownState)
    }

    /// Its two letters.
    pub const fn as_str(self) -> &'static str {
        self.0
    }

    /// Every state.
    pub fn all() -> impl Iterator<Item = Self> {
        STATES.iter().map(|state| Self(state))
    }
}

/// A ZIP code: five digits, or five and four with a dash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ZipCode(String);

/// The text is not a ZIP code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Enter a ZIP code such as 12345 or 12345-6789")]
pub struct ZipCodeError;

impl ZipCode {
    /// Reads a ZIP code.
    ///
    /// # Errors
    /// [`ZipCodeError`] for any other text.
    pub fn parse(text: &str) -> Result<Self, ZipCodeError> {
        let text = text.trim();
        let are_digits =
            |part: &str, count| part.len() == count && part.bytes().all(|byte| byte.is_ascii_digit());
        let valid = match text.split_once('-') {
            Some((five, four)) => are_digits(five, 5) && are_digits(four, 4),
            None => are_digits(text, 5),
        };
        valid.then(|| Self(text.to_owned())).ok_or(ZipCodeError)
    }

    /// Its digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Encrypts nothing, but remembers the context.
    struct Labels;

    impl Sealer<ClaimSecrets> for Labels {
        fn seal(&self, context: &str, secret: &[u8]) -> Vec<u8> {
            [context.as_bytes(), b"\n", secret].concat()
        }

        fn open(&self, context: &str, sealed: &[u8]) -> Option<Vec<u8>> {
            sealed
                .strip_prefix(context.as_bytes())?
                .strip_prefix(b"\n")
                .map(<[u8]>::to_vec)
        }
    }

    fn details() -> ClaimDetails {
        let line = |text| StoredText::line(text, 100).unwrap();
        ClaimDetails {
            name: line("Ada  M. Lovelace"),
            address_line1: line("12 Example Street"),
            address_line2: None,
            city: line("Springfield"),
            state: State::parse("il").unwrap(),
            postal_code: ZipCode::parse("62701-1234").unwrap(),
            publicity: true,
        }
    }

    #[test]
    fn details_open_for_their_claim_only() {
        let sealed = details().seal(&Labels, ClaimId::new(7));
        assert_eq!(
            ClaimDetails::open(&Labels, ClaimId::new(7), &sealed),
            Ok(details())
        );
        assert_eq!(
            ClaimDetails::open(&Labels, ClaimId::new(8), &sealed),
            Err(DetailsError)
        );
        let with_line = ClaimDetails {
            address_line2: Some(StoredText::line("Apt. 4", 100).unwrap()),
            publicity: false,
            ..details()
        };
        let sealed = with_line.seal(&Labels, ClaimId::new(7));
        assert_eq!(
            ClaimDetails::open(&Labels, ClaimId::new(7), &sealed),
            Ok(with_line)
        );
    }

    #[test]
    fn details_are_not_printed_and_a_first_name_stands_before_the_space() {
        assert_eq!(format!("{:?}", details()), "ClaimDetails(…)");
        let winner = details().public_winner().unwrap();
        assert_eq!((winner.first_name.as_str(), winner.state.as_str()), ("Ada", "IL"));
        let silent = ClaimDetails {
            publicity: false,
            ..details()
        };
        assert_eq!(silent.public_winner(), None);
    }

    #[test]
    fn a_public_first_name_has_letters_only() {
        let published = |name: &str| {
            let named = ClaimDetails {
                name: StoredText::line(name, 100).unwrap(),
                ..details()
            };
            named.public_winner().map(|winner| winner.first_name)
        };
        for name in ["Ada", "José", "Anne-Marie", "D'Arcy", "D’Arcy", "J.P.", "李"] {
            assert_eq!(published(&format!("{name} Smith")).as_deref(), Some(name));
        }
        let long = "a".repeat(41);
        for name in [
            "=HYPERLINK(\"http://evil\")",
            "+15551234567",
            "@ada",
            "Ada2",
            "-Ada",
            "Ada-",
            "A--da",
            "'",
            ".",
            &long,
        ] {
            assert_eq!(published(name), None, "{name}");
        }
    }

    #[test]
    fn states_are_read_by_their_two_letters() {
        assert_eq!(State::parse(" ny ").unwrap().as_str(), "NY");
        for wrong in ["", "N", "XX", "New York", "ON"] {
            assert_eq!(State::parse(wrong), Err(UnknownState), "{wrong:?}");
        }
        assert_eq!(State::all().count(), 56, "50 states, DC and 5 territories");
    }

    #[test]
    fn zip_codes_have_five_or_nine_digits() {
        for right in ["12345", " 12345-6789 "] {
            assert_eq!(ZipCode::parse(right).unwrap().as_str(), right.trim());
        }
        for wrong in [
            "",
            "1234",
            "123456",
            "12345-",
            "12345-67890",
            "12345 6789",
            "1234a",
            "١٢٣٤٥",
        ] {
            assert_eq!(ZipCode::parse(wrong), Err(ZipCodeError), "{wrong:?}");
        }
    }
}
