//! Reconciling open purchases with the payment provider, so that a paid purchase is credited even if the server
//! stopped before it could record the payment, and that a payment that nobody makes is canceled.

use crate::drawings::DrawingTimes;
use crate::purchases::{CreditTx, PaymentStoryError, apply_success, with_customer};
use crate::{RunError, Runner};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Clock, StoreError, UnitOfWork};
use pricing::{
    Intent, IntentStatus, NewIntent, Payments, PaymentsError, Purchase, PurchaseStatus, Purchases,
};
use std::time::Duration;
use tokio::time::sleep;

/// Why a purchase could not be reconciled. It is claimed again later.
#[derive(Debug, thiserror::Error)]
pub enum ReconcileError {
    /// The provider failed or refused.
    #[error(transparent)]
    Payments(#[from] PaymentsError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A step did not run.
    #[error(transparent)]
    NotRun(#[from] RunError),
}

impl From<PaymentStoryError<StoreError>> for ReconcileError {
    fn from(error: PaymentStoryError<StoreError>) -> Self {
        match error {
            PaymentStoryError::Refused(error) => Self::Store(error),
            PaymentStoryError::Provider(error) => Self::Payments(error),
            PaymentStoryError::NotRun(error) => Self::NotRun(error),
        }
    }
}

/// What happens while purchases are reconciled.
pub trait ReconcileLog {
    /// This many purchases were claimed and asked about.
    fn reconciled(&self, count: usize);
    /// One purchase, or without one the whole pass, failed. The next pass follows.
    fn failed(&self, purchase: Option<&Purchase>, error: &ReconcileError);
}

/// The most purchases that are claimed at once.
const BATCH: u32 = 50;
/// The pause between two passes.
const PAUSE: Duration = Duration::from_secs(20);
/// The age from which a payment intent whose id was never recorded is not created again: the provider keeps idempotency
/// keys for a day.
const KEYS_KEPT: TimeDelta = TimeDelta::hours(24);

/// Reconciles purchases until it is dropped: first all open ones that began before `start`, then those whose next check
/// is due ([`pricing::next_check`]).
pub async fn keep_reconciling<S, R>(
    store: &S,
    runner: &R,
    clock: &dyn Clock,
    payments: &dyn Payments,
    times: DrawingTimes,
    log: &impl ReconcileLog,
    start: DateTime<Utc>,
) where
    S: UnitOfWork<Tx: CreditTx>,
    R: Runner,
{
    while let Err(error) = recheck_all(store, runner, start).await {
        log.failed(None, &error);
        sleep(PAUSE).await;
    }
    loop {
        match reconcile(store, runner, clock, payments, times, log).await {
            Ok(count) => log.reconciled(count),
            Err(error) => log.failed(None, &error),
        }
        sleep(PAUSE).await;
    }
}

async fn recheck_all<S, R>(store: &S, runner: &R, at: DateTime<Utc>) -> Result<(), ReconcileError>
where
    S: UnitOfWork<Tx: Purchases>,
    R: Runner,
{
    step(store, runner, move |store| {
        store.transaction(|tx| tx.recheck_open_purchases(at))
    })
    .await
}

/// Reconciles all open purchases whose next check is due, and returns their number.
///
/// # Errors
/// [`ReconcileError`] when purchases cannot be claimed. An error with one purchase goes to `log`, and the pass continues
/// with the others.
pub async fn reconcile<S, R>(
    store: &S,
    runner: &R,
    clock: &dyn Clock,
    payments: &dyn Payments,
    times: DrawingTimes,
    log: &impl ReconcileLog,
) -> Result<usize, ReconcileError>
where
    S: UnitOfWork<Tx: CreditTx>,
    R: Runner,
{
    let mut count = 0;
    loop {
        let at = clock.now();
        let claim = move |store: &S| store.transaction(|tx| tx.claim_open_purchases(BATCH, at));
        let purchases = step(store, runner, claim).await?;
        if purchases.is_empty() {
            return Ok(count);
        }
        for purchase in &purchases {
            let has_expired = clock.now() >= Purchase::open_until(purchase.sold.at);
            let reconciled =
                reconcile_one(store, runner, clock, payments, times, purchase, has_expired).await;
            if let Err(error) = reconciled {
                log.failed(Some(purchase), &error);
            }
        }
        count += purchases.len();
    }
}

/// Refunds a payment that came too late for its purchase.
async fn refund<S, R>(
    store: &S,
    runner: &R,
    clock: &dyn Clock,
    payments: &dyn Payments,
    purchase: &Purchase,
) -> Result<(), ReconcileError>
where
    S: UnitOfWork<Tx: Purchases>,
    R: Runner,
{
    if let Some(intent) = &purchase.intent {
        payments.refund(intent).await?;
    }
    let (at, id) = (clock.now(), purchase.id);
    step(store, runner, move |store| {
        store.transaction(|tx| tx.end_refund(id, at).map(drop))
    })
    .await
}

/// Asks the provider about one purchase. `cancel`: a payment that was not made is not wanted any more.
pub(crate) async fn reconcile_one<S, R>(
    store: &S,
    runner: &R,
    clock: &dyn Clock,
    payments: &dyn Payments,
    times: DrawingTimes,
    purchase: &Purchase,
    cancel: bool,
) -> Result<(), ReconcileError>
where
    S: UnitOfWork<Tx: CreditTx>,
    R: Runner,
{
    if purchase.status == PurchaseStatus::Refunding {
        return refund(store, runner, clock, payments, purchase).await;
    }
    let mut intent = find_intent(store, runner, clock, payments, purchase).await?;
    if let Some(open) = intent
        .as_ref()
        .filter(|intent| intent.status == IntentStatus::Open)
        && cancel
    {
        intent = payments.cancel_intent(&open.id).await?;
    }
    let (at, purchase) = (clock.now(), purchase.clone());
    step(store, runner, move |store| match &intent {
        Some(intent) => apply_intent(store, at, times, &purchase, intent),
        None => cancel_purchase(store, at, &purchase),
    })
    .await
}

/// The payment intent of a purchase. If its id was never recorded, it is created again: with the same idempotency key the
/// provider returns the one that exists.
async fn find_intent<S, R>(
    store: &S,
    runner: &R,
    clock: &dyn Clock,
    payments: &dyn Payments,
    purchase: &Purchase,
) -> Result<Option<Intent>, ReconcileError>
where
    S: UnitOfWork<Tx: Purchases>,
    R: Runner,
{
    if let Some(id) = &purchase.intent {
        return Ok(payments.retrieve_intent(id).await?);
    }
    if clock.now() - purchase.sold.at > KEYS_KEPT {
        return Ok(None);
    }
    let entrant = purchase.sold.entrant;
    let find_customer = move |store: &S| store.read(|tx| tx.find_customer(entrant));
    let new = NewIntent {
        purchase: purchase.id,
        entrant,
        package: purchase.sold.package,
        amount: purchase.sold.price,
        customer: step(store, runner, find_customer).await?,
    };
    let new = with_customer::<S, R, StoreError>(store, runner, payments, &new).await?;
    let created = payments.create_intent(&new).await?;
    let (purchase, id) = (purchase.id, created.id.clone());
    step(store, runner, move |store| {
        store.transaction(|tx| tx.record_intent_id(purchase, &id))
    })
    .await?;
    Ok(payments.retrieve_intent(&created.id).await?)
}

/// Applies the present state of a payment intent to a purchase that is still open.
fn apply_intent<S>(
    store: &S,
    at: DateTime<Utc>,
    times: DrawingTimes,
    purchase: &Purchase,
    intent: &Intent,
) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: CreditTx>,
{
    match intent.status {
        IntentStatus::Succeeded => apply_success(store, times, intent, at),
        IntentStatus::Canceled => cancel_purchase(store, at, purchase),
        IntentStatus::Open => Ok(()),
    }
}

fn cancel_purchase<S>(store: &S, at: DateTime<Utc>, purchase: &Purchase) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: Purchases>,
{
    let canceled = PurchaseStatus::Canceled;
    store.transaction(|tx| tx.end_purchase(purchase.id, canceled, at).map(drop))
}

async fn step<S, R, T>(
    store: &S,
    runner: &R,
    work: impl FnOnce(&S) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, ReconcileError>
where
    S: UnitOfWork,
    R: Runner,
    T: Send + 'static,
{
    let store = store.clone();
    Ok(runner.run(move || work(&store)).await??)
}
