use super::PaymentStoryError;
use super::credit::{CreditTx, record_step};
use crate::Runner;
use crate::drawings::DrawingTimes;
use crate::reconcile::reconcile_one;
use analytics::{Collection, StepName};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Clock, EntrantId, Entropy, EventId, Session, StoreError, UnitOfWork};
use pricing::{
    BeginOutcome, CapRules, CreatedIntent, IntentId, NewIntent, NewPurchase, PackageId, Packages, Payments,
    PricingSettings, Purchase, PurchaseId, PurchaseStatus, Purchases,
};
use raffle::{Entrants, Raffles};

/// The rules of buying that a site configures.
#[derive(Debug, Clone, Copy)]
pub struct PurchaseRules {
    /// The cap on bought and free entries.
    pub cap: CapRules,
    /// When drawings take place.
    pub times: DrawingTimes,
}

/// A request to buy a package.
#[derive(Debug, Clone)]
pub struct PurchaseCommand {
    /// The buyer.
    pub entrant: EntrantId,
    /// The package.
    pub package: PackageId,
    /// The price that the page showed, in cents.
    pub amount: i64,
    /// The number of entries that the page showed.
    pub entries: i64,
    /// The browser session, for the funnel; `None` when the visitor is not tracked.
    pub session: Option<Session>,
}

/// A purchase that was added, and the payment intent to create at the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PurchaseStarted {
    /// The payment intent to create.
    pub intent: NewIntent,
    /// The id by which the ads pixel counts the purchase once.
    pub event_id: EventId,
}

