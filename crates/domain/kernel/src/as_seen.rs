//! Digits as people see them, whatever a keyboard, a paste or a browser that fills in a form sent (D76).

use std::borrow::Cow;
use unicode_general_category::{GeneralCategory, get_general_category};

/// The text with digits of all scripts as `0` to `9`, all spaces and dashes as ` ` and `-`, and without characters that
/// nobody sees, such as those that set the direction of text.
///
/// Source: the general categories of Unicode (Nd, Zs, Pd, Cf).
pub fn as_seen(text: &str) -> Cow<'_, str> {
    match text.is_ascii() {
        true => Cow::Borrowed(text),
        false => text.chars().filter_map(seen).collect(),
    }
}

fn seen(letter: char) -> Option<char> {
    match get_general_category(letter) {
        GeneralCategory::DecimalNumber => digit(letter),
        GeneralCategory::SpaceSeparator => Some(' '),
        GeneralCategory::DashPunctuation => Some('-'),
        GeneralCategory::Format => None,
        // Choosing between glyphs, as after the digits of keycaps.
        _ if matches!(letter, '\u{fe00}'..='\u{fe0f}') => None,
        // The minus sign.
        _ if letter == '\u{2212}' => Some('-'),
        _ => Some(letter),
    }
}

/// Unicode has the ten digits of a script one after the other, from zero.
fn digit(letter: char) -> Option<char> {
    let code = u32::from(letter);
    let before = (1..=code).take_while(|back| char::from_u32(code - back).is_some_and(is_digit));
    let value = u32::try_from(before.count()).ok()? % 10;
    char::from_digit(value, 10)
}

fn is_digit(letter: char) -> bool {
    get_general_category(letter) == GeneralCategory::DecimalNumber
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_see_is_read() {
        for (typed, expected) in [
            ("\u{202d}+1 (212) 555\u{2011}7301\u{202c}", "+1 (212) 555-7301"),
            ("\u{200e}(212)\u{a0}555\u{2013}7302\u{200b}", "(212) 555-7302"),
            ("２１２５５５７１１３", "2125557113"),
            ("٢١٢٥٥٥٧١١٤", "2125557114"),
            ("۲۱۲५५५𝟳𝟏𝟭𝟻", "2125557115"),
            ("8\u{fe0f}91\u{2212}691", "891-691"),
            ("2125557116", "2125557116"),
            ("212.555·7117 é", "212.555·7117 é"),
        ] {
            assert_eq!(as_seen(typed), expected, "{typed:?}");
        }
    }

    /// Otherwise digits could not be told by counting those before them.
    #[test]
    fn digits_come_in_tens() {
        let mut run = 0;
        let mut all = 0;
        for letter in '\0'..=char::MAX {
            match is_digit(letter) {
                true => (run, all) = (run + 1, all + 1),
                false => {
                    assert_eq!(run % 10, 0, "before U+{:04X}", u32::from(letter));
                    run = 0;
                }
            }
        }
        assert!(all > 600, "{all}");
    }
}
