use crate::Entropy;
use sha2::{Digest, Sha256};
use std::fmt;

/// The bytes of a secret: 128 random bits.
const BYTES: usize = 16;

/// What a browser keeps in a cookie to prove later that it is the same browser, such as the one that asked for a code.
#[derive(Clone, PartialEq, Eq)]
pub struct BrowserSecret([u8; BYTES]);

impl BrowserSecret {
    /// A random secret.
    pub fn random(entropy: &dyn Entropy) -> Self {
        Self(entropy.bytes())
    }

    /// Reads what [`BrowserSecret::to_text`] wrote; `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        let mut bytes = [0; BYTES];
        hex::decode_to_slice(text, &mut bytes).ok().map(|()| Self(bytes))
    }

    /// The value of the cookie: 32 hexadecimal digits.
    pub fn to_text(&self) -> String {
        hex::encode(self.0)
    }

    /// What is stored of it.
    pub fn hash(&self) -> BrowserHash {
        BrowserHash(Sha256::digest(self.0).into())
    }
}

impl fmt::Debug for BrowserSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BrowserSecret(…)")
    }
}

/// The SHA-256 of a [`BrowserSecret`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BrowserHash([u8; 32]);

impl BrowserHash {
    /// The hash with these bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
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
    fn a_secret_is_stored_as_its_hash_and_not_printed() {
        let secret = BrowserSecret::random(&Ascending);
        assert_eq!(BrowserSecret::parse(&secret.to_text()), Some(secret.clone()));
        assert_eq!(format!("{secret:?}"), "BrowserSecret(…)");
        assert_eq!(
            secret.hash(),
            BrowserSecret::parse(&secret.to_text()).unwrap().hash()
        );
        assert_ne!(secret.hash().as_bytes()[..16], secret.0);
    }

    #[test]
    fn other_text_is_no_secret() {
        for text in ["", "00", &"g".repeat(32), &"0".repeat(33)] {
            assert_eq!(BrowserSecret::parse(text), None, "{text:?}");
        }
    }
}
