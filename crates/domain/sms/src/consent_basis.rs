use kernel::StoredText;

/// Why the numbers of a list may get a campaign's messages, in the words of staff: one line of 1 to 200 characters. Evidence
/// shows it for numbers that belong to no entrant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsentBasis(StoredText);

impl ConsentBasis {
    /// The maximum length, in characters.
    pub const MAX_CHARS: usize = 200;
    /// Stands where nobody gave a reason.
    pub const NOT_STATED: &str = "not stated";

    /// Parses a reason, without spaces around it.
    pub fn parse(text: &str) -> Option<Self> {
        StoredText::line(text, Self::MAX_CHARS).ok().map(Self)
    }

    /// That nobody gave a reason.
    pub fn not_stated() -> Self {
        Self(StoredText::cleaned(Self::NOT_STATED, Self::MAX_CHARS))
    }

    /// The reason.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_basis_is_one_line() {
        let basis = ConsentBasis::parse(" They signed up at our booth. ").unwrap();
        assert_eq!(basis.as_str(), "They signed up at our booth.");
        assert_eq!(ConsentBasis::not_stated().as_str(), "not stated");
        for wrong in ["", " ", "a\nb", &"x".repeat(201)] {
            assert_eq!(ConsentBasis::parse(wrong), None, "{wrong:?}");
        }
    }
}
