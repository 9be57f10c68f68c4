//! Merkle trees of RFC 6962, section 2.1, and inclusion proofs of RFC 9162, section 2.1.3.

use crate::Hash;

fn node(left: &Hash, right: &Hash) -> Hash {
    Hash::of_short([&[1], left.as_bytes(), right.as_bytes()])
}

/// A tree that grows leaf by leaf and remembers only its peaks: one hash for each power of two in its size.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    size: u64,
    peaks: Vec<Hash>,
}

impl Tree {
    /// Adds a leaf's hash, or the root of a full subtree if all added so far were subtrees of the same size.
    pub fn push(&mut self, leaf: Hash) {
        self.size += 1;
        let mut right = leaf;
        for _ in 0..self.size.trailing_zeros() {
            let Some(left) = self.peaks.pop() else { break };
            right = node(&left, &right);
        }
        self.peaks.push(right);
    }

    /// How many were added.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The root; `None` for an empty tree.
    pub fn root(&self) -> Option<Hash> {
        let mut peaks = self.peaks.iter().rev();
        let last = *peaks.next()?;
        Some(peaks.fold(last, |right, left| node(left, &right)))
    }
}

/// The inclusion path of a leaf: the sibling hashes on the way up to the root, the lowest first.
pub fn inclusion_path(leaves: &[Hash], index: usize) -> Vec<Hash> {
    let (mut level, mut index, mut path) = (leaves.to_vec(), index, Vec::new());
    while level.len() > 1 {
        path.extend(level.get(index ^ 1));
        level = level.chunks(2).filter_map(parent).collect();
        index /= 2;
    }
    path
}

/// The parent of two nodes; a node without a sibling moves up unchanged.
fn parent(pair: &[Hash]) -> Option<Hash> {
    match pair {
        [left, right] => Some(node(left, right)),
        [alone] => Some(*alone),
        _ => None,
    }
}

/// Whether an inclusion path leads from the leaf with this index, in a tree of `size` leaves, to the root.
pub fn is_included(leaf: Hash, index: u64, size: u64, path: &[Hash], root: &Hash) -> bool {
    if index >= size {
        return false;
    }
    let (mut index, mut last, mut hash) = (index, size - 1, leaf);
    for sibling in path {
        if last == 0 {
            return false;
        }
        if index & 1 == 1 || index == last {
            hash = node(sibling, &hash);
            // Skip the levels on which this node had no sibling.
            while index & 1 == 0 && index != 0 {
                index >>= 1;
                last >>= 1;
            }
        } else {
            hash = node(&hash, sibling);
        }
        index >>= 1;
        last >>= 1;
    }
    last == 0 && hash == *root
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaves(count: u32) -> Vec<Hash> {
        (0..count).map(|n| Hash::of(n.to_be_bytes())).collect()
    }

    fn root_of(leaves: &[Hash]) -> Option<Hash> {
        let mut tree = Tree::default();
        leaves.iter().for_each(|leaf| tree.push(*leaf));
        tree.root()
    }

    /// The definition of RFC 6962, word for word.
    fn by_definition(leaves: &[Hash]) -> Hash {
        match leaves {
            [leaf] => *leaf,
            _ => {
                let k = leaves.len().next_power_of_two() / 2;
                node(&by_definition(&leaves[..k]), &by_definition(&leaves[k..]))
            }
        }
    }

    #[test]
    fn the_incremental_root_equals_the_root_by_definition() {
        assert_eq!(root_of(&[]), None);
        for count in 1..=130 {
            let leaves = leaves(count);
            assert_eq!(root_of(&leaves), Some(by_definition(&leaves)), "{count}");
        }
    }

    /// The roots that the authors of the RFC test their own code with.
    #[test]
    fn the_roots_equal_those_of_certificate_transparency() {
        let inputs: [&[u8]; 8] = [
            b"",
            &[0x00],
            &[0x10],
            &[0x20, 0x21],
            &[0x30, 0x31],
            &[0x40, 0x41, 0x42, 0x43],
            &[0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57],
            &[
                0x60, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x6b, 0x6c, 0x6d, 0x6e,
                0x6f,
            ],
        ];
        let leaves: Vec<Hash> = inputs
            .iter()
            .map(|input| Hash::of([&[0], *input].concat()))
            .collect();
        for (count, root) in [
            (
                1,
                "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            ),
            (
                3,
                "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
            ),
            (
                7,
                "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
            ),
            (
                8,
                "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
            ),
        ] {
            assert_eq!(root_of(&leaves[..count]).unwrap().to_string(), root);
        }
    }

    #[test]
    fn a_path_proves_only_its_own_leaf_at_its_own_index() {
        for count in 1..=40 {
            let leaves = leaves(count);
            let (size, root) = (u64::from(count), root_of(&leaves).unwrap());
            for (index, leaf) in (0u64..).zip(&leaves) {
                let path = inclusion_path(&leaves, usize::try_from(index).unwrap());
                assert!(is_included(*leaf, index, size, &path, &root));
                assert!(!is_included(Hash::ZERO, index, size, &path, &root));
                assert!(!is_included(*leaf, size, size, &path, &root));
                for wrong in (0..size).filter(|wrong| *wrong != index) {
                    assert!(
                        !is_included(*leaf, wrong, size, &path, &root),
                        "{index} as {wrong} of {size}"
                    );
                }
                for n in 0..path.len() {
                    let mut changed = path.clone();
                    changed[n] = Hash::ZERO;
                    assert!(!is_included(*leaf, index, size, &changed, &root));
                    assert!(!is_included(*leaf, index, size, &path[..n], &root));
                }
                let longer = [path, vec![Hash::ZERO]].concat();
                assert!(!is_included(*leaf, index, size, &longer, &root));
            }
        }
    }

    #[test]
    fn a_path_can_be_joined_from_a_path_in_a_chunk_and_a_path_over_chunk_roots() {
        let leaves = leaves(37);
        let root = root_of(&leaves).unwrap();
        let chunks: Vec<Hash> = leaves.chunks(8).map(|chunk| root_of(chunk).unwrap()).collect();
        assert_eq!(root_of(&chunks), Some(root));
        for (index, leaf) in leaves.iter().enumerate() {
            let in_chunk = inclusion_path(
                &leaves[index / 8 * 8..leaves.len().min(index / 8 * 8 + 8)],
                index % 8,
            );
            let path = [in_chunk, inclusion_path(&chunks, index / 8)].concat();
            assert_eq!(path, inclusion_path(&leaves, index));
            assert!(is_included(*leaf, index as u64, 37, &path, &root));
        }
    }
}
