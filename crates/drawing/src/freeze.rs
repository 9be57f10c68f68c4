use crate::chunk::{CHUNK_SIZE, pack};
use crate::leaf::Salts;
use crate::{Chunk, Hash, Leaf, SaltKey, Tree};
use kernel::EntrantId;
use std::num::NonZeroU64;

/// The largest number of entries: the largest integer that a JavaScript number holds exactly.
const MAX_ENTRIES: u64 = (1 << 53) - 1;

/// Freezes a list of entrants: takes them one by one and builds the Merkle root and the chunks to store.
///
/// Its memory does not grow with the list, as long as [`Freezer::take_chunks`] is called now and then.
pub struct Freezer {
    salt_key: SaltKey,
    salts: Salts,
    size: u64,
    entries: u64,
    last_id: Option<EntrantId>,
    chunk: Option<OpenChunk>,
    full_chunks: Vec<Chunk>,
    tree: Tree,
    fault: Option<FreezeError>,
}

struct OpenChunk {
    chunk: Chunk,
    tree: Tree,
    last_id: EntrantId,
}

/// A frozen list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frozen {
    /// How many entrants are on it.
    pub participants: u64,
    /// How many entries they hold.
    pub entries: NonZeroU64,
    /// The Merkle root of their leaves: section 1.4.
    pub root: Hash,
    /// The chunks that were not taken before.
    pub chunks: Vec<Chunk>,
}

/// Why a list cannot be frozen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FreezeError {
    /// The list is empty.
    #[error("the list is empty")]
    Empty,
    /// The ids do not ascend, or a weight is 0.
    #[error("the list is not in ascending order of ids, or has an entrant without entries")]
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
            salt_key,
            size: 0,
            entries: 0,
            last_id: None,
            chunk: None,
            full_chunks: Vec::new(),
            tree: Tree::default(),
            fault: None,
        }
    }

    /// Appends an entrant to the list. If the entrant is invalid, [`Freezer::finish`] returns the error.
    pub fn push(&mut self, id: EntrantId, weight: u64) {
        if self.fault.is_some() {
            return;
        }
        self.fault = self.find_fault(id, weight);
        if self.fault.is_some() {
            return;
        }
        let leaf = Leaf {
            index: self.size,
            first_entry: self.entries + 1,
            weight,
            blinded_id: self.salts.next().blind(id),
        };
        self.append(id, &leaf);
        self.last_id = Some(id);
        self.size += 1;
        self.entries += weight;
        if self.size.is_multiple_of(CHUNK_SIZE) {
            self.close_chunk();
        }
    }

    fn find_fault(&self, id: EntrantId, weight: u64) -> Option<FreezeError> {
        if weight == 0 || self.last_id.is_some_and(|last| last >= id) {
            return Some(FreezeError::Disordered);
        }
        let is_countable = self
            .entries
            .checked_add(weight)
            .is_some_and(|sum| sum <= MAX_ENTRIES);
        (!is_countable).then_some(FreezeError::TooMany)
    }

    fn append(&mut self, id: EntrantId, leaf: &Leaf) {
        let number = Chunk::number_of(leaf.index).unwrap_or(u32::MAX);
        let open = self.chunk.get_or_insert_with(|| OpenChunk {
            chunk: Chunk {
                number,
                first_entry: leaf.first_entry,
                first_id: id,
                root: Hash::ZERO,
                packed: Vec::with_capacity(4 * 4096),
            },
            tree: Tree::default(),
            last_id: id,
        });
        pack(id.get().abs_diff(open.last_id.get()), &mut open.chunk.packed);
        pack(leaf.weight, &mut open.chunk.packed);
        open.last_id = id;
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

    /// The last entrant on the list so far.
    pub fn last_id(&self) -> Option<EntrantId> {
        self.last_id
    }

    /// Takes the chunks that are full.
    pub fn take_chunks(&mut self) -> Vec<Chunk> {
        std::mem::take(&mut self.full_chunks)
    }

    /// The key that the salts come from.
    pub fn salt_key(&self) -> &SaltKey {
        &self.salt_key
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
            chunks: self.full_chunks,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_chunks_can_be_taken_while_the_list_grows() {
        let salt_key = SaltKey::new([5; 32]);
        let mut freezer = Freezer::new(salt_key);
        assert_eq!((freezer.size(), freezer.last_id()), (0, None));
        let mut taken = Vec::new();
        for n in 1..=5_000 {
            freezer.push(EntrantId::new(2 * n), 3);
            taken.extend(freezer.take_chunks());
        }
        assert_eq!(
            (freezer.size(), freezer.last_id()),
            (5_000, Some(EntrantId::new(10_000)))
        );
        let [full] = taken.as_slice() else {
            panic!("one chunk is full: {}", taken.len())
        };
        let frozen = freezer.finish().unwrap();
        let [rest] = frozen.chunks.as_slice() else {
            panic!("one chunk is left: {}", frozen.chunks.len())
        };
        assert_eq!((frozen.participants, frozen.entries.get()), (5_000, 15_000));

        assert_eq!((full.number, full.first_entry, full.first_id.get()), (0, 1, 2));
        assert_eq!(
            (rest.number, rest.first_entry, rest.first_id.get()),
            (1, 3 * 4_096 + 1, 2 * 4_097)
        );
        assert_eq!(
            [0, 4_095, 4_096, 8_191, 8_192].map(Chunk::number_of),
            [Some(0), Some(0), Some(1), Some(1), Some(2)]
        );
        assert_eq!(Chunk::number_of(u64::MAX), None);

        // Both chunks number their entrants as the whole list does.
        let both = [full, rest].map(|chunk| chunk.participants(&salt_key).unwrap());
        let indexes: Vec<u64> = both.iter().flatten().map(|entrant| entrant.leaf.index).collect();
        assert_eq!(indexes, (0..5_000).collect::<Vec<_>>());
        let last = both[1].last().unwrap();
        assert_eq!((last.id.get(), last.leaf.first_entry), (10_000, 14_998));
    }
}
