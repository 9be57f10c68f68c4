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
        Self(random(entropy))
    }

    /// Reads what [`BrowserSecret::to_text`] wrote; `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        parse(text).map(Self)
    }

    /// The value of the cookie: 32 hexadecimal digits.
    pub fn to_text(&self) -> String {
        struct Hex<'a>(&'a [u8]);

        impl fmt::Display for Hex<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write_hex(self.0, f)
            }
        }

        Hex(&self.0).to_string()
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

fn random(entropy: &dyn Entropy) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    entropy.fill(&mut bytes);
    bytes
}

fn parse(text: &str) -> Option<[u8; BYTES]> {
    let is_hex = text.len() == 2 * BYTES && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let number = is_hex.then(|| u128::from_str_radix(text, 16).ok())??;
    Some(number.to_be_bytes())
}

fn write_hex(bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
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
