use crate::payments::{Metadata, read_metadata};
use crate::signature;
use chrono::{DateTime, Utc};
use kernel::StoredText;
use pricing::{EventKind, Intent, IntentId, IntentStatus, ProviderEvent, WebhookError, Webhooks};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::HashMap;

/// Verifies and reads Stripe's webhooks.
#[derive(Debug)]
pub struct StripeWebhooks {
    secret: SecretString,
}

impl StripeWebhooks {
    /// Takes the signing secret of the webhook endpoint, `whsec_…`.
    pub fn new(secret: SecretString) -> Self {
        Self { secret }
    }
}

impl Webhooks for StripeWebhooks {
    fn read_event(
        &self,
        body: &[u8],
        signature: &str,
        now: DateTime<Utc>,
    ) -> Result<ProviderEvent, WebhookError> {
        if !signature::is_valid(self.secret.expose_secret().as_bytes(), signature, body, now) {
            return Err(WebhookError::Signature);
        }
        let event: Event = serde_json::from_slice(body).map_err(|_| WebhookError::Malformed)?;
        Ok(ProviderEvent {
            kind: kind_of(&event.kind, event.data.object)?,
            id: stored(&event.id)?,
        })
    }
}

/// An id that can be stored.
fn stored(id: &str) -> Result<String, WebhookError> {
    let line = StoredText::line(id, 255).map_err(|_| WebhookError::Malformed)?;
    Ok(line.into())
}

/// Only the fields that are used, so that events of other API versions can be read too.
#[derive(Deserialize)]
struct Event {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    data: Data,
}

#[derive(Default, Deserialize)]
struct Data {
    #[serde(default)]
    object: Value,
}

#[derive(Deserialize)]
struct IntentObject {
    id: String,
    status: String,
    amount: i64,
    currency: String,
    #[serde(default)]
    metadata: HashMap<String, String>,
}

#[derive(Deserialize)]
struct ObjectWithId {
    id: String,
}

#[derive(Deserialize)]
struct ChargeObject {
    refunded: bool,
    payment_intent: Option<String>,
}

#[derive(Deserialize)]
struct DisputeObject {
    status: String,
    payment_intent: Option<String>,
}

/// `refund.created` and `refund.updated` have the amount of one refund, not of the charge. Only `charge.refunded`, which
/// Stripe sends with them, says whether the charge is fully refunded, so they are other events.
fn kind_of(kind: &str, object: Value) -> Result<EventKind, WebhookError> {
    match kind {
        "payment_intent.succeeded" => Ok(EventKind::Succeeded(intent_of(read(object)?)?)),
        "payment_intent.payment_failed" => Ok(EventKind::Failed(id_of(object)?)),
        "payment_intent.canceled" => Ok(EventKind::Canceled(id_of(object)?)),
        "charge.refunded" => {
            let charge: ChargeObject = read(object)?;
            refunded(charge.refunded, charge.payment_intent)
        }
        "charge.dispute.closed" => {
            let dispute: DisputeObject = read(object)?;
            refunded(dispute.status == "lost", dispute.payment_intent)
        }
        _ => Ok(EventKind::Other),
    }
}

/// A charge without a payment intent is not ours.
fn refunded(is_full: bool, intent: Option<String>) -> Result<EventKind, WebhookError> {
    match intent.filter(|_| is_full) {
        Some(id) => Ok(EventKind::Refunded(intent_id(&id)?)),
        None => Ok(EventKind::Other),
    }
}

fn intent_of(object: IntentObject) -> Result<Intent, WebhookError> {
    let Metadata {
        purchase,
        entrant,
        package,
    } = read_metadata(&object.metadata);
    Ok(Intent {
        id: intent_id(&object.id)?,
        status: if object.status == "succeeded" {
            IntentStatus::Succeeded
        } else {
            IntentStatus::Open
        },
        amount: object.amount,
        currency: object.currency,
        purchase,
        entrant,
        package,
        refunded: false,
    })
}

fn id_of(object: Value) -> Result<IntentId, WebhookError> {
    intent_id(&read::<ObjectWithId>(object)?.id)
}

fn intent_id(text: &str) -> Result<IntentId, WebhookError> {
    IntentId::parse(text).ok_or(WebhookError::Malformed)
}

fn read<T: DeserializeOwned>(object: Value) -> Result<T, WebhookError> {
    serde_json::from_value(object).map_err(|_| WebhookError::Malformed)
}
