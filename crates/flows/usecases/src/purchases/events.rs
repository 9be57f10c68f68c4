use super::credit::{CreditTx, Crediting, credit, matches_purchase};
use crate::drawings::DrawingTimes;
use chrono::{DateTime, Utc};
use kernel::{Clock, StoreError, UnitOfWork};
use pricing::{
    EventKind, Intent, IntentId, ProviderEvent, ProviderEvents, Purchase, PurchaseStatus, Purchases, Reversal,
};

/// Applies an event of the provider. Events may come in any order and more than once; each is applied once. After an
/// error the provider sends the event again.
pub fn apply_event<S>(
    store: &S,
    clock: &dyn Clock,
    times: DrawingTimes,
    event: &ProviderEvent,
) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: CreditTx + ProviderEvents>,
{
    let at = clock.now();
    store.transaction(|tx| {
        let crediting = Crediting::begin(tx, times, at)?;
        if !tx.record_event(&event.id, at)? {
            return Ok(());
        }
        match &event.kind {
            EventKind::Succeeded(intent) => succeed(tx, &crediting, intent),
            EventKind::Failed(intent) => end_purchase(tx, intent, PurchaseStatus::Failed, at),
            EventKind::Canceled(intent) => end_purchase(tx, intent, PurchaseStatus::Canceled, at),
            EventKind::Reversed(intent, reversal) => reverse(tx, &crediting, intent, reversal, at),
            EventKind::Other => Ok(()),
        }
    })
}

/// Credits the purchase of a payment intent that succeeded, in a transaction of its own.
pub(crate) fn apply_success<S>(
    store: &S,
    times: DrawingTimes,
    intent: &Intent,
    at: DateTime<Utc>,
) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: CreditTx>,
{
    store.transaction(|tx| {
        let crediting = Crediting::begin(tx, times, at)?;
        succeed(tx, &crediting, intent)
    })
}

fn succeed(tx: &mut impl CreditTx, crediting: &Crediting, intent: &Intent) -> Result<(), StoreError> {
    let Some(purchase) = find_purchase(tx, intent)?.filter(|purchase| matches_purchase(intent, purchase))
    else {
        return Ok(());
    };
    if purchase.intent.is_none() {
        tx.record_intent_id(purchase.id, &intent.id)?;
    }
    credit(tx, crediting, &purchase, Some(intent)).map(drop)
}

/// The purchase of a payment intent. The program may have stopped before it recorded the intent's id, so the purchase is also found
/// by the id in the metadata.
fn find_purchase(tx: &impl Purchases, intent: &Intent) -> Result<Option<Purchase>, StoreError> {
    if let Some(purchase) = tx.find_purchase_by_intent(&intent.id)? {
        return Ok(Some(purchase));
    }
    match intent.purchase {
        Some(id) => tx.find_purchase(id),
        None => Ok(None),
    }
}

fn end_purchase(
    tx: &mut impl Purchases,
    intent: &IntentId,
    status: PurchaseStatus,
    at: DateTime<Utc>,
) -> Result<(), StoreError> {
    match tx.find_purchase_by_intent(intent)? {
        Some(purchase) => tx.end_purchase(purchase.id, status, at).map(drop),
        None => Ok(()),
    }
}

/// Applies a refund or a dispute. Only a payment that succeeded has one, so the purchase is credited first if its success
/// was not reported yet. If no purchase has this payment intent, the reversal is kept for the one that will.
fn reverse(
    tx: &mut impl CreditTx,
    crediting: &Crediting,
    intent: &IntentId,
    reversal: &Reversal,
    at: DateTime<Utc>,
) -> Result<(), StoreError> {
    if let Some(purchase) = tx.find_purchase_by_intent(intent)? {
        credit(tx, crediting, &purchase, None)?;
    }
    tx.reverse_purchase(intent, reversal, at).map(drop)
}
