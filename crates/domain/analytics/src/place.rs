//! Where a visitor is, as a proxy in front of the server says.

use kernel::StoredText;

/// The longest name of a country or city that is stored, in characters.
const CHARS: usize = 100;

/// The visitor's country and city, as far as they are known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    /// The country as the proxy names it: usually two letters of ISO 3166-1.
    pub country: Option<String>,
    /// The city as the proxy names it.
    pub city: Option<String>,
}

impl Place {
    /// The place with these names, each without control characters and cut to 100 characters. An empty name counts as
    /// none.
    pub fn new(country: Option<&str>, city: Option<&str>) -> Self {
        Self {
            country: country.and_then(clean),
            city: city.and_then(clean),
        }
    }
}

fn clean(name: &str) -> Option<String> {
    let cleaned = StoredText::cleaned(name, CHARS);
    Some(cleaned.into()).filter(|name: &String| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn city(name: &str) -> Option<String> {
        Place::new(None, Some(name)).city
    }

    #[test]
    fn names_are_kept_without_control_characters_and_at_most_a_hundred_characters_long() {
        assert_eq!(city("São Paulo").as_deref(), Some("São Paulo"));
        assert_eq!(city(" Zü\u{0}ri\u{85}ch\n ").as_deref(), Some("Zürich"));
        assert_eq!(city(&"ü".repeat(101)), Some("ü".repeat(100)));
        assert_eq!(city(&format!("{} b", "a".repeat(99))), Some("a".repeat(99)));
    }

    #[test]
    fn an_empty_name_counts_as_none() {
        for empty in ["", "  ", "\t\u{0}"] {
            assert_eq!(
                Place::new(Some(empty), Some(empty)),
                Place::default(),
                "{empty:?}"
            );
        }
    }
}
