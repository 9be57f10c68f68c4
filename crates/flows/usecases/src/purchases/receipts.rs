use super::PaymentStoryError;
use crate::Runner;
use kernel::{EntrantId, StoreError, UnitOfWork};
use pricing::{IntentId, Payments, Purchase, PurchaseId, Purchases};

/// The most purchases in an entrant's list.
const MOST: u32 = 100;

/// The purchases that an entrant paid, newest first: the last hundred.
///
/// # Errors
/// The store's.
pub fn paid<S>(store: &S, entrant: EntrantId) -> Result<Vec<Purchase>, StoreError>
where
    S: UnitOfWork<Tx: Purchases>,
{
    store.read(|tx| tx.paid_purchases(entrant, MOST))
}

/// Why there is no receipt.
#[derive(Debug, thiserror::Error)]
pub enum ReceiptError {
    /// The entrant paid no such purchase, or the provider has no receipt for it.
    #[error("unknown purchase")]
    Unknown,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The address of the provider's receipt for a purchase that the entrant paid.
///
/// # Errors
/// [`ReceiptError`].
pub async fn receipt<S, R>(
    store: &S,
    runner: &R,
    payments: &dyn Payments,
    entrant: EntrantId,
    purchase: PurchaseId,
) -> Result<String, PaymentStoryError<ReceiptError>>
where
    S: UnitOfWork<Tx: Purchases>,
    R: Runner,
{
    let store = store.clone();
    let find = move || paid_intent(&store, entrant, purchase);
    let intent = runner.run(find).await?.map_err(PaymentStoryError::Refused)?;
    let receipt = payments.receipt(&intent).await;
    receipt
        .map_err(PaymentStoryError::Provider)?
        .ok_or(PaymentStoryError::Refused(ReceiptError::Unknown))
}

fn paid_intent<S>(store: &S, entrant: EntrantId, purchase: PurchaseId) -> Result<IntentId, ReceiptError>
where
    S: UnitOfWork<Tx: Purchases>,
{
    let found = store.read::<_, StoreError>(|tx| tx.find_purchase(purchase))?;
    found
        .filter(|found| found.sold.entrant == entrant && found.status.is_paid())
        .and_then(|found| found.intent)
        .ok_or(ReceiptError::Unknown)
}
