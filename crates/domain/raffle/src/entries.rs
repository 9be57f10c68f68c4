use kernel::EntrantId;

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

    /// The sums of an entrant's ledger rows.
    pub fn of(rows: impl IntoIterator<Item = LedgerRow>) -> Self {
        let changes = rows.into_iter().map(|row| row.change());
        changes.fold(Self::default(), Self::plus)
    }

    /// The rows that take all of these entries out when the entrant moves to another raffle, for the `number`th time. `free`: those
    /// of the bonus entries that were claimed for free.
    pub fn moved_out(self, free: i64, number: i64) -> impl Iterator<Item = LedgerRow> {
        let taken = [
            (EntryKind::MovedBase, -self.base),
            (EntryKind::MovedReferrals, free - self.bonus),
            (EntryKind::MovedFree, -free),
            (EntryKind::MovedPaid, -self.paid),
            (EntryKind::MovedHeld, self.held),
        ];
        let rows = taken.map(|(kind, delta)| LedgerRow {
            kind,
            delta,
            cause: number,
        });
        rows.into_iter().filter(|row| row.delta != 0)
    }

    /// These entries after a change.
    pub const fn plus(self, change: Self) -> Self {
        Self {
            base: self.base.saturating_add(change.base),
            bonus: self.bonus.saturating_add(change.bonus),
            paid: self.paid.saturating_add(change.paid),
            held: self.held.saturating_add(change.held),
        }
    }
}

/// Why entries were given or taken.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum EntryKind {
    /// For entering, or for moving to another raffle. The cause is the entrant.
    Base,
    /// For somebody whom staff imported from a file. The cause is the entrant.
    Imported,
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
    /// The entrant moved to another raffle: the base entry is taken out. The cause of this and the following ones is the number
    /// of the move.
    MovedBase,
    /// The entries for friends are taken out.
    MovedReferrals,
    /// The free entries are taken out.
    MovedFree,
    /// The bought entries are taken out.
    MovedPaid,
    /// Those of the bought entries that were held are no longer held.
    MovedHeld,
}

impl EntryKind {
    /// The name in the ledger.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// What a row of this kind with a delta of 1 changes of its entrant's entries.
    pub const fn counts_as(self) -> Entries {
        let (base, bonus, paid, held) = match self {
            Self::Base | Self::Imported | Self::MovedBase => (1, 0, 0, 0),
            Self::Referral
            | Self::ReferralReversed
            | Self::ReferralRestored
            | Self::Clearing
            | Self::Free
            | Self::MovedReferrals
            | Self::MovedFree => (0, 1, 0, 0),
            Self::Purchase | Self::Refund | Self::MovedPaid => (0, 0, 1, 0),
            Self::DisputeHeld | Self::DisputeReleased | Self::MovedHeld => (0, 0, 0, -1),
        };
        Entries {
            base,
            bonus,
            paid,
            held,
        }
    }

    /// Whether rows of this kind give or take entries for friends, which a clearing of referrals takes back.
    pub const fn is_of_referrals(self) -> bool {
        matches!(
            self,
            Self::Referral
                | Self::ReferralReversed
                | Self::ReferralRestored
                | Self::Clearing
                | Self::MovedReferrals
        )
    }

