//! Crediting a paid purchase as one intent: what the domains of purchases and analytics store.
//!
//! There are two ways to store it, with the same result. [`credit`] calls the ports of the domains one after the other, inside a
//! transaction of the caller. [`PaidPurchases`] leaves it to the store, which can do it in one statement: nearly every purchase is
//! open, and its payment was neither refunded nor disputed.

use analytics::{Collection, NewStep, Session, StepData, StepName};
use chrono::{DateTime, Utc};
use kernel::{EntrantId, StoreError};
use pricing::{CompleteOutcome, PackageId, PurchaseId, Purchases};
use raffle::Entrants;

/// A purchase whose payment succeeded.
#[derive(Debug, Clone)]
pub struct PaidPurchase {
    /// The purchase.
    pub purchase: PurchaseId,
    /// Its buyer.
    pub entrant: EntrantId,
    /// What was bought.
    pub package: PackageId,
    /// The browser session, for the funnel; `None` when the visitor is not tracked.
    pub session: Option<Session>,
    /// When the entries are credited.
    pub at: DateTime<Utc>,
}

/// Paid purchases in a form that a store can credit in one statement.
pub trait PaidPurchases {
    /// Does what [`credit`] does if the purchase is pending or failed, and no refund or dispute of its payment is recorded.
    /// Returns whether it did. If not, nothing has changed, and [`credit`] in a transaction does what is to be done. A repetition
    /// finds a completed purchase and changes nothing.
    ///
    /// For [`kernel::UnitOfWork::statement`]. Of any number of calls at the same time, also of [`Purchases::complete_purchase`],
    /// exactly one credits the purchase.
    ///
    /// # Errors
    /// As [`Purchases::complete_purchase`].
    fn credit_at_once(&mut self, paid: &PaidPurchase) -> Result<bool, StoreError>;
}

/// Completes the purchase and records the step of the funnel.
///
/// # Errors
/// When the store fails.
pub fn credit<T>(tx: &mut T, paid: &PaidPurchase) -> Result<CompleteOutcome, StoreError>
where
    T: Purchases + Entrants + Collection,
{
    let outcome = tx.complete_purchase(paid.purchase, paid.at)?;
    if outcome != CompleteOutcome::OverCap {
        let (session, step) = (paid.session.as_ref(), StepName::PurchaseComplete);
        record_step(tx, session, paid.entrant, step, paid.package, paid.at)?;
    }
    Ok(outcome)
}

/// Records a step of buying in the funnel, if there is a session.
///
/// # Errors
/// When the store fails.
pub fn record_step(
    tx: &mut (impl Entrants + Collection),
    session: Option<&Session>,
    entrant: EntrantId,
    step: StepName,
    package: PackageId,
    at: DateTime<Utc>,
) -> Result<(), StoreError> {
    let Some(session) = session else { return Ok(()) };
    let Some(buyer) = tx.find_entrant(entrant)? else {
        return Ok(());
    };
    tx.record_step(&NewStep {
        session: session.clone(),
        raffle: Some(buyer.raffle),
        step,
        entrant: Some(entrant),
        data: StepData::integer("packageId", package.get()),
        time_spent: None,
        at,
    })
}
