use crate::client::{TestStripe, adapter, adapter_with_key, purchase, short_pauses};
use payments_stripe::Timeouts;
use pricing::{Payments, PaymentsError};
use serde_json::{Value, json};
use stand_ins::kit::StandIn;
use stand_ins::stripe::Config;
use std::time::{Duration, Instant};

const CREATED: &str = "POST /v1/payment_intents 200";

/// Creates a payment intent while calls fail in this way, and expects one intent and these calls.
async fn recovers_from(failure: Value, calls: &[&str]) {
    let stripe = TestStripe::start().await;
    stripe.fail(failure.clone()).await;
    let created = stripe.payments.create_intent(&purchase(1, 500)).await.unwrap();
    let intents = stripe.intents().await;
    assert_eq!(intents.len(), 1, "{failure}");
    assert_eq!(intents[0]["id"], created.id.as_str());
    assert_eq!(stripe.calls().await, calls, "{failure}");
    stripe.stop().await;
}

#[tokio::test]
async fn temporary_errors_are_retried_and_create_one_payment() {
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
async fn a_payment_whose_response_was_lost_is_not_created_again() {
    recovers_from(json!({"kind": "drop"}), &[CREATED, CREATED]).await;

    let patience = Timeouts {
        attempt_timeout: Duration::from_secs(1),
        retries: 10,
        ..short_pauses()
    };
    let stripe = TestStripe::start_with(patience).await;
    stripe.fail(json!({"kind": "hang"})).await;
    stripe.create_intent().await;
    assert_eq!(stripe.intents().await.len(), 1);
    // More than two attempts when the machine is too busy for an answer within a second.
    let calls = stripe.calls().await;
    assert!(
        calls.len() >= 2 && calls.iter().all(|call| call == CREATED),
        "{calls:?}"
    );
    stripe.stop().await;
}

#[tokio::test]
async fn a_refund_whose_response_was_lost_is_not_created_again() {
    let stripe = TestStripe::start().await;
    let id = stripe.create_intent().await;
    stripe.pay(&id, "pm_card_visa").await;
    stripe.fail(json!({"kind": "drop", "path": "/refunds"})).await;
    stripe.payments.refund(&id).await.unwrap();
    let events = stripe.get("/control/events").await;
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
    stripe.stop().await;
}

#[tokio::test]
async fn retrieving_is_retried_too() {
    let stripe = TestStripe::start().await;
    let id = stripe.create_intent().await;
    stripe
        .fail(json!({"kind": "status", "status": 500, "method": "GET"}))
        .await;
    assert!(stripe.payments.retrieve_intent(&id).await.unwrap().is_some());
    stripe.stop().await;
}

#[tokio::test]
async fn a_call_fails_after_two_retries() {
    let stripe = TestStripe::start().await;
    stripe
        .fail(json!({"kind": "status", "status": 500, "times": 9}))
        .await;
    let failed = stripe.payments.create_intent(&purchase(1, 500)).await;
    assert!(matches!(failed, Err(PaymentsError::Unavailable(_))), "{failed:?}");
    assert_eq!(stripe.calls().await.len(), 3);
    assert_eq!(stripe.intents().await.len(), 0);
    stripe.stop().await;
}

#[tokio::test]
async fn an_invalid_request_is_not_retried() {
    let stripe = TestStripe::start().await;
    let refused = stripe.payments.create_intent(&purchase(1, 1)).await;
    assert!(matches!(refused, Err(PaymentsError::Refused(_))), "{refused:?}");
    assert_eq!(stripe.calls().await, ["POST /v1/payment_intents 400"]);
    stripe.stop().await;
}

#[tokio::test]
async fn a_wrong_key_is_not_retried_and_the_message_about_it_is_not_shown() {
    let stripe = TestStripe::start().await;
    let wrong_key = adapter_with_key("pk_test_0815", &stripe.base(), short_pauses());
    let refused = wrong_key.create_intent(&purchase(1, 500)).await;
    assert!(matches!(refused, Err(PaymentsError::Refused(_))), "{refused:?}");
    let shown = format!("{refused:?}");
    assert!(shown.contains("401") && !shown.contains("key"), "{shown}");
    assert_eq!(stripe.calls().await, ["POST /v1/payment_intents 401"]);
    stripe.stop().await;
}

#[tokio::test]
async fn stripe_should_retry_decides_about_retries() {
    let stripe = TestStripe::start().await;
    let never =
        json!({"kind": "status", "status": 500, "headers": {"Stripe-Should-Retry": "false"}, "times": 1});
    stripe.fail(never).await;
    let failed = stripe.payments.create_intent(&purchase(1, 500)).await;
    assert!(matches!(failed, Err(PaymentsError::Unavailable(_))), "{failed:?}");
    assert_eq!(stripe.calls().await.len(), 1);
    stripe.stop().await;

    let again = json!({"kind": "status", "status": 400, "headers": {"Stripe-Should-Retry": "true"}});
    recovers_from(again, &["POST /v1/payment_intents 400", CREATED]).await;
}

#[tokio::test]
async fn retry_after_is_respected_unless_it_exceeds_the_total_timeout() {
    let started = Instant::now();
    let short = json!({"kind": "status", "status": 429, "headers": {"Retry-After": "1"}});
    recovers_from(short, &["POST /v1/payment_intents 429", CREATED]).await;
    assert!(started.elapsed() >= Duration::from_secs(1));

    let stripe = TestStripe::start().await;
    stripe
        .fail(json!({"kind": "status", "status": 429, "headers": {"Retry-After": "30"}}))
        .await;
    let failed = stripe.payments.create_intent(&purchase(1, 500)).await;
    assert!(matches!(failed, Err(PaymentsError::Unavailable(_))), "{failed:?}");
    assert_eq!(stripe.calls().await.len(), 1, "30 s exceed the total timeout");
    stripe.stop().await;
}

#[tokio::test]
async fn a_provider_that_hangs_takes_no_longer_than_the_total_timeout() {
    // An attempt alone would take longer than the test may.
    let patience = Timeouts {
        attempt_timeout: Duration::from_secs(3600),
        total_timeout: Duration::from_millis(500),
        ..short_pauses()
    };
    let stripe = TestStripe::start_with(patience).await;
    stripe.fail(json!({"kind": "hang", "times": 1000})).await;
    let failed = loop {
        match stripe.payments.create_intent(&purchase(1, 500)).await {
            Err(PaymentsError::Unreachable(_)) => {} // a busy machine: there was no connection in time
            failed => break failed,
        }
    };
    assert!(matches!(failed, Err(PaymentsError::Unavailable(_))), "{failed:?}");
    assert!(stripe.calls().await.len() <= 1, "no time is left for a retry");
    stripe.stop().await;
}

#[tokio::test]
async fn a_provider_that_refuses_connections_did_nothing() {
    let payments = adapter("http://127.0.0.1:1/", short_pauses());
    let failed = payments.create_intent(&purchase(1, 500)).await;
    assert!(matches!(failed, Err(PaymentsError::Unreachable(_))), "{failed:?}");
}

/// A provider that takes one call and goes away without an answer.
#[tokio::test]
async fn a_call_whose_first_attempt_was_sent_may_have_had_an_effect() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}/", listener.local_addr().unwrap());
    let provider = tokio::spawn(async move { drop(listener.accept().await.unwrap()) });
    let payments = adapter(&base, short_pauses());
    let failed = payments.create_intent(&purchase(1, 500)).await;
    assert!(matches!(failed, Err(PaymentsError::Unavailable(_))), "{failed:?}");
    provider.await.unwrap();
}

#[tokio::test]
async fn a_refusal_after_a_lost_answer_is_no_proof_that_nothing_was_done() {
    let stripe = TestStripe::start().await;
    stripe
        .fail(json!({"kind": "status", "status": 500, "times": 1}))
        .await;
    let failed = stripe.payments.create_intent(&purchase(1, 1)).await;
    assert!(matches!(failed, Err(PaymentsError::Unavailable(_))), "{failed:?}");
    stripe.stop().await;
}

#[tokio::test]
async fn a_provider_without_tls_is_unreachable_over_https() {
    let stand_in = StandIn::start(Config::default()).await.unwrap();
    let payments = adapter(&stand_in.url().replace("http:", "https:"), short_pauses());
    let failed = payments.create_intent(&purchase(1, 500)).await;
    assert!(matches!(failed, Err(PaymentsError::Unreachable(_))), "{failed:?}");
    stand_in.stop().await;
}

#[test]
fn a_call_may_take_twenty_seconds_and_an_attempt_eight() {
    let patience = Timeouts::default();
    assert_eq!(
        (
            patience.attempt_timeout.as_secs(),
            patience.total_timeout.as_secs()
        ),
        (8, 20)
    );
    assert_eq!(patience.retries, 2);
}
