/// An entrant's entries by source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Entries {
    /// For entering: 1.
    pub base: i64,
    /// For friends who entered through the link: 1 each.
    pub bonus: i64,
    /// Bought.
    pub paid: i64,
}

impl Entries {
    /// The entries of a new entrant.
    pub const NEW: Self = Self {
        base: 1,
        bonus: 0,
        paid: 0,
    };

    /// All entries together.
    pub const fn total(self) -> i64 {
        self.base.saturating_add(self.bonus).saturating_add(self.paid)
    }

    /// Sums the ledger rows of one entrant.
    pub fn from_ledger(rows: impl IntoIterator<Item = LedgerRow>) -> Self {
        let mut entries = Self::default();
        for row in rows {
            let sum = match row.kind {
                EntryKind::Base => &mut entries.base,
                EntryKind::Referral | EntryKind::Clearing => &mut entries.bonus,
                EntryKind::Purchase | EntryKind::Refund => &mut entries.paid,
            };
            *sum = sum.saturating_add(row.delta);
        }
        entries
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
    /// Staff cleared the referrals; their entries are taken back. The cause is the number of the clearing.
    Clearing,
    /// Bought. The cause is the purchase.
    Purchase,
    /// A purchase was refunded; its entries are taken back. The cause is the purchase.
    Refund,
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
    /// The id of the cause. One cause is credited once.
    pub cause: i64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use strum::IntoEnumIterator;

    #[test]
    fn entries_are_the_sums_of_ledger_rows() {
        let row = |kind, delta, cause| LedgerRow { kind, delta, cause };
        let rows = [
            row(EntryKind::Base, 1, 1),
            row(EntryKind::Referral, 1, 2),
            row(EntryKind::Referral, 1, 3),
            row(EntryKind::Purchase, 20, 1),
            row(EntryKind::Purchase, 10, 2),
            row(EntryKind::Refund, -20, 1),
        ];
        let entries = Entries::from_ledger(rows);
        assert_eq!(
            entries,
            Entries {
                base: 1,
                bonus: 2,
                paid: 10
            }
        );
        assert_eq!(entries.total(), 13);
        assert_eq!(Entries::from_ledger([row(EntryKind::Base, 1, 1)]), Entries::NEW);
    }

    #[test]
    fn names_match_the_ledger() {
        let names: Vec<_> = EntryKind::iter().map(EntryKind::as_str).collect();
        assert_eq!(names, ["base", "referral", "clearing", "purchase", "refund"]);
    }
}
