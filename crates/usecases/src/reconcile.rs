//! Asking the provider how purchases ended that we have not heard of: D8. So that a stop at any point between the
//! provider's success and our credit still ends in a credit.

use crate::purchases::{GIVEN_UP_AFTER, claim_open_purchases, settle};
use chrono::TimeDelta;
use kernel::{Clock, StoreError, UnitOfWork};
use pricing::{Intent, NewIntent, Payments, PaymentsError, Purchase, PurchaseStatus, Purchases};

/// Why the end of a purchase is still not known. It is asked for again.
#[derive(Debug, thiserror::Error)]
pub enum ReconcileError {
    /// The provider's trouble.
    #[error(transparent)]
    Payments(#[from] PaymentsError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// How many purchases are asked about in one go.
const BATCH: u32 = 50;

/// Asks about purchases that nothing was heard of for so long; how many those were. To be called on a thread that may
/// wait: the store is asked between the provider's answers.
///
/// # Errors
/// When the store cannot say which they are. What goes wrong with one of them is given to `complain`, and the others
/// are gone on with.
pub async fn reconcile<S>(
    store: &S,
    clock: &dyn Clock,
    payments: &dyn Payments,
    quiet_for: TimeDelta,
    log_error: impl Fn(&Purchase, &ReconcileError),
) -> Result<usize, StoreError>
where
    S: UnitOfWork<Tx: Purchases>,
{
    let purchases = claim_open_purchases(store, clock, quiet_for, BATCH)?;
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
    match ask(store, clock, payments, purchase).await? {
        Some(intent) => Ok(settle(store, clock, purchase, &intent)?),
        None => give_up(store, clock, purchase),
    }
}

/// The payment of a purchase as the provider has it. If we stopped before we noted its name, it is asked for again, and
/// by the purchase's own key the provider answers the one that there is.
async fn ask<S>(
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
    // The provider forgets such keys after a day.
    if clock.now() - purchase.sold.at > GIVEN_UP_AFTER {
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

fn give_up<S>(store: &S, clock: &dyn Clock, purchase: &Purchase) -> Result<(), ReconcileError>
where
    S: UnitOfWork<Tx: Purchases>,
{
    let at = clock.now();
    store.transaction::<_, StoreError>(|tx| tx.end_purchase(purchase.id, PurchaseStatus::Canceled, at))?;
    Ok(())
}
