use crate::StoredText;

/// The name that a member of staff signs in with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StaffName(String);

impl StaffName {
    /// The maximum length, in characters.
    pub const MAX_CHARS: usize = 256;

    /// Parses a name: one line of 1 to [`StaffName::MAX_CHARS`] characters.
    pub fn parse(text: &str) -> Option<Self> {
        let text = StoredText::line(text, Self::MAX_CHARS).ok()?;
        Some(Self(text.into()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_line() {
        assert_eq!(StaffName::parse(" anna ").unwrap().as_str(), "anna");
        for wrong in ["", " ", "a\0b", "a\nb", &"x".repeat(257)] {
            assert_eq!(StaffName::parse(wrong), None, "{wrong:?}");
        }
    }
}
