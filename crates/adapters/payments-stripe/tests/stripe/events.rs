//! Webhook events that the stand-in creates and signs, and checks against Stripe's schemas.

use crate::client::TestStripe;
use chrono::Utc;
use kernel::EntrantId;
use payments_stripe::StripeWebhooks;
use pricing::{
    DisputeId, DisputeStatus, EventKind, Intent, IntentStatus, PackageId, ProviderEvent, PurchaseId,
    Reversal, Webhooks,
};
use secrecy::SecretString;
use serde_json::json;
use stand_ins::stripe::WEBHOOK_SECRET;

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
        refunded: 0,
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
async fn each_refund_is_an_event_with_the_amount_so_far() {
    let stripe = TestStripe::start().await;
    let id = stripe.paid_intent().await;
    let reversed = |amount| EventKind::Reversed(id.clone(), Reversal::Refunded(amount));
    stripe
        .dashboard("refunds", &format!("payment_intent={id}&amount=200"))
        .await;
    assert_eq!(kinds(&stripe).await[1..], [reversed(200), EventKind::Other]);
    stripe.dashboard("refunds", &format!("payment_intent={id}")).await;
    assert_eq!(kinds(&stripe).await[3..], [reversed(500), EventKind::Other]);
    stripe.stop().await;
}

#[tokio::test]
async fn a_dispute_is_open_until_it_is_closed() {
    for (outcome, closed) in [
        ("won", DisputeStatus::Won),
        ("warningClosed", DisputeStatus::Won),
        ("lost", DisputeStatus::Lost),
    ] {
        let stripe = TestStripe::start().await;
        let id = stripe.paid_intent().await;
        let (_, dispute) = stripe.control(&format!("intents/{id}/dispute"), json!({})).await;
        let dispute_id = DisputeId::parse(dispute["id"].as_str().unwrap()).unwrap();
        let reversed =
            |status| EventKind::Reversed(id.clone(), Reversal::Dispute(dispute_id.clone(), status));
        assert_eq!(kinds(&stripe).await[1..], [reversed(DisputeStatus::Open)]);
        let close = format!("intents/{id}/close-dispute");
        stripe.control(&close, json!({"outcome": outcome})).await;
        assert_eq!(kinds(&stripe).await[2..], [reversed(closed)], "{outcome}");
        stripe.stop().await;
    }
}
