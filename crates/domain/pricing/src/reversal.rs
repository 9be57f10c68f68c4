//! Refunds and disputes of a payment, and what they do to the entries that were bought with it (D8).

use crate::{DisputeId, EntryCount, PurchaseStatus, RefundId};
use kernel::Money;
use std::collections::BTreeMap;

/// The status of a dispute. The provider's events may arrive in any order, so of two statuses the greater one holds.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    strum::EnumIter,
    strum::EnumString,
    strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum DisputeStatus {
    /// The bank only asks: no money was taken, and nothing is held (D67). It may become a dispute.
    Inquiry,
    /// It is not decided: the entries are held.
    Open,
    /// It ended without a loss. The entries count again.
    Won,
    /// The money went back to the customer: the entries are taken back.
    Lost,
}

impl DisputeStatus {
    /// The name in rows.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether it is won or lost.
    pub const fn is_decided(self) -> bool {
        matches!(self, Self::Won | Self::Lost)
    }
}

/// Whether a refund stands. A refund that was made can fail days later, and then for good: of two statuses the greater one
/// holds.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    strum::EnumIter,
    strum::EnumString,
    strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum RefundStatus {
    /// The money went back, or is on its way.
    Made,
    /// The money came back to us: the refund counts as never made (D67).
    Failed,
}

impl RefundStatus {
    /// The name in rows.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// What the provider reports about money that went back, or may go back, to the customer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reversal {
    /// The amount that was refunded so far, in cents. It contains all earlier refunds of the payment, but for those that had
    /// failed by then.
    Refunded(i64),
    /// One refund, its amount in cents, and whether it stands.
    Refund(RefundId, i64, RefundStatus),
    /// A dispute, and its status.
    Dispute(DisputeId, DisputeStatus),
}

/// All that was reported about the refunds and disputes of one payment. It only grows, so that reports lead to the same
/// value in any order and however often they are repeated.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reversals {
    refunded: i64,
    refunds: BTreeMap<RefundId, (i64, RefundStatus)>,
    disputes: BTreeMap<DisputeId, DisputeStatus>,
}

impl Reversals {
    /// Adds a report. Returns what is known then: the highest amount, or the greatest status of this refund or dispute.
    pub fn record(&mut self, reversal: &Reversal) -> Reversal {
        match reversal {
            Reversal::Refunded(amount) => {
                self.refunded = self.refunded.max(*amount);
                Reversal::Refunded(self.refunded)
            }
            Reversal::Refund(id, amount, status) => {
                let new = ((*amount).max(0), *status);
                let known = self.refunds.entry(id.clone()).or_insert(new);
                *known = (known.0.max(new.0), known.1.max(new.1));
                Reversal::Refund(id.clone(), known.0, known.1)
            }
            Reversal::Dispute(id, status) => {
                let known = self.disputes.entry(id.clone()).or_insert(*status);
                *known = (*known).max(*status);
                Reversal::Dispute(id.clone(), *known)
            }
        }
    }

    /// Whether a dispute is not decided.
    pub fn has_open_dispute(&self) -> bool {
        self.disputes.values().any(|known| *known == DisputeStatus::Open)
    }

    /// The amount of refunds that failed, in cents.
    pub fn failed_refunds(&self) -> i64 {
        let failed = self
            .refunds
            .values()
            .filter(|(_, status)| *status == RefundStatus::Failed);
        failed.fold(0, |sum, (amount, _)| sum.saturating_add(*amount))
    }

    /// The amount that went back, in cents: of all refunds, those that did not fail. The provider's sum and its reports of
    /// single refunds may come in any order, and either may know more.
    fn standing(&self) -> i64 {
        let all = self
            .refunds
            .values()
            .fold(0_i64, |sum, (amount, _)| sum.saturating_add(*amount));
        (self.refunded.max(all) - self.failed_refunds()).max(0)
    }

    /// How much of this price went back, in cents: by refunds that did not fail, or all of it by a dispute that was lost.
    pub fn returned(&self, price: Money) -> i64 {
        let is_lost = self.disputes.values().any(|known| *known == DisputeStatus::Lost);
        match is_lost {
            true => price.cents(),
            false => self.standing().min(price.cents()),
        }
    }

