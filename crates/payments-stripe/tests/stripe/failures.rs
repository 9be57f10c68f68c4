use crate::bank::{Bank, adapter, adapter_with_key, brisk, purchase};
use payments_stripe::Timeouts;
use pricing::{Payments, PaymentsError};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use stripe_stand_in::{Config, StandIn};

const CREATED: &str = "POST /v1/payment_intents 200";

/// One call that fails in this way, and how it looks from the provider's side.
async fn recovers_from(failure: Value, calls: &[&str]) {
    let patience = Timeouts {
        one_try: Duration::from_secs(2),
        ..brisk()
    };
    let bank = Bank::with_patience(patience).await;
    bank.fail(failure.clone()).await;
    let created = bank.payments.create_intent(&purchase(1, 500)).await.unwrap();
    let intents = bank.intents().await;
    assert_eq!(intents.len(), 1, "{failure}");
    assert_eq!(intents[0]["id"], created.id.as_str());
    assert_eq!(bank.calls().await, calls, "{failure}");
    bank.close().await;
}

#[tokio::test]
async fn what_may_pass_is_tried_again_and_ends_in_one_payment() {
    for status in [409, 429, 500, 503] {
        let failed = format!("POST /v1/payment_intents {status}");
        let failure = json!({"kind": "status", "status": status});
        recovers_from(failure, &[&failed, CREATED]).await;
    }
    let twice = json!({"kind": "status", "times": 2});
    let failed = "POST /v1/payment_intents 500";
    recovers_from(twice, &[failed, failed, CREATED]).await;
}

#[tokio::test]
async fn a_payment_whose_answer_was_lost_is_not_made_again() {
    recovers_from(json!({"kind": "drop"}), &[CREATED, CREATED]).await;
    recovers_from(json!({"kind": "hang"}), &[CREATED, CREATED]).await;
}

