//! What the counters of an entrant must be.

use raffle::{Entries, EntryKind, LedgerRow};

/// Sums the ledger rows of one entrant.
pub(crate) fn entries_of(rows: impl IntoIterator<Item = LedgerRow>) -> Entries {
    let mut entries = Entries::default();
    for row in rows {
        let (sum, delta) = match row.kind {
            EntryKind::Base => (&mut entries.base, row.delta),
            EntryKind::Referral
            | EntryKind::ReferralReversed
            | EntryKind::ReferralRestored
            | EntryKind::Clearing
            | EntryKind::Free => (&mut entries.bonus, row.delta),
            EntryKind::Purchase | EntryKind::Refund => (&mut entries.paid, row.delta),
            EntryKind::DisputeHeld | EntryKind::DisputeReleased => (&mut entries.held, -row.delta),
        };
        *sum = sum.saturating_add(delta);
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_the_sums_of_ledger_rows() {
        let row = |kind, delta, cause| LedgerRow { kind, delta, cause };
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
        let entries = entries_of(rows);
        assert_eq!(
            entries,
            Entries {
                base: 1,
                bonus: 38,
                paid: 10,
                held: 6,
            }
        );
        assert_eq!(entries_of([row(EntryKind::Base, 1, 1)]), Entries::NEW);
    }
}
