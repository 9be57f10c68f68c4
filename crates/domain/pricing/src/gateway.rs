//! The payment provider's ports. They are never called inside a transaction.

use crate::{CustomerId, IntentId, PackageId, PurchaseId, Reversal};
use async_trait::async_trait;
use chrono::{DateTime, Utc};
use kernel::{EntrantId, Money};
use std::error::Error;
use std::fmt;

/// A payment intent to be created. The purchase's id is its idempotency key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewIntent {
    /// The purchase.
    pub purchase: PurchaseId,
    /// The buyer.
    pub entrant: EntrantId,
    /// The package.
    pub package: PackageId,
    /// The price.
    pub amount: Money,
    /// The buyer's customer at the provider. Every attempt to create this payment intent has the same one.
    pub customer: Option<CustomerId>,
}

/// A payment intent that was created.
#[derive(Clone, PartialEq, Eq)]
pub struct CreatedIntent {
    /// The id.
    pub id: IntentId,
    /// The secret with which the buyer's browser pays. `Debug` does not show it.
    pub client_secret: String,
}

impl fmt::Debug for CreatedIntent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CreatedIntent({})", self.id)
    }
}

/// The status of a payment intent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntentStatus {
    /// It was paid.
    Succeeded,
    /// It was canceled and can no longer be paid.
    Canceled,
    /// It can still be paid.
    Open,
}

/// A payment intent as the provider reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intent {
    /// The id.
    pub id: IntentId,
    /// The status.
    pub status: IntentStatus,
    /// The amount, in cents.
    pub amount: i64,
    /// The currency, such as `usd`.
    pub currency: String,
    /// The purchase, from the metadata that it was created with.
    pub purchase: Option<PurchaseId>,
    /// The buyer, from the metadata.
    pub entrant: Option<EntrantId>,
    /// The package, from the metadata.
    pub package: Option<PackageId>,
    /// The amount that was refunded so far, in cents.
    pub refunded: i64,
}

impl Intent {
    /// Whether the whole amount was refunded.
    pub const fn is_refunded(&self) -> bool {
        self.refunded >= self.amount && self.refunded > 0
    }
}

/// Why a call to the provider failed. The cause is for the log and not for clients.
#[derive(Debug, thiserror::Error)]
pub enum PaymentsError {
    /// The provider is too busy, failed, or did not answer, so it may have done what was asked. The same call may be
    /// repeated.
    #[error("the provider is not available")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),
    /// The provider could not be reached, so it did nothing. The same call may be repeated.
    #[error("the provider cannot be reached")]
    Unreachable(#[source] Box<dyn Error + Send + Sync>),
    /// The provider refused the call, and would refuse it again.
    #[error("the provider refused")]
    Refused(#[source] Box<dyn Error + Send + Sync>),
}

impl PaymentsError {
    /// Whether the provider certainly did nothing of what was asked.
    pub const fn had_no_effect(&self) -> bool {
        matches!(self, Self::Unreachable(_) | Self::Refused(_))
    }
}

/// The payment provider.
#[async_trait]
pub trait Payments: Send + Sync {
    /// Creates a customer for an entrant; the provider learns the entrant's id and nothing else. A repeated call within a
    /// day returns the same customer.
    ///
    /// # Errors
    /// As [`Payments::create_intent`].
    async fn create_customer(&self, entrant: EntrantId) -> Result<CustomerId, PaymentsError>;

    /// Creates a payment intent. A repeated call for the same purchase returns the same payment intent.
    ///
    /// # Errors
    /// [`PaymentsError`], after a few attempts within a bounded time. If one of them may have had an effect, the error is
    /// [`PaymentsError::Unavailable`], however the last one failed.
    async fn create_intent(&self, new: &NewIntent) -> Result<CreatedIntent, PaymentsError>;

    /// The payment intent with this id; `None` when the provider has none.
    ///
    /// # Errors
    /// As [`Payments::create_intent`].
    async fn retrieve_intent(&self, id: &IntentId) -> Result<Option<Intent>, PaymentsError>;

    /// The address of the provider's receipt for a payment; `None` when the provider has none. It works for a month, so it
    /// is not stored.
    ///
    /// # Errors
    /// As [`Payments::create_intent`].
    async fn receipt(&self, id: &IntentId) -> Result<Option<String>, PaymentsError>;

    /// Cancels a payment intent that was not paid. Returns it as it is then: a payment that has succeeded, or that a bank
    /// is processing, is not canceled. `None` when the provider has none.
    ///
    /// # Errors
    /// As [`Payments::create_intent`].
    async fn cancel_intent(&self, id: &IntentId) -> Result<Option<Intent>, PaymentsError>;

    /// Refunds a payment in full. A repeated call does nothing.
    ///
    /// # Errors
    /// As [`Payments::create_intent`].
    async fn refund(&self, id: &IntentId) -> Result<(), PaymentsError>;
}

/// An event that the provider sends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderEvent {
    /// The id. An event that is sent again has the same id.
    pub id: String,
    /// The kind of event.
    pub kind: EventKind,
}

/// The kinds of events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventKind {
    /// A payment succeeded.
    Succeeded(Intent),
    /// A card was declined.
    Failed(IntentId),
    /// A payment intent was canceled.
    Canceled(IntentId),
    /// A payment was refunded, or a dispute over it was opened or closed.
    Reversed(IntentId, Reversal),
    /// Any other event, which is acknowledged and ignored.
    Other,
}

/// Why an event is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WebhookError {
    /// The signature is missing or wrong, or its time differs from now by more than 300 s.
    #[error("the signature is not valid")]
    Signature,
    /// The signature is valid, but the body is not an event.
    #[error("not an event")]
    Malformed,
}

/// Verifies and reads the provider's events.
pub trait Webhooks: Send + Sync {
    /// The event in a request body, if its signature is valid now. `body` must be the bytes as they were received.
    ///
    /// # Errors
    /// [`WebhookError`].
    fn read_event(
        &self,
        body: &[u8],
        signature: &str,
        now: DateTime<Utc>,
    ) -> Result<ProviderEvent, WebhookError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payment_intent_id_needs_no_escaping_in_a_path() {
        assert_eq!(IntentId::parse("pi_3abcDEF").unwrap().as_str(), "pi_3abcDEF");
        for wrong in ["", "pi/1", "pi 1", "../x", "pi_é", &"p".repeat(256)] {
            assert_eq!(IntentId::parse(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn a_client_secret_is_not_printed() {
        let created = CreatedIntent {
            id: IntentId::parse("pi_1").unwrap(),
            client_secret: "pi_1_secret_x".to_owned(),
        };
        assert_eq!(format!("{created:?}"), "CreatedIntent(pi_1)");
    }
}