#[tokio::test]
async fn a_refund_whose_answer_was_lost_is_not_made_again() {
    let bank = Bank::open().await;
    let id = bank.payments.create_intent(&purchase(1, 500)).await.unwrap().id;
    bank.pay(id.as_str(), "pm_card_visa").await;
    bank.fail(json!({"kind": "drop", "path": "/refunds"})).await;
    bank.payments.refund(&id).await.unwrap();
    let events = bank.get("/control/events").await;
    let kinds: Vec<&Value> = events["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| &event["type"])
        .collect();
    assert_eq!(
        kinds,
        ["payment_intent.succeeded", "charge.refunded", "refund.created"]
    );
    bank.close().await;
}

#[tokio::test]
async fn looking_is_tried_again_too() {
    let bank = Bank::open().await;
    let id = bank.payments.create_intent(&purchase(1, 500)).await.unwrap().id;
    bank.fail(json!({"kind": "status", "status": 500, "method": "GET"}))
        .await;
    assert!(bank.payments.retrieve_intent(&id).await.unwrap().is_some());
    bank.close().await;
}

#[tokio::test]
async fn it_gives_up_after_two_retries() {
    let bank = Bank::open().await;
    bank.fail(json!({"kind": "status", "status": 500, "times": 9}))
        .await;
    let failed = bank.payments.create_intent(&purchase(1, 500)).await;
    assert!(matches!(failed, Err(PaymentsError::Unavailable(_))), "{failed:?}");
    assert_eq!(bank.calls().await.len(), 3);
    assert_eq!(bank.intents().await.len(), 0);
    bank.close().await;
}

#[tokio::test]
async fn what_is_refused_is_not_tried_again() {
    let bank = Bank::open().await;
    let refused = bank.payments.create_intent(&purchase(1, 1)).await;
    assert!(matches!(refused, Err(PaymentsError::Refused(_))), "{refused:?}");
    assert_eq!(bank.calls().await, ["POST /v1/payment_intents 400"]);
    bank.close().await;
}

#[tokio::test]
async fn a_wrong_key_is_refused_at_once_and_what_is_said_of_it_is_kept_quiet() {
    let bank = Bank::open().await;
    let stranger = adapter_with_key("pk_test_0815", &bank.url(), brisk());
    let refused = stranger.create_intent(&purchase(1, 500)).await;
    assert!(matches!(refused, Err(PaymentsError::Refused(_))), "{refused:?}");
    let shown = format!("{refused:?}");
    assert!(shown.contains("401") && !shown.contains("key"), "{shown}");
    assert_eq!(bank.calls().await, ["POST /v1/payment_intents 401"]);
    bank.close().await;
}

#[tokio::test]
async fn the_provider_decides_about_retries() {
    let bank = Bank::open().await;
    let never =
        json!({"kind": "status", "status": 500, "headers": {"Stripe-Should-Retry": "false"}, "times": 1});
    bank.fail(never).await;
    let failed = bank.payments.create_intent(&purchase(1, 500)).await;
    assert!(matches!(failed, Err(PaymentsError::Unavailable(_))), "{failed:?}");
    assert_eq!(bank.calls().await.len(), 1);
    bank.close().await;

    let again = json!({"kind": "status", "status": 400, "headers": {"Stripe-Should-Retry": "true"}});
    recovers_from(again, &["POST /v1/payment_intents 400", CREATED]).await;
}

#[tokio::test]
async fn a_pause_that_is_asked_for_is_kept_or_the_call_is_given_up() {
    let started = Instant::now();
    let short = json!({"kind": "status", "status": 429, "headers": {"Retry-After": "1"}});
    recovers_from(short, &["POST /v1/payment_intents 429", CREATED]).await;
    assert!(started.elapsed() >= Duration::from_secs(1));

    let bank = Bank::open().await;
    bank.fail(json!({"kind": "status", "status": 429, "headers": {"Retry-After": "30"}}))
        .await;
    let failed = bank.payments.create_intent(&purchase(1, 500)).await;
    assert!(matches!(failed, Err(PaymentsError::Unavailable(_))), "{failed:?}");
    assert_eq!(bank.calls().await.len(), 1, "30 s are more than it has");
    bank.close().await;
}

#[tokio::test]
async fn a_provider_that_hangs_costs_no_more_than_the_whole_call_may() {
    let patience = Timeouts {
        one_try: Duration::from_secs(1),
        altogether: Duration::from_millis(1500),
        ..brisk()
    };
    let bank = Bank::with_patience(patience).await;
    bank.fail(json!({"kind": "hang", "times": 9})).await;
    let started = Instant::now();
    let failed = bank.payments.create_intent(&purchase(1, 500)).await;
    let took = started.elapsed();
    assert!(matches!(failed, Err(PaymentsError::Unavailable(_))), "{failed:?}");
    assert!(took >= Duration::from_secs(1), "{took:?}");
    assert!(
        took < Duration::from_millis(2800),
        "three tries would take {took:?}"
    );
    bank.close().await;
}

#[tokio::test]
async fn a_provider_that_is_not_there_is_not_available() {
    let payments = adapter("http://127.0.0.1:1/", brisk());
    let failed = payments.create_intent(&purchase(1, 500)).await;
    assert!(matches!(failed, Err(PaymentsError::Unavailable(_))), "{failed:?}");
}

#[tokio::test]
async fn a_provider_that_does_not_encrypt_is_not_talked_to_when_it_should() {
    let stand_in = StandIn::start(Config::default()).await.unwrap();
    let payments = adapter(&stand_in.url().replace("http:", "https:"), brisk());
    let failed = payments.create_intent(&purchase(1, 500)).await;
    assert!(matches!(failed, Err(PaymentsError::Unavailable(_))), "{failed:?}");
    stand_in.stop().await;
}

#[test]
fn a_call_may_take_twenty_seconds_and_a_try_eight() {
    let patience = Timeouts::default();
    assert_eq!(
        (patience.one_try.as_secs(), patience.altogether.as_secs()),
        (8, 20)
    );
    assert_eq!(patience.retries, 2);
}
