use crate::chunk::{CHUNK_SIZE, pack};
use crate::leaf::Salts;
use crate::{Chunk, Hash, Leaf, SaltKey, Tree};
use kernel::{EntrantId, PersonTag};
use sha2::{Digest, Sha256};
use std::num::NonZeroU64;

/// The largest number of entries: the largest integer that a JavaScript number holds exactly.
const MAX_ENTRIES: u64 = (1 << 53) - 1;

/// Freezes a list of entrants: takes them one by one and builds the Merkle root and the chunks to store.
///
/// Its memory does not grow with the list, as long as [`Freezer::take_chunks`] is called now and then.
pub struct Freezer {
    salts: Salts,
    size: u64,
    entries: u64,
    last_tag: Option<PersonTag>,
    chunk: Option<OpenChunk>,
    full_chunks: Vec<Chunk>,
    tree: Tree,
    weights: Sha256,
    fault: Option<FreezeError>,
}

struct OpenChunk {
    chunk: Chunk,
    tree: Tree,
}

/// A frozen list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frozen {
    /// How many entrants are on it.
    pub participants: u64,
    /// How many entries they hold.
    pub entries: NonZeroU64,
    /// The Merkle root of their leaves.
    pub root: Hash,
    /// The hash of their weights alone: SHA-256(u64(first weight) ‖ u64(second weight) ‖ …).
    pub weights_hash: Hash,
    /// The chunks that were not taken before.
    pub chunks: Vec<Chunk>,
}

/// Why a list cannot be frozen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FreezeError {
    /// The list is empty.
    #[error("the list is empty")]
    Empty,
    /// The tags do not ascend, or a weight is 0.
    #[error("the list is not in ascending order of tags, or has an entrant without entries")]
    Disordered,
    /// There are more entries than can be numbered.
    #[error("there are more entries than can be numbered")]
    TooMany,
}

impl Freezer {
    /// Starts an empty list.
    pub fn new(salt_key: SaltKey) -> Self {
        Self {
            salts: salt_key.salts_from(0),
            size: 0,
            entries: 0,
            last_tag: None,
            chunk: None,
            full_chunks: Vec::new(),
            tree: Tree::default(),
            weights: Sha256::new(),
            fault: None,
        }
    }

    /// Appends an entrant to the list. If the entrant is invalid, [`Freezer::finish`] returns the error.
    pub fn push(&mut self, id: EntrantId, weight: u64, tag: PersonTag) {
        if self.fault.is_some() {
            return;
        }
        self.fault = self.find_fault(weight, &tag);
        if self.fault.is_some() {
            return;
        }
        let salt = self.salts.next();
        let leaf = Leaf {
            index: self.size,
            first_entry: self.entries + 1,
            weight,
            blinded_id: salt.blind(id, &tag),
        };
        self.weights.update(weight.to_be_bytes());
        self.append(id, tag, &leaf);
        self.last_tag = Some(tag);
        self.size += 1;
        self.entries += weight;
        if self.size.is_multiple_of(CHUNK_SIZE) {
            self.close_chunk();
        }
    }

    fn find_fault(&self, weight: u64, tag: &PersonTag) -> Option<FreezeError> {
        if weight == 0 || self.last_tag.is_some_and(|last| last >= *tag) {
            return Some(FreezeError::Disordered);
        }
        let is_countable = self
            .entries
            .checked_add(weight)
            .is_some_and(|sum| sum <= MAX_ENTRIES);
        (!is_countable).then_some(FreezeError::TooMany)
    }

    fn append(&mut self, id: EntrantId, tag: PersonTag, leaf: &Leaf) {
        let number = Chunk::number_of(leaf.index).unwrap_or(u32::MAX);
        let open = self.chunk.get_or_insert_with(|| OpenChunk {
            chunk: Chunk {
                number,
                first_entry: leaf.first_entry,
                first_tag: tag,
                root: Hash::ZERO,
                packed: Vec::with_capacity(9 * 4096),
            },
            tree: Tree::default(),
        });
        pack(id.get().cast_unsigned(), &mut open.chunk.packed);
        pack(leaf.weight, &mut open.chunk.packed);
        open.tree.push(leaf.hash());
    }

    fn close_chunk(&mut self) {
        let Some(OpenChunk { mut chunk, tree, .. }) = self.chunk.take() else {
            return;
        };
        chunk.root = tree.root().unwrap_or(Hash::ZERO);
        chunk.packed.shrink_to_fit();
        self.tree.push(chunk.root);
        self.full_chunks.push(chunk);
    }

    /// How many entrants are on the list so far.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The tag of the last entrant on the list so far.
    pub fn last_tag(&self) -> Option<PersonTag> {
        self.last_tag
    }

    /// Takes the chunks that are full.
    pub fn take_chunks(&mut self) -> Vec<Chunk> {
        std::mem::take(&mut self.full_chunks)
    }

