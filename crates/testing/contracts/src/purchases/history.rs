//! Random histories of purchases.

use super::{PRICE, begun, complete, dispute, end, entries, found, reverse};
use crate::Store;
use crate::support::{SeededEntropy, assert_balanced, clear, enter, fold, phone};
use PurchaseStatus::{Canceled, Completed, Failed, Pending, Refunded};
use analytics::Figures;
use kernel::Money;
use pricing::{DisputeStatus, EntryCount, PurchaseId, PurchaseStatus, Reversal, Reversals, ReversedEntries};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use raffle::Entrant;
use staff::ClearingKind;
use std::cell::RefCell;

/// An event in a history. Indexes count from the newest entrant or purchase.
#[derive(Debug, Clone)]
enum Act {
    Enter { through: Option<usize> },
    Begin { buyer: usize, entries: i64 },
    Complete(usize),
    Refund(usize, i64),
    Dispute(usize, DisputeStatus),
    End(usize, PurchaseStatus),
    Clear,
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let which = 0..6usize;
    let status = prop::sample::select(vec![
        DisputeStatus::Open,
        DisputeStatus::Open,
        DisputeStatus::Won,
        DisputeStatus::Lost,
    ]);
    let act = prop_oneof![
        2 => prop::option::of(which.clone()).prop_map(|through| Act::Enter { through }),
        5 => (which.clone(), 1..50i64).prop_map(|(buyer, entries)| Act::Begin { buyer, entries }),
        6 => which.clone().prop_map(Act::Complete),
        4 => (which.clone(), 0..=PRICE).prop_map(|(n, cents)| Act::Refund(n, cents)),
        1 => which.clone().prop_map(|n| Act::Refund(n, PRICE)),
        3 => (which.clone(), status).prop_map(|(n, status)| Act::Dispute(n, status)),
        2 => which.clone().prop_map(|n| Act::End(n, Failed)),
        1 => which.prop_map(|n| Act::End(n, Canceled)),
        1 => Just(Act::Clear),
    ];
    prop::collection::vec(act, 0..50)
}

#[derive(Default)]
struct Model {
    entrants: Vec<ModelEntrant>,
    purchases: Vec<ModelPurchase>,
}

struct ModelEntrant {
    entrant: Entrant,
    referrer: Option<usize>,
    converted: bool,
}

struct ModelPurchase {
    id: PurchaseId,
    buyer: usize,
    entries: i64,
    status: PurchaseStatus,
    reversals: Reversals,
}

impl ModelPurchase {
    fn end_if_all_is_taken(&mut self) {
        if self.status == Completed && self.reversed().is_all_taken {
            self.status = Refunded;
        }
    }

    /// Nothing is taken or held before the purchase is credited.
    fn reversed(&self) -> ReversedEntries {
        let price = Money::from_cents(PRICE).unwrap();
        match self.status {
            Completed | Refunded => self
                .reversals
                .effect(price, EntryCount::new(self.entries).unwrap()),
            _ => ReversedEntries::default(),
        }
    }
}

fn nth_newest(count: usize, n: usize) -> Option<usize> {
    count.checked_sub(n + 1)
}

impl Model {
    fn perform<S: Store>(&mut self, store: &S, entropy: &SeededEntropy, act: &Act) {
        let newest_entrant = |n| nth_newest(self.entrants.len(), n);
        match *act {
            Act::Enter { through } => {
                let referrer = through.and_then(newest_entrant);
                let code = referrer.map(|n| self.entrants[n].entrant.referral_code.clone());
                let number = u32::try_from(self.entrants.len()).unwrap();
                let entered = enter(store, entropy, phone(number), code.as_ref()).unwrap();
                self.entrants.push(ModelEntrant {
                    entrant: entered.entrant,
                    referrer,
                    converted: false,
                });
            }
            Act::Begin { buyer, entries } => {
                if let Some(buyer) = newest_entrant(buyer) {
                    let id = begun(store, self.entrants[buyer].entrant.id, entries);
                    self.purchases.push(ModelPurchase {
                        id,
                        buyer,
                        entries,
                        status: Pending,
                        reversals: Reversals::default(),
                    });
                }
            }
            Act::Complete(n) => self.change_status(n, Completed, |id| complete(store, id)),
            Act::Refund(n, cents) => self.reverse(store, n, |_| Reversal::Refunded(cents)),
            Act::Dispute(n, status) => self.reverse(store, n, |id| dispute(id, status)),
            Act::End(n, status) => self.change_status(n, status, |id| end(store, id, status)),
            Act::Clear => {
                clear(store, ClearingKind::ClearReferrals);
                self.entrants.iter_mut().for_each(|member| member.referrer = None);
            }
        }
    }

