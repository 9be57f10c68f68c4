use crate::{Leaf, Proof, Tree};

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

/// Compares a list with its proof, leaf by leaf: the last check of section 8.
pub struct ListCheck<'a> {
    proof: &'a Proof,
    tree: Tree,
    entries: u64,
    fault: Option<String>,
}

impl<'a> ListCheck<'a> {
    /// Starts to compare a list with this proof.
    pub fn new(proof: &'a Proof) -> Self {
        Self {
            proof,
            tree: Tree::default(),
            entries: 0,
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
    }

    fn find_fault(&self, leaf: &Leaf) -> Option<String> {
        let row = self.tree.size();
        if leaf.index != row || leaf.first_entry.checked_sub(1) != Some(self.entries) || leaf.weight == 0 {
            return Some(format!("row {row} does not follow from the rows before it"));
        }
        for (name, proven) in [("winner", &self.proof.winner), ("last entrant", &self.proof.last)] {
            if proven.leaf.index == row && proven.leaf != *leaf {
                return Some(format!("row {row} differs from the proof's {name}"));
            }
        }
        None
    }

    /// Ends the comparison.
    ///
    /// # Errors
    /// A sentence about the first difference between the list and the proof.
    pub fn finish(self) -> Result<(), String> {
        if let Some(fault) = self.fault {
            return Err(fault);
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
            false => Err("its root differs from the proof's".to_owned()),
        }
    }
}
