//! What bought and free entries write to the ledger.

use crate::{CapDate, EntryChange, EntryCount, PurchaseId};
use raffle::{EntryKind, LedgerRow};

impl PurchaseId {
    /// The row that credits the purchase.
    pub const fn credit(self, entries: EntryCount) -> LedgerRow {
        self.row(EntryKind::Purchase, entries.get())
    }

    const fn row(self, kind: EntryKind, delta: i64) -> LedgerRow {
        LedgerRow {
            kind,
            delta,
            cause: self.get(),
        }
    }
}

impl EntryChange {
    /// The rows that a refund or a dispute of a purchase adds: what is taken back, and what is held or no longer held.
    pub fn rows(self, purchase: PurchaseId) -> impl Iterator<Item = LedgerRow> {
        let held = match self.held > 0 {
            true => EntryKind::DisputeHeld,
            false => EntryKind::DisputeReleased,
        };
        let changes = [(EntryKind::Refund, -self.taken), (held, -self.held)];
        let is_in = !self.is_moved_out;
        let changes = changes.into_iter().filter(move |(_, delta)| is_in && *delta != 0);
        changes.map(move |(kind, delta)| purchase.row(kind, delta))
    }
}

impl CapDate {
    /// The row of the free entries that were claimed on this date.
    pub fn free_row(self, entries: i64) -> LedgerRow {
        LedgerRow {
            kind: EntryKind::Free,
            delta: entries,
            cause: self.cause(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EntryCap, PurchaseStatus};
    use chrono::NaiveDate;
    use raffle::Entries;

    const PURCHASE: PurchaseId = PurchaseId::new(5);

    fn change(taken: i64, held: i64) -> EntryChange {
        EntryChange {
            taken,
            held,
            status: PurchaseStatus::Completed,
            is_moved_out: false,
        }
    }

    #[test]
    fn a_credited_purchase_gives_its_entries() {
        let bought = PURCHASE.credit(EntryCount::new(20).unwrap());
        assert_eq!(Entries::of([bought]).paid, 20);
    }

    #[test]
    fn a_refund_takes_entries_and_a_dispute_holds_the_others_until_it_is_decided() {
        let bought = PURCHASE.credit(EntryCount::new(20).unwrap());
        let disputed = change(5, 15).rows(PURCHASE);
        let entries = Entries::of([bought].into_iter().chain(disputed));
        assert_eq!((entries.paid, entries.held, entries.in_drawings()), (15, 15, 0));
        let both = change(5, 15).rows(PURCHASE).chain(change(0, -15).rows(PURCHASE));
        let entries = Entries::of([bought].into_iter().chain(both));
        assert_eq!((entries.paid, entries.held, entries.in_drawings()), (15, 0, 15));
        assert_eq!(change(0, 0).rows(PURCHASE).count(), 0);
        let moved_out = EntryChange {
            is_moved_out: true,
            ..change(5, 15)
        };
        assert_eq!(moved_out.rows(PURCHASE).count(), 0);
    }

    #[test]
    fn free_entries_are_bonus_entries_of_their_date() {
        let day = NaiveDate::from_ymd_opt(2026, 11, 1).unwrap();
        let row = CapDate::first_of(day, EntryCap::DEFAULT).free_row(4);
        assert_eq!((Entries::of([row]).bonus, row.cause), (4, 20_261_101));
    }
}
