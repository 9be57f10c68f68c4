//! Events as the stand-in makes and signs them, which checks them against Stripe's types first.

use crate::bank::{Bank, purchase};
use chrono::Utc;
use kernel::EntrantId;
use payments_stripe::StripeWebhooks;
use pricing::{
    EventKind, Intent, IntentId, IntentStatus, PackageId, Payments, ProviderEvent, PurchaseId, Webhooks,
};
use secrecy::SecretString;
use serde_json::json;
use stripe_stand_in::WEBHOOK_SECRET;

/// All events so far, as the adapter reads them.
#[expect(
    clippy::disallowed_methods,
    reason = "the stand-in signs by the machine's clock"
)]
async fn read_events(bank: &Bank) -> Vec<ProviderEvent> {
    let webhooks = StripeWebhooks::new(SecretString::from(WEBHOOK_SECRET));
    let told = bank.get("/control/events").await;
    let mut read = Vec::new();
    for event in told["events"].as_array().unwrap() {
        let id = event["id"].as_str().unwrap();
        let signed = bank.get(&format!("/control/events/{id}/signed")).await;
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

async fn kinds(bank: &Bank) -> Vec<EventKind> {
    let events = read_events(bank).await;
    events.into_iter().map(|event| event.kind).collect()
}

async fn paid(bank: &Bank) -> IntentId {
    let id = bank.payments.create_intent(&purchase(1, 500)).await.unwrap().id;
    let (status, _) = bank.pay(id.as_str(), "pm_card_visa").await;
    assert_eq!(status, 200);
    id
}

#[tokio::test]
async fn a_payment_tells_of_decline_of_steps_and_of_success() {
    let bank = Bank::open().await;
    let id = bank.payments.create_intent(&purchase(1, 500)).await.unwrap().id;
    for method in [
        "pm_card_chargeDeclined",
        "pm_card_threeDSecure2Required",
        "pm_card_visa",
    ] {
        bank.pay(id.as_str(), method).await;
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
        kinds(&bank).await,
        [
            EventKind::Failed(id),
            EventKind::Other,
            EventKind::Succeeded(succeeded)
        ]
    );
    bank.close().await;
}

#[tokio::test]
async fn a_payment_that_is_given_up_says_so() {
    let bank = Bank::open().await;
    let id = bank.payments.create_intent(&purchase(1, 500)).await.unwrap().id;
    bank.dashboard(&format!("payment_intents/{id}/cancel"), "").await;
    assert_eq!(kinds(&bank).await, [EventKind::Canceled(id)]);
    bank.close().await;
}

#[tokio::test]
async fn only_a_full_refund_is_one() {
    let bank = Bank::open().await;
    let id = paid(&bank).await;
    bank.dashboard("refunds", &format!("payment_intent={id}&amount=200"))
        .await;
    assert_eq!(kinds(&bank).await[1..], [EventKind::Other, EventKind::Other]);
    bank.dashboard("refunds", &format!("payment_intent={id}")).await;
    assert_eq!(
        kinds(&bank).await[3..],
        [EventKind::Refunded(id), EventKind::Other]
    );
    bank.close().await;
}

#[tokio::test]
async fn only_a_lost_dispute_takes_back() {
    for (outcome, closed) in [
        ("won", None),
        ("lost", Some(EventKind::Refunded as fn(IntentId) -> EventKind)),
    ] {
        let bank = Bank::open().await;
        let id = paid(&bank).await;
        let dispute = format!("intents/{id}/dispute");
        bank.control(&dispute, json!({"outcome": outcome})).await;
        let expected = closed.map_or(EventKind::Other, |kind| kind(id));
        assert_eq!(kinds(&bank).await[1..], [EventKind::Other, expected], "{outcome}");
        bank.close().await;
    }
}
