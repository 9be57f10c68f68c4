//! Secrets at rest: XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03) with keys derived from SECRET_KEY by HKDF-SHA256
//! (RFC 5869).

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use hkdf::Hkdf;
use kernel::{Entropy, Sealer};
use secrecy::{ExposeSecret, SecretSlice};
use sha2::Sha256;

/// The first byte of every sealed secret: version, key id, nonce, ciphertext. Version 1 was never released.
const VERSION: u8 = 2;
/// Names the SECRET_KEY that sealed the secret, so that opening need not try every key. It reveals nothing about the key.
const KEY_ID_BYTES: usize = 4;
/// Long enough to draw a random nonce for every secret.
const NONCE_BYTES: usize = 24;

/// Seals with the current site secret, and also opens secrets that a previous one sealed.
pub struct SecretKeySealer<E> {
    current: Key,
    previous: Vec<Key>,
    entropy: E,
}

struct Key {
    id: [u8; KEY_ID_BYTES],
    cipher: XChaCha20Poly1305,
}

impl Key {
    fn new(secret: &SecretSlice<u8>) -> Self {
        let secret = secret.expose_secret();
        Self {
            id: derive(secret, b"tombola sealing key id"),
            cipher: XChaCha20Poly1305::new(&derive(secret, b"tombola sealing key").into()),
        }
    }
}

fn derive<const N: usize>(secret: &[u8], purpose: &[u8]) -> [u8; N] {
    let mut bytes = [0; N];
    // `expand` fails only for more than 255 hashes of output.
    let derived = Hkdf::<Sha256>::new(None, secret).expand(purpose, &mut bytes);
    debug_assert!(derived.is_ok());
    bytes
}

impl<E: Entropy> SecretKeySealer<E> {
    /// `current` seals and opens; the `previous` secrets only open.
    pub fn new(current: &SecretSlice<u8>, previous: &[SecretSlice<u8>], entropy: E) -> Self {
        Self {
            current: Key::new(current),
            previous: previous.iter().map(Key::new).collect(),
            entropy,
        }
    }

    fn keys(&self) -> impl Iterator<Item = &Key> {
        std::iter::once(&self.current).chain(&self.previous)
    }
}

impl<E: Entropy> Sealer for SecretKeySealer<E> {
    fn seal(&self, purpose: &str, secret: &[u8]) -> Vec<u8> {
        let mut nonce = [0; NONCE_BYTES];
        self.entropy.fill(&mut nonce);
        let payload = Payload {
            msg: secret,
            aad: purpose.as_bytes(),
        };
        // Encryption fails only for messages over 256 GB; the empty result then cannot be opened.
        let cipher = &self.current.cipher;
        let sealed = cipher.encrypt(&XNonce::from(nonce), payload).unwrap_or_default();
        [&[VERSION], &self.current.id[..], &nonce[..], &sealed].concat()
    }

    fn open(&self, purpose: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        let (&VERSION, sealed) = sealed.split_first()? else {
            return None;
        };
        let (id, sealed) = sealed.split_first_chunk::<KEY_ID_BYTES>()?;
        let (nonce, msg) = sealed.split_first_chunk::<NONCE_BYTES>()?;
        let aad = purpose.as_bytes();
        let mut keys = self.keys().filter(|key| key.id == *id);
        keys.find_map(|key| {
            key.cipher
                .decrypt(&XNonce::from(*nonce), Payload { msg, aad })
                .ok()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OsEntropy;

    fn sealer(current: u8, previous: &[u8]) -> SecretKeySealer<OsEntropy> {
        let secret = |byte: &u8| SecretSlice::from(vec![*byte; 32]);
        let previous: Vec<_> = previous.iter().map(secret).collect();
        SecretKeySealer::new(&secret(&current), &previous, OsEntropy)
    }

    #[test]
    fn a_sealed_secret_opens_only_for_its_purpose() {
        let sealer = sealer(1, &[]);
        let sealed = sealer.seal("seed", b"secret");
        assert_eq!(sealer.open("seed", &sealed).as_deref(), Some(&b"secret"[..]));
        assert_eq!(sealer.open("token", &sealed), None);
        assert_ne!(sealer.seal("seed", b"secret"), sealed, "never twice the same");
        assert!(!sealed.windows(6).any(|bytes| bytes == b"secret"));
    }

    #[test]
    fn changed_or_truncated_bytes_do_not_open() {
        let sealer = sealer(1, &[]);
        let sealed = sealer.seal("seed", b"secret");
        for n in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[n] ^= 1;
            assert_eq!(sealer.open("seed", &changed), None, "byte {n}");
            assert_eq!(sealer.open("seed", &sealed[..n]), None, "{n} bytes");
        }
    }

    #[test]
    fn secrets_of_a_previous_key_open_while_it_is_configured() {
        let sealed = sealer(1, &[]).seal("seed", b"secret");
        assert!(sealer(2, &[1]).open("seed", &sealed).is_some());
        assert_eq!(sealer(2, &[]).open("seed", &sealed), None);
        assert_eq!(
            sealer(1, &[]).open("seed", &sealer(2, &[1]).seal("seed", b"new")),
            None
        );
    }

    #[test]
    fn the_key_id_depends_on_the_key_and_does_not_contain_it() {
        let [one, again, other] =
            [1, 1, 2].map(|key| sealer(key, &[]).seal("seed", b"secret")[1..5].to_vec());
        assert_eq!(one, again);
        assert_ne!(one, other);
        assert_ne!(one, [1; 4]);
    }
}
