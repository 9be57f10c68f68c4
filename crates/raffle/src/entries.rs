/// An entrant's entries by source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Entries {
    /// For entering: 1.
    pub base: i64,
    /// For friends who entered through the link and are not flagged, 1 each, and free ones.
    pub bonus: i64,
    /// Bought.
    pub paid: i64,
    /// Those of the bought entries that a dispute holds out of drawings.
    pub held: i64,
}

impl Entries {
    /// The entries of a new entrant.
    pub const NEW: Self = Self {
        base: 1,
        bonus: 0,
        paid: 0,
        held: 0,
    };

    /// All entries together, as the entrant sees them: also those that are held.
    pub const fn total(self) -> i64 {
        self.base.saturating_add(self.bonus).saturating_add(self.paid)
    }

    /// The entries that take part in drawings.
    pub const fn in_drawings(self) -> i64 {
        self.total().saturating_sub(self.held)
    }
}

/// Why entries were given or taken.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum EntryKind {
    /// For entering. The cause is the entrant.
    Base,
    /// For a friend who entered through the link. The cause is the friend.
    Referral,
    /// The friend was flagged; the entry for them is taken back. The cause is the friend.
    ReferralReversed,
    /// The friend's flag was removed; the entry is given back. The cause is the friend.
    ReferralRestored,
    /// Staff cleared the referrals; their entries are taken back. The cause is the number of the clearing.
    Clearing,
    /// Claimed for free. The cause is the date of the claim as a number, such as 20261123.
    Free,
    /// Bought. The cause is the purchase.
    Purchase,
    /// A purchase was refunded, in full or in part, or lost in a dispute; its entries are taken back. The cause is the
    /// purchase.
    Refund,
    /// A dispute holds the entries of a purchase out of drawings. The cause is the purchase.
    DisputeHeld,
    /// Entries that were held are no longer held. The cause is the purchase.
    DisputeReleased,
}

impl EntryKind {
    /// The name in the ledger.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// One row of the entry ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LedgerRow {
    /// Why entries were given or taken.
    pub kind: EntryKind,
    /// How many entries were given; negative when taken.
    pub delta: i64,
    /// The id of the cause. One cause is credited once; a purchase may have several refunds and disputes, and a friend
    /// several flags.
    pub cause: i64,
}

/// The state of the ledger at a time, by which a later change of its rows shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LedgerCheckpoint {
    /// How many rows it had.
    pub rows: i64,
    /// The sum of their deltas.
    pub sum: i64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use strum::IntoEnumIterator;

    #[test]
    fn held_entries_take_no_part_in_drawings() {
        let entries = Entries {
            base: 1,
            bonus: 38,
            paid: 10,
            held: 6,
        };
        assert_eq!((entries.total(), entries.in_drawings()), (49, 43));
    }

    #[test]
    fn names_match_the_ledger() {
        let names: Vec<_> = EntryKind::iter().map(EntryKind::as_str).collect();
        assert_eq!(
            names,
            [
                "base",
                "referral",
                "referral_reversed",
                "referral_restored",
                "clearing",
                "free",
                "purchase",
                "refund",
                "dispute_held",
                "dispute_released"
            ]
        );
    }
}
