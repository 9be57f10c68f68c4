//! Histories of ten thousand steps. The other suites have a short form of each.

use crate::{Store, flag_history, purchase_history};

pub fn entries_follow_flags_after_any_history<S: Store>(store: &S) {
    flag_history::entries_follow_flags_after(store, 10_000, 10);
}

pub fn entries_equal_payments_without_refunds_and_disputes<S: Store>(store: &S) {
    purchase_history::entries_equal_payments_after(store, 10_000);
}
