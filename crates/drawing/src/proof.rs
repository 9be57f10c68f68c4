use crate::{Hash, Leaf, Record, is_included, winning_entry_number};
use std::num::NonZeroU64;
use strum::IntoEnumIterator;

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

/// Everything needed to check a drawing, except the list: section 1.7.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// The record of the drawing.
    pub record: Record,
    /// The winner's leaf.
    pub winner: ProvenLeaf,
    /// The last leaf, which proves the size of the list.
    pub last: ProvenLeaf,
    /// The hash of the record.
    pub verification_hash: Hash,
    /// The hash of the drawing's entry in the log.
    pub audit_log_hash: Hash,
    /// The last four digits of the winner's phone number, until the person is erased. No check covers them.
    pub winner_last4: Option<String>,
}

/// One check of a proof, in the order of section 1.8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter)]
pub enum Check {
    /// The seed is the one that was committed to.
    Commitment,
    /// The winner was on the list.
    WinnerIncluded,
    /// The list has as many entrants and entries as the record claims.
    Totals,
    /// The winning number follows from the seed and the list.
    WinningNumber,
    /// The winner holds the winning entry.
    WinnerHoldsEntry,
    /// The verification hash is the hash of the record.
    VerificationHash,
}

impl Check {
    /// The statement that the check proves.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Commitment => "the seed is the one that was committed to",
            Self::WinnerIncluded => "the winner's leaf is under the root",
            Self::Totals => "the last leaf is under the root, and gives the totals",
            Self::WinningNumber => "the winning entry number follows from the seed and the root",
            Self::WinnerHoldsEntry => "the winner holds that entry",
            Self::VerificationHash => "the verification hash sums up this drawing",
        }
    }
}

impl Proof {
    /// Every check, and whether it passes.
    pub fn checks(&self) -> Vec<(Check, bool)> {
        Check::iter().map(|check| (check, self.passes(check))).collect()
    }

    /// Whether all checks pass.
    pub fn is_valid(&self) -> bool {
        Check::iter().all(|check| self.passes(check))
    }

    fn passes(&self, check: Check) -> bool {
        let record = &self.record;
        match check {
            Check::Commitment => record.seed.commitment() == record.commitment,
            Check::WinnerIncluded => self.winner.is_under(&record.root, record.participants),
            Check::Totals => self.totals_hold(),
            Check::WinningNumber => NonZeroU64::new(record.entries).is_some_and(|entries| {
                winning_entry_number(&record.seed, &record.root, record.participants, entries)
                    == record.winning_entry_number
            }),
            Check::WinnerHoldsEntry => self.winner.leaf.holds(record.winning_entry_number),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::list_and_proof;
    use crate::{Hash, Seed};
    use Check::*;

    /// The checks that fail after a change to a valid proof.
    fn failed(change: fn(&mut Proof)) -> Vec<Check> {
        let (_, mut proof) = list_and_proof();
        change(&mut proof);
        let checks = proof.checks();
        assert_eq!(checks.len(), Check::iter().count());
        let failed: Vec<Check> = checks
            .into_iter()
            .filter_map(|(check, holds)| (!holds).then_some(check))
            .collect();
        assert_eq!(proof.is_valid(), failed.is_empty());
        failed
    }

    #[test]
    fn every_check_of_a_valid_proof_holds() {
        assert_eq!(failed(|_| ()), []);
    }

    #[test]
    fn each_change_fails_the_checks_that_depend_on_it() {
        assert_eq!(
            failed(|proof| proof.record.commitment = Hash::ZERO),
            [Commitment, VerificationHash]
        );
        assert_eq!(
            failed(|proof| proof.record.seed = Seed::new([255; 32])),
            [Commitment, WinningNumber, VerificationHash]
        );
        assert_eq!(
            failed(|proof| proof.record.root = Hash::ZERO),
            [WinnerIncluded, Totals, WinningNumber, VerificationHash]
        );
        assert_eq!(
            failed(|proof| proof.record.winning_entry_number = 1),
            [WinningNumber, WinnerHoldsEntry, VerificationHash]
        );
        assert_eq!(
            failed(|proof| proof.record.entries = 0),
            [Totals, WinningNumber, VerificationHash]
        );
        assert_eq!(
            failed(|proof| proof.verification_hash = Hash::ZERO),
            [VerificationHash]
        );
        assert_eq!(failed(|proof| proof.winner.leaf.weight += 1), [WinnerIncluded]);
        assert_eq!(failed(|proof| proof.winner.path.clear()), [WinnerIncluded]);
        assert_eq!(
            failed(|proof| proof.winner = proof.last.clone()),
            [WinnerHoldsEntry]
        );
    }

    #[test]
    fn the_totals_hold_only_for_the_last_leaf_of_the_tree() {
        assert_eq!(failed(|proof| proof.last = proof.winner.clone()), [Totals]);
        assert_eq!(failed(|proof| proof.last.path.clear()), [Totals]);
        // A leaf that would fit the totals and is not in the tree.
        assert_eq!(
            failed(|proof| {
                proof.last.leaf.first_entry -= 1;
                proof.last.leaf.weight += 1;
            }),
            [Totals]
        );
    }

    #[test]
    fn each_check_has_its_sentence() {
        let sentences: Vec<_> = Check::iter().map(Check::sentence).collect();
        let expected = [
            "the seed is the one that was committed to",
            "the winner's leaf is under the root",
            "the last leaf is under the root, and gives the totals",
            "the winning entry number follows from the seed and the root",
            "the winner holds that entry",
            "the verification hash sums up this drawing",
        ];
        assert_eq!(sentences, expected);
    }
}
