use crate::{Hash, NotHex, hash::bytes_from_hex};
use kernel::EntrantId;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::fmt;
use std::str::FromStr;

/// What all salts of a drawing come from. Never published: with it, blinded ids could be told.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SaltKey([u8; 32]);

impl SaltKey {
    /// The key with these bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The salts of a list, from this index on: section 3.
    pub(crate) fn salts_from(&self, index: u64) -> Salts {
        let mut stream = ChaCha20Rng::from_seed(self.0);
        stream.set_word_pos(u128::from(index) * (SALT_BYTES as u128 / 4));
        Salts(stream)
    }
}

impl fmt::Debug for SaltKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SaltKey(…)")
    }
}

const SALT_BYTES: usize = 16;

pub(crate) struct Salts(ChaCha20Rng);

impl Salts {
    pub(crate) fn next(&mut self) -> Salt {
        let mut bytes = [0; SALT_BYTES];
        self.0.fill_bytes(&mut bytes);
        Salt(bytes)
    }
}

/// What hides an entrant's id in the list, and opens it to who is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Salt([u8; SALT_BYTES]);

impl Salt {
    /// An entrant's id with this salt: section 3.
    pub fn blind(&self, id: EntrantId) -> BlindedId {
        let hash = Hash::of_short([&[2], &self.0, &id.get().to_be_bytes()]);
        let (first, _) = hash.as_bytes().split_first_chunk().unwrap_or((&[0; 24], &[]));
        BlindedId(*first)
    }
}

impl fmt::Display for Salt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl FromStr for Salt {
    type Err = NotHex;

    fn from_str(text: &str) -> Result<Self, NotHex> {
        bytes_from_hex(text).map(Self)
    }
}

/// An entrant, to who does not know their salt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlindedId([u8; 24]);

impl fmt::Display for BlindedId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl FromStr for BlindedId {
    type Err = NotHex;

    fn from_str(text: &str) -> Result<Self, NotHex> {
        bytes_from_hex(text).map(Self)
    }
}

/// One line of the published list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leaf {
    /// Which line, from 0.
    pub index: u64,
    /// The number of the first entry, from 1.
    pub first_entry: u64,
    /// How many entries they hold.
    pub weight: u64,
    /// Who.
    pub blinded_id: BlindedId,
}

impl Leaf {
    /// Its hash in the tree: section 3.
    pub fn hash(&self) -> Hash {
        Hash::of_short([
            &[0],
            &self.index.to_be_bytes(),
            &self.first_entry.to_be_bytes(),
            &self.weight.to_be_bytes(),
            &self.blinded_id.0,
        ])
    }

    /// Whether this entry is one of theirs.
    pub fn holds(&self, entry: u64) -> bool {
        entry
            .checked_sub(self.first_entry)
            .is_some_and(|beyond| beyond < self.weight)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn salts_can_be_entered_anywhere() {
        let key = SaltKey::new([3; 32]);
        let mut all = key.salts_from(0);
        let salts: Vec<Salt> = (0..100).map(|_| all.next()).collect();
        for index in [0, 1, 3, 4, 5, 63, 64, 99] {
            assert_eq!(
                key.salts_from(index).next(),
                salts[usize::try_from(index).unwrap()]
            );
        }
    }

    #[test]
    fn a_leaf_holds_its_entries_and_no_others() {
        let leaf = Leaf {
            index: 1,
            first_entry: 5,
            weight: 3,
            blinded_id: BlindedId([0; 24]),
        };
        let held: Vec<u64> = (0..20).filter(|entry| leaf.holds(*entry)).collect();
        assert_eq!(held, [5, 6, 7]);
    }
}