/// Why no purchase was added.
#[derive(Debug, thiserror::Error)]
pub enum PurchaseError {
    /// Sales are turned off, or the package is unknown or not active.
    #[error("not for sale")]
    NotForSale,
    /// There is no such entrant.
    #[error("unknown entrant")]
    UnknownEntrant,
    /// The entrant is flagged: the entries would not count.
    #[error("on hold")]
    OnHold,
    /// The entrant's raffle has ended.
    #[error("the raffle is closed")]
    RaffleClosed,
    /// The page showed another price or number of entries than the package has.
    #[error("not the package's own price or entries")]
    OfferMismatch {
        /// Whether the price differs.
        amount: bool,
        /// Whether the number of entries differs.
        entries: bool,
    },
    /// The entrant has too many open purchases.
    #[error("too many open purchases")]
    TooManyOpen {
        /// The time until there is room for one.
        wait: TimeDelta,
    },
    /// The entries do not fit under the cap of the month.
    #[error("the entries do not fit under the cap")]
    EntryCap {
        /// How many entries still fit.
        room: i64,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A purchase that the buyer can pay now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayablePurchase {
    /// The payment intent.
    pub intent: CreatedIntent,
    /// The id by which the ads pixel counts the purchase once.
    pub event_id: EventId,
}

/// Begins a purchase, creates its payment intent at the provider, and records the intent's id.
///
/// # Errors
/// [`PurchaseError`], and then nothing is stored. After an error of the provider the purchase stays pending if there may be
/// a payment intent; [`crate::reconcile::reconcile`] settles it. If there is certainly none, the purchase is canceled, so
/// that it does not count as open. Where the entries do not fit, payments that the buyer began and did not make are canceled
/// first: the dialog of one of them was closed, and this one is wanted now.
pub async fn buy<S, R>(
    store: &S,
    runner: &R,
    clock: &dyn Clock,
    entropy: &dyn Entropy,
    payments: &dyn Payments,
    rules: PurchaseRules,
    command: PurchaseCommand,
) -> Result<PayablePurchase, PaymentStoryError<PurchaseError>>
where
    S: UnitOfWork<Tx: CreditTx + Packages + PricingSettings + Collection>,
    R: Runner,
{
    let (at, event_id) = (clock.now(), EventId::random(entropy));
    let begin = || {
        let (store, event_id, command) = (store.clone(), event_id.clone(), command.clone());
        runner.run(move || begin_purchase(&store, at, rules.cap, event_id, &command))
    };
    let mut begun = begin().await?;
    if matches!(begun, Err(PurchaseError::EntryCap { .. })) {
        cancel_unpaid(store, runner, clock, payments, rules.times, command.entrant).await?;
        begun = begin().await?;
    }
    let started = begun.map_err(PaymentStoryError::Refused)?;

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

/// Adds a purchase with the price and the entries that the package has.
///
/// # Errors
/// [`PurchaseError`]; nothing is stored then.
pub fn begin_purchase<S>(
    store: &S,
    at: DateTime<Utc>,
    cap: CapRules,
    event_id: EventId,
    command: &PurchaseCommand,
) -> Result<PurchaseStarted, PurchaseError>
where
    S: UnitOfWork<Tx: Raffles + Packages + PricingSettings + Purchases + Entrants + Collection>,
{
    store.transaction(|tx| {
        let held = tx.hold_raffles()?;
        if !tx.show_pricing()? {
            return Err(PurchaseError::NotForSale);
        }
        let package = tx.find_package(command.package)?;
        let package = package
            .filter(|package| package.offer.is_active)
            .ok_or(PurchaseError::NotForSale)?;
        let (price, entries) = (package.offer.price, package.offer.entries);
        let (price_differs, entries_differ) =
            (price.cents() != command.amount, entries.get() != command.entries);
        if price_differs || entries_differ {
            return Err(PurchaseError::OfferMismatch {
                amount: price_differs,
                entries: entries_differ,
            });
        }
        let buyer = tx
            .find_entrant(command.entrant)?
            .ok_or(PurchaseError::UnknownEntrant)?;
        held.open(Some(buyer.raffle))
            .map_err(|_| PurchaseError::RaffleClosed)?;
        let new = NewPurchase {
            entrant: command.entrant,
            package: command.package,
            price,
            entries,
            event_id: event_id.clone(),
            at,
        };
        let purchase = match tx.begin_purchase(&new, Purchase::MOST_OPEN, cap.date_at(at))? {
            BeginOutcome::Begun(purchase) => purchase,
            BeginOutcome::UnknownEntrant => return Err(PurchaseError::UnknownEntrant),
            BeginOutcome::OnHold => return Err(PurchaseError::OnHold),
            BeginOutcome::TooManyOpen(until) => return Err(PurchaseError::TooManyOpen { wait: until - at }),
            BeginOutcome::OverCap(room) => return Err(PurchaseError::EntryCap { room }),
        };
        record_step(tx, command.session.as_ref(), StepName::PurchaseStart, &new, at)?;
        Ok(PurchaseStarted {
            intent: NewIntent {
                purchase,
                entrant: command.entrant,
                package: command.package,
                amount: price,
                customer: tx.find_customer(command.entrant)?,
            },
            event_id: event_id.clone(),
        })
    })
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

/// Cancels what an entrant began to buy and has not paid. A payment that is under way stays, and keeps its entries.
async fn cancel_unpaid<S, R>(
    store: &S,
    runner: &R,
    clock: &dyn Clock,
    payments: &dyn Payments,
    times: DrawingTimes,
    entrant: EntrantId,
) -> Result<(), PaymentStoryError<PurchaseError>>
where
    S: UnitOfWork<Tx: CreditTx>,
    R: Runner,
{
    let find_store = store.clone();
    let find = move || -> Result<_, StoreError> { find_store.read(|tx| tx.open_purchases(entrant)) };
    let open = runner.run(find).await?;
    for purchase in open.map_err(|error| PaymentStoryError::Refused(error.into()))? {
        // If it fails, the entries stay reserved: the buyer then reads how many fit.
        let _ = reconcile_one(store, runner, clock, payments, times, &purchase, true).await;
    }
    Ok(())
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

/// Records the id of the payment intent.
pub fn record_intent_id<S>(store: &S, started: &PurchaseStarted, intent: &IntentId) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: Purchases>,
{
    store.transaction(|tx| tx.record_intent_id(started.intent.purchase, intent))
}
