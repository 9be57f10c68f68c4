use sha2::{Digest, Sha256};
use std::fmt;
use std::str::FromStr;

/// A SHA-256. Written as 64 lower-case hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hash([u8; 32]);

/// The text is not as many hexadecimal digits as belong there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not the right number of lower-case hexadecimal digits")]
pub struct NotHex;

impl Hash {
    /// What the first entry of a chain has instead of a hash before it.
    pub const ZERO: Self = Self([0; 32]);

    /// The hash with these bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The SHA-256 of some bytes.
    pub(crate) fn of(bytes: impl AsRef<[u8]>) -> Self {
        Self(Sha256::digest(bytes).into())
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl FromStr for Hash {
    type Err = NotHex;

    fn from_str(text: &str) -> Result<Self, NotHex> {
        bytes_from_hex(text).map(Self)
    }
}

/// The bytes that lower-case digits stand for: there is one way to write them.
pub(crate) fn bytes_from_hex<const N: usize>(text: &str) -> Result<[u8; N], NotHex> {
    if text.bytes().any(|digit| digit.is_ascii_uppercase()) {
        return Err(NotHex);
    }
    let mut bytes = [0; N];
    hex::decode_to_slice(text, &mut bytes).map_err(|_| NotHex)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_reads_back_from_its_digits_alone() {
        let hash = Hash::of("abc");
        assert_eq!(
            hash.to_string(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(hash.to_string().parse(), Ok(hash));
        let digits = hash.to_string();
        for wrong in [
            "",
            &digits[1..],
            &digits.to_uppercase(),
            &format!("{digits}00"),
            &digits.replace('b', "g"),
        ] {
            assert_eq!(wrong.parse::<Hash>(), Err(NotHex), "{wrong}");
        }
    }
}
