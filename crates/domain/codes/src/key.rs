use crate::{Code, Subject};
use hmac::{Hmac, KeyInit, Mac};
use kernel::Phone;
use sha2::Sha256;
use std::fmt;

kernel::hash_type! {
    /// What is stored of a code: an HMAC-SHA256 (RFC 2104) of the code and its subject.
    pub struct CodeHash
}

kernel::hash_type! {
    /// Stands for a number where codes are counted.
    pub struct NumberTag
}

/// Hashes codes and numbers. A million codes are guessed in no time, so whoever reads the store must not know this key.
#[derive(Clone)]
pub struct CodeKey(Hmac<Sha256>);

impl CodeKey {
    /// Hashes with this key, of any length.
    pub fn new(key: &[u8]) -> Option<Self> {
        Hmac::new_from_slice(key).ok().map(Self)
    }

    /// The hash of a code: HMAC-SHA256(key, `code` ‖ the subject as text ‖ `:` ‖ the six digits).
    pub fn hash_code(&self, subject: Subject, code: &Code) -> CodeHash {
        CodeHash(self.code(subject, code).finalize().into_bytes().into())
    }

    /// Whether this is the code of the subject. Takes the same time for every code.
    pub fn is_code(&self, subject: Subject, code: &Code, hash: &CodeHash) -> bool {
        self.code(subject, code).verify_slice(&hash.0).is_ok()
    }

    /// The tag of a number.
    pub fn tag_number(&self, phone: &Phone) -> NumberTag {
        let hmac = self
            .0
            .clone()
            .chain_update(b"number")
            .chain_update(phone.as_e164());
        NumberTag(hmac.finalize().into_bytes().into())
    }

    fn code(&self, subject: Subject, code: &Code) -> Hmac<Sha256> {
        // A subject has no second colon, so no two inputs give the same bytes.
        let text = format!("code{subject}:{}", code.as_str());
        self.0.clone().chain_update(text)
    }
}

impl fmt::Debug for CodeKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CodeKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(byte: u8) -> CodeKey {
        CodeKey::new(&[byte; 32]).unwrap()
    }

    fn phone(text: &str) -> Phone {
        Phone::parse(text).unwrap()
    }

    #[test]
    fn a_code_is_the_code_of_one_subject() {
        let code = |text| Code::parse(text).unwrap();
        let hash = key(1).hash_code(Subject::Claim(1), &code("123456"));
        let is = |key: CodeKey, subject, text| key.is_code(subject, &code(text), &hash);
        assert!(is(key(1), Subject::Claim(1), "123456"));
        assert!(!is(key(1), Subject::Claim(1), "123457"));
        assert!(!is(key(1), Subject::Claim(2), "123456"));
        assert!(!is(key(1), Subject::DataRequest(1), "123456"));
        assert!(!is(key(2), Subject::Claim(1), "123456"));
    }

    /// `printf codeclaim:7:123456 | openssl dgst -sha256 -mac HMAC -macopt key:k`.
    #[test]
    fn a_code_is_hashed_as_documented() {
        let code = Code::parse("123456").unwrap();
        let hash = CodeKey::new(b"k").unwrap().hash_code(Subject::Claim(7), &code);
        let digits: String = hash.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(
            digits,
            "d83d5e6d555eba1d67db50fa32c7ff0893f96974fc72fcd0529070f7eb8a67a2"
        );
    }

    #[test]
    fn each_number_has_a_tag_of_its_own() {
        let tag = |text| key(1).tag_number(&phone(text));
        assert_eq!(tag("+15551234567"), tag("(555) 123-4567"));
        assert_ne!(tag("+15551234567"), tag("+15551234568"));
    }
}
