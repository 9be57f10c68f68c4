//! Secrets at rest: XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03) with keys that `keys.rs` derives.

use crate::keys::{self, Purpose, SecretKeys};
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use kernel::{Entropy, Sealer};
use secrecy::{ExposeSecret, SecretSlice};
use std::marker::PhantomData;

/// The first byte of every sealed secret: version, key id, nonce, ciphertext.
const VERSION: u8 = 1;
/// Names the key that sealed the secret, so that opening need not try every key. It reveals nothing about the key.
const KEY_ID_BYTES: usize = 4;
/// Long enough to draw a random nonce for every secret.
const NONCE_BYTES: usize = 24;

/// Encrypts secrets of type `T`.
pub struct SecretKeySealer<T, E> {
    current: Key,
    /// The current key and earlier ones.
    readable: Vec<Key>,
    entropy: E,
    secret: PhantomData<fn() -> T>,
}

/// The names of the keys for secrets of one type. A sealed secret begins with the name of its key.
pub(crate) struct KeyNames {
    newest: [u8; NAME_BYTES],
    earlier: Vec<[u8; NAME_BYTES]>,
}

/// How many bytes name the key: the version and the key id.
pub(crate) const NAME_BYTES: usize = 1 + KEY_ID_BYTES;

/// Which key sealed a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SealedWith {
    /// The one that seals now.
    Newest,
    /// One that only opens.
    Earlier,
    /// None of the configured ones.
    Unknown,
}

impl KeyNames {
    /// Which key sealed a secret that begins like this.
    pub(crate) fn sealed_with(&self, beginning: &[u8]) -> SealedWith {
        if self.newest == beginning {
            return SealedWith::Newest;
        }
        match self.earlier.iter().any(|name| name == beginning) {
            true => SealedWith::Earlier,
            false => SealedWith::Unknown,
        }
    }
}

impl SecretKeys {
    /// Encrypts secrets of type `T`. Whichever secrets are configured for `T` alone, what was sealed with a key derived from
    /// the site's secrets can be opened, because it would be lost otherwise.
    pub fn sealer<T: Purpose, E: Entropy>(&self, entropy: E) -> SecretKeySealer<T, E> {
        let list = self.list::<T>();
        let read_only = list.previous.iter().chain(self.site.iter());
        SecretKeySealer::new(&list.current, read_only, entropy)
    }
}

#[derive(Clone)]
struct Key {
    id: [u8; KEY_ID_BYTES],
    cipher: XChaCha20Poly1305,
}

impl Key {
    fn new<T: Purpose>(secret: &SecretSlice<u8>) -> Self {
        let key = keys::derive::<T>(secret);
        Self {
            id: keys::expand(key.expose_secret(), "tombola key id"),
            cipher: XChaCha20Poly1305::new(&keys::expand(key.expose_secret(), "tombola cipher").into()),
        }
    }

    fn name(&self) -> [u8; NAME_BYTES] {
        let mut name = [VERSION; NAME_BYTES];
        name[1..].copy_from_slice(&self.id);
        name
    }
}

impl<T: Purpose, E: Entropy> SecretKeySealer<T, E> {
    /// Keys derived from `current` seal and open; those derived from `previous` secrets only open.
    pub(crate) fn new<'a>(
        current: &'a SecretSlice<u8>,
        previous: impl IntoIterator<Item = &'a SecretSlice<u8>>,
        entropy: E,
    ) -> Self {
        let secrets = std::iter::once(current).chain(previous);
        Self {
            current: Key::new::<T>(current),
            readable: secrets.map(Key::new::<T>).collect(),
            entropy,
            secret: PhantomData,
        }
    }
}

impl<T, E> SecretKeySealer<T, E> {
    /// What names the keys in the secrets that they sealed.
    pub(crate) fn key_names(&self) -> KeyNames {
        KeyNames {
            newest: self.current.name(),
            earlier: self.readable.iter().map(Key::name).collect(),
        }
    }
}

impl<T, E: Entropy> Sealer<T> for SecretKeySealer<T, E> {
    fn seal(&self, context: &str, secret: &[u8]) -> Vec<u8> {
        let mut nonce = [0; NONCE_BYTES];
        self.entropy.fill(&mut nonce);
        let payload = Payload {
            msg: secret,
            aad: context.as_bytes(),
        };
        // Encryption fails only for messages over 256 GB; the empty result then cannot be opened.
        let Key { id, cipher } = &self.current;
        let sealed = cipher.encrypt(&XNonce::from(nonce), payload).unwrap_or_default();
        [&[VERSION], &id[..], &nonce[..], &sealed].concat()
    }

    fn open(&self, context: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        let sealed = sealed.strip_prefix(&[VERSION])?;
        let (id, sealed) = sealed.split_first_chunk::<KEY_ID_BYTES>()?;
        let (nonce, msg) = sealed.split_first_chunk::<NONCE_BYTES>()?;
        let aad = context.as_bytes();
        let mut keys = self.readable.iter().filter(|key| key.id == *id);
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

    fn sealer(current: u8, previous: &[u8]) -> SecretKeySealer<drawing::Secrets, OsEntropy> {
        let secret = |byte: &u8| SecretSlice::from(vec![*byte; 32]);
        let previous: Vec<_> = previous.iter().map(secret).collect();
        SecretKeySealer::new(&secret(&current), &previous, OsEntropy)
    }

    #[test]
    fn a_sealed_secret_opens_only_in_its_context() {
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
    fn the_beginning_of_a_secret_names_its_key() {
        let sealed = |key| sealer(key, &[]).seal("seed", b"secret");
        let names = sealer(3, &[2]).key_names();
        let with = |key| names.sealed_with(&sealed(key)[..NAME_BYTES]);
        assert_eq!(
            [3, 2, 1].map(with),
            [SealedWith::Newest, SealedWith::Earlier, SealedWith::Unknown]
        );
        assert_eq!(names.sealed_with(b""), SealedWith::Unknown);
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
