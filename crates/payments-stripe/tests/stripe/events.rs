//! Webhook events that the stand-in creates and signs, and checks against Stripe's schemas.

use crate::client::TestStripe;
use chrono::Utc;
use kernel::EntrantId;
use payments_stripe::StripeWebhooks;
use pricing::{EventKind, Intent, IntentId, IntentStatus, PackageId, ProviderEvent, PurchaseId, Webhooks};
use secrecy::SecretString;
use serde_json::json;
use stripe_stand_in::WEBHOOK_SECRET;

/// All events so far, read by the adapter.
#[expect(
    clippy::disallowed_methods,
    reason = "the stand-in signs with the system clock"
)]
async fn read_events(stripe: &TestStripe) -> Vec<ProviderEvent> {
    let webhooks = StripeWebhooks::new(SecretString::from(WEBHOOK_SECRET));
    let found = stripe.get("/control/events").await;
    let mut read = Vec::new();
    for event in found["events"].as_array().unwrap() {
        let id = event["id"].as_str().unwrap();
        let signed = stripe.get(&format!("/control/events/{id}/signed")).await;
        let body = signed["body"].as_str().unwrap();
        let signature = signed["signature"].as_str().unwrap();
        let event = webhooks
            .read_event(body.as_bytes(), signature, Utc::now())
            .unwrap();
        assert_eq!(event.id, id);
        read.push(event);
    }
    read
}

async fn kinds(stripe: &TestStripe) -> Vec<EventKind> {
    let events = read_events(stripe).await;
    events.into_iter().map(|event| event.kind).collect()
}

#[tokio::test]
async fn a_decline_an_authentication_and_a_success_are_events() {
    let stripe = TestStripe::start().await;
    let id = stripe.create_intent().await;
    for method in [
        "pm_card_chargeDeclined",
        "pm_card_threeDSecure2Required",
        "pm_card_visa",
    ] {
        stripe.pay(&id, method).await;
    }
    let succeeded = Intent {
        id: id.clone(),
        status: IntentStatus::Succeeded,
        amount: 500,
        currency: "usd".to_owned(),
        purchase: Some(PurchaseId::new(1)),
        entrant: Some(EntrantId::new(7)),
        package: Some(PackageId::new(3)),
        refunded: false,
    };
    assert_eq!(
        kinds(&stripe).await,
        [
            EventKind::Failed(id),
            EventKind::Other,
            EventKind::Succeeded(succeeded)
        ]
    );
    stripe.stop().await;
}

#[tokio::test]
async fn a_canceled_payment_is_an_event() {
    let stripe = TestStripe::start().await;
    let id = stripe.create_intent().await;
    stripe
        .dashboard(&format!("payment_intents/{id}/cancel"), "")
        .await;
    assert_eq!(kinds(&stripe).await, [EventKind::Canceled(id)]);
    stripe.stop().await;
}

#[tokio::test]
async fn only_a_full_refund_is_a_refund_event() {
    let stripe = TestStripe::start().await;
    let id = stripe.paid_intent().await;
    stripe
        .dashboard("refunds", &format!("payment_intent={id}&amount=200"))
        .await;
    assert_eq!(kinds(&stripe).await[1..], [EventKind::Other, EventKind::Other]);
    stripe.dashboard("refunds", &format!("payment_intent={id}")).await;
    assert_eq!(
        kinds(&stripe).await[3..],
        [EventKind::Refunded(id), EventKind::Other]
    );
    stripe.stop().await;
}

#[tokio::test]
async fn only_a_lost_dispute_is_a_refund_event() {
    for (outcome, closed) in [
        ("won", None),
        ("lost", Some(EventKind::Refunded as fn(IntentId) -> EventKind)),
    ] {
        let stripe = TestStripe::start().await;
        let id = stripe.paid_intent().await;
        let dispute = format!("intents/{id}/dispute");
        stripe.control(&dispute, json!({"outcome": outcome})).await;
        let expected = closed.map_or(EventKind::Other, |kind| kind(id));
        assert_eq!(
            kinds(&stripe).await[1..],
            [EventKind::Other, expected],
            "{outcome}"
        );
        stripe.stop().await;
    }
}
