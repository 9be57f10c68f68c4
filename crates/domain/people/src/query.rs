use kernel::{EntrantId, Phone, ReferralCode};
use raffle::RaffleKey;

/// What staff search for, in each way in which it can be read. An entrant matches when one of them does.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PeopleQuery {
    /// A whole number.
    pub phone: Option<Phone>,
    /// The last four digits of a number.
    pub last_four: Option<String>,
    /// A referral code.
    pub code: Option<ReferralCode>,
    /// An id.
    pub id: Option<EntrantId>,
}

/// A text that is neither a number, its last four digits, a referral code nor an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Enter a phone number, its last four digits, a referral code or an ID.")]
pub struct UnreadableQuery;

impl PeopleQuery {
    /// Reads what staff typed; `None` when they typed nothing.
    ///
    /// # Errors
    /// [`UnreadableQuery`] when it can be read in no way.
    pub fn parse(typed: &str) -> Result<Option<Self>, UnreadableQuery> {
        let typed = typed.trim();
        if typed.is_empty() {
            return Ok(None);
        }
        let is_digits = typed.bytes().all(|byte| byte.is_ascii_digit());
        let id = typed.parse().ok().filter(|id| is_digits && *id > 0);
        let query = Self {
            phone: Phone::parse(typed).ok(),
            last_four: (is_digits && typed.len() == 4).then(|| typed.to_owned()),
            code: ReferralCode::parse(&typed.to_ascii_uppercase()).ok(),
            id: id.map(EntrantId::new).filter(|id| *id <= EntrantId::MAX),
        };
        if query == Self::default() {
            return Err(UnreadableQuery);
        }
        Ok(Some(query))
    }
}

/// Which entrants are listed; the default is all.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PeopleFilter {
    /// Only those who match.
    pub query: Option<PeopleQuery>,
    /// Only those who are flagged, or only those who are not.
    pub is_flagged: Option<bool>,
    /// Only those of this raffle.
    pub raffle: Option<RaffleKey>,
    /// Only those with this tag.
    pub tag: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(typed: &str) -> PeopleQuery {
        PeopleQuery::parse(typed).unwrap().unwrap()
    }

    #[test]
    fn every_spelling_of_a_number_is_that_number() {
        let phone = Phone::from_e164("+15551234567");
        for typed in [
            "(555) 123-4567",
            "555-123-4567",
            "5551234567",
            "15551234567",
            " +1 555 123 4567 ",
        ] {
            assert_eq!(read(typed).phone, phone, "{typed}");
        }
    }

    #[test]
    fn digits_are_read_in_every_way() {
        let four = read("4567");
        assert_eq!(four.last_four.as_deref(), Some("4567"));
        assert_eq!((four.id, four.phone), (Some(EntrantId::new(4567)), None));
        let ten = read("5551234567");
        assert_eq!(ten.id, Some(EntrantId::new(5_551_234_567)));
        assert!(ten.phone.is_some() && ten.last_four.is_none());
    }

    #[test]
    fn a_code_is_read_in_any_case() {
        assert_eq!(read("cdfg3467").code, ReferralCode::parse("CDFG3467").ok());
    }

    #[test]
    fn nothing_is_everybody_and_anything_else_is_refused() {
        assert_eq!(PeopleQuery::parse("  "), Ok(None));
        for typed in [
            "hello there",
            "0",
            "-4567",
            "+4567",
            "99999999999999999",
            "４５６７",
        ] {
            assert_eq!(PeopleQuery::parse(typed), Err(UnreadableQuery), "{typed}");
        }
    }
}
