//! Buying entries: D7 and D8. The provider is asked between these steps, never within one:
//!
//! [`begin_purchase`], then the provider makes a payment, then [`record_intent_id`]; the visitor pays; then whoever comes
//! first credits: [`purchase_to_confirm`] and [`confirm_purchase`], [`apply_event`], or, when nobody came, [`crate::reconcile::reconcile`].

mod stories;

pub use stories::{ConfirmedPurchase, PayablePurchase, PaymentStoryError, buy, confirm};

use analytics::{Collection, NewStep, Session, StepName};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Clock, EntrantId, Entropy, EventId, Money, StoreError, UnitOfWork};
use pricing::{
    EventKind, Intent, IntentId, IntentStatus, NewIntent, NewPurchase, PackageId, Packages, PricingSettings,
    ProviderEvent, ProviderEvents, Purchase, PurchaseStatus, Purchases,
};
use raffle::Entrants;

/// Somebody wants to buy a package.
#[derive(Debug, Clone)]
pub struct PurchaseCommand {
    /// For whom.
    pub entrant: EntrantId,
    /// Which package.
    pub package: PackageId,
    /// What the page said that it costs, in cents.
    pub amount: i64,
    /// What the page said that it gives.
    pub entries: i64,
    /// The browser session, for the funnel; none for who is not tracked (D28).
    pub session: Option<Session>,
}

/// A purchase that has begun: now the provider is to be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PurchaseStarted {
    /// What to ask the provider for.
    pub intent: NewIntent,
    /// By which name browser and pixel report the purchase once.
    pub event_id: EventId,
}

