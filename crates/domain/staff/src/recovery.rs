//! Recovery codes, each of which takes the place of one code of a lost phone.

use kernel::{Entropy, letters};
use sha2::{Digest, Sha256};
use std::fmt;

/// How many recovery codes a member gets.
pub const RECOVERY_CODES: usize = 10;
const CHARS: usize = 16;
const GROUP: usize = 4;

/// The SHA-256 of a recovery code.
pub type RecoveryHash = [u8; 32];

/// A recovery code: 80 random bits, so that its hash reveals nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct RecoveryCode(String);

impl fmt::Debug for RecoveryCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("RecoveryCode")
    }
}

impl RecoveryCode {
    /// A new code.
    pub fn random(entropy: &dyn Entropy) -> Self {
        Self(letters::random::<CHARS>(entropy))
    }

    /// Ten new codes.
    pub fn random_set(entropy: &dyn Entropy) -> Vec<Self> {
        (0..RECOVERY_CODES).map(|_| Self::random(entropy)).collect()
    }

    /// Reads a code in either case, with or without dashes and spaces.
    pub fn parse(typed: &str) -> Option<Self> {
        letters::read(typed, CHARS).map(Self)
    }

    /// What is stored.
    pub fn hash(&self) -> RecoveryHash {
        Sha256::digest(&self.0).into()
    }

    /// The code in groups of four, as it is shown once.
    pub fn grouped(&self) -> String {
        letters::grouped(&self.0, GROUP)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set() -> Vec<RecoveryCode> {
        RecoveryCode::random_set(&Sequence::new())
    }

    struct Sequence(std::sync::atomic::AtomicU8);

    impl Sequence {
        fn new() -> Self {
            Self(std::sync::atomic::AtomicU8::new(0))
        }
    }

    impl Entropy for Sequence {
        fn fill(&self, bytes: &mut [u8]) {
            for byte in bytes {
                *byte = self.0.fetch_add(7, std::sync::atomic::Ordering::SeqCst);
            }
        }
    }

    #[test]
    fn a_set_has_ten_codes_of_sixteen_letters() {
        let codes = set();
        assert_eq!(codes.len(), RECOVERY_CODES);
        for code in codes {
            let shown = code.grouped();
            assert_eq!(shown.len(), 19, "{shown}");
            assert_eq!(RecoveryCode::parse(&shown), Some(code));
        }
    }

    #[test]
    fn a_code_is_read_as_people_type_it() {
        let code = RecoveryCode::random(&Sequence::new());
        let typed = code.grouped().to_lowercase().replace('-', " ");
        assert_eq!(
            RecoveryCode::parse(&typed).map(|read| read.hash()),
            Some(code.hash())
        );
        for wrong in [
            "",
            "123456",
            "ABCD-EFGH-JKLM-NPQ",
            "ABCD-EFGH-JKLM-NPQ0",
            "ÄBCD-EFGH-JKLM-NP",
        ] {
            assert_eq!(RecoveryCode::parse(wrong), None, "{wrong}");
        }
    }
}
