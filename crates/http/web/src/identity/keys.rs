//! Signs tokens and verifies them, with separate keys for each kind of token.

use chrono::{DateTime, TimeDelta, Utc};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use secrecy::{ExposeSecret, SecretSlice};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::marker::PhantomData;

/// A kind of token. Keys of one kind cannot be given where those of another are expected.
pub trait TokenKind {
    /// The audience that tokens of this kind name.
    const AUDIENCE: &'static str;
}

/// Binds a browser to the entrant it created.
#[derive(Debug)]
pub enum VisitorToken {}

impl TokenKind for VisitorToken {
    const AUDIENCE: &'static str = "visitor";
}

/// Names a session of the console.
#[derive(Debug)]
pub enum StaffToken {}

impl TokenKind for StaffToken {
    const AUDIENCE: &'static str = "admin";
}

/// Names an account that a browser signed in to.
#[derive(Debug)]
pub enum StaffBrowserToken {}

impl TokenKind for StaffBrowserToken {
    const AUDIENCE: &'static str = "staff browser";
}

/// Signs tokens of one kind and verifies them. A token is a JWT (HS256 only) with a key id, a subject and an expiry.
///
/// Keys of another kind do not compile:
///
/// ```compile_fail
/// fn wrong(keys: web::TokenKeys<web::StaffToken>) -> web::VisitorTokens {
///     web::VisitorTokens::new(keys, true)
/// }
/// ```
pub struct TokenKeys<K> {
    sign: Key,
    read_only: Vec<Key>,
    validation: Validation,
    kind: PhantomData<fn() -> K>,
}

struct Key {
    /// Sent in each token's header. It reveals nothing about the key.
    id: String,
    sign: EncodingKey,
    check: DecodingKey,
}

#[derive(Serialize, Deserialize)]
struct Claims {
    sub: String,
    aud: String,
    exp: i64,
    iat: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    jti: Option<String>,
}

impl<K: TokenKind> TokenKeys<K> {
    /// `current` signs and verifies; the `read_only` keys only verify, so that a key can be changed without invalidating
    /// the tokens that it signed. Keys have 32 bytes.
    pub fn new(current: &SecretSlice<u8>, read_only: &[SecretSlice<u8>]) -> Self {
        let mut validation = Validation::new(Algorithm::HS256);
        validation.set_audience(&[K::AUDIENCE]);
        validation.set_required_spec_claims(&["sub", "aud", "exp"]);
        validation.validate_exp = false; // `read` compares it with our clock
        Self {
            sign: Key::new(current),
            read_only: read_only.iter().map(Key::new).collect(),
            validation,
            kind: PhantomData,
        }
    }

    /// A token for `subject`, valid until `now + life`. An id makes it unique. `None` if it cannot be encoded.
    pub fn sign(
        &self,
        subject: String,
        now: DateTime<Utc>,
        life: TimeDelta,
        id: Option<String>,
    ) -> Option<String> {
        let claims = Claims {
            sub: subject,
            aud: K::AUDIENCE.to_owned(),
            exp: (now + life).timestamp(),
            iat: now.timestamp(),
            jti: id,
        };
        let header = Header {
            kid: Some(self.sign.id.clone()),
            ..Header::new(Algorithm::HS256)
        };
        jsonwebtoken::encode(&header, &claims, &self.sign.sign).ok()
    }

    /// The subject of a token, if a known key signed it and it has not expired.
    pub fn read(&self, token: &str, now: DateTime<Utc>) -> Option<String> {
        self.read_dated(token, now).map(|(subject, _)| subject)
    }

    /// The same with the second in which the token was issued.
    pub(crate) fn read_dated(&self, token: &str, now: DateTime<Utc>) -> Option<(String, DateTime<Utc>)> {
        let id = jsonwebtoken::decode_header(token).ok()?.kid?;
        let claims = self
            .keys(&id)
            .find_map(|key| jsonwebtoken::decode::<Claims>(token, &key.check, &self.validation).ok())?
            .claims;
        let issued_at = DateTime::from_timestamp(claims.iat, 0)?;
        (claims.exp > now.timestamp()).then_some((claims.sub, issued_at))
    }

    fn keys(&self, id: &str) -> impl Iterator<Item = &Key> {
        std::iter::once(&self.sign)
            .chain(&self.read_only)
            .filter(move |key| key.id == id)
    }
}

