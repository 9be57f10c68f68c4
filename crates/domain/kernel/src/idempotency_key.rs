/// The client's key for one request: sent again with the same key, it is carried out once. 1 to 255 visible ASCII
/// characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct IdempotencyKey(String);

impl IdempotencyKey {
    /// Parses a key; `None` when the text is not one.
    pub fn parse(text: &str) -> Option<Self> {
        let visible = text.bytes().all(|byte| byte.is_ascii_graphic());
        (visible && (1..=255).contains(&text.len())).then(|| Self(text.to_owned()))
    }

    /// The key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_short_and_visible() {
        for right in ["a", "8e03978e-40d5-43e8-bc93-6894a57f9324", &"x".repeat(255)] {
            assert_eq!(IdempotencyKey::parse(right).unwrap().as_str(), right);
        }
        for wrong in ["", " ", "a b", "a\n", "ä", &"x".repeat(256)] {
            assert_eq!(IdempotencyKey::parse(wrong), None, "{wrong:?}");
        }
    }
}