    /// Whether an inquiry or a dispute is not decided.
    pub fn is_disputed(&self) -> bool {
        self.disputes.values().any(|known| !known.is_decided())
    }

    /// The entries that a purchase at this price has taken back and held.
    pub fn effect(&self, price: Money, entries: EntryCount) -> ReversedEntries {
        let has = |status| self.disputes.values().any(|known| *known == status);
        let refunded = self.standing();
        let is_all_taken = has(DisputeStatus::Lost) || refunded >= price.cents();
        let taken = match is_all_taken {
            true => entries.get(),
            false => entries_for(refunded, price, entries),
        };
        let held = match has(DisputeStatus::Open) {
            true => entries.get() - taken,
            false => 0,
        };
        ReversedEntries {
            taken,
            held,
            is_all_taken,
        }
    }
}

/// `entries × refunded ÷ price`, rounded up. A refund is below the price here, and both numbers are at most nine digits.
const fn entries_for(refunded: i64, price: Money, entries: EntryCount) -> i64 {
    if refunded <= 0 {
        return 0;
    }
    let product = entries.get().saturating_mul(refunded);
    product / price.cents() + (product % price.cents() > 0) as i64
}

/// The entries of a purchase that were taken back, and those that are held out of drawings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReversedEntries {
    /// Taken back.
    pub taken: i64,
    /// Held out of drawings until a dispute is decided.
    pub held: i64,
    /// Whether the whole price went back: refunded in full, or lost in a dispute.
    pub is_all_taken: bool,
}

impl ReversedEntries {
    /// The change from `before` to `self` of a credited purchase, for a buyer with these bought and held entries. No more is
    /// taken than the buyer still has, and no more is held; what a refund took that failed comes back. `None` if nothing
    /// changes.
    ///
    /// Of entries that a move took out, only the purchase says what became of them.
    pub fn change(self, before: &Reversed, paid: i64, held: i64) -> Option<EntryChange> {
        let (taken, held) = match before.is_moved_out {
            true => (self.taken - before.taken, self.held - before.held),
            false => self.bounded(before, paid, held),
        };
        let status = match self.is_all_taken {
            true => PurchaseStatus::Refunded,
            false => PurchaseStatus::Completed,
        };
        let changes = taken != 0 || held != 0 || status != before.status;
        changes.then_some(EntryChange {
            taken,
            held,
            status,
            is_moved_out: before.is_moved_out,
        })
    }

    /// How many more are taken and held, and no more than the buyer has.
    fn bounded(self, before: &Reversed, paid: i64, held: i64) -> (i64, i64) {
        let taken = (self.taken - before.taken).min(paid);
        let left_to_hold = (paid - taken - held).max(0);
        (taken, (self.held - before.held).min(left_to_hold))
    }
}

/// What earlier reports did to a purchase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reversed {
    /// Its status.
    pub status: PurchaseStatus,
    /// The entries that were taken back.
    pub taken: i64,
    /// The entries that are held.
    pub held: i64,
    /// How often something was taken back, held or given back.
    pub steps: i64,
    /// Whether the buyer has moved to another raffle since: the entries were taken out then (D56a).
    pub is_moved_out: bool,
}

impl Reversed {
    /// Whether the purchase got its entries. One that was paid too late got none, and its payment is refunded.
    pub const fn was_credited(&self) -> bool {
        match self.status {
            PurchaseStatus::Completed => true,
            PurchaseStatus::Refunded => self.steps > 0,
            _ => false,
        }
    }
}