impl Key {
    fn new(key: &SecretSlice<u8>) -> Self {
        let key = key.expose_secret();
        let mut id = hex::encode(Sha256::digest(key));
        id.truncate(8);
        Self {
            id,
            sign: EncodingKey::from_secret(key),
            check: DecodingKey::from_secret(key),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine};
    use serde_json::json;

    const LIFE: TimeDelta = TimeDelta::hours(12);

    fn secret(byte: u8) -> SecretSlice<u8> {
        SecretSlice::from(vec![byte; 32])
    }

    fn keys(current: u8, previous: &[u8]) -> TokenKeys<StaffToken> {
        let previous: Vec<_> = previous.iter().map(|byte| secret(*byte)).collect();
        TokenKeys::new(&secret(current), &previous)
    }

    fn now() -> DateTime<Utc> {
        DateTime::UNIX_EPOCH
    }

    fn token(current: u8) -> String {
        keys(current, &[])
            .sign("anna".to_owned(), now(), LIFE, Some("1".to_owned()))
            .unwrap()
    }

    fn signed_by_hand(byte: u8, header: &Header, claims: &serde_json::Value) -> String {
        let key = Key::new(&secret(byte)).sign;
        let key = match header.alg {
            Algorithm::HS256 => key,
            _ => EncodingKey::from_secret(&[7; 64]),
        };
        jsonwebtoken::encode(header, claims, &key).unwrap()
    }

    #[test]
    fn a_token_names_its_subject_until_it_expires() {
        let (keys, token) = (keys(1, &[]), token(1));
        let read = |after| keys.read(&token, now() + after);
        assert_eq!(read(TimeDelta::zero()).as_deref(), Some("anna"));
        assert_eq!(read(LIFE - TimeDelta::seconds(1)).as_deref(), Some("anna"));
        assert_eq!(read(LIFE), None);
    }

    #[test]
    fn a_token_of_another_kind_or_site_is_refused() {
        let visitors = TokenKeys::<VisitorToken>::new(&secret(1), &[]);
        let visitor = visitors.sign("anna".to_owned(), now(), LIFE, None).unwrap();
        assert_eq!(visitors.read(&visitor, now()).as_deref(), Some("anna"));
        assert_eq!(
            keys(1, &[]).read(&visitor, now()),
            None,
            "the same key and another audience"
        );
        assert_eq!(keys(1, &[]).read(&token(2), now()), None);
        for nonsense in ["", ".", "a.b.c", "..", &"x".repeat(10_000)] {
            assert_eq!(keys(1, &[]).read(nonsense, now()), None, "{nonsense:.20}");
        }
    }

    #[test]
    fn the_kind_is_in_the_claims_too() {
        let kid = Key::new(&secret(1)).id;
        let header = Header {
            kid: Some(kid),
            ..Header::new(Algorithm::HS256)
        };
        let read = |claims| keys(1, &[]).read(&signed_by_hand(1, &header, &claims), now());
        assert!(read(json!({"sub": "anna", "aud": "admin", "exp": 9, "iat": 0})).is_some());
        for wrong in [
            json!({"sub": "anna", "aud": "visitor", "exp": 9, "iat": 0}),
            json!({"sub": "anna", "exp": 9, "iat": 0}),
            json!({"sub": "anna", "aud": "admin", "iat": 0}),
            json!({"aud": "admin", "exp": 9, "iat": 0}),
        ] {
            assert_eq!(read(wrong.clone()), None, "{wrong}");
        }
    }

    #[test]
    fn every_other_algorithm_is_refused() {
        let claims = json!({"sub": "anna", "aud": "admin", "exp": 9, "iat": 0});
        for other in [Algorithm::HS384, Algorithm::HS512] {
            let header = Header {
                kid: Some(Key::new(&secret(1)).id),
                ..Header::new(other)
            };
            let foreign = signed_by_hand(1, &header, &claims);
            assert_eq!(keys(1, &[]).read(&foreign, now()), None, "{other:?}");
        }
        let token = token(1);
        let (head, signature) = token.rsplit_once('.').unwrap();
        let payload = head.split_once('.').unwrap().1;
        let id = Key::new(&secret(1)).id;
        for algorithm in ["none", "None"] {
            let header = json!({"alg": algorithm, "typ": "JWT", "kid": id}).to_string();
            let none = BASE64_URL_SAFE_NO_PAD.encode(header);
            for signature in ["", signature] {
                let unsigned = format!("{none}.{payload}.{signature}");
                assert_eq!(keys(1, &[]).read(&unsigned, now()), None, "{unsigned}");
            }
        }
    }

    #[test]
    fn a_changed_token_is_refused() {
        let (token, keys) = (token(1), keys(1, &[]));
        let (head, signature) = token.rsplit_once('.').unwrap();
        for wrong in [
            head.to_owned(),
            format!("{head}."),
            format!("{head}x.{signature}"),
            format!("{head}.{}", &signature[1..]),
        ] {
            assert_eq!(keys.read(&wrong, now()), None, "{wrong}");
        }
    }

    #[test]
    fn a_token_that_a_previous_secret_signed_is_valid_while_that_secret_is_known() {
        let old = token(1);
        assert!(keys(2, &[1]).read(&old, now()).is_some());
        assert!(keys(3, &[2, 1]).read(&old, now()).is_some());
        assert_eq!(
            keys(3, &[2]).read(&old, now()),
            None,
            "its key is not known any more"
        );
        let new = keys(2, &[1]).sign("anna".to_owned(), now(), LIFE, None).unwrap();
        assert_eq!(keys(1, &[]).read(&new, now()), None, "the current secret signs");
    }

    #[test]
    fn a_token_without_a_key_id_is_refused() {
        let claims = json!({"sub": "anna", "aud": "admin", "exp": 9, "iat": 0});
        let token = signed_by_hand(1, &Header::new(Algorithm::HS256), &claims);
        assert_eq!(keys(1, &[]).read(&token, now()), None);
    }

    #[test]
    fn a_token_whose_key_id_is_unknown_or_not_the_signers_is_refused() {
        let claims = json!({"sub": "anna", "aud": "admin", "exp": 9, "iat": 0});
        let other = Key::new(&secret(2)).id;
        for kid in ["00000000", "", other.as_str()] {
            let header = Header {
                kid: Some(kid.to_owned()),
                ..Header::new(Algorithm::HS256)
            };
            let token = signed_by_hand(1, &header, &claims);
            assert_eq!(keys(1, &[2]).read(&token, now()), None, "{kid}");
        }
    }
}
