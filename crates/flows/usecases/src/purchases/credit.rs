//! Crediting a purchase: one rule for the browser's confirmation, the provider's events and the reconciler.

use analytics::{Collection, NewStep, StepData, StepName};
use chrono::{DateTime, Utc};
use kernel::{Money, Session, StoreError};
use pricing::{CompleteOutcome, Intent, IntentStatus, NewPurchase, Purchase, Purchases, Reversal};
use raffle::Entrants;

/// Credits a purchase that was paid, once, and records the refunds that the payment had when the provider was asked.
pub(super) fn credit(
    tx: &mut impl Purchases,
    purchase: &Purchase,
    intent: Option<&Intent>,
    at: DateTime<Utc>,
) -> Result<CompleteOutcome, StoreError> {
    let outcome = tx.complete_purchase(purchase.id, at)?;
    if let Some(intent) = intent.filter(|intent| intent.refunded > 0) {
        tx.reverse_purchase(&intent.id, &Reversal::Refunded(intent.refunded), at)?;
    }
    Ok(outcome)
}

/// Whether this payment succeeded, was not refunded in full, and matches the purchase.
pub(super) fn pays_for(intent: &Intent, purchase: &Purchase) -> bool {
    intent.status == IntentStatus::Succeeded && !intent.is_refunded() && matches_purchase(intent, purchase)
}

/// Whether the payment is this entrant's for this purchase's package at its price.
pub(super) fn matches_purchase(intent: &Intent, purchase: &Purchase) -> bool {
    intent.entrant == Some(purchase.sold.entrant)
        && intent.amount == purchase.sold.price.cents()
        && intent.currency == Money::CURRENCY
        && intent.purchase == Some(purchase.id)
        && intent.package == Some(purchase.sold.package)
        && purchase.intent.as_ref().is_none_or(|known| *known == intent.id)
}

/// Records a step of buying in the funnel, if there is a session.
pub(super) fn record_step(
    tx: &mut (impl Entrants + Collection),
    session: Option<&Session>,
    step: StepName,
    sold: &NewPurchase,
    at: DateTime<Utc>,
) -> Result<(), StoreError> {
    let Some(session) = session else { return Ok(()) };
    let Some(buyer) = tx.find_entrant(sold.entrant)? else {
        return Ok(());
    };
    tx.record_step(&NewStep {
        session: session.clone(),
        raffle: Some(buyer.raffle),
        step,
        entrant: Some(sold.entrant),
        data: StepData::integer("packageId", sold.package.get()),
        time_spent: None,
        at,
    })
}
