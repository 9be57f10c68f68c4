//! What a list is made of, and who is not on it (D39).

/// How many entrants with entries from before the cut-off are left out of a list, by reason. Each entrant is counted
/// for the first reason that applies, in the order of the fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LeftOut {
    /// Flagged: all their entries are left out.
    pub flagged: u64,
    /// Those of the flagged whose flag is from the 48 hours before the list was frozen.
    pub flagged_last_48_hours: u64,
    /// Duplicates of another entrant. 0 until the store knows duplicates.
    pub duplicate: u64,
    /// A dispute holds some of their entries, or all of them. Whoever has others is on the list with those.
    pub disputed: u64,
}

/// The entries of a list by their kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EntriesByKind {
    /// For entering.
    pub base: u64,
    /// For friends, without those that were taken back.
    pub bonus: u64,
    /// Bought, without those that were taken back or are held.
    pub purchased: u64,
}

impl EntriesByKind {
    /// All entries together: `totalEntries`.
    pub const fn total(&self) -> u64 {
        self.base
            .saturating_add(self.bonus)
            .saturating_add(self.purchased)
    }
}
