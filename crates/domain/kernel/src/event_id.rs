use crate::{Entropy, letters};
use serde::{Deserialize, Serialize};

/// The client's id for one event, such as a sign-up, which is then reported once.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct EventId(String);

/// The text is not an event id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Must be 1 to 64 letters, digits, dashes or underscores")]
pub struct EventIdError;

impl EventId {
    /// Reads an event id: 1 to 64 ASCII letters, digits, dashes or underscores.
    ///
    /// # Errors
    /// [`EventIdError`] for any other text.
    pub fn parse(text: &str) -> Result<Self, EventIdError> {
        let allowed = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
        let valid = (1..=64).contains(&text.len()) && text.bytes().all(allowed);
        valid.then(|| Self(text.to_owned())).ok_or(EventIdError)
    }

    /// A random id, for an event that the server names: 12 letters and digits.
    pub fn random(entropy: &dyn Entropy) -> Self {
        Self(letters::random::<12>(entropy).to_ascii_lowercase())
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for EventId {
    type Error = EventIdError;

    fn try_from(text: String) -> Result<Self, EventIdError> {
        Self::parse(&text)
    }
}

impl From<EventId> for String {
    fn from(id: EventId) -> Self {
        id.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_id_is_short_and_plain() {
        for right in ["a", "aB3_-xyz0123", &"a".repeat(64)] {
            assert_eq!(EventId::parse(right).unwrap().as_str(), right);
        }
        for wrong in ["", "a b", "a\0", "é", &"a".repeat(65)] {
            assert_eq!(EventId::parse(wrong), Err(EventIdError), "{wrong:?}");
        }
    }

    #[test]
    fn a_random_event_id_has_12_letters_and_digits() {
        struct Ascending;

        impl Entropy for Ascending {
            fn fill(&self, bytes: &mut [u8]) {
                (0..).zip(bytes).for_each(|(n, byte)| *byte = n);
            }
        }

        let id = EventId::random(&Ascending);
        assert_eq!(id.as_str(), "23456789abcd");
        assert_eq!(EventId::parse(id.as_str()), Ok(id));
    }
}
