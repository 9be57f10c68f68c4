//! Reconciling open purchases with the payment provider (D8), so that a paid purchase is credited even if the server
//! stopped before it could record the payment.

use crate::purchases::{CANCEL_AFTER, apply_intent, claim_open_purchases};
use chrono::TimeDelta;
use kernel::{Clock, StoreError, UnitOfWork};
use pricing::{Intent, NewIntent, Payments, PaymentsError, Purchase, PurchaseStatus, Purchases};

/// Why a purchase could not be reconciled. It is claimed again later.
#[derive(Debug, thiserror::Error)]
pub enum ReconcileError {
    /// The provider failed or refused.
    #[error(transparent)]
    Payments(#[from] PaymentsError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The maximum number of purchases in one run.
const BATCH: u32 = 50;

/// Reconciles the open purchases without news for at least `min_age`: at most 50, those that have waited longest. Returns
/// their number. It must run on a thread that may block, because it uses the store between calls to the provider.
///
/// # Errors
/// [`StoreError`] when the purchases cannot be claimed. An error with one purchase goes to `log_error`, and the run
/// continues with the others.
pub async fn reconcile<S>(
    store: &S,
    clock: &dyn Clock,
    payments: &dyn Payments,
    min_age: TimeDelta,
    log_error: impl Fn(&Purchase, &ReconcileError),
) -> Result<usize, StoreError>
where
    S: UnitOfWork<Tx: Purchases>,
{
    let purchases = claim_open_purchases(store, clock, min_age, BATCH)?;
    for purchase in &purchases {
        if let Err(error) = reconcile_one(store, clock, payments, purchase).await {
            log_error(purchase, &error);
        }
    }
    Ok(purchases.len())
}

async fn reconcile_one<S>(
    store: &S,
    clock: &dyn Clock,
    payments: &dyn Payments,
    purchase: &Purchase,
) -> Result<(), ReconcileError>
where
    S: UnitOfWork<Tx: Purchases>,
{
    match find_intent(store, clock, payments, purchase).await? {
        Some(intent) => Ok(apply_intent(store, clock, purchase, &intent)?),
        None => cancel_purchase(store, clock, purchase),
    }
}

/// The payment intent of a purchase. If its id was never recorded, it is created again: with the same idempotency key the
/// provider returns the one that exists.
async fn find_intent<S>(
    store: &S,
    clock: &dyn Clock,
    payments: &dyn Payments,
    purchase: &Purchase,
) -> Result<Option<Intent>, ReconcileError>
where
    S: UnitOfWork<Tx: Purchases>,
{
    if let Some(id) = &purchase.intent {
        return Ok(payments.retrieve_intent(id).await?);
    }
    // The provider keeps idempotency keys for a day.
    if clock.now() - purchase.sold.at > CANCEL_AFTER {
        return Ok(None);
    }
    let created = payments
        .create_intent(&NewIntent {
            purchase: purchase.id,
            entrant: purchase.sold.entrant,
            package: purchase.sold.package,
            amount: purchase.sold.price,
        })
        .await?;
    store.transaction::<_, StoreError>(|tx| tx.record_intent_id(purchase.id, &created.id))?;
    Ok(payments.retrieve_intent(&created.id).await?)
}

fn cancel_purchase<S>(store: &S, clock: &dyn Clock, purchase: &Purchase) -> Result<(), ReconcileError>
where
    S: UnitOfWork<Tx: Purchases>,
{
    let at = clock.now();
    store.transaction::<_, StoreError>(|tx| tx.end_purchase(purchase.id, PurchaseStatus::Canceled, at))?;
    Ok(())
}
