use crate::payments::{Asked, asked};
use crate::signature;
use chrono::{DateTime, Utc};
use pricing::{EventKind, Intent, IntentId, IntentStatus, ProviderEvent, WebhookError, Webhooks};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::HashMap;

/// Reads Stripe's webhooks.
#[derive(Debug)]
pub struct StripeWebhooks {
    secret: SecretString,
}

impl StripeWebhooks {
    /// With the secret of the endpoint, as the provider's dashboard shows it: `whsec_…`.
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
        if !signature::holds(self.secret.expose_secret().as_bytes(), signature, body, now) {
            return Err(WebhookError::Signature);
        }
        let event: Event = serde_json::from_slice(body).map_err(|_| WebhookError::Malformed)?;
        Ok(ProviderEvent {
            kind: kind_of(&event.kind, event.data.object)?,
            id: event.id,
        })
    }
}

/// Only what is used, so that an event of another version of the API can be read too.
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
struct NamedObject {
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

/// `refund.created` and `refund.updated` say how much one refund was, not how much the charge was: whether all of it is
/// back, only `charge.refunded` tells, which Stripe sends along with them. So they are others.
fn kind_of(kind: &str, object: Value) -> Result<EventKind, WebhookError> {
    match kind {
        "payment_intent.succeeded" => Ok(EventKind::Succeeded(intent_of(read(object)?)?)),
        "payment_intent.payment_failed" => Ok(EventKind::Failed(name_of(object)?)),
        "payment_intent.canceled" => Ok(EventKind::Canceled(name_of(object)?)),
        "charge.refunded" => {
            let charge: ChargeObject = read(object)?;
            taken_back(charge.refunded, charge.payment_intent)
        }
        "charge.dispute.closed" => {
            let dispute: DisputeObject = read(object)?;
            taken_back(dispute.status == "lost", dispute.payment_intent)
        }
        _ => Ok(EventKind::Other),
    }
}

/// A charge without an intent was never ours.
fn taken_back(all_of_it: bool, intent: Option<String>) -> Result<EventKind, WebhookError> {
    match intent.filter(|_| all_of_it) {
        Some(id) => Ok(EventKind::Refunded(intent_id(&id)?)),
        None => Ok(EventKind::Other),
    }
}

fn intent_of(object: IntentObject) -> Result<Intent, WebhookError> {
    let Asked {
        purchase,
        entrant,
        package,
    } = asked(&object.metadata);
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

fn name_of(object: Value) -> Result<IntentId, WebhookError> {
    intent_id(&read::<NamedObject>(object)?.id)
}

fn intent_id(text: &str) -> Result<IntentId, WebhookError> {
    IntentId::parse(text).ok_or(WebhookError::Malformed)
}

fn read<T: DeserializeOwned>(object: Value) -> Result<T, WebhookError> {
    serde_json::from_value(object).map_err(|_| WebhookError::Malformed)
}
