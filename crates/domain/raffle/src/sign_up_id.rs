use kernel::Entropy;
use std::fmt;

/// The bytes of an id: 128 random bits.
const BYTES: usize = 16;

/// The id of a sign-up that waits: 128 random bits, written as 32 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SignUpId([u8; BYTES]);

impl SignUpId {
    /// The id with these bytes.
    pub const fn new(bytes: [u8; BYTES]) -> Self {
        Self(bytes)
    }

    /// A random id.
    pub fn random(entropy: &dyn Entropy) -> Self {
        Self(entropy.bytes())
    }

    /// Reads 32 hexadecimal digits; `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        let mut bytes = [0; BYTES];
        hex::decode_to_slice(text, &mut bytes).ok().map(|()| Self(bytes))
    }

    /// Its bytes.
    pub const fn as_bytes(&self) -> &[u8; BYTES] {
        &self.0
    }
}

impl fmt::Display for SignUpId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Ascending;

    impl Entropy for Ascending {
        fn fill(&self, bytes: &mut [u8]) {
            (0..).zip(bytes).for_each(|(n, byte)| *byte = n);
        }
    }

    #[test]
    fn an_id_is_16_random_bytes_in_hexadecimal() {
        let id = SignUpId::random(&Ascending);
        assert_eq!(id.to_string(), "000102030405060708090a0b0c0d0e0f");
        assert_eq!(SignUpId::parse(&id.to_string()), Some(id));
        assert_eq!(SignUpId::parse(&id.to_string().to_uppercase()), Some(id));
    }

    #[test]
    fn other_text_is_no_id() {
        for text in [
            "",
            "00",
            "+0102030405060708090a0b0c0d0e0f0",
            &"g".repeat(32),
            &"0".repeat(33),
        ] {
            assert_eq!(SignUpId::parse(text), None, "{text:?}");
        }
    }
}
