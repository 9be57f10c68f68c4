//! What is stored with a step of the funnel.

use kernel::StoredText;
use std::collections::BTreeMap;

/// A value of [`StepData`].
#[derive(Debug, Clone, PartialEq)]
pub enum StepValue {
    /// A text.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// Another number.
    Number(f64),
    /// Yes or no.
    Flag(bool),
}

/// Details of a step by name, such as the package of a purchase. The names and values are bounded, and their texts can be
/// stored in any database.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StepData(BTreeMap<String, StepValue>);

/// The data is not what a step may carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidStepData {
    /// There are too many values.
    #[error("Must have at most {} values", StepData::VALUES)]
    TooMany,
    /// A name is empty, too long, or has other characters.
    #[error("Names must be 1 to {} letters, digits and underscores", StepData::NAME_CHARS)]
    Name,
    /// A value is neither text, number, true nor false.
    #[error("Values must be text, a number, true or false")]
    Kind,
    /// A text is blank, too long or has control characters.
    #[error(
        "Texts must be 1 to {} characters, none of them a control character",
        StepData::TEXT_CHARS
    )]
    Text,
}

impl StepData {
    /// The largest number of values.
    pub const VALUES: usize = 8;
    /// The longest name, in characters.
    pub const NAME_CHARS: usize = 40;
    /// The longest text, in characters.
    pub const TEXT_CHARS: usize = 100;

    /// Checks names and values.
    ///
    /// # Errors
    /// [`InvalidStepData`] names the first rule that is broken.
    pub fn new(values: impl IntoIterator<Item = (String, StepValue)>) -> Result<Self, InvalidStepData> {
        let mut checked = BTreeMap::new();
        for (name, value) in values {
            if !is_name(&name) {
                return Err(InvalidStepData::Name);
            }
            checked.insert(name, value.checked()?);
            if checked.len() > Self::VALUES {
                return Err(InvalidStepData::TooMany);
            }
        }
        Ok(Self(checked))
    }

    /// Data with one number that the server knows.
    pub fn integer(name: &'static str, value: i64) -> Self {
        Self::one(name, StepValue::Integer(value))
    }

    /// Data with one yes or no that the server knows.
    pub fn flag(name: &'static str, value: bool) -> Self {
        Self::one(name, StepValue::Flag(value))
    }

    /// Data with one text that the server knows. A text that breaks the rules is left out.
    pub fn text(name: &'static str, value: &str) -> Self {
        let text = StepValue::Text(value.to_owned()).checked();
        text.map(|text| Self::one(name, text)).unwrap_or_default()
    }

    fn one(name: &'static str, value: StepValue) -> Self {
        Self(BTreeMap::from([(name.to_owned(), value)]))
    }

    /// The values by name.
    pub fn values(&self) -> impl Iterator<Item = (&str, &StepValue)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }
}

fn is_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    (1..=StepData::NAME_CHARS).contains(&name.len()) && name.bytes().all(is_plain)
}

impl StepValue {
    fn checked(self) -> Result<Self, InvalidStepData> {
        match self {
            Self::Text(text) => match StoredText::line(&text, StepData::TEXT_CHARS) {
                Ok(text) => Ok(Self::Text(text.into())),
                Err(_) => Err(InvalidStepData::Text),
            },
            Self::Number(number) if !number.is_finite() => Err(InvalidStepData::Kind),
            Self::Integer(_) | Self::Number(_) | Self::Flag(_) => Ok(self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(name: &str, value: StepValue) -> Result<StepData, InvalidStepData> {
        StepData::new([(name.to_owned(), value)])
    }

    #[test]
    fn short_names_and_values_are_kept() {
        let values = [
            ("page".to_owned(), StepValue::Text("ü".repeat(100))),
            ("n_2".to_owned(), StepValue::Integer(-1)),
            ("share".to_owned(), StepValue::Number(0.5)),
            ("a".repeat(40), StepValue::Flag(true)),
        ];
        let data = StepData::new(values.clone()).unwrap();
        let mut kept: Vec<_> = data
            .values()
            .map(|(name, value)| (name.to_owned(), value.clone()))
            .collect();
        kept.sort_by(|(one, _), (other, _)| one.cmp(other));
        let mut expected = values.to_vec();
        expected.sort_by(|(one, _), (other, _)| one.cmp(other));
        assert_eq!(kept, expected);
        assert_eq!(StepData::new([]), Ok(StepData::default()));
    }

    #[test]
    fn every_limit_holds() {
        for name in ["", "a b", "a\0", "ä", &"a".repeat(41)] {
            assert_eq!(
                one(name, StepValue::Flag(true)),
                Err(InvalidStepData::Name),
                "{name:?}"
            );
        }
        for text in ["", "a\0b", "a\nb", &"a".repeat(101)] {
            let value = StepValue::Text(text.to_owned());
            assert_eq!(one("page", value), Err(InvalidStepData::Text), "{text:?}");
            assert_eq!(StepData::text("page", text), StepData::default());
        }
        for number in [f64::NAN, f64::INFINITY] {
            assert_eq!(one("n", StepValue::Number(number)), Err(InvalidStepData::Kind));
        }
        let numbered = |count: i64| (0..count).map(|n| (format!("n{n}"), StepValue::Integer(n)));
        assert!(StepData::new(numbered(8)).is_ok());
        assert_eq!(StepData::new(numbered(9)), Err(InvalidStepData::TooMany));
    }
}
