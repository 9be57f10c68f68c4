use crate::{Hash, Leaf, Proof, Tree};
use sha2::{Digest, Sha256};

/// The text format of the published list: CSV.
pub struct ListRow;

/// The line is not a row of a published list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a row of a list of entrants")]
pub struct InvalidRow;

impl ListRow {
    /// The header line.
    pub const HEADER: &str = "index,firstEntry,weight,blindedId";

    /// A leaf as a line, without the line end.
    pub fn write(leaf: &Leaf) -> String {
        format!(
            "{},{},{},{}",
            leaf.index, leaf.first_entry, leaf.weight, leaf.blinded_id
        )
    }

    /// Parses a line.
    ///
    /// # Errors
    /// When the line is not exactly as [`ListRow::write`] writes it.
    pub fn read(line: &str) -> Result<Leaf, InvalidRow> {
        let mut cells = line.split(',');
        let mut number = || {
            let cell = cells.next()?;
            // `parse` also accepts a plus sign and leading zeros.
            let number: u64 = cell.parse().ok()?;
            (number.to_string() == cell).then_some(number)
        };
        let numbers = (number(), number(), number());
        let (Some(index), Some(first_entry), Some(weight)) = numbers else {
            return Err(InvalidRow);
        };
        let blinded_id = cells
            .next()
            .and_then(|cell| cell.parse().ok())
            .ok_or(InvalidRow)?;
        let leaf = Leaf {
            index,
            first_entry,
            weight,
            blinded_id,
        };
        cells.next().map_or(Ok(leaf), |_| Err(InvalidRow))
    }
}

/// Compares a list with its proof, leaf by leaf: the check [`Check::List`](crate::Check::List).
pub struct ListCheck {
    expected: Expected,
    tree: Tree,
    entries: u64,
    weights: Sha256,
    fault: Option<String>,
}

/// What a proof says about its list.
#[derive(Clone)]
struct Expected {
    participants: u64,
    entries: u64,
    root: Hash,
    weights_hash: Hash,
    /// The leaves that the proof names, with their names.
    leaves: Vec<(String, Leaf)>,
}

impl ListCheck {
    /// Starts to compare a list with this proof.
    pub fn new(proof: &Proof) -> Self {
        let ranks = proof.drawn().map_or(&[][..], |drawn| &drawn.ranks);
        let ranks = ranks
            .iter()
            .map(|rank| (format!("rank {}", rank.rank), rank.proven.leaf));
        let last = ("last entrant".to_owned(), proof.last.leaf);
        Self::expecting(Expected {
            participants: proof.participants,
            entries: proof.entries,
            root: proof.root,
            weights_hash: proof.weights_hash,
            leaves: ranks.chain([last]).collect(),
        })
    }

    fn expecting(expected: Expected) -> Self {
        Self {
            expected,
            tree: Tree::default(),
            entries: 0,
            weights: Sha256::new(),
            fault: None,
        }
    }

    /// Checks the next leaf of the list. After the first fault, further leaves are ignored.
    pub fn push(&mut self, leaf: &Leaf) {
        if self.fault.is_some() {
            return;
        }
        self.fault = self.find_fault(leaf);
        self.tree.push(leaf.hash());
        self.entries = self.entries.saturating_add(leaf.weight);
        self.weights.update(leaf.weight.to_be_bytes());
    }

    fn find_fault(&self, leaf: &Leaf) -> Option<String> {
        let row = self.tree.size();
        if leaf.index != row || leaf.first_entry.checked_sub(1) != Some(self.entries) || leaf.weight == 0 {
            return Some(format!("row {row} does not follow from the rows before it"));
        }
        let mut named = self.expected.leaves.iter();
        let (name, _) = named.find(|(_, named)| named.index == row && named != leaf)?;
        Some(format!("row {row} differs from the proof's {name}"))
    }

