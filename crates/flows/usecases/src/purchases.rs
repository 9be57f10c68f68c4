//! Buying entries, in steps. The payment provider is called between the steps, and never within one:
//!
//! 1. [`begin_purchase`] adds the purchase, the provider creates a payment intent, and [`record_intent_id`] records it.
//! 2. The visitor pays.
//! 3. The purchase is credited by the first of these: the browser's confirmation ([`purchase_to_confirm`] and
//!    [`confirm_purchase`]), the provider's event ([`apply_event`]), or [`crate::reconcile::reconcile`].

mod buy;
mod confirm;
mod credit;
mod events;
mod listed;
mod receipts;

pub(crate) use buy::with_customer;
pub use buy::{
    PayablePurchase, PurchaseCommand, PurchaseError, PurchaseRules, PurchaseStarted, begin_purchase, buy,
    record_intent_id,
};
pub use confirm::{
    ConfirmCommand, ConfirmError, ConfirmedPurchase, confirm, confirm_purchase, purchase_to_confirm,
};
pub use credit::CreditTx;
pub use events::apply_event;
pub(crate) use events::apply_success;
pub use listed::{AskedPurchases, PackageNames, PurchasePage, count, list, sales};
pub use receipts::{ReceiptError, paid, receipt};

use crate::RunError;
use pricing::PaymentsError;

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
