//! Crediting a purchase: one rule for the browser's confirmation, the provider's events and the reconciler.

use crate::drawings::{DrawingTimes, has_list_to_come};
use analytics::{Collection, NewStep, StepData, StepName};
use chrono::{DateTime, Utc};
use drawing::steps::DrawingSteps;
use kernel::{Money, Session, StoreError};
use pricing::{CompleteOutcome, Intent, IntentStatus, NewPurchase, Purchase, Purchases, Reversal};
use raffle::{Entrants, HeldRaffles, Raffles};

/// The store ports that crediting a purchase uses. Every type that implements them implements this.
pub trait CreditTx: Raffles + Entrants + Purchases + DrawingSteps {}

impl<T: Raffles + Entrants + Purchases + DrawingSteps> CreditTx for T {}

/// What a transaction knows that credits purchases. Make it first in the transaction.
pub(super) struct Crediting {
    held: HeldRaffles,
    times: DrawingTimes,
    at: DateTime<Utc>,
}

/// What became of a purchase that was paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Credited {
    /// What the purchase's own status and the cap led to.
    As(CompleteOutcome),
    /// The last drawing of its raffle is sealed: the payment is refunded.
    TooLate,
}

impl Crediting {
    pub(super) fn begin(
        tx: &mut impl Raffles,
        times: DrawingTimes,
        at: DateTime<Utc>,
    ) -> Result<Self, StoreError> {
        let held = tx.hold_raffles()?;
        Ok(Self { held, times, at })
    }

    /// Whether entries that the buyer gets now can still be drawn.
    fn can_be_drawn(&self, tx: &impl CreditTx, purchase: &Purchase) -> Result<bool, StoreError> {
        // Nobody can buy who was erased, and an open purchase stands against an erasure.
        let Some(buyer) = tx.find_entrant(purchase.sold.entrant)? else {
            return Ok(true);
        };
        let raffle = self.held.raffles.find(buyer.raffle);
        let raffle = raffle.ok_or_else(|| StoreError::corrupt("users", "landing_page", buyer.id.get()))?;
        has_list_to_come(tx, self.times, raffle, self.held.since)
    }
}

/// Credits a purchase that was paid, once, and records the refunds that the payment had when the provider was asked. A payment
/// that comes after the last drawing of its raffle was sealed is refunded (D56b).
pub(super) fn credit(
    tx: &mut impl CreditTx,
    crediting: &Crediting,
    purchase: &Purchase,
    intent: Option<&Intent>,
) -> Result<Credited, StoreError> {
    let at = crediting.at;
    if !crediting.can_be_drawn(tx, purchase)? && tx.refuse_purchase(purchase.id, at)? {
        return Ok(Credited::TooLate);
    }
    let outcome = tx.complete_purchase(purchase.id, at)?;
    if let Some(intent) = intent.filter(|intent| intent.refunded > 0) {
        tx.reverse_purchase(&intent.id, &Reversal::Refunded(intent.refunded), at)?;
    }
    Ok(Credited::As(outcome))
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