/// How many more entries of a purchase are taken back and held, and its status then. Negative numbers give entries back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryChange {
    /// Taken back.
    pub taken: i64,
    /// Held.
    pub held: i64,
    /// The status.
    pub status: PurchaseStatus,
    /// Whether the entries were taken out before, because the buyer moved to another raffle: the ledger does not change.
    pub is_moved_out: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dispute(n: u8, status: DisputeStatus) -> Reversal {
        Reversal::Dispute(DisputeId::parse(&format!("du_{n}")).unwrap(), status)
    }

    fn effect(reversals: &[Reversal], cents: i64, entries: i64) -> (i64, i64, bool) {
        let mut all = Reversals::default();
        reversals.iter().for_each(|reversal| drop(all.record(reversal)));
        let effect = all.effect(
            Money::from_cents(cents).unwrap(),
            EntryCount::new(entries).unwrap(),
        );
        (effect.taken, effect.held, effect.is_all_taken)
    }

    fn refund(n: u8, amount: i64, status: RefundStatus) -> Reversal {
        Reversal::Refund(RefundId::parse(&format!("re_{n}")).unwrap(), amount, status)
    }

    fn reversed(status: PurchaseStatus, taken: i64, held: i64) -> Reversed {
        Reversed {
            status,
            taken,
            held,
            steps: 1,
            is_moved_out: false,
        }
    }

    #[test]
    fn what_went_back_is_at_most_the_price() {
        use DisputeStatus::{Inquiry, Lost, Open, Won};
        use RefundStatus::{Failed, Made};
        let known = |reports: &[Reversal]| {
            let mut all = Reversals::default();
            reports.iter().for_each(|report| drop(all.record(report)));
            (all.returned(Money::from_cents(500).unwrap()), all.is_disputed())
        };
        assert_eq!(known(&[]), (0, false));
        assert_eq!(known(&[Reversal::Refunded(120)]), (120, false));
        assert_eq!(known(&[Reversal::Refunded(900)]), (500, false));
        assert_eq!(
            known(&[refund(1, 120, Made), refund(2, 80, Failed)]),
            (120, false)
        );
        assert_eq!(known(&[dispute(1, Inquiry)]), (0, true));
        assert_eq!(known(&[refund(1, 120, Made), dispute(1, Open)]), (120, true));
        assert_eq!(known(&[refund(1, 120, Made), dispute(1, Won)]), (120, false));
        assert_eq!(known(&[refund(1, 120, Made), dispute(1, Lost)]), (500, false));
    }

    #[test]
    fn a_refund_that_failed_counts_as_never_made() {
        use RefundStatus::{Failed, Made};
        for (reports, expected) in [
            (vec![refund(1, 250, Made)], (10, 0, false)),
            (
                vec![Reversal::Refunded(500), refund(1, 500, Failed)],
                (0, 0, false),
            ),
            (vec![refund(1, 500, Failed), refund(1, 500, Made)], (0, 0, false)),
            (
                vec![
                    Reversal::Refunded(500),
                    refund(1, 250, Made),
                    refund(2, 250, Failed),
                ],
                (10, 0, false),
            ),
            // Refunded, failed, and refunded again in part: the provider's sum does not hold what failed.
            (
                vec![
                    Reversal::Refunded(499),
                    refund(1, 499, Failed),
                    Reversal::Refunded(200),
                    refund(2, 200, Made),
                ],
                (8, 0, false),
            ),
            (vec![refund(1, -5, Made), refund(2, 9, Failed)], (0, 0, false)),
        ] {
            assert_eq!(effect(&reports, 500, 20), expected, "{reports:?}");
        }
    }

    #[test]
    fn a_purchase_whose_refund_failed_is_completed_again() {
        let mut all = Reversals::default();
        for report in [Reversal::Refunded(500), refund(1, 500, RefundStatus::Failed)] {
            all.record(&report);
        }
        let effect = all.effect(Money::from_cents(500).unwrap(), EntryCount::new(20).unwrap());
        let change = effect.change(&reversed(PurchaseStatus::Refunded, 20, 0), 0, 0);
        let expected = EntryChange {
            taken: -20,
            held: 0,
            status: PurchaseStatus::Completed,
            is_moved_out: false,
        };
        assert_eq!(change, Some(expected));
        assert_eq!(
            effect.change(&reversed(PurchaseStatus::Completed, 0, 0), 20, 0),
            None
        );
    }

    #[test]
    fn of_entries_that_a_move_took_out_only_the_purchase_says_what_became_of_them() {
        let all = Reversals {
            refunded: 250,
            ..Reversals::default()
        };
        let effect = all.effect(Money::from_cents(500).unwrap(), EntryCount::new(20).unwrap());
        let before = Reversed {
            is_moved_out: true,
            ..reversed(PurchaseStatus::Completed, 0, 0)
        };
        let change = effect.change(&before, 0, 0).unwrap();
        assert_eq!((change.taken, change.is_moved_out), (10, true));
        assert_eq!(change.rows(crate::PurchaseId::new(1)).count(), 0);
    }

    #[test]
    fn only_a_credited_purchase_gets_entries_back() {
        let late = Reversed {
            steps: 0,
            ..reversed(PurchaseStatus::Refunded, 0, 0)
        };
        assert!(!late.was_credited() && reversed(PurchaseStatus::Refunded, 20, 0).was_credited());
        assert!(!reversed(PurchaseStatus::Refunding, 0, 0).was_credited());
    }

    #[test]
    fn a_partial_refund_takes_entries_in_proportion_rounded_up() {
        for (refunded, taken, is_all_taken) in [
            (-1, 0, false),
            (0, 0, false),
            (1, 1, false),
            (25, 1, false),
            (26, 2, false),
            (250, 10, false),
            (251, 11, false),
            (499, 20, false),
            (500, 20, true),
            (900, 20, true),
        ] {
            let effect = effect(&[Reversal::Refunded(refunded)], 500, 20);
            assert_eq!(effect, (taken, 0, is_all_taken), "{refunded}");
        }
        let most = i64::from(Money::MAX_CENTS);
        let largest = effect(&[Reversal::Refunded(most - 1)], most, i64::from(EntryCount::MAX));
        assert_eq!(largest, (1_000_000, 0, false));
    }

    #[test]
    fn several_refunds_take_what_their_sum_takes() {
        let refunds = [1, 2, 3].map(Reversal::Refunded);
        assert_eq!(
            effect(&refunds, 500, 20),
            (1, 0, false),
            "not one entry for each refund"
        );
    }

    #[test]
    fn an_open_dispute_holds_what_was_not_refunded() {
        use DisputeStatus::{Lost, Open, Won};
        let refund = Reversal::Refunded(250);
        for (disputes, expected) in [
            (vec![dispute(1, DisputeStatus::Inquiry)], (10, 0, false)),
            (
                vec![dispute(1, DisputeStatus::Inquiry), dispute(1, Open)],
                (10, 10, false),
            ),
            (vec![dispute(1, Open)], (10, 10, false)),
            (vec![dispute(1, Won)], (10, 0, false)),
            (vec![dispute(1, Lost)], (20, 0, true)),
            (vec![dispute(1, Won), dispute(2, Open)], (10, 10, false)),
            (vec![dispute(1, Open), dispute(2, Lost)], (20, 0, true)),
            (vec![dispute(1, Won), dispute(1, Open)], (10, 0, false)),
            (vec![dispute(1, Lost), dispute(1, Won)], (20, 0, true)),
        ] {
            let all = [vec![refund.clone()], disputes].concat();
            assert_eq!(effect(&all, 500, 20), expected, "{all:?}");
        }
    }

    #[test]
    fn no_more_is_taken_or_held_than_the_buyer_has() {
        let target = |taken, held| ReversedEntries {
            taken,
            held,
            is_all_taken: false,
        };
        let change = |taken, held| {
            let status = PurchaseStatus::Completed;
            Some(EntryChange {
                taken,
                held,
                status,
                is_moved_out: false,
            })
        };
        let before = |taken, held| reversed(PurchaseStatus::Completed, taken, held);
        assert_eq!(target(20, 0).change(&before(0, 0), 20, 0), change(20, 0));
        assert_eq!(target(20, 0).change(&before(0, 0), 5, 0), change(5, 0));
        assert_eq!(target(0, 20).change(&before(0, 0), 20, 0), change(0, 20));
        assert_eq!(target(0, 20).change(&before(0, 0), 5, 0), change(0, 5));
        assert_eq!(target(8, 12).change(&before(0, 20), 20, 20), change(8, -8));
        assert_eq!(target(20, 0).change(&before(8, 12), 12, 12), change(12, -12));
        assert_eq!(target(20, 0).change(&before(20, 0), 0, 0), None);
        assert_eq!(
            target(5, 0).change(&before(20, 0), 0, 0),
            change(-15, 0),
            "a refund failed"
        );
    }

    #[test]
    fn a_purchase_is_refunded_when_all_of_its_price_went_back() {
        let change = |refunded, before| {
            let mut all = Reversals::default();
            all.record(&Reversal::Refunded(refunded));
            let effect = all.effect(Money::from_cents(500).unwrap(), EntryCount::new(20).unwrap());
            let change = effect.change(&reversed(PurchaseStatus::Completed, before, 0), 20 - before, 0);
            change.map(|change| (change.taken, change.status))
        };
        assert_eq!(change(250, 0), Some((10, PurchaseStatus::Completed)));
        assert_eq!(change(500, 0), Some((20, PurchaseStatus::Refunded)));
        assert_eq!(change(499, 20), None);
        assert_eq!(
            change(500, 20),
            Some((0, PurchaseStatus::Refunded)),
            "the last cents change only the status"
        );
    }

    #[test]
    fn a_report_never_takes_back_an_earlier_one() {
        use DisputeStatus::{Lost, Open, Won};
        let mut all = Reversals::default();
        for (amount, known) in [(-5, 0), (100, 100), (250, 250), (100, 250)] {
            assert_eq!(all.record(&Reversal::Refunded(amount)), Reversal::Refunded(known));
        }
        for (reported, known) in [(Open, Open), (Won, Won), (Open, Won), (Lost, Lost), (Won, Lost)] {
            assert_eq!(
                all.record(&dispute(1, reported)),
                dispute(1, known),
                "{reported:?}"
            );
        }
        assert_eq!(all.record(&dispute(2, Open)), dispute(2, Open), "another dispute");
    }

    /// Refunds of every size, and every status of two disputes.
    fn kinds() -> Vec<Reversal> {
        use DisputeStatus::{Lost, Open, Won};
        let refunds = [0, 1, 250, 499, 500, 600].map(Reversal::Refunded);
        let statuses = [DisputeStatus::Inquiry, Open, Won, Lost];
        let disputes = [1, 2].map(|n| statuses.map(|status| dispute(n, status)));
        let single = [1, 2].map(|n| {
            let statuses = [RefundStatus::Made, RefundStatus::Failed];
            statuses.map(|status| refund(n, 250, status))
        });
        refunds
            .into_iter()
            .chain(single.into_iter().flatten())
            .chain(disputes.into_iter().flatten())
            .collect()
    }

    /// If after any history two reports may be swapped and one may be repeated, then no order and no repetition matters.
    #[test]
    fn reports_of_refunds_and_disputes_count_the_same_in_any_order() {
        let kinds = kinds();
        let two = |first: &Reversal| {
            let both = kinds.iter().map(|second| vec![first.clone(), second.clone()]);
            both.collect::<Vec<_>>()
        };
        let histories = [vec![]]
            .into_iter()
            .chain(kinds.iter().map(|kind| vec![kind.clone()]))
            .chain(kinds.iter().flat_map(two));
        for history in histories {
            let after = |more: &[&Reversal]| {
                let more: Vec<_> = more.iter().map(|kind| (*kind).clone()).collect();
                effect(&[history.as_slice(), &more].concat(), 500, 20)
            };
            for first in &kinds {
                let once = after(&[first]);
                assert!(
                    once.0 >= 0 && once.1 >= 0 && once.0 + once.1 <= 20,
                    "{history:?}, {first:?}"
                );
                assert_eq!(after(&[first, first]), once, "{history:?}, {first:?}");
                for second in &kinds {
                    assert_eq!(
                        after(&[first, second]),
                        after(&[second, first]),
                        "{history:?}, {first:?}, {second:?}"
                    );
                }
            }
        }
    }
}
