//! Buying entries, in steps. The payment provider is called between the steps, and never within one:
//!
//! 1. [`begin_purchase`] adds the purchase, the provider creates a payment intent, and [`record_intent_id`] records it.
//! 2. The visitor pays.
//! 3. The purchase is credited by the first of these: the browser's confirmation ([`purchase_to_confirm`] and
//!    [`confirm_purchase`]), the provider's event ([`apply_event`]), or [`crate::reconcile::reconcile`].

mod stories;

pub(crate) use stories::with_customer;
pub use stories::{ConfirmedPurchase, PayablePurchase, PaymentStoryError, buy, confirm};

use analytics::{Collection, Session, StepName};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Clock, EntrantId, Entropy, EventId, Money, StoreError, UnitOfWork};
use paid_purchase::{PaidPurchase, PaidPurchases, credit as credit_paid, record_step};
use pricing::{
    BeginOutcome, CapDate, CapRules, CompleteOutcome, EventKind, Intent, IntentId, IntentStatus, NewIntent,
    NewPurchase, PackageId, Packages, PricingSettings, ProviderEvent, ProviderEvents, Purchase,
    PurchaseStatus, Purchases, Reversal,
};
use raffle::Entrants;

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
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Adds a purchase with the price and the entries that the package has.
///
/// # Errors
/// [`PurchaseError`]; nothing is stored then.
pub fn begin_purchase<S>(
    store: &S,
    clock: &dyn Clock,
    entropy: &dyn Entropy,
    cap: CapRules,
    command: &PurchaseCommand,
) -> Result<PurchaseStarted, PurchaseError>
where
    S: UnitOfWork<Tx: Packages + PricingSettings + Purchases + Entrants + Collection>,
{
    let at = clock.now();
    begin_purchase_at(store, at, cap.date_at(at), EventId::random(entropy), command)
}

fn begin_purchase_at<S>(
    store: &S,
    at: DateTime<Utc>,
    day: CapDate,
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
        let (price_differs, entries_differ) =
            (price.cents() != command.amount, entries.get() != command.entries);
        if price_differs || entries_differ {
            return Err(PurchaseError::OfferMismatch {
                amount: price_differs,
                entries: entries_differ,
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
        let purchase = match tx.begin_purchase(&new, Purchase::MOST_OPEN, day)? {
            BeginOutcome::Begun(purchase) => purchase,
            BeginOutcome::UnknownEntrant => return Err(PurchaseError::UnknownEntrant),
            BeginOutcome::TooManyOpen(until) => return Err(PurchaseError::TooManyOpen { wait: until - at }),
            BeginOutcome::OverCap(room) => return Err(PurchaseError::EntryCap { room }),
        };
        record_step(
            tx,
            command.session.as_ref(),
            command.entrant,
            StepName::PurchaseStart,
            command.package,
            at,
        )?;
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

/// Records the id of the payment intent.
pub fn record_intent_id<S>(store: &S, started: &PurchaseStarted, intent: &IntentId) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: Purchases>,
{
    store.transaction(|tx| tx.record_intent_id(started.intent.purchase, intent))
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
        return Err(ConfirmError::EntryCap);
    }
    Ok(purchase)
}

/// Credits a purchase that the provider reports as paid. Repeated calls credit it once.
///
/// # Errors
/// [`ConfirmError::NotPaid`] when it is not paid, or the payment does not match the purchase.
pub fn confirm_purchase<S>(
    store: &S,
    clock: &dyn Clock,
    command: &ConfirmCommand,
    purchase: &Purchase,
    intent: Option<&Intent>,
) -> Result<(), ConfirmError>
where
    S: UnitOfWork<Tx: Purchases + PaidPurchases + Entrants + Collection>,
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
    S: UnitOfWork<Tx: Purchases + PaidPurchases + Entrants + Collection>,
{
    let paid = PaidPurchase {
        purchase: purchase.id,
        entrant: command.entrant,
        package: command.package,
        session: command.session.clone(),
        at,
    };
    let is_simple = intent.is_some_and(|intent| pays_in_full(intent, purchase));
    if is_simple && store.statement::<_, StoreError>(|tx| tx.credit_at_once(&paid))? {
        return Ok(());
    }
    let outcome = store.transaction(|tx| {
        let is_paid = purchase.status == PurchaseStatus::Completed
            || intent.is_some_and(|intent| pays_for(intent, purchase));
        if !is_paid {
            return Err(ConfirmError::NotPaid);
        }
        let outcome = credit_paid(tx, &paid)?;
        if outcome == CompleteOutcome::OverCap {
            return Ok(outcome);
        }
        if let Some(intent) = intent {
            record_refunds(tx, intent, at)?;
        }
        Ok(outcome)
    })?;
    match outcome {
        CompleteOutcome::OverCap => Err(ConfirmError::EntryCap),
        CompleteOutcome::Credited | CompleteOutcome::Unchanged => Ok(()),
    }
}

/// Whether this payment succeeded, was refunded in no part, and matches the purchase.
fn pays_in_full(intent: &Intent, purchase: &Purchase) -> bool {
    intent.status == IntentStatus::Succeeded && intent.refunded == 0 && matches_purchase(intent, purchase)
}

/// Whether this payment succeeded, was not refunded in full, and matches the purchase.
fn pays_for(intent: &Intent, purchase: &Purchase) -> bool {
    intent.status == IntentStatus::Succeeded && !intent.is_refunded() && matches_purchase(intent, purchase)
}

/// Whether the payment is this entrant's for this purchase's package at its price.
fn matches_purchase(intent: &Intent, purchase: &Purchase) -> bool {
    intent.entrant == Some(purchase.sold.entrant)
        && intent.amount == purchase.sold.price.cents()
        && intent.currency == Money::CURRENCY
        && intent.purchase == Some(purchase.id)
        && intent.package == Some(purchase.sold.package)
        && purchase.intent.as_ref().is_none_or(|known| *known == intent.id)
}

/// Applies an event of the provider. Events may come in any order and more than once; each is applied once. After an
/// error the provider sends the event again.
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
            EventKind::Failed(intent) => end_purchase(tx, intent, PurchaseStatus::Failed, at),
            EventKind::Canceled(intent) => end_purchase(tx, intent, PurchaseStatus::Canceled, at),
            EventKind::Reversed(intent, reversal) => reverse(tx, intent, reversal, at),
            EventKind::Other => Ok(()),
        }
    })
}

