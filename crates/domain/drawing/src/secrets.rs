use crate::{Hash, InvalidHex, SaltKey, hash::bytes_from_hex};
use std::fmt;
use std::str::FromStr;

/// The random bytes that decide a drawing, together with its list of entrants. Secret until the drawing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Seed([u8; 32]);

impl Seed {
    /// The seed with these bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The hash that is published before the drawing.
    pub fn commitment(&self) -> Hash {
        Hash::of(self.0)
    }

    /// The seed as 64 hexadecimal digits, to be published after the drawing.
    pub fn reveal(&self) -> String {
        hex::encode(self.0)
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(…)")
    }
}

impl FromStr for Seed {
    type Err = InvalidHex;

    fn from_str(text: &str) -> Result<Self, InvalidHex> {
        bytes_from_hex(text).map(Self)
    }
}

/// Where a seed came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum SeedSource {
    /// The operating system of the server.
    Os,
}

impl SeedSource {
    /// Its name in rows, records and proofs.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// The secrets of a drawing: the seed, which the drawing reveals, and the salt key, which is never published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Secrets {
    /// Decides the drawing.
    pub seed: Seed,
    /// Blinds the entrants' ids.
    pub salt_key: SaltKey,
}

impl Secrets {
    /// The seed and the salt key as the bytes that are sealed.
    pub fn to_bytes(&self) -> [u8; 64] {
        let mut bytes = [0; 64];
        let (seed, salt_key) = bytes.split_at_mut(32);
        seed.copy_from_slice(self.seed.as_bytes());
        salt_key.copy_from_slice(self.salt_key.as_bytes());
        bytes
    }

    /// The seed and the salt key from those bytes; `None` if there are not exactly 64.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (seed, salt_key) = bytes.split_first_chunk()?;
        Some(Self {
            seed: Seed::new(*seed),
            salt_key: SaltKey::new(salt_key.try_into().ok()?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_read_back_and_are_not_printed() {
        let secrets = Secrets {
            seed: Seed::new([7; 32]),
            salt_key: SaltKey::new([8; 32]),
        };
        assert_eq!(Secrets::from_bytes(&secrets.to_bytes()), Some(secrets));
        assert_eq!(Secrets::from_bytes(&[0; 63]), None);
        assert_eq!(Secrets::from_bytes(&[0; 65]), None);
        assert_eq!(
            format!("{secrets:?}"),
            "Secrets { seed: Seed(…), salt_key: SaltKey(…) }"
        );
    }

    #[test]
    fn names_are_those_of_rows_records_and_proofs() {
        assert_eq!(SeedSource::Os.as_str(), "os");
        assert!("OS".parse::<SeedSource>().is_err());
    }
}
