//! The two flows of buying entries that call the payment provider. No transaction is open during a call.

use super::{
    ConfirmCommand, ConfirmError, PurchaseCommand, PurchaseError, begin_purchase_at, confirm_purchase_at,
    purchase_to_confirm, record_intent_id,
};
use crate::{RunError, Runner};
use analytics::Collection;
use chrono::{DateTime, Utc};
use kernel::{Clock, Entropy, EventId, StoreError, UnitOfWork};
use paid_purchase::PaidPurchases;
use pricing::{
    CapRules, CreatedIntent, EntryCount, NewIntent, Packages, Payments, PaymentsError, PricingSettings,
    PurchaseId, PurchaseStatus, Purchases,
};
use raffle::Entrants;

/// Why a flow that calls the payment provider failed. `E` is the error of its steps.
#[derive(Debug, thiserror::Error)]
pub enum PaymentStoryError<E> {
    /// A step refused, or the store failed.
    #[error(transparent)]
    Refused(E),
    /// The provider failed or refused.
    #[error(transparent)]
    Provider(PaymentsError),
    /// A step did not run.
    #[error(transparent)]
    NotRun(#[from] RunError),
}

/// A purchase that the buyer can pay now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayablePurchase {
    /// The payment intent.
    pub intent: CreatedIntent,
    /// The id by which the ads pixel counts the purchase once.
    pub event_id: EventId,
}

/// A purchase that is credited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfirmedPurchase {
    /// The id by which the ads pixel counts the purchase once.
    pub event_id: EventId,
    /// The entries that it added.
    pub entries: EntryCount,
}

/// Begins a purchase, creates its payment intent at the provider, and records the intent's id.
///
/// # Errors
/// [`PurchaseError`], and then nothing is stored. After an error of the provider the purchase stays pending if there may be
/// a payment intent; [`crate::reconcile::reconcile`] settles it. If there is certainly none, the purchase is canceled, so
/// that it does not count as open.
pub async fn buy<S, R>(
    store: &S,
    runner: &R,
    clock: &dyn Clock,
    entropy: &dyn Entropy,
    payments: &dyn Payments,
    cap: CapRules,
    command: PurchaseCommand,
) -> Result<PayablePurchase, PaymentStoryError<PurchaseError>>
where
    S: UnitOfWork<Tx: Packages + PricingSettings + Purchases + Entrants + Collection>,
    R: Runner,
{
    let (at, event_id) = (clock.now(), EventId::random(entropy));
    let begin_store = store.clone();
    let begin = move || begin_purchase_at(&begin_store, at, cap.date_at(at), event_id, &command);
    let started = runner.run(begin).await?.map_err(PaymentStoryError::Refused)?;

    let created = create_intent(store, runner, payments, &started.intent).await;
    let intent = match created {
        Ok(intent) => intent,
        Err(failed) => {
            if failed.is_without_intent {
                cancel(store, runner, started.intent.purchase, at).await?;
            }
            return Err(failed.error);
        }
    };

    let (event_id, id, record_store) = (started.event_id.clone(), intent.id.clone(), store.clone());
    let record = move || record_intent_id(&record_store, &started, &id);
    let recorded: Result<(), StoreError> = runner.run(record).await?;
    recorded.map_err(|error| PaymentStoryError::Refused(error.into()))?;
    Ok(PayablePurchase { intent, event_id })
}

/// Why there is no payment intent.
struct NotCreated {
    error: PaymentStoryError<PurchaseError>,
    /// Whether there is certainly none. Otherwise the provider may have created one.
    is_without_intent: bool,
}

async fn create_intent<S, R>(
    store: &S,
    runner: &R,
    payments: &dyn Payments,
    new: &NewIntent,
) -> Result<CreatedIntent, NotCreated>
where
    S: UnitOfWork<Tx: Purchases>,
    R: Runner,
{
    // Without a customer the payment intent is not asked for.
    let with_customer = with_customer(store, runner, payments, new).await;
    let new = with_customer.map_err(|error| NotCreated {
        error,
        is_without_intent: true,
    })?;
    let created = payments.create_intent(&new).await;
    created.map_err(|error| NotCreated {
        is_without_intent: error.had_no_effect(),
        error: PaymentStoryError::Provider(error),
    })
}

/// Cancels a purchase that nobody can pay. If a server that just started has created its payment intent meanwhile, nobody
/// has the secret to pay it.
async fn cancel<S, R>(
    store: &S,
    runner: &R,
    purchase: PurchaseId,
    at: DateTime<Utc>,
) -> Result<(), PaymentStoryError<PurchaseError>>
where
    S: UnitOfWork<Tx: Purchases>,
    R: Runner,
{
    let store = store.clone();
    let end = move || -> Result<_, StoreError> {
        store.transaction(|tx| tx.end_purchase(purchase, PurchaseStatus::Canceled, at))
    };
    let ended = runner.run(end).await?;
    ended
        .map(drop)
        .map_err(|error| PaymentStoryError::Refused(error.into()))
}

/// A payment intent to create, with the buyer's customer. Without one, it creates the customer and records it. If several
/// calls do this at the same time, all of them get the customer that was recorded first.
pub(crate) async fn with_customer<S, R, E>(
    store: &S,
    runner: &R,
    payments: &dyn Payments,
    new: &NewIntent,
) -> Result<NewIntent, PaymentStoryError<E>>
where
    S: UnitOfWork<Tx: Purchases>,
    R: Runner,
    E: From<StoreError>,
{
    if new.customer.is_some() {
        return Ok(new.clone());
    }
    let entrant = new.entrant;
    let created = payments.create_customer(entrant).await;
    let created = created.map_err(PaymentStoryError::Provider)?;
    let store = store.clone();
    let record =
        move || -> Result<_, StoreError> { store.transaction(|tx| tx.record_customer(entrant, &created)) };
    let recorded = runner.run(record).await?;
    let customer = recorded.map_err(|error| PaymentStoryError::Refused(error.into()))?;
    Ok(NewIntent {
        customer,
        ..new.clone()
    })
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
    command: ConfirmCommand,
) -> Result<ConfirmedPurchase, PaymentStoryError<ConfirmError>>
where
    S: UnitOfWork<Tx: Purchases + PaidPurchases + Entrants + Collection>,
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
    let confirm = move || confirm_purchase_at(&confirm_store, at, &command, &purchase, intent.as_ref());
    runner.run(confirm).await?.map_err(PaymentStoryError::Refused)?;
    Ok(confirmed)
}