    fn change_status(&mut self, n: usize, status: PurchaseStatus, change: impl FnOnce(PurchaseId) -> bool) {
        let Some(n) = nth_newest(self.purchases.len(), n) else {
            return;
        };
        let purchase = &mut self.purchases[n];
        // A refunded purchase is completed again by a refund that failed, not by a payment.
        let is_allowed = purchase.status != Refunded && purchase.status.may_become(status);
        assert_eq!(
            change(purchase.id),
            is_allowed,
            "{:?} to {status:?}",
            purchase.status
        );
        if is_allowed {
            purchase.status = status;
            self.entrants[purchase.buyer].converted |= status == Completed;
            purchase.end_if_all_is_taken();
        }
    }

    fn reverse<S: Store>(&mut self, store: &S, n: usize, report: impl FnOnce(PurchaseId) -> Reversal) {
        let Some(n) = nth_newest(self.purchases.len(), n) else {
            return;
        };
        let purchase = &mut self.purchases[n];
        let before = (purchase.status, purchase.reversed());
        let reversal = report(purchase.id);
        purchase.reversals.record(&reversal);
        purchase.end_if_all_is_taken();
        let changes = before != (purchase.status, purchase.reversed());
        assert_eq!(reverse(store, purchase.id, &reversal), changes, "{reversal:?}");
    }

    /// The entrant's bought entries, and those that are held.
    fn paid_and_held(&self, buyer: usize) -> (i64, i64) {
        let bought = self.purchases.iter().filter(|purchase| purchase.buyer == buyer);
        bought.fold((0, 0), |(paid, held), purchase| {
            let reversed = purchase.reversed();
            let credited = match purchase.status {
                Completed | Refunded => purchase.entries,
                _ => 0,
            };
            (paid + credited - reversed.taken, held + reversed.held)
        })
    }

    fn conversions(&self, referrer: usize) -> i64 {
        let friends = self
            .entrants
            .iter()
            .filter(|member| member.referrer == Some(referrer));
        i64::try_from(friends.filter(|member| member.converted).count()).unwrap()
    }
}

/// Paid entries are those of completed purchases without what was taken back, and open disputes hold theirs.
pub fn paid_and_held_entries_follow_purchases_after_any_history<S: Store>(store: &S) {
    let config = ProptestConfig {
        cases: 24,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let entropy = SeededEntropy::new(8);
    let model = RefCell::new(Model::default());
    let check = |acts: Vec<Act>| {
        let model = &mut *model.borrow_mut();
        for act in &acts {
            model.perform(store, &entropy, act);
        }
        for (n, member) in model.entrants.iter().enumerate() {
            let entries = entries(store, member.entrant.id);
            prop_assert_eq!((entries.paid, entries.held), model.paid_and_held(n));
        }
        for purchase in &model.purchases {
            prop_assert_eq!(found(store, purchase.id).status, purchase.status);
        }
        fold(store);
        let figures = store.snapshot(|tx| tx.dashboard(3)).unwrap();
        for row in &figures.referral_funnel {
            let referrer = model
                .entrants
                .iter()
                .position(|member| member.entrant.referral_code == row.referral_code);
            prop_assert_eq!(row.conversions, model.conversions(referrer.unwrap()));
        }
        assert_balanced(store);
        Ok(())
    };
    TestRunner::new(config).run(&acts(), check).unwrap();
}
