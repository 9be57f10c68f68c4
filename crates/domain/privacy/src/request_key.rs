use crate::DataRequestId;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use std::fmt;

/// The secret in the link to a copy of somebody's data: 256 bits. Whoever has it can download the copy.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct RequestToken([u8; 32]);

kernel::hash_type! {
    /// What is stored of a token: its SHA-256.
    pub struct RequestTokenHash
}

impl RequestToken {
    /// Reads 64 lowercase hexadecimal digits; `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        let is_lower = !text.bytes().any(|byte| byte.is_ascii_uppercase());
        let bytes = is_lower.then(|| hex::decode(text).ok())??;
        bytes.try_into().ok().map(Self)
    }

    /// The token as it stands in a link: 64 lowercase hexadecimal digits.
    pub fn to_text(&self) -> String {
        hex::encode(self.0)
    }

    /// What is stored of it.
    pub fn hash(&self) -> RequestTokenHash {
        RequestTokenHash(Sha256::digest(self.0).into())
    }
}

impl fmt::Debug for RequestToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RequestToken(…)")
    }
}

/// Makes the tokens of exports. Whoever reads the store must not know this key.
#[derive(Clone)]
pub struct RequestKey(Hmac<Sha256>);

impl RequestKey {
    /// A key of any length.
    pub fn new(key: &[u8]) -> Option<Self> {
        Hmac::new_from_slice(key).ok().map(Self)
    }

    /// The token of an export: HMAC-SHA256(key, `export` ‖ u64(request)), the number in big-endian order. It can be made
    /// again, so that a page shows the link and the store keeps only its hash.
    pub fn token(&self, request: DataRequestId) -> RequestToken {
        let hmac = self.0.clone().chain_update(b"export");
        let hmac = hmac.chain_update(request.get().to_be_bytes());
        RequestToken(hmac.finalize().into_bytes().into())
    }
}

impl fmt::Debug for RequestKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RequestKey(…)")
    }
}

/// The key that makes links now, and the keys before it, which made links that still work.
#[derive(Debug, Clone)]
pub struct RequestKeys {
    /// The key of now.
    pub current: RequestKey,
    /// The keys before it.
    pub earlier: Vec<RequestKey>,
}

impl RequestKeys {
    /// The token with this hash; `None` if the key that made it is not configured any more.
    pub fn find_token(&self, request: DataRequestId, hash: &RequestTokenHash) -> Option<RequestToken> {
        let mut keys = std::iter::once(&self.current).chain(&self.earlier);
        keys.find_map(|key| Some(key.token(request)).filter(|token| token.hash() == *hash))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(byte: u8) -> RequestKey {
        RequestKey::new(&[byte; 32]).unwrap()
    }

    /// `(printf export; printf '\0\0\0\0\0\0\0\7') | openssl dgst -sha256 -mac HMAC -macopt key:k`.
    #[test]
    fn a_token_is_made_as_documented() {
        let token = RequestKey::new(b"k").unwrap().token(DataRequestId::new(7));
        assert_eq!(
            token.to_text(),
            "d7d71f56c308ee10a07c74cf361e5949fc08033e05a952f469b984cf9546754d"
        );
    }

    #[test]
    fn a_token_is_read_as_it_is_written_and_not_printed() {
        let token = key(1).token(DataRequestId::new(7));
        assert_eq!(RequestToken::parse(&token.to_text()), Some(token));
        assert_ne!(key(1).token(DataRequestId::new(8)), token);
        assert_eq!(format!("{token:?}"), "RequestToken(…)");
        let wrong = ["", "00", &"g".repeat(64), &"0".repeat(66), &"A".repeat(64)];
        for text in wrong {
            assert_eq!(RequestToken::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn links_of_earlier_keys_still_work() {
        let request = DataRequestId::new(1);
        let keys = RequestKeys {
            current: key(2),
            earlier: vec![key(1)],
        };
        for made in [key(1), key(2)] {
            let token = made.token(request);
            assert_eq!(keys.find_token(request, &token.hash()), Some(token));
        }
        assert_eq!(keys.find_token(request, &key(3).token(request).hash()), None);
    }
}
