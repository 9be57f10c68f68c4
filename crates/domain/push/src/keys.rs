use base64::Engine;
use base64::engine::DecodePaddingMode::Indifferent;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use std::fmt;

/// Browsers leave the padding out; some libraries send it.
const BASE64URL: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::URL_SAFE,
    GeneralPurposeConfig::new().with_decode_padding_mode(Indifferent),
);

/// How a point of P-256 without compression begins.
const UNCOMPRESSED: u8 = 4;

/// Why texts are not the keys of a subscription.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeysError {
    /// The public key is not one.
    #[error("Must be a public P-256 key of 65 bytes in base64url")]
    P256dh,
    /// The secret is not one.
    #[error("Must be 16 bytes in base64url")]
    Auth,
}

/// What a message to a subscription is encrypted with (RFC 8291): the browser's public key and a secret. `Debug` hides both.
#[derive(Clone, PartialEq, Eq)]
pub struct SubscriptionKeys {
    p256dh: [u8; 65],
    auth: [u8; 16],
}

impl SubscriptionKeys {
    /// Reads the keys as browsers give them, in base64url. Whether the public key is a point of the curve shows when a
    /// message is encrypted.
    ///
    /// # Errors
    /// [`KeysError`].
    pub fn parse(p256dh: &str, auth: &str) -> Result<Self, KeysError> {
        let p256dh = decode(p256dh).ok_or(KeysError::P256dh)?;
        let auth = decode(auth).ok_or(KeysError::Auth)?;
        Self::from_bytes(p256dh, auth).ok_or(KeysError::P256dh)
    }

    /// Keys from the store. `None` if the public key has another format.
    pub fn from_bytes(p256dh: [u8; 65], auth: [u8; 16]) -> Option<Self> {
        (p256dh[0] == UNCOMPRESSED).then_some(Self { p256dh, auth })
    }

    /// The browser's public key, a point of P-256 without compression.
    pub const fn p256dh(&self) -> &[u8; 65] {
        &self.p256dh
    }

    /// The secret that only the browser and this server know.
    pub const fn auth(&self) -> &[u8; 16] {
        &self.auth
    }
}

impl fmt::Debug for SubscriptionKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SubscriptionKeys(…)")
    }
}

fn decode<const N: usize>(text: &str) -> Option<[u8; N]> {
    BASE64URL.decode(text).ok()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    // The example of RFC 8291, section 5.
    const P256DH: &str =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
    const AUTH: &str = "BTBZMqHH6r4Tts7J_aSIgg";

    #[test]
    fn the_keys_of_a_browser_are_read_with_and_without_padding() {
        let keys = SubscriptionKeys::parse(P256DH, AUTH).unwrap();
        assert_eq!((keys.p256dh()[0], keys.p256dh()[64]), (4, 0x0e));
        assert_eq!((keys.auth()[0], keys.auth()[15]), (0x05, 0x82));
        assert_eq!(
            SubscriptionKeys::parse(&format!("{P256DH}="), &format!("{AUTH}==")),
            Ok(keys.clone())
        );
        assert_eq!(format!("{keys:?}"), "SubscriptionKeys(…)");
    }

    #[test]
    fn other_texts_are_refused() {
        let compressed = format!("Ag{}", &P256DH[2..]);
        for p256dh in ["", "x", AUTH, &compressed, &P256DH.replace('_', "/")] {
            assert_eq!(
                SubscriptionKeys::parse(p256dh, AUTH),
                Err(KeysError::P256dh),
                "{p256dh}"
            );
        }
        for auth in ["", "x", P256DH] {
            assert_eq!(
                SubscriptionKeys::parse(P256DH, auth),
                Err(KeysError::Auth),
                "{auth}"
            );
        }
    }
}