    /// Ends the comparison.
    ///
    /// # Errors
    /// A sentence about the first difference between the list and the proof.
    pub fn finish(self) -> Result<(), String> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        let (size, expected) = (self.tree.size(), &self.expected);
        if size != expected.participants {
            return Err(format!("it has {size} rows instead of {}", expected.participants));
        }
        if self.entries != expected.entries {
            return Err(format!(
                "it has {} entries instead of {}",
                self.entries, expected.entries
            ));
        }
        let weights_hash = Hash::new(self.weights.finalize().into());
        if weights_hash != expected.weights_hash {
            return Err("the hash of its weights differs from the proof's".to_owned());
        }
        match self.tree.root() == Some(expected.root) {
            true => Ok(()),
            false => Err("its root differs from the proof's".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Freezer, SaltKey};
    use kernel::{EntrantId, PersonTag};

    /// A list of four entrants with three entries each, and what its proof says, in which the third one won.
    fn list_and_proof() -> (Vec<Leaf>, Expected) {
        let (salt_key, tags) = (
            SaltKey::new([1; 32]),
            [0, 1, 2, 3].map(|n| PersonTag::new([n; 32])),
        );
        let mut freezer = Freezer::new(salt_key);
        (1..)
            .zip(tags)
            .for_each(|(id, tag)| freezer.push(EntrantId::new(id), 3, tag));
        let frozen = freezer.finish().unwrap();
        let participants = frozen.chunks[0].participants(&salt_key, &tags).unwrap();
        let leaves: Vec<Leaf> = participants.iter().map(|entrant| entrant.leaf).collect();
        let named = [
            ("winner".to_owned(), leaves[2]),
            ("last entrant".to_owned(), leaves[3]),
        ];
        let expected = Expected {
            participants: frozen.participants,
            entries: frozen.entries.get(),
            root: frozen.root,
            weights_hash: frozen.weights_hash,
            leaves: named.into(),
        };
        (leaves, expected)
    }

    fn check(leaves: &[Leaf], proof: &Expected) -> Result<(), String> {
        let mut check = ListCheck::expecting(proof.clone());
        leaves.iter().for_each(|leaf| check.push(leaf));
        check.finish()
    }

    #[test]
    fn the_list_of_the_proof_passes() {
        let (leaves, proof) = list_and_proof();
        assert_eq!(check(&leaves, &proof), Ok(()));
    }

    #[test]
    fn a_changed_row_fails_and_is_named() {
        let (leaves, proof) = list_and_proof();
        let changes: [fn(&mut Leaf); 3] = [
            |leaf| leaf.index += 1,
            |leaf| leaf.first_entry += 1,
            |leaf| leaf.weight = 0,
        ];
        for change in changes {
            let mut changed = leaves.clone();
            change(&mut changed[1]);
            let message = "row 1 does not follow from the rows before it";
            assert_eq!(check(&changed, &proof), Err(message.to_owned()));
        }
        for (row, message) in [
            (1, "its root differs from the proof's"),
            (2, "row 2 differs from the proof's winner"),
            (3, "row 3 differs from the proof's last entrant"),
        ] {
            let mut changed = leaves.clone();
            changed[row].blinded_id = leaves[0].blinded_id;
            assert_eq!(check(&changed, &proof), Err(message.to_owned()));
        }
    }

    #[test]
    fn a_row_too_many_or_too_few_fails() {
        let (leaves, proof) = list_and_proof();
        let missing = |range| check(&leaves[range], &proof);
        assert_eq!(missing(0..3), Err("it has 3 rows instead of 4".to_owned()));
        assert_eq!(
            missing(1..4),
            Err("row 0 does not follow from the rows before it".to_owned())
        );
        let fifth = Leaf {
            index: 4,
            first_entry: 13,
            ..leaves[0]
        };
        let longer = [leaves.as_slice(), &[fifth]].concat();
        assert_eq!(
            check(&longer, &proof),
            Err("it has 5 rows instead of 4".to_owned())
        );

        let mut fewer = proof.clone();
        fewer.entries = 11;
        assert_eq!(
            check(&leaves, &fewer),
            Err("it has 12 entries instead of 11".to_owned())
        );
    }

    #[test]
    fn the_first_wrong_row_is_the_one_that_is_named() {
        let (mut leaves, proof) = list_and_proof();
        leaves[1].weight = 4;
        leaves[3].weight = 0;
        assert_eq!(
            check(&leaves, &proof),
            Err("row 2 does not follow from the rows before it".to_owned())
        );
    }
}