    /// Whether rows of this kind give or take free entries.
    pub const fn is_of_free_entries(self) -> bool {
        matches!(self, Self::Free | Self::MovedFree)
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

impl LedgerRow {
    /// The row of an entrant who enters.
    pub const fn base(entrant: EntrantId) -> Self {
        Self::first(EntryKind::Base, entrant)
    }

    /// The row of an entrant whom staff imported.
    pub const fn imported(entrant: EntrantId) -> Self {
        Self::first(EntryKind::Imported, entrant)
    }

    const fn first(kind: EntryKind, entrant: EntrantId) -> Self {
        Self {
            kind,
            delta: Entries::NEW.base,
            cause: entrant.get(),
        }
    }

    /// The row by which a clearing takes the entries that an entrant had for referrals. `None` if there are none.
    pub fn clearing(number: i64, entries: i64) -> Option<Self> {
        (entries > 0).then_some(Self {
            kind: EntryKind::Clearing,
            delta: -entries,
            cause: number,
        })
    }

    /// What the row changes of its entrant's entries.
    pub const fn change(self) -> Entries {
        let one = self.kind.counts_as();
        Entries {
            base: one.base * self.delta,
            bonus: one.bonus * self.delta,
            paid: one.paid * self.delta,
            held: one.held * self.delta,
        }
    }
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

    const fn row(kind: EntryKind, delta: i64, cause: i64) -> LedgerRow {
        LedgerRow { kind, delta, cause }
    }

    #[test]
    fn whoever_enters_or_is_imported_has_one_entry() {
        for first in [LedgerRow::base, LedgerRow::imported] {
            assert_eq!(Entries::of([first(EntrantId::new(7))]), Entries::NEW);
        }
        assert_eq!(Entries::NEW.in_drawings(), 1);
    }

    #[test]
    fn entries_are_the_sums_of_ledger_rows() {
        let rows = [
            row(EntryKind::Base, 1, 1),
            row(EntryKind::Referral, 1, 2),
            row(EntryKind::Referral, 1, 3),
            row(EntryKind::Referral, 1, 4),
            row(EntryKind::ReferralReversed, -1, 3),
            row(EntryKind::ReferralReversed, -1, 4),
            row(EntryKind::ReferralRestored, 1, 4),
            row(EntryKind::Free, 36, 20_261_123),
            row(EntryKind::Purchase, 20, 1),
            row(EntryKind::Purchase, 10, 2),
            row(EntryKind::Refund, -20, 1),
            row(EntryKind::DisputeHeld, -10, 2),
            row(EntryKind::DisputeReleased, 4, 2),
        ];
        let entries = Entries {
            base: 1,
            bonus: 38,
            paid: 10,
            held: 6,
        };
        assert_eq!(Entries::of(rows), entries);
    }

    #[test]
    fn a_clearing_takes_what_referrals_gave_and_leaves_free_entries() {
        let rows = [
            row(EntryKind::Base, 1, 1),
            row(EntryKind::Referral, 1, 2),
            row(EntryKind::Referral, 1, 3),
            row(EntryKind::ReferralReversed, -1, 3),
            row(EntryKind::Free, 36, 20_261_123),
            row(EntryKind::Purchase, 20, 1),
        ];
        let of_referrals = rows.iter().filter(|row| row.kind.is_of_referrals());
        let taken = LedgerRow::clearing(9, of_referrals.map(|row| row.delta).sum());
        assert_eq!(taken, Some(row(EntryKind::Clearing, -1, 9)));
        assert_eq!(LedgerRow::clearing(9, 0), None);
    }

    #[test]
    fn whoever_moves_has_the_new_base_entry_and_nothing_else() {
        let rows = vec![
            row(EntryKind::Imported, 1, 1),
            row(EntryKind::Referral, 1, 2),
            row(EntryKind::Referral, 1, 3),
            row(EntryKind::ReferralReversed, -1, 3),
            row(EntryKind::Free, 36, 20_261_123),
            row(EntryKind::Purchase, 20, 1),
            row(EntryKind::DisputeHeld, -5, 1),
        ];
        let before = Entries::of(rows.clone());
        let moved: Vec<_> = before.moved_out(36, 1).collect();
        let after = [rows, moved.clone(), vec![LedgerRow::base(EntrantId::new(1))]].concat();
        assert_eq!(Entries::of(after.clone()), Entries::NEW);
        let taken: i64 = moved.iter().map(|row| row.delta).sum();
        assert_eq!(taken, -before.in_drawings());
        let of = |wanted: fn(EntryKind) -> bool| -> i64 {
            let rows = after.iter().filter(|row| wanted(row.kind));
            rows.map(|row| row.delta).sum()
        };
        assert_eq!(of(EntryKind::is_of_referrals), 0, "a clearing takes nothing");
        assert_eq!(of(EntryKind::is_of_free_entries), 0);
        assert_eq!(Entries::NEW.moved_out(0, 2).count(), 1);
    }

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
                "imported",
                "referral",
                "referral_reversed",
                "referral_restored",
                "clearing",
                "free",
                "purchase",
                "refund",
                "dispute_held",
                "dispute_released",
                "moved_base",
                "moved_referrals",
                "moved_free",
                "moved_paid",
                "moved_held"
            ]
        );
    }
}
