use super::PaymentStoryError;
use super::credit::{CreditTx, Credited, Crediting, credit, pays_for, record_step};
use crate::Runner;
use crate::drawings::DrawingTimes;
use analytics::{Collection, StepName};
use chrono::{DateTime, Utc};
use kernel::{Clock, EntrantId, EventId, Session, StoreError, UnitOfWork};
use pricing::{
    CompleteOutcome, EntryCount, Intent, IntentId, PackageId, Payments, Purchase, PurchaseStatus, Purchases,
};

/// A browser's report that a payment succeeded.
#[derive(Debug, Clone)]
pub struct ConfirmCommand {
    /// The payment intent.
    pub intent: IntentId,
    /// The buyer, according to the browser.
    pub entrant: EntrantId,
    /// The package, according to the browser.
    pub package: PackageId,
    /// The browser session, for the funnel.
    pub session: Option<Session>,
}

/// Why a purchase was not confirmed.
#[derive(Debug, thiserror::Error)]
pub enum ConfirmError {
    /// No purchase has this payment intent.
    #[error("unknown payment")]
    UnknownIntent,
    /// The purchase is another entrant's.
    #[error("another entrant's payment")]
    NotYours,
    /// The payment has not succeeded, or does not match the purchase.
    #[error("not paid")]
    NotPaid,
    /// It was paid after it was canceled, when its entries no longer fitted under the cap. The payment is refunded.
    #[error("paid too late for the cap")]
    EntryCap,
    /// It was paid after the last drawing of its raffle was sealed, or after the buyer moved to another one. The payment is
    /// refunded.
    #[error("paid after the raffle had ended")]
    RaffleEnded,
    /// It was paid too late before, for whichever reason. The payment is refunded.
    #[error("paid too late")]
    PaidTooLate,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A purchase that is credited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfirmedPurchase {
    /// The id by which the ads pixel counts the purchase once.
    pub event_id: EventId,
    /// The entries that it added.
    pub entries: EntryCount,
}

/// Credits a purchase if the provider reports it as paid. Repeated calls credit it once.
///
/// # Errors
/// [`ConfirmError`].
pub async fn confirm<S, R>(
    store: &S,
    runner: &R,
    clock: &dyn Clock,
    payments: &dyn Payments,
    times: DrawingTimes,
    command: ConfirmCommand,
) -> Result<ConfirmedPurchase, PaymentStoryError<ConfirmError>>
where
    S: UnitOfWork<Tx: CreditTx + Collection>,
    R: Runner,
{
    let (find_store, wanted) = (store.clone(), command.clone());
    let find = move || purchase_to_confirm(&find_store, &wanted);
    let purchase = runner.run(find).await?.map_err(PaymentStoryError::Refused)?;

    let intent = match purchase.status {
        PurchaseStatus::Completed => None,
        _ => payments
            .retrieve_intent(&command.intent)
            .await
            .map_err(PaymentStoryError::Provider)?,
    };

    let confirmed = ConfirmedPurchase {
        event_id: purchase.sold.event_id.clone(),
        entries: purchase.sold.entries,
    };
    let (at, confirm_store) = (clock.now(), store.clone());
    let confirm = move || confirm_purchase(&confirm_store, at, times, &command, &purchase, intent.as_ref());
    runner.run(confirm).await?.map_err(PaymentStoryError::Refused)?;
    Ok(confirmed)
}

/// The purchase that a browser wants to confirm, if it belongs to that entrant. If it is completed, the provider need
/// not be asked.
///
/// # Errors
/// [`ConfirmError`].
pub fn purchase_to_confirm<S>(store: &S, command: &ConfirmCommand) -> Result<Purchase, ConfirmError>
where
    S: UnitOfWork<Tx: Purchases>,
{
    let purchase = store
        .read::<_, StoreError>(|tx| tx.find_purchase_by_intent(&command.intent))?
        .ok_or(ConfirmError::UnknownIntent)?;
    if purchase.sold.entrant != command.entrant {
        return Err(ConfirmError::NotYours);
    }
    if purchase.sold.package != command.package || purchase.status == PurchaseStatus::Refunded {
        return Err(ConfirmError::NotPaid);
    }
    if purchase.status == PurchaseStatus::Refunding {
        return Err(ConfirmError::PaidTooLate);
    }
    Ok(purchase)
}

/// Credits a purchase that the provider reports as paid. Repeated calls credit it once.
///
/// # Errors
/// [`ConfirmError::NotPaid`] when it is not paid, or the payment does not match the purchase; the others when it was paid too
/// late.
pub fn confirm_purchase<S>(
    store: &S,
    at: DateTime<Utc>,
    times: DrawingTimes,
    command: &ConfirmCommand,
    purchase: &Purchase,
    intent: Option<&Intent>,
) -> Result<(), ConfirmError>
where
    S: UnitOfWork<Tx: CreditTx + Collection>,
{
    let is_paid = purchase.status == PurchaseStatus::Completed
        || intent.is_some_and(|intent| pays_for(intent, purchase));
    if !is_paid {
        return Err(ConfirmError::NotPaid);
    }
    let refusal = store.transaction::<_, StoreError>(|tx| {
        let crediting = Crediting::begin(tx, times, at)?;
        let credited = credit(tx, &crediting, purchase, intent)?;
        let refusal = refusal(tx, purchase, credited)?;
        if refusal.is_none() {
            let session = command.session.as_ref();
            record_step(tx, session, StepName::PurchaseComplete, &purchase.sold, at)?;
        }
        Ok(refusal)
    })?;
    refusal.map_or(Ok(()), Err)
}

/// Why a purchase that was paid has no entries, if it has none.
fn refusal(
    tx: &impl Purchases,
    purchase: &Purchase,
    credited: Credited,
) -> Result<Option<ConfirmError>, StoreError> {
    match credited {
        Credited::TooLate | Credited::As(CompleteOutcome::Moved) => Ok(Some(ConfirmError::RaffleEnded)),
        Credited::As(CompleteOutcome::OverCap) => Ok(Some(ConfirmError::EntryCap)),
        Credited::As(CompleteOutcome::Credited) => Ok(None),
        Credited::As(CompleteOutcome::Unchanged) => {
            // An event of the provider may have come first, and may have been too late.
            let found = tx.find_purchase(purchase.id)?;
            let is_refused = found.is_some_and(|found| found.status == PurchaseStatus::Refunding);
            Ok(is_refused.then_some(ConfirmError::PaidTooLate))
        }
    }
}
