use crate::{Leaf, Proof, Tree};

/// A row of the published list, as text.
pub struct ListRow;

/// The line is not a row of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a row of a list of entrants")]
pub struct NotARow;

impl ListRow {
    /// The first line, which names the columns.
    pub const HEADER: &str = "index,firstEntry,weight,blindedId";

    /// A leaf as a line, without its end.
    pub fn write(leaf: &Leaf) -> String {
        format!(
            "{},{},{},{}",
            leaf.index, leaf.first_entry, leaf.weight, leaf.blinded_id
        )
    }

    /// The leaf that a line is.
    ///
    /// # Errors
    /// When it is none.
    pub fn read(line: &str) -> Result<Leaf, NotARow> {
        let mut cells = line.split(',');
        let mut number = || {
            let cell = cells.next()?;
            // As it is written, and not with signs or leading zeros.
            let number: u64 = cell.parse().ok()?;
            (number.to_string() == cell).then_some(number)
        };
        let numbers = (number(), number(), number());
        let (Some(index), Some(first_entry), Some(weight)) = numbers else {
            return Err(NotARow);
        };
        let blinded_id = cells.next().and_then(|cell| cell.parse().ok()).ok_or(NotARow)?;
        let leaf = Leaf {
            index,
            first_entry,
            weight,
            blinded_id,
        };
        cells.next().map_or(Ok(leaf), |_| Err(NotARow))
    }
}

/// Compares a list with a proof, leaf by leaf: the last check of section 8.
pub struct ListCheck<'a> {
    proof: &'a Proof,
    tree: Tree,
    entries: u64,
    wrong: Option<String>,
}

impl<'a> ListCheck<'a> {
    /// Of the list that belongs to this proof.
    pub fn new(proof: &'a Proof) -> Self {
        Self {
            proof,
            tree: Tree::default(),
            entries: 0,
            wrong: None,
        }
    }

    /// The next leaf of the list. After the first that is wrong, no more are looked at.
    pub fn push(&mut self, leaf: &Leaf) {
        if self.wrong.is_some() {
            return;
        }
        self.wrong = self.wrong_with(leaf);
        self.tree.push(leaf.hash());
        self.entries = self.entries.saturating_add(leaf.weight);
    }

    fn wrong_with(&self, leaf: &Leaf) -> Option<String> {
        let row = self.tree.size();
        if leaf.index != row || leaf.first_entry.checked_sub(1) != Some(self.entries) || leaf.weight == 0 {
            return Some(format!("row {row} does not follow from the rows before it"));
        }
        for (name, proven) in [("winner", &self.proof.winner), ("last entrant", &self.proof.last)] {
            if proven.leaf.index == row && proven.leaf != *leaf {
                return Some(format!("row {row} is not the proof's {name}"));
            }
        }
        None
    }

    /// Whether the whole list was the proof's.
    ///
    /// # Errors
    /// What is wrong with it first, in words.
    pub fn finish(self) -> Result<(), String> {
        if let Some(wrong) = self.wrong {
            return Err(wrong);
        }
        let (size, expected) = (self.tree.size(), self.proof.record.participants);
        if size != expected {
            return Err(format!("it has {size} rows instead of {expected}"));
        }
        let expected = self.proof.record.entries;
        if self.entries != expected {
            return Err(format!("it has {} entries instead of {expected}", self.entries));
        }
        match self.tree.root() == Some(self.proof.record.root) {
            true => Ok(()),
            false => Err("its root is another one".to_owned()),
        }
    }
}
