//! What the provider of card payments does for us. Never called inside a transaction.

use crate::{PackageId, PurchaseId};
use async_trait::async_trait;
use chrono::{DateTime, Utc};
use kernel::{EntrantId, Money};
use std::error::Error;
use std::fmt;

/// The provider's name for a payment.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct IntentId(String);

impl IntentId {
    /// The name, if it can be one: up to 255 letters, digits and underscores.
    pub fn parse(text: &str) -> Option<Self> {
        let fits = (1..=255).contains(&text.len())
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        fits.then(|| Self(text.to_owned()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for IntentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A payment to be asked for. The purchase's id is its idempotency key (D7).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewIntent {
    /// For which purchase.
    pub purchase: PurchaseId,
    /// Who pays.
    pub entrant: EntrantId,
    /// For which package.
    pub package: PackageId,
    /// How much.
    pub amount: Money,
}

/// A payment that was asked for.
#[derive(Clone, PartialEq, Eq)]
pub struct CreatedIntent {
    /// Its name.
    pub id: IntentId,
    /// With what the payer's browser goes on. Nobody else's to see, so it is not in `Debug`.
    pub client_secret: String,
}

impl fmt::Debug for CreatedIntent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CreatedIntent({})", self.id)
    }
}

/// How far a payment has come, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntentStatus {
    /// Paid.
    Succeeded,
    /// Given up, for good.
    Canceled,
    /// Neither yet.
    Open,
}

/// A payment as the provider tells of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intent {
    /// Its name.
    pub id: IntentId,
    /// How far it has come.
    pub status: IntentStatus,
    /// How much was asked for, in cents.
    pub amount: i64,
    /// In what, such as `usd`.
    pub currency: String,
    /// For which purchase, as we said when we asked.
    pub purchase: Option<PurchaseId>,
    /// Who pays, as we said.
    pub entrant: Option<EntrantId>,
    /// For which package, as we said.
    pub package: Option<PackageId>,
    /// Whether all of it was paid back, or lost in a dispute.
    pub refunded: bool,
}

/// Why the provider did not do what it was asked. Nothing of it is for a client.
#[derive(Debug, thiserror::Error)]
pub enum PaymentsError {
    /// It cannot be reached, is too busy, or failed. The same call may be tried again.
    #[error("the provider is not available")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),
    /// It said no, and will again.
    #[error("the provider refused")]
    Refused(#[source] Box<dyn Error + Send + Sync>),
}

/// The provider of card payments.
#[async_trait]
pub trait Payments: Send + Sync {
    /// Asks for a payment. Asked again for the same purchase, it answers the same payment.
    ///
    /// # Errors
    /// After a few tries within a bounded time.
    async fn create_intent(&self, new: &NewIntent) -> Result<CreatedIntent, PaymentsError>;

    /// A payment as it is now; `None` when the provider knows none with this name. `refunded` is true when its charge
    /// was paid back in full.
    ///
    /// # Errors
    /// As [`Payments::create_intent`].
    async fn retrieve_intent(&self, id: &IntentId) -> Result<Option<Intent>, PaymentsError>;

    /// Pays a payment back in full. Asked again, it does nothing more.
    ///
    /// # Errors
    /// As [`Payments::create_intent`].
    async fn refund(&self, id: &IntentId) -> Result<(), PaymentsError>;
}

/// What the provider tells us of by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderEvent {
    /// Its name, by which it is known when it comes again.
    pub id: String,
    /// Of what it tells.
    pub kind: EventKind,
}

/// Of what an event tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventKind {
    /// Paid.
    Succeeded(Intent),
    /// A card was declined.
    Failed(IntentId),
    /// Given up.
    Canceled(IntentId),
    /// Paid back in full, or lost in a dispute.
    Refunded(IntentId),
    /// Something else, which is acknowledged.
    Other,
}

/// Why an event is not believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WebhookError {
    /// The signature is missing, another one, or older or newer than 300 s.
    #[error("the signature does not hold")]
    Signature,
    /// It is signed, but no event.
    #[error("not an event")]
    Malformed,
}

/// Reads the provider's events.
pub trait Webhooks: Send + Sync {
    /// The event in a body as it came, byte for byte, if its signature holds now.
    ///
    /// # Errors
    /// When it is not to be believed, or cannot be read.
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
    fn the_name_of_a_payment_can_stand_in_a_path() {
        for right in ["pi_3abcDEF", &"p".repeat(255)] {
            let id = IntentId::parse(right).unwrap();
            assert_eq!((id.as_str(), id.to_string().as_str()), (right, right));
        }
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
