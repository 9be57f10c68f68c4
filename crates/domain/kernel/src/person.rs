use crate::{Entropy, Phone};
use sha2::{Digest, Sha256};
use std::fmt;

/// The random bytes behind a [`PersonTag`]. Erasing an entrant destroys them, and the tag then tells nothing any more.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PersonSalt([u8; 32]);

impl PersonSalt {
    /// The salt with these bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// A fresh salt.
    pub fn random(entropy: &dyn Entropy) -> Self {
        Self(entropy.bytes())
    }

    /// Its bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for PersonSalt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PersonSalt(…)")
    }
}

/// Binds an entrant to the number they entered with, without telling it: whoever knows salt and number can compute the
/// tag. It is made when the entrant enters and never changes, also when the number does. Tags are ordered as their bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PersonTag([u8; 32]);

impl PersonTag {
    /// The tag with these bytes, such as a stored one.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The tag of a number: SHA-256(0x04 ‖ salt ‖ the number in E.164, in ASCII with its plus sign).
    pub fn of(salt: &PersonSalt, phone: &Phone) -> Self {
        let mut hash = Sha256::new();
        hash.update([4]);
        hash.update(salt.0);
        hash.update(phone.as_e164());
        Self(hash.finalize().into())
    }

    /// Its bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `printf '\4'`, 32 bytes `7` and `+15551234567` through `sha256sum`.
    #[test]
    fn a_tag_is_the_hash_of_its_salt_and_number() {
        let phone = Phone::parse("(555) 123-4567").unwrap();
        let tag = PersonTag::of(&PersonSalt::new([b'7'; 32]), &phone);
        let digits: String = tag.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(
            digits,
            "5b510eea03bba28584fec1c9fd0b0ee2d8029c9d8ddbc9ddd39180db1f6038c3"
        );
    }

    #[test]
    fn a_salt_is_not_printed() {
        assert_eq!(format!("{:?}", PersonSalt::new([7; 32])), "PersonSalt(…)");
    }
}
