//! Secrets at rest: XChaCha20-Poly1305 with keys made from SECRET_KEY.

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use kernel::{Entropy, Sealer};
use secrecy::{ExposeSecret, SecretSlice};
use sha2::{Digest, Sha256};

/// Says how the rest is sealed, so that this can change.
const VERSION: u8 = 1;
/// Long enough to be drawn at random for every secret.
const NONCE_BYTES: usize = 24;

/// Seals with the site's secret, and still opens what earlier ones sealed.
pub struct SecretKeySealer<E> {
    current: XChaCha20Poly1305,
    previous: Vec<XChaCha20Poly1305>,
    entropy: E,
}

impl<E: Entropy> SecretKeySealer<E> {
    /// With the secret that seals, and those that only open.
    pub fn new(current: &SecretSlice<u8>, previous: &[SecretSlice<u8>], entropy: E) -> Self {
        Self {
            current: cipher(current),
            previous: previous.iter().map(cipher).collect(),
            entropy,
        }
    }
}

fn cipher(secret: &SecretSlice<u8>) -> XChaCha20Poly1305 {
    let mut hash = Sha256::new();
    hash.update("tombola sealing v1\0");
    hash.update(secret.expose_secret());
    XChaCha20Poly1305::new(&hash.finalize())
}

impl<E: Entropy> Sealer for SecretKeySealer<E> {
    fn seal(&self, purpose: &str, secret: &[u8]) -> Vec<u8> {
        let mut nonce = [0; NONCE_BYTES];
        self.entropy.fill(&mut nonce);
        let payload = Payload {
            msg: secret,
            aad: purpose.as_bytes(),
        };
        // It fails for messages of 256 GB only; what is empty then cannot be opened.
        let sealed = self
            .current
            .encrypt(&XNonce::from(nonce), payload)
            .unwrap_or_default();
        [&[VERSION], &nonce[..], &sealed].concat()
    }

    fn open(&self, purpose: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        let (version, sealed) = sealed.split_first()?;
        let (nonce, msg) = sealed.split_first_chunk::<NONCE_BYTES>()?;
        if *version != VERSION {
            return None;
        }
        let nonce = XNonce::from(*nonce);
        let aad = purpose.as_bytes();
        std::iter::once(&self.current)
            .chain(&self.previous)
            .find_map(|cipher| cipher.decrypt(&nonce, Payload { msg, aad }).ok())
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
    fn a_sealed_secret_opens_for_its_purpose_alone() {
        let sealer = sealer(1, &[]);
        let sealed = sealer.seal("seed", b"secret");
        assert_eq!(sealer.open("seed", &sealed).as_deref(), Some(&b"secret"[..]));
        assert_eq!(sealer.open("token", &sealed), None);
        assert_ne!(sealer.seal("seed", b"secret"), sealed, "never twice the same");
        assert!(!sealed.windows(6).any(|bytes| bytes == b"secret"));
    }

    #[test]
    fn what_was_changed_or_cut_does_not_open() {
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
    fn a_new_key_opens_what_the_old_one_sealed_while_it_is_known() {
        let sealed = sealer(1, &[]).seal("seed", b"secret");
        assert!(sealer(2, &[1]).open("seed", &sealed).is_some());
        assert_eq!(sealer(2, &[]).open("seed", &sealed), None);
        assert_eq!(
            sealer(1, &[]).open("seed", &sealer(2, &[1]).seal("seed", b"new")),
            None
        );
    }
}
