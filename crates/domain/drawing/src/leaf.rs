use crate::{Hash, InvalidHex, hash::bytes_from_hex, is_included};
use kernel::{EntrantId, PersonTag};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::fmt;
use std::str::FromStr;

/// The key that all salts of a drawing are derived from. Never published: it would reveal the blinded ids.
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

    /// The salts of a list, starting at this index.
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

/// A random value that hides an entrant's id in the list. The entrant gets it and can find their leaf with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Salt([u8; SALT_BYTES]);

impl Salt {
    /// Blinds an entrant's id and the tag of their number with this salt.
    pub fn blind(&self, id: EntrantId, tag: &PersonTag) -> BlindedId {
        let id = id.get().to_be_bytes();
        BlindedId::from_hash(Hash::of_short([&[3], &self.0, &id, tag.as_bytes()]))
    }
}

impl fmt::Display for Salt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl FromStr for Salt {
    type Err = InvalidHex;

    fn from_str(text: &str) -> Result<Self, InvalidHex> {
        bytes_from_hex(text).map(Self)
    }
}

/// An entrant's id and the tag of their number, hidden by a salt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlindedId([u8; 24]);

impl BlindedId {
    fn from_hash(hash: Hash) -> Self {
        let (first, _) = hash.as_bytes().split_first_chunk().unwrap_or((&[0; 24], &[]));
        Self(*first)
    }
}

impl fmt::Display for BlindedId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl FromStr for BlindedId {
    type Err = InvalidHex;

    fn from_str(text: &str) -> Result<Self, InvalidHex> {
        bytes_from_hex(text).map(Self)
    }
}

/// One line of the published list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leaf {
    /// The line's position in the list, from 0.
    pub index: u64,
    /// The number of the entrant's first entry, from 1.
    pub first_entry: u64,
    /// How many entries the entrant holds.
    pub weight: u64,
    /// The entrant's blinded id.
    pub blinded_id: BlindedId,
}

impl Leaf {
    /// The leaf's hash in the tree.
    pub fn hash(&self) -> Hash {
        Hash::of_short([
            &[0],
            &self.index.to_be_bytes(),
            &self.first_entry.to_be_bytes(),
            &self.weight.to_be_bytes(),
            &self.blinded_id.0,
        ])
    }

    /// Whether the entrant holds the entry with this number.
    pub fn holds(&self, entry: u64) -> bool {
        entry
            .checked_sub(self.first_entry)
            .is_some_and(|offset| offset < self.weight)
    }
}

/// A leaf and its inclusion path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProvenLeaf {
    /// The leaf.
    pub leaf: Leaf,
    /// The sibling hashes on the way up to the root, the lowest first.
    pub path: Vec<Hash>,
}

impl ProvenLeaf {
    /// Whether the leaf is in the tree with this root and size.
    pub fn is_under(&self, root: &Hash, size: u64) -> bool {
        is_included(self.leaf.hash(), self.leaf.index, size, &self.path, root)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn salts_can_be_derived_from_any_index() {
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
    fn a_leaf_holds_only_its_entries() {
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