/// Why no purchase began.
#[derive(Debug, thiserror::Error)]
pub enum PurchaseError {
    /// Nothing is sold, or not this.
    #[error("not for sale")]
    NotForSale,
    /// There is no such entrant.
    #[error("unknown entrant")]
    UnknownEntrant,
    /// The page said another price or number of entries than the package has.
    #[error("not the package's own price or entries")]
    OfferMismatch {
        /// Whether the price was another one.
        amount: bool,
        /// Whether the number of entries was another one.
        entries: bool,
    },
    /// The store's own trouble.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Somebody's browser says that a payment has gone through.
#[derive(Debug, Clone)]
pub struct ConfirmCommand {
    /// Which payment.
    pub intent: IntentId,
    /// Whose it shall be.
    pub entrant: EntrantId,
    /// For which package it shall be.
    pub package: PackageId,
    /// The browser session, for the funnel.
    pub session: Option<Session>,
}

/// Why a purchase was not confirmed.
#[derive(Debug, thiserror::Error)]
pub enum ConfirmError {
    /// There is no such payment.
    #[error("unknown payment")]
    UnknownIntent,
    /// It is somebody else's.
    #[error("another entrant's payment")]
    NotYours,
    /// It has not gone through, or is not what was sold.
    #[error("not paid")]
    NotPaid,
    /// The store's own trouble.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Begins a purchase, as the server sells it.
///
/// # Errors
/// All of [`PurchaseError`]; nothing is stored then.
pub fn begin_purchase<S>(
    store: &S,
    clock: &dyn Clock,
    entropy: &dyn Entropy,
    command: &PurchaseCommand,
) -> Result<PurchaseStarted, PurchaseError>
where
    S: UnitOfWork<Tx: Packages + PricingSettings + Purchases + Entrants + Collection>,
{
    begin_purchase_at(store, clock.now(), EventId::random(entropy), command)
}

fn begin_purchase_at<S>(
    store: &S,
    at: DateTime<Utc>,
    event_id: EventId,
    command: &PurchaseCommand,
) -> Result<PurchaseStarted, PurchaseError>
where
    S: UnitOfWork<Tx: Packages + PricingSettings + Purchases + Entrants + Collection>,
{
    store.transaction(|tx| {
        if !tx.show_pricing()? {
            return Err(PurchaseError::NotForSale);
        }
        let package = tx.find_package(command.package)?;
        let package = package
            .filter(|package| package.offer.is_active)
            .ok_or(PurchaseError::NotForSale)?;
        let (price, entries) = (package.offer.price, package.offer.entries);
        let (amount, other_entries) = (price.cents() != command.amount, entries.get() != command.entries);
        if amount || other_entries {
            return Err(PurchaseError::OfferMismatch {
                amount,
                entries: other_entries,
            });
        }
        let new = NewPurchase {
            entrant: command.entrant,
            package: command.package,
            price,
            entries,
            event_id: event_id.clone(),
            at,
        };
        let purchase = tx.begin_purchase(&new)?.ok_or(PurchaseError::UnknownEntrant)?;
        record_step(
            tx,
            command.session.as_ref(),
            command.entrant,
            StepName::PurchaseStart,
            at,
        )?;
        Ok(PurchaseStarted {
            intent: NewIntent {
                purchase,
                entrant: command.entrant,
                package: command.package,
                amount: price,
            },
            event_id: event_id.clone(),
        })
    })
}

/// Notes what the provider calls the payment.
///
/// # Errors
/// Only the store's own.
pub fn record_intent_id<S>(store: &S, begun: &PurchaseStarted, intent: &IntentId) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: Purchases>,
{
    store.transaction(|tx| tx.record_intent_id(begun.intent.purchase, intent))
}

/// The purchase that a browser wants confirmed, if it may want that. One that is completed needs no asking the provider.
///
/// # Errors
/// All of [`ConfirmError`].
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
    Ok(purchase)
}

/// Credits a purchase that the provider says is paid. However often, it is credited once.
///
/// # Errors
/// [`ConfirmError::NotPaid`] when it is not, or is not what was sold.
pub fn confirm_purchase<S>(
    store: &S,
    clock: &dyn Clock,
    command: &ConfirmCommand,
    purchase: &Purchase,
    intent: Option<&Intent>,
) -> Result<(), ConfirmError>
where
    S: UnitOfWork<Tx: Purchases + Entrants + Collection>,
{
    confirm_purchase_at(store, clock.now(), command, purchase, intent)
}

fn confirm_purchase_at<S>(
    store: &S,
    at: DateTime<Utc>,
    command: &ConfirmCommand,
    purchase: &Purchase,
    intent: Option<&Intent>,
) -> Result<(), ConfirmError>
where
    S: UnitOfWork<Tx: Purchases + Entrants + Collection>,
{
    let is_paid = purchase.status == PurchaseStatus::Completed
        || intent.is_some_and(|intent| pays_for(intent, purchase));
    if !is_paid {
        return Err(ConfirmError::NotPaid);
    }
    store.transaction(|tx| {
        tx.complete_purchase(purchase.id, at)?;
        record_step(
            tx,
            command.session.as_ref(),
            command.entrant,
            StepName::PurchaseComplete,
            at,
        )?;
        Ok(())
    })
}

/// Whether this payment has gone through, and is for this purchase, of its price, by who bought it.
fn pays_for(intent: &Intent, purchase: &Purchase) -> bool {
    intent.status == IntentStatus::Succeeded && !intent.refunded && is_for(intent, purchase)
}

fn is_for(intent: &Intent, purchase: &Purchase) -> bool {
    intent.amount == purchase.sold.price.cents()
        && intent.currency == Money::CURRENCY
        && intent.purchase == Some(purchase.id)
        && intent.entrant == Some(purchase.sold.entrant)
        && intent.package == Some(purchase.sold.package)
        && purchase.intent.as_ref().is_none_or(|known| *known == intent.id)
}

/// Does what an event of the provider asks for, once, however often it comes and in whatever order.
///
/// # Errors
/// Only the store's own; the event will come again.
pub fn apply_event<S>(store: &S, clock: &dyn Clock, event: &ProviderEvent) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: Purchases + ProviderEvents>,
{
    let at = clock.now();
    store.transaction(|tx| {
        if !tx.record_event(&event.id, at)? {
            return Ok(());
        }
        match &event.kind {
            EventKind::Succeeded(intent) => credit(tx, intent, at),
            EventKind::Failed(intent) => end(tx, intent, PurchaseStatus::Failed, at),
            EventKind::Canceled(intent) => end(tx, intent, PurchaseStatus::Canceled, at),
            EventKind::Refunded(intent) => take_back(tx, intent, at),
            EventKind::Other => Ok(()),
        }
    })
}

/// Does what the provider says of a payment now, for a purchase whose end we have not heard of.
pub(crate) fn settle<S>(
    store: &S,
    clock: &dyn Clock,
    purchase: &Purchase,
    intent: &Intent,
) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: Purchases>,
{
    let at = clock.now();
    store.transaction(|tx| match intent.status {
        IntentStatus::Succeeded => {
            credit(tx, intent, at)?;
            if intent.refunded {
                take_back(tx, &intent.id, at)?;
            }
            Ok(())
        }
        IntentStatus::Canceled => tx
            .end_purchase(purchase.id, PurchaseStatus::Canceled, at)
            .map(drop),
        // Nobody pays after so long; if somebody does all the same, the event still credits it.
        IntentStatus::Open if at - purchase.sold.at > GIVEN_UP_AFTER => tx
            .end_purchase(purchase.id, PurchaseStatus::Canceled, at)
            .map(drop),
        IntentStatus::Open => Ok(()),
    })
}

/// After how long a payment that nobody made counts as given up.
pub(crate) const GIVEN_UP_AFTER: TimeDelta = TimeDelta::hours(24);

/// Purchases to ask the provider about: those that nothing was heard of for so long.
pub(crate) fn claim_open_purchases<S>(
    store: &S,
    clock: &dyn Clock,
    quiet_for: TimeDelta,
    limit: u32,
) -> Result<Vec<Purchase>, StoreError>
where
    S: UnitOfWork<Tx: Purchases>,
{
    let now = clock.now();
    store.transaction(|tx| tx.claim_open_purchases(now - quiet_for, limit, now))
}

/// Credits the purchase that a payment is for. The program may have stopped before it noted the payment's name, so the
/// purchase is also known by the number that the provider keeps with it.
fn credit(tx: &mut impl Purchases, intent: &Intent, at: DateTime<Utc>) -> Result<(), StoreError> {
    let purchase = match tx.find_purchase_by_intent(&intent.id)? {
        Some(purchase) => Some(purchase),
        None => match intent.purchase {
            Some(id) => tx.find_purchase(id)?,
            None => None,
        },
    };
    let Some(purchase) = purchase.filter(|purchase| is_for(intent, purchase)) else {
        return Ok(());
    };
    if purchase.intent.is_none() {
        tx.record_intent_id(purchase.id, &intent.id)?;
    }
    tx.complete_purchase(purchase.id, at).map(drop)
}

fn end(
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

/// What is paid back was paid before, even if that event comes later: it is credited first, and then taken.
fn take_back(tx: &mut impl Purchases, intent: &IntentId, at: DateTime<Utc>) -> Result<(), StoreError> {
    let Some(purchase) = tx.find_purchase_by_intent(intent)? else {
        return Ok(());
    };
    tx.complete_purchase(purchase.id, at)?;
    tx.refund_purchase(purchase.id, at).map(drop)
}

fn record_step(
    tx: &mut (impl Entrants + Collection),
    session: Option<&Session>,
    entrant: EntrantId,
    step: StepName,
    at: DateTime<Utc>,
) -> Result<(), StoreError> {
    let Some(session) = session else { return Ok(()) };
    let Some(buyer) = tx.find_entrant(entrant)? else {
        return Ok(());
    };
    tx.record_step(&NewStep {
        session: session.clone(),
        raffle: Some(buyer.raffle),
        step,
        entrant: Some(entrant),
        time_spent: None,
        at,
    })
}
