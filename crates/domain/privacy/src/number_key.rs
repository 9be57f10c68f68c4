//! The keyed hash by which the number of an erased person is recognized.

use hmac::{Hmac, KeyInit, Mac};
use kernel::Phone;
use sha2::Sha256;
use std::fmt;

/// The HMAC-SHA256 of a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NumberHmac([u8; 32]);

impl NumberHmac {
    /// Its bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for NumberHmac {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NumberHmac(…)")
    }
}

/// Hashes numbers. There are few enough numbers to try them all, so only a secret key hides them.
#[derive(Clone)]
pub struct NumberKey(Hmac<Sha256>);

impl NumberKey {
    /// A key of these bytes. `None` never happens: HMAC takes keys of any length.
    pub fn new(key: &[u8]) -> Option<Self> {
        Hmac::new_from_slice(key).ok().map(Self)
    }

    /// The hash of a number.
    pub fn hash(&self, phone: &Phone) -> NumberHmac {
        let hmac = self
            .0
            .clone()
            .chain_update("erased number")
            .chain_update(phone.as_e164());
        NumberHmac(hmac.finalize().into_bytes().into())
    }
}

impl fmt::Debug for NumberKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NumberKey(…)")
    }
}

/// The key that hashes now, and the keys before it, which hashed what is still stored.
#[derive(Debug, Clone)]
pub struct NumberKeys {
    /// The key of now.
    pub current: NumberKey,
    /// The keys before it.
    pub earlier: Vec<NumberKey>,
}

impl NumberKeys {
    /// All hashes that a number may be stored under, that of the current key first.
    pub fn hashes(&self, phone: &Phone) -> Vec<NumberHmac> {
        let keys = std::iter::once(&self.current).chain(&self.earlier);
        keys.map(|key| key.hash(phone)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phone(text: &str) -> Phone {
        Phone::parse(text).unwrap()
    }

    #[test]
    fn a_hash_depends_on_the_number_and_on_the_key() {
        let key = |byte| NumberKey::new(&[byte; 32]).unwrap();
        let one = key(1).hash(&phone("5551234567"));
        assert_eq!(one, key(1).hash(&phone("+1 (555) 123-4567")));
        assert_ne!(one, key(1).hash(&phone("5551234568")));
        assert_ne!(one, key(2).hash(&phone("5551234567")));
    }

    #[test]
    fn a_number_is_found_under_earlier_keys() {
        let key = |byte| NumberKey::new(&[byte; 32]).unwrap();
        let keys = NumberKeys {
            current: key(2),
            earlier: vec![key(1)],
        };
        let number = phone("5551234567");
        assert_eq!(keys.hashes(&number), [key(2).hash(&number), key(1).hash(&number)]);
    }

    #[test]
    fn neither_keys_nor_hashes_are_printed() {
        let key = NumberKey::new(&[1; 32]).unwrap();
        assert_eq!(format!("{key:?}"), "NumberKey(…)");
        assert_eq!(format!("{:?}", key.hash(&phone("5551234567"))), "NumberHmac(…)");
    }
}
