//! Webhook events that the stand-in creates and signs, and checks against Stripe's schemas.

use crate::client::TestStripe;
use chrono::Utc;
use kernel::EntrantId;
use payments_stripe::StripeWebhooks;
use pricing::{
    DisputeId, DisputeStatus, EventKind, Intent, IntentStatus, PackageId, ProviderEvent, PurchaseId,
    RefundId, RefundStatus, Reversal, Webhooks,
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
async fn each_refund_is_an_event_with_its_amount_and_one_with_the_amount_so_far() {
    let stripe = TestStripe::start().await;
    let id = stripe.paid_intent().await;
    let refund = async |form: String| {
        let refund = stripe.dashboard("refunds", &form).await;
        RefundId::parse(refund["id"].as_str().unwrap()).unwrap()
    };
    let first = refund(format!("payment_intent={id}&amount=200")).await;
    let second = refund(format!("payment_intent={id}")).await;
    let reversed = |reversal| EventKind::Reversed(id.clone(), reversal);
    let made =
        |refund: &RefundId, amount| reversed(Reversal::Refund(refund.clone(), amount, RefundStatus::Made));
    let expected = [
        reversed(Reversal::Refunded(200)),
        made(&first, 200),
        reversed(Reversal::Refunded(500)),
        made(&second, 300),
    ];
    assert_eq!(kinds(&stripe).await[1..], expected);

    stripe
        .control(&format!("intents/{id}/fail-refund"), json!({}))
        .await;
    let failed = reversed(Reversal::Refund(second, 300, RefundStatus::Failed));
    let expected = [failed.clone(), failed];
    assert_eq!(kinds(&stripe).await[5..], expected);
    stripe.stop().await;
}

#[tokio::test]
async fn a_dispute_is_open_until_it_is_closed_and_an_inquiry_is_none() {
    use DisputeStatus::{Inquiry, Lost, Open, Won};
    for (is_inquiry, outcome, opened, closed) in [
        (false, "won", Open, Won),
        (false, "lost", Open, Lost),
        (true, "warningClosed", Inquiry, Inquiry),
        (true, "lost", Inquiry, Lost),
    ] {
        let stripe = TestStripe::start().await;
        let id = stripe.paid_intent().await;
        let dispute = format!("intents/{id}/dispute");
        let (_, dispute) = stripe.control(&dispute, json!({"inquiry": is_inquiry})).await;
        let dispute_id = DisputeId::parse(dispute["id"].as_str().unwrap()).unwrap();
        let reversed =
            |status| EventKind::Reversed(id.clone(), Reversal::Dispute(dispute_id.clone(), status));
        assert_eq!(kinds(&stripe).await[1..], [reversed(opened)]);
        let close = format!("intents/{id}/close-dispute");
        stripe.control(&close, json!({"outcome": outcome})).await;
        assert_eq!(kinds(&stripe).await[2..], [reversed(closed)], "{outcome}");
        stripe.stop().await;
    }
}
