use crate::client::{SECRET_KEY, TestStripe, adapter, purchase, short_pauses};
use futures_util::future::join_all;
use kernel::EntrantId;
use pricing::{Intent, IntentId, IntentStatus, PackageId, Payments, PaymentsError, PurchaseId};
use serde_json::json;

#[tokio::test]
async fn a_payment_intent_has_the_ids_of_the_purchase_in_its_metadata() {
    let stripe = TestStripe::start().await;
    let created = stripe.payments.create_intent(&purchase(41, 500)).await.unwrap();
    let intents = stripe.intents().await;
    assert_eq!(intents.len(), 1);
    let intent = &intents[0];
    assert_eq!(intent["id"], created.id.as_str());
    assert_eq!(intent["client_secret"], created.client_secret);
    assert_eq!(
        (&intent["amount"], &intent["currency"]),
        (&json!(500), &json!("usd"))
    );
    assert_eq!(intent["automatic_payment_methods"]["enabled"], true);
    assert_eq!(
        intent["metadata"],
        json!({"purchaseId": "41", "userId": "7", "packageId": "3"})
    );
    let calls = stripe.get("/control/calls").await;
    assert_eq!(calls["calls"][0]["idempotencyKey"], "purchase-41");
    stripe.stop().await;
}

#[tokio::test]
async fn creating_the_intent_of_a_purchase_again_returns_the_same_intent() {
    let stripe = TestStripe::start().await;
    let first = stripe.payments.create_intent(&purchase(1, 500)).await.unwrap();
    for _ in 0..10 {
        assert_eq!(
            stripe.payments.create_intent(&purchase(1, 500)).await.unwrap(),
            first
        );
    }
    let other = stripe.payments.create_intent(&purchase(2, 500)).await.unwrap();
    assert_ne!(other.id, first.id);
    assert_eq!(stripe.intents().await.len(), 2);
    stripe.stop().await;
}

#[tokio::test]
async fn fifty_concurrent_calls_for_a_purchase_return_the_same_intent() {
    let stripe = TestStripe::start().await;
    let new = purchase(1, 500);
    let created = join_all((0..50).map(|_| stripe.payments.create_intent(&new))).await;
    let first = created[0].as_ref().unwrap();
    for other in &created {
        assert_eq!(other.as_ref().unwrap(), first);
    }
    assert_eq!(stripe.intents().await.len(), 1);
    stripe.stop().await;
}

#[tokio::test]
async fn another_amount_for_the_same_purchase_is_rejected_and_not_retried() {
    let stripe = TestStripe::start().await;
    stripe.payments.create_intent(&purchase(1, 500)).await.unwrap();
    let refused = stripe.payments.create_intent(&purchase(1, 600)).await;
    assert!(matches!(refused, Err(PaymentsError::Refused(_))), "{refused:?}");
    assert_eq!(
        stripe.calls().await,
        ["POST /v1/payment_intents 200", "POST /v1/payment_intents 400"]
    );
    stripe.stop().await;
}

#[tokio::test]
async fn a_payment_may_succeed_after_a_decline_and_after_authentication() {
    let stripe = TestStripe::start().await;
    let id = stripe.payments.create_intent(&purchase(9, 500)).await.unwrap().id;
    let intent = |status, refunded| Intent {
        id: id.clone(),
        status,
        amount: 500,
        currency: "usd".to_owned(),
        purchase: Some(PurchaseId::new(9)),
        entrant: Some(EntrantId::new(7)),
        package: Some(PackageId::new(3)),
        refunded,
    };
    let retrieved = async || stripe.payments.retrieve_intent(&id).await.unwrap().unwrap();
    assert_eq!(retrieved().await, intent(IntentStatus::Open, 0));

    let (status, response) = stripe.pay(&id, "pm_card_chargeDeclined").await;
    assert_eq!(
        (status, &response["error"]["code"]),
        (402, &json!("card_declined"))
    );
    assert_eq!(retrieved().await, intent(IntentStatus::Open, 0));

    let complete_action = format!("intents/{id}/complete-action");
    let (_, response) = stripe.pay(&id, "pm_card_threeDSecure2Required").await;
    assert_eq!(response["status"], "requires_action");
    assert_eq!(retrieved().await, intent(IntentStatus::Open, 0));
    let (_, response) = stripe.control(&complete_action, json!({"outcome": "fail"})).await;
    assert_eq!(response["status"], "requires_payment_method");

    stripe.pay(&id, "pm_card_threeDSecure2Required").await;
    stripe
        .control(&complete_action, json!({"outcome": "succeed"}))
        .await;
    assert_eq!(retrieved().await, intent(IntentStatus::Succeeded, 0));
    let (status, _) = stripe.pay(&id, "pm_card_visa").await;
    assert_eq!(status, 400, "it is paid already");

    stripe.payments.refund(&id).await.unwrap();
    assert_eq!(retrieved().await, intent(IntentStatus::Succeeded, 500));
    stripe.stop().await;
}

