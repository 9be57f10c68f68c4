//! How this server says who it is: VAPID, RFC 8292.

use aws_lc_rs::encoding::AsBigEndian;
use aws_lc_rs::error::Unspecified;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64URL;
use chrono::{DateTime, TimeDelta, Utc};
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use std::fmt;
use std::sync::Arc;

/// How long a token is valid. Push services refuse tokens for more than a day.
const LIFE: TimeDelta = TimeDelta::hours(12);

/// Why settings are no VAPID keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum VapidError {
    /// The public key is not 65 bytes.
    #[error("must be a public P-256 key: 65 bytes in base64url")]
    Public,
    /// The private key is not 32 bytes.
    #[error("must be a private P-256 key: 32 bytes in base64url")]
    Private,
    /// The two keys do not belong together.
    #[error("is not the private key of VAPID_PUBLIC_KEY")]
    Pair,
}

/// A key pair of P-256, as it is configured.
#[derive(Debug)]
pub struct VapidKeys {
    /// The public key: a point without compression, 65 bytes in base64url.
    pub public: String,
    /// The private key, 32 bytes in base64url.
    pub private: SecretString,
}

impl VapidKeys {
    /// New keys.
    ///
    /// # Errors
    /// When the system gives no random bytes.
    pub fn generate() -> Result<Self, VapidError> {
        let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).map_err(|_| VapidError::Pair)?;
        let private = pair
            .private_key()
            .as_be_bytes()
            .map_err(|_| VapidError::Private)?;
        Ok(Self {
            public: BASE64URL.encode(pair.public_key()),
            private: BASE64URL.encode(private.as_ref()).into(),
        })
    }
}

/// Signs tokens. Its `Debug` shows the public key only.
#[derive(Clone)]
pub struct Vapid {
    pair: Arc<EcdsaKeyPair>,
    public: String,
    subject: String,
}

impl Vapid {
    /// Tokens with these keys. `subject`: how the operator of a push service reaches us, a `mailto:` or `https:` URI.
    ///
    /// # Errors
    /// [`VapidError`].
    pub fn new(keys: &VapidKeys, subject: &str) -> Result<Self, VapidError> {
        let public = decode::<65>(&keys.public).ok_or(VapidError::Public)?;
        let private = decode::<32>(keys.private.expose_secret()).ok_or(VapidError::Private)?;
        let pair = EcdsaKeyPair::from_private_key_and_public_key(
            &ECDSA_P256_SHA256_FIXED_SIGNING,
            &private,
            &public,
        );
        Ok(Self {
            pair: Arc::new(pair.map_err(|_| VapidError::Pair)?),
            public: BASE64URL.encode(public),
            subject: subject.to_owned(),
        })
    }

    /// The public key in base64url.
    pub fn public_key(&self) -> &str {
        &self.public
    }

    /// The header `Authorization` for a push service with this origin.
    pub(crate) fn authorization(&self, origin: &str, now: DateTime<Utc>) -> Result<String, Unspecified> {
        let claims = json!({"aud": origin, "exp": (now + LIFE).timestamp(), "sub": self.subject});
        let part = |text: &str| BASE64URL.encode(text);
        let signed = format!(
            "{}.{}",
            part(r#"{"typ":"JWT","alg":"ES256"}"#),
            part(&claims.to_string())
        );
        let signature = self.pair.sign(&SystemRandom::new(), signed.as_bytes())?;
        let signature = BASE64URL.encode(signature);
        Ok(format!("vapid t={signed}.{signature}, k={}", self.public))
    }
}

impl fmt::Debug for Vapid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Vapid({})", self.public)
    }
}

fn decode<const N: usize>(text: &str) -> Option<[u8; N]> {
    BASE64URL.decode(text.trim_end_matches('=')).ok()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
    use serde_json::Value;

    #[test]
    fn a_token_is_signed_by_the_key_that_the_header_names() {
        let keys = VapidKeys::generate().unwrap();
        let vapid = Vapid::new(&keys, "mailto:hello@example.org").unwrap();
        let header = vapid
            .authorization("https://push.example", DateTime::UNIX_EPOCH)
            .unwrap();
        let (token, key) = header
            .strip_prefix("vapid t=")
            .unwrap()
            .split_once(", k=")
            .unwrap();
        assert_eq!((key, key), (keys.public.as_str(), vapid.public_key()));
        let (signed, signature) = token.rsplit_once('.').unwrap();
        let public = BASE64URL.decode(key).unwrap();
        UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, public)
            .verify(signed.as_bytes(), &BASE64URL.decode(signature).unwrap())
            .unwrap();
        let (head, claims) = signed.split_once('.').unwrap();
        let read = |part| serde_json::from_slice::<Value>(&BASE64URL.decode(part).unwrap()).unwrap();
        assert_eq!(read(head), json!({"typ": "JWT", "alg": "ES256"}));
        let expected =
            json!({"aud": "https://push.example", "exp": 43_200, "sub": "mailto:hello@example.org"});
        assert_eq!(read(claims), expected);
    }

    #[test]
    fn keys_must_be_readable_and_belong_together() {
        let [one, other] = [(); 2].map(|()| VapidKeys::generate().unwrap());
        let read = |public: &str, private: &SecretString| {
            let keys = VapidKeys {
                public: public.to_owned(),
                private: private.clone(),
            };
            Vapid::new(&keys, "mailto:hello@example.org").map(|vapid| format!("{vapid:?}"))
        };
        assert_eq!(
            read(&one.public, &one.private),
            Ok(format!("Vapid({})", one.public))
        );
        assert_eq!(
            read(&format!("{}=", one.public), &one.private),
            Ok(format!("Vapid({})", one.public))
        );
        assert_eq!(read("x", &one.private), Err(VapidError::Public));
        assert_eq!(
            read(&one.public, &one.public.clone().into()),
            Err(VapidError::Private)
        );
        assert_eq!(read(&one.public, &other.private), Err(VapidError::Pair));
    }
}
