//! What people share, and its placeholders.

use serde::{Deserialize, Serialize};

/// What a share button puts into the mail or the messages of who has entered.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ShareTexts {
    /// The subject of the mail, without placeholders.
    pub email_subject: String,
    /// The mail. It may have line breaks.
    pub email_body: String,
    /// The message.
    pub text_body: String,
}

impl ShareTexts {
    /// The maximum length of the subject, in characters.
    pub const EMAIL_SUBJECT_CHARS: usize = 120;
    /// That of the mail, with its placeholders as they are written.
    pub const EMAIL_BODY_CHARS: usize = 1_500;
    /// That of the message, with its placeholders as they are written.
    pub const TEXT_BODY_CHARS: usize = 320;
}

/// What a mail or a message must hold.
pub(super) const LINK: &str = "{LINK}";
const NEXT_DRAWING: &str = "{NEXT_DRAWING}";
const PRIZE: &str = "{PRIZE}";
const VALUE: &str = "{VALUE}";

/// What stands for the placeholders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShareValues<'a> {
    /// For `{LINK}`: the person's own link.
    pub link: &'a str,
    /// For `{NEXT_DRAWING}`: a date, for people.
    pub next_drawing: &'a str,
    /// For `{PRIZE}`: the prize's name.
    pub prize: &'a str,
    /// For `{VALUE}`: what it is worth, for people.
    pub value: &'a str,
}

impl ShareValues<'_> {
    fn get(&self, placeholder: &str) -> Option<&str> {
        match placeholder {
            LINK => Some(self.link),
            NEXT_DRAWING => Some(self.next_drawing),
            PRIZE => Some(self.prize),
            VALUE => Some(self.value),
            _ => None,
        }
    }
}

/// A mail or a message with values in place of its placeholders. A placeholder in a value stays as it is.
pub fn share_text(template: &str, values: &ShareValues<'_>) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, placeholder, after)) = next_placeholder(rest) {
        text.push_str(before);
        text.push_str(values.get(placeholder).unwrap_or(placeholder));
        rest = after;
    }
    text + rest
}

/// Whether this is one of the four.
pub(super) fn is_placeholder(text: &str) -> bool {
    [LINK, NEXT_DRAWING, PRIZE, VALUE].contains(&text)
}

/// All placeholders of a text, whether or not they are known.
pub(super) fn placeholders(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (_, placeholder, after) = next_placeholder(rest)?;
        rest = after;
        Some(placeholder)
    })
}

/// The first placeholder, with what is before and after it.
fn next_placeholder(text: &str) -> Option<(&str, &str, &str)> {
    text.match_indices('{').find_map(|(at, _)| {
        let (before, rest) = text.split_at(at);
        let (placeholder, after) = starting_placeholder(rest)?;
        Some((before, placeholder, after))
    })
}

/// Capital letters, digits and underscores in braces, with what is after them.
fn starting_placeholder(text: &str) -> Option<(&str, &str)> {
    let is_of_word = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let word = text.strip_prefix('{')?;
    let after = word.trim_start_matches(is_of_word).strip_prefix('}')?;
    let placeholder = text.strip_suffix(after)?;
    (placeholder != "{}").then_some((placeholder, after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const VALUES: ShareValues<'_> = ShareValues {
        link: "https://x.org/1",
        next_drawing: "August 1st",
        prize: "{VALUE} {LINK}",
        value: "$150+",
    };

    #[test]
    fn each_placeholder_is_filled_once() {
        for (template, text) in [
            (
                "{LINK} {NEXT_DRAWING} {VALUE}",
                "https://x.org/1 August 1st $150+",
            ),
            ("{PRIZE}", "{VALUE} {LINK}"),
            ("{LINK}{LINK}", "https://x.org/1https://x.org/1"),
            ("{{VALUE}}", "{$150+}"),
            ("{link} {FOO} {} { {VALUE", "{link} {FOO} {} { {VALUE"),
            ("é{VALUE}é", "é$150+é"),
            ("", ""),
        ] {
            assert_eq!(share_text(template, &VALUES), text, "{template}");
        }
    }

    #[test]
    fn placeholders_are_words_in_capitals() {
        let found: Vec<_> = placeholders("{LINK}, {foo} {FOO_2} {A B} {} {{VALUE}} {É}").collect();
        assert_eq!(found, ["{LINK}", "{FOO_2}", "{VALUE}"]);
    }

    proptest! {
        #[test]
        fn a_filled_text_has_the_link_and_no_placeholder(
            parts in prop::collection::vec("[a-z {]{0,5}(\\{(LINK|NEXT_DRAWING|PRIZE|VALUE)\\})?", 0..9),
            values in prop::array::uniform4("[^{}]{0,20}"),
        ) {
            let [link, next_drawing, prize, value] = &values;
            let values = ShareValues { link, next_drawing, prize, value };
            let text = share_text(&(parts.concat() + LINK), &values);
            prop_assert_eq!(placeholders(&text).next(), None);
            prop_assert!(text.ends_with(link));
        }

        #[test]
        fn values_stay_as_they_are(value in any::<String>()) {
            let values = ShareValues { link: &value, next_drawing: &value, prize: &value, value: &value };
            let text = share_text("<{LINK}|{PRIZE}>", &values);
            prop_assert_eq!(text, format!("<{value}|{value}>"));
        }
    }
}
