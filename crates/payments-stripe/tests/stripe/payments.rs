use crate::bank::{Bank, SECRET_KEY, adapter, brisk, purchase};
use futures_util::future::join_all;
use kernel::EntrantId;
use pricing::{Intent, IntentId, IntentStatus, PackageId, Payments, PaymentsError, PurchaseId};
use serde_json::json;

#[tokio::test]
async fn a_payment_is_asked_for_with_all_that_we_need_to_know_later() {
    let bank = Bank::open().await;
    let created = bank.payments.create_intent(&purchase(41, 500)).await.unwrap();
    let intents = bank.intents().await;
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
    let calls = bank.get("/control/calls").await;
    assert_eq!(calls["calls"][0]["idempotencyKey"], "purchase-41");
    bank.close().await;
}

#[tokio::test]
async fn asking_again_for_a_purchase_answers_the_same_payment() {
    let bank = Bank::open().await;
    let first = bank.payments.create_intent(&purchase(1, 500)).await.unwrap();
    for _ in 0..10 {
        assert_eq!(
            bank.payments.create_intent(&purchase(1, 500)).await.unwrap(),
            first
        );
    }
    let other = bank.payments.create_intent(&purchase(2, 500)).await.unwrap();
    assert_ne!(other.id, first.id);
    assert_eq!(bank.intents().await.len(), 2);
    bank.close().await;
}

#[tokio::test]
async fn fifty_at_once_for_a_purchase_get_the_same_payment() {
    let bank = Bank::open().await;
    let new = purchase(1, 500);
    let created = join_all((0..50).map(|_| bank.payments.create_intent(&new))).await;
    let first = created[0].as_ref().unwrap();
    for other in &created {
        assert_eq!(other.as_ref().unwrap(), first);
    }
    assert_eq!(bank.intents().await.len(), 1);
    bank.close().await;
}

#[tokio::test]
async fn another_amount_for_the_same_purchase_is_refused_and_not_tried_again() {
    let bank = Bank::open().await;
    bank.payments.create_intent(&purchase(1, 500)).await.unwrap();
    let refused = bank.payments.create_intent(&purchase(1, 600)).await;
    assert!(matches!(refused, Err(PaymentsError::Refused(_))), "{refused:?}");
    assert_eq!(
        bank.calls().await,
        ["POST /v1/payment_intents 200", "POST /v1/payment_intents 400"]
    );
    bank.close().await;
}

#[tokio::test]
async fn a_payment_may_succeed_after_a_decline_and_after_a_step_at_the_bank() {
    let bank = Bank::open().await;
    let id = bank.payments.create_intent(&purchase(9, 500)).await.unwrap().id;
    let now = |status, refunded| Intent {
        id: id.clone(),
        status,
        amount: 500,
        currency: "usd".to_owned(),
        purchase: Some(PurchaseId::new(9)),
        entrant: Some(EntrantId::new(7)),
        package: Some(PackageId::new(3)),
        refunded,
    };
    let seen = async || bank.payments.retrieve_intent(&id).await.unwrap().unwrap();
    assert_eq!(seen().await, now(IntentStatus::Open, false));

    let (status, said) = bank.pay(id.as_str(), "pm_card_chargeDeclined").await;
    assert_eq!((status, &said["error"]["code"]), (402, &json!("card_declined")));
    assert_eq!(seen().await, now(IntentStatus::Open, false));

    let step = format!("intents/{id}/complete-action");
    let (_, said) = bank.pay(id.as_str(), "pm_card_threeDSecure2Required").await;
    assert_eq!(said["status"], "requires_action");
    assert_eq!(seen().await, now(IntentStatus::Open, false));
    let (_, said) = bank.control(&step, json!({"outcome": "fail"})).await;
    assert_eq!(said["status"], "requires_payment_method");

    bank.pay(id.as_str(), "pm_card_threeDSecure2Required").await;
    bank.control(&step, json!({"outcome": "succeed"})).await;
    assert_eq!(seen().await, now(IntentStatus::Succeeded, false));
    let (status, _) = bank.pay(id.as_str(), "pm_card_visa").await;
    assert_eq!(status, 400, "paid is paid");

    bank.payments.refund(&id).await.unwrap();
    assert_eq!(seen().await, now(IntentStatus::Succeeded, true));
    bank.close().await;
}

#[tokio::test]
async fn a_payment_that_was_given_up_is_canceled() {
    let bank = Bank::open().await;
    let id = bank.payments.create_intent(&purchase(1, 500)).await.unwrap().id;
    bank.dashboard(
        &format!("payment_intents/{id}/cancel"),
        "cancellation_reason=abandoned",
    )
    .await;
    let intent = bank.payments.retrieve_intent(&id).await.unwrap().unwrap();
    assert_eq!(intent.status, IntentStatus::Canceled);
    let (status, _) = bank.pay(id.as_str(), "pm_card_visa").await;
    assert_eq!(status, 400);
    bank.close().await;
}

#[tokio::test]
async fn a_payment_is_paid_back_once_however_often_it_is_asked() {
    let bank = Bank::open().await;
    let id = bank.payments.create_intent(&purchase(1, 500)).await.unwrap().id;
    let unpaid = bank.payments.refund(&id).await;
    assert!(matches!(unpaid, Err(PaymentsError::Refused(_))), "{unpaid:?}");
    bank.close().await;

    let bank = Bank::open().await;
    let id = bank.payments.create_intent(&purchase(1, 500)).await.unwrap().id;
    bank.pay(id.as_str(), "pm_card_visa").await;
    for _ in 0..3 {
        bank.payments.refund(&id).await.unwrap();
    }
    let events = bank.get("/control/events").await;
    let refunds = events["events"].as_array().unwrap().iter();
    assert_eq!(
        refunds.filter(|event| event["type"] == "refund.created").count(),
        1
    );
    bank.close().await;
}

#[tokio::test]
async fn what_staff_paid_back_in_the_dashboard_counts_when_it_was_all() {
    let bank = Bank::open().await;
    let id = bank.payments.create_intent(&purchase(1, 500)).await.unwrap().id;
    bank.pay(id.as_str(), "pm_card_visa").await;
    let refunded = async || {
        let intent = bank.payments.retrieve_intent(&id).await.unwrap();
        intent.unwrap().refunded
    };
    bank.dashboard("refunds", &format!("payment_intent={id}&amount=200"))
        .await;
    assert!(!refunded().await);
    bank.dashboard("refunds", &format!("payment_intent={id}&amount=300"))
        .await;
    assert!(refunded().await);
    bank.payments.refund(&id).await.unwrap();
    bank.close().await;
}

#[tokio::test]
async fn an_unknown_payment_is_none() {
    let bank = Bank::open().await;
    let id = IntentId::parse("pi_0").unwrap();
    assert_eq!(bank.payments.retrieve_intent(&id).await.unwrap(), None);
    let refused = bank.payments.refund(&id).await;
    assert!(matches!(refused, Err(PaymentsError::Refused(_))), "{refused:?}");
    assert_eq!(bank.calls().await.len(), 2);
    bank.close().await;
}

#[tokio::test]
async fn neither_the_key_nor_a_client_secret_is_shown() {
    let bank = Bank::open().await;
    let created = bank.payments.create_intent(&purchase(1, 500)).await.unwrap();
    let wrong = adapter("http://127.0.0.1:1/", brisk())
        .create_intent(&purchase(1, 500))
        .await;
    let shown = format!("{:?} {created:?} {wrong:?}", bank.payments);
    assert!(
        !shown.contains(SECRET_KEY) && !shown.contains(&created.client_secret),
        "{shown}"
    );
    bank.close().await;
}
