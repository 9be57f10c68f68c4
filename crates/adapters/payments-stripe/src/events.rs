use crate::payments::{Metadata, read_metadata};
use crate::signature;
use chrono::{DateTime, Utc};
use kernel::StoredText;
use pricing::{
    DisputeId, DisputeStatus, EventKind, Intent, IntentId, IntentStatus, ProviderEvent, RefundId,
    RefundStatus, Reversal, WebhookError, Webhooks,
};
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
    amount_refunded: i64,
    payment_intent: Option<String>,
}

#[derive(Deserialize)]
struct RefundObject {
    id: String,
    amount: i64,
    status: Option<String>,
    payment_intent: Option<String>,
}

#[derive(Deserialize)]
struct DisputeObject {
    id: String,
    status: String,
    payment_intent: Option<String>,
}

/// `charge.refunded` has the amount that was refunded so far. Events of one refund have its amount and status then, and only
/// they say that it failed. All events of a dispute have its status then.
fn kind_of(kind: &str, object: Value) -> Result<EventKind, WebhookError> {
    match kind {
        "payment_intent.succeeded" => Ok(EventKind::Succeeded(intent_of(read(object)?)?)),
        "payment_intent.payment_failed" => Ok(EventKind::Failed(id_of(object)?)),
        "payment_intent.canceled" => Ok(EventKind::Canceled(id_of(object)?)),
        "charge.refunded" => {
            let charge: ChargeObject = read(object)?;
            reversed(charge.payment_intent, Reversal::Refunded(charge.amount_refunded))
        }
        kind if kind.starts_with("refund.") => {
            let refund: RefundObject = read(object)?;
            let id = RefundId::parse(&refund.id).ok_or(WebhookError::Malformed)?;
            let reversal = Reversal::Refund(id, refund.amount, refund_status(refund.status.as_deref()));
            reversed(refund.payment_intent, reversal)
        }
        kind if kind.starts_with("charge.dispute.") => {
            let dispute: DisputeObject = read(object)?;
            let id = DisputeId::parse(&dispute.id).ok_or(WebhookError::Malformed)?;
            let reversal = Reversal::Dispute(id, dispute_status(&dispute.status));
            reversed(dispute.payment_intent, reversal)
        }
        _ => Ok(EventKind::Other),
    }
}

/// A charge without a payment intent is not ours.
fn reversed(intent: Option<String>, reversal: Reversal) -> Result<EventKind, WebhookError> {
    match intent {
        Some(id) => Ok(EventKind::Reversed(intent_id(&id)?, reversal)),
        None => Ok(EventKind::Other),
    }
}

/// A refund that waits counts as made: the customer sees it.
fn refund_status(text: Option<&str>) -> RefundStatus {
    match text {
        Some("failed" | "canceled") => RefundStatus::Failed,
        _ => RefundStatus::Made,
    }
}

/// Statuses that begin with `warning_` are of an inquiry, which takes no money and holds nothing (D67). `prevented` is a dispute
/// that the bank withdrew. Every other status, also one that Stripe adds later, is open.
fn dispute_status(text: &str) -> DisputeStatus {
    match text {
        "lost" => DisputeStatus::Lost,
        "won" | "prevented" => DisputeStatus::Won,
        inquiry if inquiry.starts_with("warning_") => DisputeStatus::Inquiry,
        _ => DisputeStatus::Open,
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
        refunded: 0,
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
