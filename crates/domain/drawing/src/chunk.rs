use crate::{EntriesByKind, Hash, Leaf, Salt, SaltKey};
use kernel::{EntrantId, PersonTag};

/// How many entrants a full chunk has: a power of two, so that a full chunk is a subtree.
pub(crate) const CHUNK_SIZE: u64 = 4096;

/// A part of a drawing's frozen list: the unit in which the list is stored and read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// The chunk's position in the list, from 0.
    pub number: u32,
    /// The number of its first entry.
    pub first_entry: u64,
    /// The tag of its first entrant.
    pub first_tag: PersonTag,
    /// The Merkle root of its leaves.
    pub root: Hash,
    /// Each entrant as two LEB128 numbers: the id and the weight. An id has at most 52 bits, so most entrants take nine
    /// bytes, and nobody takes more than 16.
    pub packed: Vec<u8>,
}

/// An entrant who can win, before the list is frozen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    /// The entrant's id.
    pub id: EntrantId,
    /// The entries, at least one. Their sum is the weight. Entries of imported people are among `base`; a seal takes them
    /// apart with [`crate::FrozenEntrants::imported_entries`].
    pub entries: EntriesByKind,
    /// The tag of the entrant's number.
    pub tag: PersonTag,
}

/// An entrant of a drawing, with the published leaf and the secret behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Participant {
    /// The entrant's id.
    pub id: EntrantId,
    /// The salt that blinds the id.
    pub salt: Salt,
    /// The published leaf.
    pub leaf: Leaf,
}

impl Participant {
    /// Whether an entrant with this tag is the one of the leaf: nobody else makes its blinded id.
    pub fn is(&self, id: EntrantId, tag: &PersonTag) -> bool {
        self.salt.blind(id, tag) == self.leaf.blinded_id
    }
}

impl Chunk {
    /// The number of the chunk that contains the leaf with this index.
    pub fn number_of(index: u64) -> Option<u32> {
        u32::try_from(index / CHUNK_SIZE).ok()
    }

    /// Its entrants in order. `tags` has the tag of each of [`Chunk::ids`], in that order. `None` if the packed bytes are
    /// invalid, or there is another number of tags.
    pub fn participants(&self, salt_key: &SaltKey, tags: &[PersonTag]) -> Option<Vec<Participant>> {
        let weighed = self.unpacked()?;
        if weighed.len() != tags.len() {
            return None;
        }
        let first_index = self.first_index();
        let mut salts = salt_key.salts_from(first_index);
        let mut first_entry = self.first_entry;
        let mut participants = Vec::with_capacity(weighed.len());
        for (index, ((id, weight), tag)) in (first_index..).zip(weighed.into_iter().zip(tags)) {
            let salt = salts.next();
            let leaf = Leaf {
                index,
                first_entry,
                weight,
                blinded_id: salt.blind(id, tag),
            };
            participants.push(Participant { id, salt, leaf });
            first_entry = first_entry.checked_add(weight)?;
        }
        Some(participants)
    }

    /// The ids of its entrants in order; `None` if the packed bytes are invalid.
    pub fn ids(&self) -> Option<Vec<EntrantId>> {
        let weighed = self.unpacked()?;
        Some(weighed.into_iter().map(|(id, _)| id).collect())
    }

    /// The index of its first entrant.
    pub fn first_index(&self) -> u64 {
        u64::from(self.number) * CHUNK_SIZE
    }

    /// Its entrants in order with their weights, without salts and tags; `None` if the packed bytes are invalid.
    pub fn unpacked(&self) -> Option<Vec<(EntrantId, u64)>> {
        let (mut rest, mut weighed) = (self.packed.as_slice(), Vec::new());
        while !rest.is_empty() {
            let id = unpack(&mut rest)?.cast_signed();
            let weight = unpack(&mut rest)?;
            weighed.push((EntrantId::new(id), weight));
        }
        Some(weighed)
    }
}

/// Appends a number in LEB128: seven bits per byte, the lowest first, the top bit set on every byte but the last.
pub(crate) fn pack(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn unpack(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0u64;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let bits = u64::from(byte & 0x7f);
        number |= bits
            .checked_shl(shift)
            .filter(|shifted| shifted >> shift == bits)?;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn packed_numbers_read_back(numbers: Vec<u64>) {
            let mut bytes = Vec::new();
            numbers.iter().for_each(|number| pack(*number, &mut bytes));
            let mut rest = bytes.as_slice();
            for number in numbers {
                prop_assert_eq!(unpack(&mut rest), Some(number));
            }
            prop_assert!(rest.is_empty());
        }

        #[test]
        fn unpacking_random_bytes_does_not_panic(packed: Vec<u8>) {
            let chunk = Chunk { number: 0, first_entry: 1, first_tag: PersonTag::new([0; 32]), root: Hash::ZERO, packed };
            let tags = vec![PersonTag::new([0; 32]); chunk.ids().map_or(0, |ids| ids.len())];
            let participants = chunk.participants(&SaltKey::new([0; 32]), &tags);
            prop_assert!(participants.is_none_or(|known| known.len() == tags.len()));
        }
    }

    #[test]
    fn small_numbers_take_one_byte() {
        let mut bytes = Vec::new();
        for number in [0, 1, 127, 128, u64::MAX] {
            bytes.clear();
            pack(number, &mut bytes);
            let expected = match number {
                0..=127 => 1,
                128 => 2,
                _ => 10,
            };
            assert_eq!(bytes.len(), expected, "{number}");
        }
        for cut in [&[][..], &[0x80], &[0xff; 10], &[0xff; 11]] {
            assert_eq!(unpack(&mut &*cut), None, "{cut:?}");
        }
    }
}
