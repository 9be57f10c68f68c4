//! Crediting a paid purchase in one call and step by step.

use crate::Store;
use crate::purchases::{at, begun, dispute, found, purchase_with_status, reverse};
use crate::support::{assert_balanced, at_once, entered, entered_through, fold, ledger_of};
use analytics::{Figures, FunnelFilter, Session, StepName};
use kernel::EntrantId;
use paid_purchase::{PaidPurchase, PaidPurchases, credit};
use pricing::{CompleteOutcome, DisputeStatus, PackageId, PurchaseId, PurchaseStatus, Reversal};
use raffle::Entrants;
use strum::IntoEnumIterator;

fn paid(purchase: PurchaseId, entrant: EntrantId, session: Option<&str>) -> PaidPurchase {
    PaidPurchase {
        purchase,
        entrant,
        package: PackageId::new(1),
        session: session.map(|name| Session::parse(name).unwrap()),
        at: at(10),
    }
}

fn in_one_call<S: Store>(store: &S, paid: &PaidPurchase) -> bool {
    store.statement(|tx| tx.credit_at_once(paid)).unwrap()
}

fn in_steps<S: Store>(store: &S, paid: &PaidPurchase) -> CompleteOutcome {
    store.transaction(|tx| credit(tx, paid)).unwrap()
}

fn paid_entries<S: Store>(store: &S, entrant: EntrantId) -> i64 {
    let found = store.read(|tx| tx.find_entrant(entrant)).unwrap();
    found.unwrap().entries.paid
}

/// How many sessions completed a purchase.
fn buyers<S: Store>(store: &S) -> i64 {
    fold(store);
    let funnel = store.snapshot(|tx| tx.funnel(&FunnelFilter::default())).unwrap();
    let step = funnel.steps.get(&StepName::PurchaseComplete);
    step.map_or(0, |figures| figures.count)
}

pub fn one_call_credits_what_the_steps_credit<S: Store>(store: &S) {
    let popular = entered(store, 1);
    let friends = [10, 11].map(|n| entered_through(store, n, &popular.referral_code));
    for (n, session) in [None, Some("a session"), Some("another one")]
        .into_iter()
        .enumerate()
    {
        let [one, other] = friends.each_ref().map(|friend| {
            let id = begun(store, friend.id, 20);
            paid(id, friend.id, session)
        });
        let before = buyers(store);
        assert!(in_one_call(store, &one));
        let after = buyers(store);
        assert_eq!(after - before, i64::from(session.is_some()));
        assert_eq!(in_steps(store, &other), CompleteOutcome::Credited);
        assert_eq!(buyers(store), after, "the session has taken this step before");
        assert_eq!(found(store, one.purchase).status, PurchaseStatus::Completed);
        for friend in &friends {
            assert_eq!(paid_entries(store, friend.id), 20 * (n as i64 + 1));
        }
    }
    let ledgers = friends.map(|friend| {
        let rows = store.read(|tx| ledger_of(tx, friend.id)).unwrap().into_iter();
        rows.map(|row| (row.kind, row.delta)).collect::<Vec<_>>()
    });
    assert_eq!(ledgers[0], ledgers[1]);
    assert_balanced(store);
}

pub fn one_call_changes_only_open_purchases<S: Store>(store: &S) {
    for (n, status) in PurchaseStatus::iter().enumerate() {
        let entrant = entered(store, 10 + n as u32);
        let id = purchase_with_status(store, entrant.id, status);
        let before = paid_entries(store, entrant.id);
        let is_open = matches!(status, PurchaseStatus::Pending | PurchaseStatus::Failed);
        assert_eq!(
            in_one_call(store, &paid(id, entrant.id, Some("one"))),
            is_open,
            "{status:?}"
        );
        let now = found(store, id).status;
        assert_eq!(
            now,
            if is_open {
                PurchaseStatus::Completed
            } else {
                status
            }
        );
        assert_eq!(paid_entries(store, entrant.id) != before, is_open, "{status:?}");
    }
    assert!(!in_one_call(
        store,
        &paid(PurchaseId::new(i64::MAX), EntrantId::new(1), None)
    ));
    assert_balanced(store);
}

pub fn one_call_leaves_refunds_and_disputes_to_the_steps<S: Store>(store: &S) {
    let entrant = entered(store, 1);
    let refunded = begun(store, entrant.id, 20);
    reverse(store, refunded, &Reversal::Refunded(100));
    let disputed = begun(store, entrant.id, 20);
    reverse(store, disputed, &dispute(disputed, DisputeStatus::Open));
    for id in [refunded, disputed] {
        let paid = paid(id, entrant.id, Some("one"));
        assert!(!in_one_call(store, &paid));
        assert_eq!(found(store, id).status, PurchaseStatus::Pending);
        assert_eq!(in_steps(store, &paid), CompleteOutcome::Credited);
    }
    assert!(paid_entries(store, entrant.id) < 40);
    assert_balanced(store);
}

pub fn a_purchase_is_credited_by_one_of_many_calls<S: Store>(store: &S) {
    let entrant = entered(store, 1);
    let id = begun(store, entrant.id, 20);
    let paid = paid(id, entrant.id, Some("one"));
    let credited = at_once(8, |n| match n % 2 {
        0 => in_one_call(store, &paid),
        _ => in_steps(store, &paid) == CompleteOutcome::Credited,
    });
    assert_eq!(credited.iter().filter(|credited| **credited).count(), 1);
    assert_eq!(paid_entries(store, entrant.id), 20);
    assert_eq!(buyers(store), 1);
    assert_balanced(store);
}

/// A refund is recorded while the purchase is credited: in any order, what was refunded is taken.
pub fn a_refund_beside_one_call_takes_its_entries<S: Store>(store: &S) {
    let entrant = entered(store, 1);
    for _ in 0..10 {
        let id = begun(store, entrant.id, 20);
        let paid = paid(id, entrant.id, None);
        at_once(2, |n| match n {
            0 => drop(reverse(store, id, &Reversal::Refunded(500))),
            _ => {
                if !in_one_call(store, &paid) {
                    in_steps(store, &paid);
                }
            }
        });
        assert_eq!(found(store, id).status, PurchaseStatus::Refunded);
        assert_eq!(paid_entries(store, entrant.id), 0);
    }
    assert_balanced(store);
}
