/// Text from outside that every store can hold: bounded, without spaces around it, and without NUL and other control
/// characters. Each type of the domains that holds free text is made of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredText(String);

/// Why a text is not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StoredTextError {
    /// It is empty, or consists of spaces.
    #[error("Must not be blank")]
    Blank,
    /// It has more characters than allowed.
    #[error("Is too long")]
    TooLong,
    /// It has a control character.
    #[error("Must not contain control characters")]
    ControlCharacter,
}

impl StoredText {
    /// Parses one line of 1 to `most` characters.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn line(text: &str, most: usize) -> Result<Self, StoredTextError> {
        Self::parse(text, most, char::is_control)
    }

    /// Parses 1 to `most` characters, which may contain line breaks and tabs.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn lines(text: &str, most: usize) -> Result<Self, StoredTextError> {
        Self::parse(text, most, is_other_control)
    }

    /// The text without control characters other than line breaks and tabs, cut after `most` characters, for text that
    /// cannot be refused. It may be empty.
    pub fn cleaned(text: &str, most: usize) -> Self {
        let plain: String = text.chars().filter(|c| !is_other_control(*c)).collect();
        let short: String = plain.trim().chars().take(most).collect();
        Self(short.trim_end().to_owned())
    }

    fn parse(text: &str, most: usize, is_refused: fn(char) -> bool) -> Result<Self, StoredTextError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(StoredTextError::Blank);
        }
        if text.chars().any(is_refused) {
            return Err(StoredTextError::ControlCharacter);
        }
        if text.chars().count() > most {
            return Err(StoredTextError::TooLong);
        }
        Ok(Self(text.to_owned()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<StoredText> for String {
    fn from(text: StoredText) -> Self {
        text.0
    }
}

fn is_other_control(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\r' | '\t')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_short_and_has_no_control_characters() {
        assert_eq!(StoredText::line(" Mega Pack ", 9).unwrap().as_str(), "Mega Pack");
        for (wrong, error) in [
            ("", StoredTextError::Blank),
            (" \n ", StoredTextError::Blank),
            ("Mega Pack!", StoredTextError::TooLong),
            ("a\0b", StoredTextError::ControlCharacter),
            ("a\nb", StoredTextError::ControlCharacter),
            ("\0", StoredTextError::ControlCharacter),
            ("a\u{85}b", StoredTextError::ControlCharacter),
        ] {
            assert_eq!(StoredText::line(wrong, 9), Err(error), "{wrong:?}");
        }
    }

    #[test]
    fn lines_may_have_line_breaks_and_tabs_but_no_nul() {
        assert_eq!(StoredText::lines(" a\r\n\tb\n", 5).unwrap().as_str(), "a\r\n\tb");
        for wrong in ["a\0b", "a\u{7}b", "\u{1b}[31m"] {
            assert_eq!(
                StoredText::lines(wrong, 20),
                Err(StoredTextError::ControlCharacter),
                "{wrong:?}"
            );
        }
        assert_eq!(StoredText::lines("ünï", 2), Err(StoredTextError::TooLong));
    }

    #[test]
    fn a_cleaned_text_has_no_control_characters_and_is_cut() {
        assert_eq!(StoredText::cleaned(" a\0b\u{7}\nc ", 9).as_str(), "ab\nc");
        assert_eq!(StoredText::cleaned("ünï code", 4).as_str(), "ünï");
        assert_eq!(StoredText::cleaned("\0 \0", 4).as_str(), "");
    }
}
