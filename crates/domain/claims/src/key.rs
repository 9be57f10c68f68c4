use crate::CallCode;
use hmac::{Hmac, KeyInit, Mac};
use kernel::DrawingId;
use sha2::{Digest, Sha256};
use std::fmt;

/// The bytes of a token: 128 bits.
const TOKEN_BYTES: usize = 16;

/// The secret in the link of a claim. Whoever has it sees the claim, but can do nothing without proving the number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ClaimToken([u8; TOKEN_BYTES]);

kernel::hash_type! {
    /// What is stored of a token: its SHA-256.
    pub struct TokenHash
}

kernel::hash_type! {
    /// What is stored of the code of a call: its HMAC-SHA256 (RFC 2104).
    pub struct CallCodeHash
}

impl ClaimToken {
    /// Reads 32 lowercase hexadecimal digits; `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        let mut bytes = [0; TOKEN_BYTES];
        hex::decode_to_slice(text, &mut bytes).ok()?;
        let has_capitals = text.bytes().any(|byte| byte.is_ascii_uppercase());
        (!has_capitals).then_some(Self(bytes))
    }

    /// The token as it stands in a link: 32 lowercase hexadecimal digits.
    pub fn to_text(&self) -> String {
        hex::encode(self.0)
    }

    /// What is stored of it.
    pub fn hash(&self) -> TokenHash {
        TokenHash(Sha256::digest(self.0).into())
    }
}

impl fmt::Debug for ClaimToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClaimToken(…)")
    }
}

/// Makes the tokens of claims and hashes the codes of calls. Whoever reads the store must not know this key.
#[derive(Clone)]
pub struct ClaimKey(Hmac<Sha256>);

impl ClaimKey {
    /// A key of any length.
    pub fn new(key: &[u8]) -> Option<Self> {
        Hmac::new_from_slice(key).ok().map(Self)
    }

    /// The token of the claim of a rank: the first 16 bytes of HMAC-SHA256(key, `token` ‖ u64(drawing) ‖ u32(rank)), numbers
    /// in big-endian order. It can be made again, so that the console shows the link and the store keeps only its hash.
    pub fn token(&self, drawing: DrawingId, rank: u32) -> ClaimToken {
        let hmac = self
            .0
            .clone()
            .chain_update(b"token")
            .chain_update(drawing.get().to_be_bytes())
            .chain_update(rank.to_be_bytes());
        let bytes: [u8; 32] = hmac.finalize().into_bytes().into();
        let mut token = [0; TOKEN_BYTES];
        token.copy_from_slice(&bytes[..TOKEN_BYTES]);
        ClaimToken(token)
    }

    /// The hash of a code that is read out on a call.
    pub fn hash_call_code(&self, code: &CallCode) -> CallCodeHash {
        let hmac = self.0.clone().chain_update(b"call").chain_update(code.as_str());
        CallCodeHash(hmac.finalize().into_bytes().into())
    }
}

impl fmt::Debug for ClaimKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClaimKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(byte: u8) -> ClaimKey {
        ClaimKey::new(&[byte; 32]).unwrap()
    }

    #[test]
    fn each_rank_of_each_drawing_has_its_own_token() {
        let token = |drawing, rank| key(1).token(DrawingId::new(drawing), rank);
        assert_eq!(token(7, 0), token(7, 0));
        assert_ne!(token(7, 0), token(7, 1));
        assert_ne!(token(7, 0), token(8, 0));
        assert_ne!(token(7, 0), key(2).token(DrawingId::new(7), 0));
    }

    /// `(printf token; printf '\0\0\0\0\0\0\0\7\0\0\0\1') | openssl dgst -sha256 -mac HMAC -macopt key:k`.
    #[test]
    fn a_token_is_made_as_documented() {
        let token = ClaimKey::new(b"k").unwrap().token(DrawingId::new(7), 1);
        assert_eq!(token.to_text(), "5218e40a28825123942bea525201e358");
    }

    #[test]
    fn a_token_is_read_as_it_is_written_and_not_printed() {
        let token = key(1).token(DrawingId::new(7), 0);
        assert_eq!(ClaimToken::parse(&token.to_text()), Some(token));
        assert_eq!(format!("{token:?}"), "ClaimToken(…)");
        for text in [
            "",
            "00",
            &"g".repeat(32),
            &"0".repeat(33),
            &"A".repeat(32),
            &format!("+{}", "0".repeat(31)),
        ] {
            assert_eq!(ClaimToken::parse(text), None, "{text:?}");
        }
    }
}
