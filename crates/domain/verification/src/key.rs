use crate::{Code, VerificationId};
use hmac::{Hmac, KeyInit, Mac};
use kernel::Phone;
use sha2::Sha256;
use std::fmt;

/// What is stored of a code: an HMAC-SHA256 (RFC 2104) of the code and its verification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodeHash([u8; 32]);

/// Stands for a number where codes are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NumberTag([u8; 32]);

/// Stands for a dialing prefix, the number without its last four digits, where codes are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PrefixTag([u8; 32]);

macro_rules! bytes {
    ($($name:ident)+) => {
        $(
            impl $name {
                /// The value with these bytes, such as a stored one.
                pub const fn new(bytes: [u8; 32]) -> Self {
                    Self(bytes)
                }

                /// Its bytes.
                pub const fn as_bytes(&self) -> &[u8; 32] {
                    &self.0
                }
            }
        )+
    };
}

bytes!(CodeHash NumberTag PrefixTag);

/// How many digits of a number its prefix leaves out: a prefix has ten thousand numbers.
const LAST_DIGITS: usize = 4;

/// Hashes codes and numbers. A million codes are guessed in no time, so whoever reads the store must not know this key.
#[derive(Clone)]
pub struct VerificationKey(Hmac<Sha256>);

impl VerificationKey {
    /// Hashes with this key, of any length.
    pub fn new(key: &[u8]) -> Option<Self> {
        Hmac::new_from_slice(key).ok().map(Self)
    }

    /// The hash of a code of one verification.
    pub fn hash_code(&self, id: VerificationId, code: &Code) -> CodeHash {
        CodeHash(self.code(id, code).finalize().into_bytes().into())
    }

    /// Whether this is the code of the verification. Takes the same time for every code.
    pub fn is_code(&self, id: VerificationId, code: &Code, hash: &CodeHash) -> bool {
        self.code(id, code).verify_slice(&hash.0).is_ok()
    }

    /// The tag of a number.
    pub fn tag_number(&self, phone: &Phone) -> NumberTag {
        NumberTag(self.hash(b"number", phone.as_e164()))
    }

    /// The tag of a number's dialing prefix.
    pub fn tag_prefix(&self, phone: &Phone) -> PrefixTag {
        let number = phone.as_e164();
        let prefix = number.len().saturating_sub(LAST_DIGITS);
        PrefixTag(self.hash(b"prefix", number.get(..prefix).unwrap_or(number)))
    }

    fn code(&self, id: VerificationId, code: &Code) -> Hmac<Sha256> {
        // The id and the code have fixed lengths, so no two inputs give the same bytes.
        let parts: [&[u8]; 3] = [b"code", id.as_bytes(), code.as_str().as_bytes()];
        parts
            .iter()
            .fold(self.0.clone(), |hmac, part| hmac.chain_update(part))
    }

    fn hash(&self, label: &[u8], text: &str) -> [u8; 32] {
        let hmac = self.0.clone().chain_update(label).chain_update(text);
        hmac.finalize().into_bytes().into()
    }
}

impl fmt::Debug for VerificationKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("VerificationKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(byte: u8) -> VerificationKey {
        VerificationKey::new(&[byte; 32]).unwrap()
    }

    fn phone(text: &str) -> Phone {
        Phone::parse(text).unwrap()
    }

    #[test]
    fn a_code_is_the_code_of_one_verification() {
        let code = |text| Code::parse(text).unwrap();
        let id = |byte| VerificationId::new([byte; 16]);
        let hash = key(1).hash_code(id(1), &code("123456"));
        let is = |key: VerificationKey, id, text| key.is_code(id, &code(text), &hash);
        assert!(is(key(1), id(1), "123456"));
        assert!(!is(key(1), id(1), "123457"));
        assert!(!is(key(1), id(2), "123456"));
        assert!(!is(key(2), id(1), "123456"));
    }

    /// `(printf code; head -c16 /dev/zero; printf 123456) | openssl dgst -sha256 -mac HMAC -macopt key:k`.
    #[test]
    fn a_code_is_hashed_as_documented() {
        let code = Code::parse("123456").unwrap();
        let hash = VerificationKey::new(b"k")
            .unwrap()
            .hash_code(VerificationId::new([0; 16]), &code);
        let digits: String = hash.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(
            digits,
            "11fb1232e34024ac9c2d088f1800d09a5208f1884f683592d9335c8c403c33f3"
        );
    }

    #[test]
    fn neighbors_have_one_prefix_and_their_own_tags() {
        let (one, neighbor, other) = (
            phone("+15551234567"),
            phone("+15551239999"),
            phone("+15551244567"),
        );
        let key = key(1);
        assert_eq!(key.tag_prefix(&one), key.tag_prefix(&neighbor));
        assert_ne!(key.tag_prefix(&one), key.tag_prefix(&other));
        assert_ne!(key.tag_number(&one), key.tag_number(&neighbor));
        assert_ne!(key.tag_number(&one).0, key.tag_prefix(&one).0);
    }
}
