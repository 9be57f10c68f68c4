use crate::StoredText;

/// What to find in a list whose rows have a text and a phone number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextSearch {
    /// A part of the text. The case of the letters A to Z does not matter.
    pub text: StoredText,
    /// A part of the number, if the text can be one: its digits.
    pub digits: Option<String>,
}

impl TextSearch {
    /// Searches for a text, and for a number if the text consists of digits and the signs between them.
    pub fn new(text: StoredText) -> Self {
        let is_number = |c: char| c.is_ascii_digit() || " +-()".contains(c);
        let digits: String = text.as_str().chars().filter(char::is_ascii_digit).collect();
        let is_number = text.as_str().chars().all(is_number) && !digits.is_empty();
        Self {
            digits: is_number.then_some(digits),
            text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_for_digits_also_finds_numbers() {
        let digits = |text: &str| TextSearch::new(StoredText::line(text, 80).unwrap()).digits;
        assert_eq!(digits("(555) 123-4567").as_deref(), Some("5551234567"));
        assert_eq!(digits("4567").as_deref(), Some("4567"));
        for text in ["my 2 cents", "192.0.2.7", "+", "- -"] {
            assert_eq!(digits(text), None, "{text}");
        }
    }
}
