//! The encryption of a message for a browser: RFC 8291, in one record of RFC 8188.

use aws_lc_rs::aead::{AES_128_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use aws_lc_rs::agreement::{self, ECDH_P256, PrivateKey, UnparsedPublicKey};
use aws_lc_rs::error::Unspecified;
use hkdf::Hkdf;
use push::SubscriptionKeys;
use sha2::Sha256;

/// The size of a record, which is larger than the only one (RFC 8291, section 4).
const RECORD_SIZE: u32 = 4096;
/// The longest message: every push service takes bodies of 4,096 bytes, of which 86 are the header, 1 ends the record and 16 are
/// the tag.
const MAX_PAYLOAD: usize = 3993;
/// The end of the last record, before the padding.
const LAST_RECORD: u8 = 2;
const SALT_BYTES: usize = 16;
const SECRET_BYTES: usize = 32;
const KEY_BYTES: usize = 16;

/// The message cannot be encrypted: the browser's key is no point of the curve, or the message is too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the message cannot be encrypted for these keys")]
pub(crate) struct Unencryptable;

impl From<Unspecified> for Unencryptable {
    fn from(_: Unspecified) -> Self {
        Self
    }
}

/// The body of a request with this message, encrypted with a new key and a new salt.
pub(crate) fn encrypt(payload: &[u8], keys: &SubscriptionKeys) -> Result<Vec<u8>, Unencryptable> {
    let mut salt = [0; SALT_BYTES];
    aws_lc_rs::rand::fill(&mut salt)?;
    encrypt_with(payload, keys, &PrivateKey::generate(&ECDH_P256)?, salt)
}

fn encrypt_with(
    payload: &[u8],
    keys: &SubscriptionKeys,
    own: &PrivateKey,
    salt: [u8; SALT_BYTES],
) -> Result<Vec<u8>, Unencryptable> {
    if payload.len() > MAX_PAYLOAD {
        return Err(Unencryptable);
    }
    let own_public = own.compute_public_key()?;
    let own_public = own_public.as_ref();
    let browser = UnparsedPublicKey::new(&ECDH_P256, keys.p256dh());
    let secret = agreement::agree(own, browser, Unencryptable, |shared| {
        let info = [b"WebPush: info\0".as_slice(), keys.p256dh(), own_public].concat();
        derive::<SECRET_BYTES>(keys.auth(), shared, &info)
    })?;
    let key: [u8; KEY_BYTES] = derive(&salt, &secret, b"Content-Encoding: aes128gcm\0")?;
    let nonce: [u8; NONCE_LEN] = derive(&salt, &secret, b"Content-Encoding: nonce\0")?;

    let mut record = payload.to_vec();
    record.push(LAST_RECORD);
    let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key)?);
    key.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::empty(), &mut record)?;

    let id_length = u8::try_from(own_public.len()).map_err(|_| Unencryptable)?;
    let header = [&salt[..], &RECORD_SIZE.to_be_bytes(), &[id_length], own_public].concat();
    Ok([header, record].concat())
}

/// HKDF with SHA-256 (RFC 5869).
fn derive<const N: usize>(salt: &[u8], secret: &[u8], info: &[u8]) -> Result<[u8; N], Unencryptable> {
    let mut key = [0; N];
    Hkdf::<Sha256>::new(Some(salt), secret)
        .expand(info, &mut key)
        .map_err(|_| Unencryptable)?;
    Ok(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64URL;

    fn keys() -> SubscriptionKeys {
        SubscriptionKeys::parse(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "BTBZMqHH6r4Tts7J_aSIgg",
        )
        .unwrap()
    }

    #[test]
    fn the_example_of_rfc_8291_is_reproduced_byte_for_byte() {
        let own = BASE64URL
            .decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
            .unwrap();
        let own = PrivateKey::from_private_key(&ECDH_P256, &own).unwrap();
        let salt = BASE64URL
            .decode("DGv6ra1nlYgDCS1FRnbzlw")
            .unwrap()
            .try_into()
            .unwrap();
        let body = encrypt_with(b"When I grow up, I want to be a watermelon", &keys(), &own, salt).unwrap();
        let expected = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
        assert_eq!(BASE64URL.encode(body), expected);
    }

    #[test]
    fn no_two_messages_have_the_same_key_or_salt() {
        let [one, other] = [(); 2].map(|()| encrypt(b"{}", &keys()).unwrap());
        assert_ne!(one[..SALT_BYTES], other[..SALT_BYTES]);
        assert_ne!(one[SALT_BYTES + 5..], other[SALT_BYTES + 5..]);
    }

    #[test]
    fn a_key_that_is_no_point_of_the_curve_and_a_long_message_are_refused() {
        let off_the_curve = SubscriptionKeys::from_bytes([4; 65], [0; 16]).unwrap();
        assert_eq!(encrypt(b"{}", &off_the_curve), Err(Unencryptable));
        assert!(encrypt(&[b'x'; MAX_PAYLOAD], &keys()).is_ok_and(|body| body.len() == 4096));
        assert_eq!(encrypt(&[b'x'; MAX_PAYLOAD + 1], &keys()), Err(Unencryptable));
    }
}