    /// Ends the list.
    ///
    /// # Errors
    /// When the list is empty, or an entrant was invalid.
    pub fn finish(mut self) -> Result<Frozen, FreezeError> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        self.close_chunk();
        let entries = NonZeroU64::new(self.entries).ok_or(FreezeError::Empty)?;
        Ok(Frozen {
            participants: self.size,
            entries,
            root: self.tree.root().ok_or(FreezeError::Empty)?,
            weights_hash: Hash::new(self.weights.finalize().into()),
            chunks: self.full_chunks,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn random_ids_and_weights_read_back(
            entrants in prop::collection::btree_map(1..=EntrantId::MAX.get(), 1..=1u64 << 40, 1..300)
        ) {
            let mut freezer = Freezer::new(SaltKey::new([5; 32]));
            for (id, weight) in &entrants {
                freezer.push(EntrantId::new(*id), *weight, tag(*id));
            }
            let chunks = freezer.finish().unwrap().chunks;
            let unpacked = chunks.iter().flat_map(|chunk| chunk.unpacked().unwrap());
            let read: Vec<_> = unpacked.map(|(id, weight)| (id.get(), weight)).collect();
            prop_assert_eq!(read, entrants.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_farthest_ids_take_sixteen_bytes() {
        let mut freezer = Freezer::new(SaltKey::new([5; 32]));
        freezer.push(EntrantId::new(1), 1, tag(1));
        freezer.push(EntrantId::MAX, MAX_ENTRIES - 1, tag(2));
        let chunks = freezer.finish().unwrap().chunks;
        assert_eq!(chunks[0].packed.len(), 2 + 16);
        assert_eq!(chunks[0].ids().unwrap(), [EntrantId::new(1), EntrantId::MAX]);
    }

    #[test]
    fn full_chunks_can_be_taken_while_the_list_grows() {
        let salt_key = SaltKey::new([5; 32]);
        let mut freezer = Freezer::new(salt_key);
        assert_eq!((freezer.size(), freezer.last_tag()), (0, None));
        let mut taken = Vec::new();
        for n in 1..=5_000 {
            freezer.push(EntrantId::new(2 * n), 3, tag(n));
            taken.extend(freezer.take_chunks());
        }
        assert_eq!((freezer.size(), freezer.last_tag()), (5_000, Some(tag(5_000))));
        let [full] = taken.as_slice() else {
            panic!("one chunk is full: {}", taken.len())
        };
        let frozen = freezer.finish().unwrap();
        let [rest] = frozen.chunks.as_slice() else {
            panic!("one chunk is left: {}", frozen.chunks.len())
        };
        assert_eq!((frozen.participants, frozen.entries.get()), (5_000, 15_000));

        assert_eq!((full.number, full.first_entry, full.first_tag), (0, 1, tag(1)));
        assert_eq!(
            (rest.number, rest.first_entry, rest.first_tag),
            (1, 3 * 4_096 + 1, tag(4_097))
        );
        assert_eq!(
            [0, 4_095, 4_096, 8_191, 8_192].map(Chunk::number_of),
            [Some(0), Some(0), Some(1), Some(1), Some(2)]
        );
        assert_eq!(Chunk::number_of(u64::MAX), None);

        // Both chunks number their entrants as the whole list does.
        let both = [full, rest].map(|chunk| {
            let tags: Vec<_> = chunk.ids().unwrap().iter().map(|id| tag(id.get() / 2)).collect();
            chunk.participants(&salt_key, &tags).unwrap()
        });
        let indexes: Vec<u64> = both.iter().flatten().map(|entrant| entrant.leaf.index).collect();
        assert_eq!(indexes, (0..5_000).collect::<Vec<_>>());
        let last = both[1].last().unwrap();
        assert_eq!((last.id.get(), last.leaf.first_entry), (10_000, 14_998));
    }

    /// Tags in the order of their numbers.
    fn tag(n: i64) -> PersonTag {
        let mut bytes = [7; 32];
        bytes[..8].copy_from_slice(&n.to_be_bytes());
        PersonTag::new(bytes)
    }

    /// Entrants 1 to 5,000 with three entries each.
    fn frozen(tag: impl Fn(i64) -> PersonTag) -> Frozen {
        let mut freezer = Freezer::new(SaltKey::new([5; 32]));
        (1..=5_000).for_each(|n| freezer.push(EntrantId::new(n), 3, tag(n)));
        freezer.finish().unwrap()
    }

    #[test]
    fn a_list_reads_back_with_its_tags() {
        let salt_key = SaltKey::new([5; 32]);
        let frozen = frozen(tag);
        let mut tree = Tree::default();
        let mut next = 1;
        for chunk in &frozen.chunks {
            let ids = chunk.ids().unwrap();
            let mut tags: Vec<_> = ids.iter().map(|id| tag(id.get())).collect();
            let participants = chunk.participants(&salt_key, &tags).unwrap();
            for (participant, tag) in participants.iter().zip(&tags) {
                assert_eq!(participant.id, EntrantId::new(next));
                let blinded = participant.salt.blind(participant.id, tag);
                assert_eq!(participant.leaf.blinded_id, blinded);
                tree.push(participant.leaf.hash());
                next += 1;
            }
            assert_eq!(chunk.participants(&salt_key, &tags[1..]), None);
            tags.push(tag(0));
            assert_eq!(chunk.participants(&salt_key, &tags), None);
        }
        assert_eq!((next, tree.root()), (5_001, Some(frozen.root)));
    }

    #[test]
    fn the_root_depends_on_every_tag_and_the_weights_hash_on_none() {
        let other_tag = |n| if n == 5_000 { tag(5_001) } else { tag(n) };
        let (list, other) = (frozen(tag), frozen(other_tag));
        assert_ne!(other.root, list.root);
        assert_eq!(other.weights_hash, list.weights_hash);
    }

    #[test]
    fn the_hash_of_the_weights_is_over_their_bytes() {
        let mut freezer = Freezer::new(SaltKey::new([5; 32]));
        let mut bytes = Vec::new();
        for (n, weight) in (1..).zip([1, 300, 70_000, 1]) {
            freezer.push(EntrantId::new(n), weight, tag(n));
            bytes.extend(weight.to_be_bytes());
        }
        assert_eq!(freezer.finish().unwrap().weights_hash, Hash::of(bytes));
    }
}