/// Applies the present state of a payment intent to a purchase that is still open.
pub(crate) fn apply_intent<S>(
    store: &S,
    at: DateTime<Utc>,
    purchase: &Purchase,
    intent: &Intent,
) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: Purchases>,
{
    store.transaction(|tx| match intent.status {
        IntentStatus::Succeeded => {
            credit(tx, intent, at)?;
            record_refunds(tx, intent, at)
        }
        IntentStatus::Canceled => tx
            .end_purchase(purchase.id, PurchaseStatus::Canceled, at)
            .map(drop),
        IntentStatus::Open => Ok(()),
    })
}

/// Credits the purchase of a payment intent. The program may have stopped before it recorded the id of the payment
/// intent, so the purchase is also found by the id in the metadata.
fn credit(tx: &mut impl Purchases, intent: &Intent, at: DateTime<Utc>) -> Result<(), StoreError> {
    let purchase = match tx.find_purchase_by_intent(&intent.id)? {
        Some(purchase) => Some(purchase),
        None => match intent.purchase {
            Some(id) => tx.find_purchase(id)?,
            None => None,
        },
    };
    let Some(purchase) = purchase else { return Ok(()) };
    if !matches_purchase(intent, &purchase) {
        return Ok(());
    }
    if purchase.intent.is_none() {
        tx.record_intent_id(purchase.id, &intent.id)?;
    }
    tx.complete_purchase(purchase.id, at).map(drop)
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
    tx: &mut impl Purchases,
    intent: &IntentId,
    reversal: &Reversal,
    at: DateTime<Utc>,
) -> Result<(), StoreError> {
    if let Some(purchase) = tx.find_purchase_by_intent(intent)? {
        tx.complete_purchase(purchase.id, at)?;
    }
    tx.reverse_purchase(intent, reversal, at).map(drop)
}

/// Records the refunds that a payment had when the provider was asked.
fn record_refunds(tx: &mut impl Purchases, intent: &Intent, at: DateTime<Utc>) -> Result<(), StoreError> {
    if intent.refunded == 0 {
        return Ok(());
    }
    let reversal = Reversal::Refunded(intent.refunded);
    tx.reverse_purchase(&intent.id, &reversal, at).map(drop)
}