#[tokio::test]
async fn a_payment_that_was_canceled_in_the_dashboard_is_canceled() {
    let stripe = TestStripe::start().await;
    let id = stripe.create_intent().await;
    stripe
        .dashboard(
            &format!("payment_intents/{id}/cancel"),
            "cancellation_reason=abandoned",
        )
        .await;
    let intent = stripe.payments.retrieve_intent(&id).await.unwrap().unwrap();
    assert_eq!(intent.status, IntentStatus::Canceled);
    let (status, _) = stripe.pay(&id, "pm_card_visa").await;
    assert_eq!(status, 400);
    stripe.stop().await;
}

#[tokio::test]
async fn repeated_refunds_of_a_payment_create_one_refund() {
    let stripe = TestStripe::start().await;
    let id = stripe.create_intent().await;
    let unpaid = stripe.payments.refund(&id).await;
    assert!(matches!(unpaid, Err(PaymentsError::Refused(_))), "{unpaid:?}");
    stripe.stop().await;

    let stripe = TestStripe::start().await;
    let id = stripe.create_intent().await;
    stripe.pay(&id, "pm_card_visa").await;
    for _ in 0..3 {
        stripe.payments.refund(&id).await.unwrap();
    }
    let events = stripe.get("/control/events").await;
    let refunds = events["events"].as_array().unwrap().iter();
    assert_eq!(
        refunds.filter(|event| event["type"] == "refund.created").count(),
        1
    );
    stripe.stop().await;
}

#[tokio::test]
async fn refunds_in_the_dashboard_add_up() {
    let stripe = TestStripe::start().await;
    let id = stripe.create_intent().await;
    stripe.pay(&id, "pm_card_visa").await;
    let refunded = async || {
        let intent = stripe.payments.retrieve_intent(&id).await.unwrap();
        intent.unwrap().refunded
    };
    stripe
        .dashboard("refunds", &format!("payment_intent={id}&amount=200"))
        .await;
    assert_eq!(refunded().await, 200);
    stripe
        .dashboard("refunds", &format!("payment_intent={id}&amount=300"))
        .await;
    assert_eq!(refunded().await, 500);
    stripe.payments.refund(&id).await.unwrap();
    stripe.stop().await;
}

#[tokio::test]
async fn an_unknown_payment_is_not_found() {
    let stripe = TestStripe::start().await;
    let id = IntentId::parse("pi_0").unwrap();
    assert_eq!(stripe.payments.retrieve_intent(&id).await.unwrap(), None);
    let refused = stripe.payments.refund(&id).await;
    assert!(matches!(refused, Err(PaymentsError::Refused(_))), "{refused:?}");
    assert_eq!(stripe.calls().await.len(), 2);
    stripe.stop().await;
}

#[tokio::test]
async fn debug_output_shows_neither_the_key_nor_a_client_secret() {
    let stripe = TestStripe::start().await;
    let created = stripe.payments.create_intent(&purchase(1, 500)).await.unwrap();
    let unreachable = adapter("http://127.0.0.1:1/", short_pauses())
        .create_intent(&purchase(1, 500))
        .await;
    let shown = format!("{:?} {created:?} {unreachable:?}", stripe.payments);
    assert!(
        !shown.contains(SECRET_KEY) && !shown.contains(&created.client_secret),
        "{shown}"
    );
    stripe.stop().await;
}
