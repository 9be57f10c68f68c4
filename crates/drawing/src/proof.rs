use crate::{Hash, Leaf, Record, is_included, winning_entry_number};
use std::num::NonZeroU64;
use strum::IntoEnumIterator;

/// A leaf, and the way from it to the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProvenLeaf {
    /// The leaf.
    pub leaf: Leaf,
    /// The hashes beside the way up, the lowest first.
    pub path: Vec<Hash>,
}

impl ProvenLeaf {
    /// Whether the way ends at this root over so many leaves.
    pub fn is_under(&self, root: &Hash, size: u64) -> bool {
        is_included(self.leaf.hash(), self.leaf.index, size, &self.path, root)
    }
}

/// Everything that it takes to check a drawing, but the list: section 7.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// What the drawing was.
    pub record: Record,
    /// The winner's leaf.
    pub winner: ProvenLeaf,
    /// The last leaf, which shows how many there are.
    pub last: ProvenLeaf,
    /// The hash that sums the drawing up.
    pub verification_hash: Hash,
    /// The hash of the log's entry.
    pub audit_log_hash: Hash,
    /// The last four digits of the winner's phone number.
    pub winner_last4: String,
}

/// What is checked of a proof, in the order of section 8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter)]
pub enum Check {
    /// The seed is the one that was committed to.
    Commitment,
    /// The winner was on the list.
    WinnerIncluded,
    /// The list has as many entrants and entries as is said.
    Totals,
    /// The winning number follows from the seed and the list.
    WinningNumber,
    /// The winner holds that number.
    WinnerHoldsIt,
    /// The verification hash is that of all this.
    VerificationHash,
}

impl Check {
    /// What it says when it holds.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Commitment => "the seed is the one that was committed to",
            Self::WinnerIncluded => "the winner's leaf is under the root",
            Self::Totals => "the last leaf is under the root, and gives the totals",
            Self::WinningNumber => "the winning entry number follows from the seed and the root",
            Self::WinnerHoldsIt => "the winner holds that entry",
            Self::VerificationHash => "the verification hash sums up this drawing",
        }
    }
}

impl Proof {
    /// Every check, and whether it holds.
    pub fn checks(&self) -> Vec<(Check, bool)> {
        Check::iter().map(|check| (check, self.holds(check))).collect()
    }

    /// Whether all of them hold.
    pub fn is_valid(&self) -> bool {
        Check::iter().all(|check| self.holds(check))
    }

    fn holds(&self, check: Check) -> bool {
        let record = &self.record;
        match check {
            Check::Commitment => record.seed.commitment() == record.commitment,
            Check::WinnerIncluded => self.winner.is_under(&record.root, record.participants),
            Check::Totals => self.totals_hold(),
            Check::WinningNumber => NonZeroU64::new(record.entries).is_some_and(|entries| {
                winning_entry_number(&record.seed, &record.root, record.participants, entries)
                    == record.winning_entry_number
            }),
            Check::WinnerHoldsIt => self.winner.leaf.holds(record.winning_entry_number),
            Check::VerificationHash => record.verification_hash() == self.verification_hash,
        }
    }

    fn totals_hold(&self) -> bool {
        let (record, leaf) = (&self.record, &self.last.leaf);
        leaf.index.checked_add(1) == Some(record.participants)
            && leaf.first_entry.checked_add(leaf.weight) == record.entries.checked_add(1)
            && self.last.is_under(&record.root, record.participants)
    }
}
