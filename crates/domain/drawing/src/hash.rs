use sha2::block_api::compress256;
use sha2::{Digest, Sha256};
use std::fmt;
use std::str::FromStr;

/// A SHA-256 hash, written as 64 lower-case hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hash([u8; 32]);

/// The initial state of SHA-256: FIPS 180-4, section 5.3.3.
const INITIAL: [u32; 8] = [
    0x6a09_e667,
    0xbb67_ae85,
    0x3c6e_f372,
    0xa54f_f53a,
    0x510e_527f,
    0x9b05_688c,
    0x1f83_d9ab,
    0x5be0_cd19,
];

/// The text does not have the right number of lower-case hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not the right number of lower-case hexadecimal digits")]
pub struct InvalidHex;

impl Hash {
    /// The "previous hash" of the first entry of a chain.
    pub const ZERO: Self = Self([0; 32]);

    /// The hash with these bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The SHA-256 of a short message (at most 119 bytes) that is given in parts. A tree hashes millions of them, and
    /// the general hasher takes longer to buffer such a message than to hash it. So the message is padded here: FIPS
    /// 180-4, section 5.1.1.
    pub(crate) fn of_short<const N: usize>(parts: [&[u8]; N]) -> Self {
        let (mut padded, mut length) = ([0u8; 128], 0);
        for part in parts {
            if let Some(place) = padded.get_mut(length..length + part.len()) {
                place.copy_from_slice(part);
            }
            length += part.len();
        }
        debug_assert!(length < 120, "{length} bytes are not short");
        let blocks = if length < 56 { 1 } else { 2 };
        if let Some(end) = padded.get_mut(length) {
            *end = 0x80;
        }
        let bits = (length as u64 * 8).to_be_bytes();
        if let Some(place) = padded.get_mut(blocks * 64 - 8..blocks * 64) {
            place.copy_from_slice(&bits);
        }
        let mut state = INITIAL;
        compress256(&mut state, padded.as_chunks().0.get(..blocks).unwrap_or_default());
        let mut bytes = [0; 32];
        for (place, word) in bytes.as_chunks_mut().0.iter_mut().zip(state) {
            *place = word.to_be_bytes();
        }
        Self(bytes)
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
    type Err = InvalidHex;

    fn from_str(text: &str) -> Result<Self, InvalidHex> {
        bytes_from_hex(text).map(Self)
    }
}

/// Decodes lower-case hexadecimal digits. Upper-case digits are refused, so that each value has one spelling.
pub(crate) fn bytes_from_hex<const N: usize>(text: &str) -> Result<[u8; N], InvalidHex> {
    if text.bytes().any(|digit| digit.is_ascii_uppercase()) {
        return Err(InvalidHex);
    }
    let mut bytes = [0; N];
    hex::decode_to_slice(text, &mut bytes).map_err(|_| InvalidHex)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_message_has_the_standard_hash() {
        let message: Vec<u8> = (0..119).collect();
        for length in 0..=message.len() {
            let (left, right) = message[..length].split_at(length / 3);
            assert_eq!(
                Hash::of_short([left, right]),
                Hash::of(&message[..length]),
                "{length} bytes"
            );
        }
    }

    #[test]
    fn a_hash_parses_from_exactly_64_lower_case_digits() {
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
            assert_eq!(wrong.parse::<Hash>(), Err(InvalidHex), "{wrong}");
        }
    }
}
