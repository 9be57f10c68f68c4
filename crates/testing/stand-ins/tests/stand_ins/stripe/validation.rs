use crate::stripe::client::{INTENT, TestStripe};
use serde_json::json;
use stand_ins::kit::testing::status_and_json;

#[tokio::test]
async fn a_request_that_does_not_match_stripes_schema_is_rejected_and_recorded() {
    if stand_ins::kit::contracts_folder().is_none() {
        eprintln!("skipped: TOMBOLA_CONTRACTS is not set, so there are no schemas to check against");
        return;
    }
    let stripe = TestStripe::start().await;
    for (path, form) in [
        ("/v1/payment_intents", "currency=usd"),
        ("/v1/payment_intents", "amount=5.5&currency=usd"),
        ("/v1/payment_intents", "amount=500&currency=usd&price=3"),
        (
            "/v1/payment_intents",
            "amount=500&currency=usd&automatic_payment_methods[enabled]=perhaps",
        ),
        ("/v1/payment_intents", "amount=500&currency=usd&metadata[a][b]=1"),
        ("/v1/refunds", "payment_intent=pi_1&reason=whim"),
        ("/v1/payment_intents/pi_1/cancel", "cancellation_reason=whim"),
    ] {
        let before = stripe.violations().await;
        let (status, response) = status_and_json(stripe.call(path, form)).await;
        assert_eq!(
            (status, &response["error"]["type"]),
            (400, &json!("invalid_request_error")),
            "{form}"
        );
        assert_eq!(stripe.violations().await, before + 1, "{form}: {response}");
    }
    stripe.stop().await;
}

#[tokio::test]
async fn wrong_headers_are_rejected() {
    let stripe = TestStripe::start().await;
    let bare = || stripe.http.post(stripe.url("/v1/payment_intents")).body(INTENT);
    let (status, _) = status_and_json(bare()).await;
    assert_eq!(status, 401);
    let with_key = || bare().header("authorization", "Bearer sk_test_1");
    for (request, what) in [
        (with_key(), "no version"),
        (
            with_key().header("stripe-version", "2023-08-16"),
            "another version",
        ),
        (
            with_key().header("stripe-version", "2026-10-28.endive"),
            "no content type",
        ),
        (
            stripe
                .call("/v1/payment_intents", INTENT)
                .header("idempotency-key", "k".repeat(256)),
            "a long key",
        ),
    ] {
        let (status, response) = status_and_json(request).await;
        assert_eq!(status, 400, "{what}: {response}");
    }
    assert_eq!(stripe.violations().await, 4);
    let (status, _) = status_and_json(stripe.call("/v1/payment_intents", INTENT)).await;
    assert_eq!(status, 200);
    stripe.stop().await;
}

#[tokio::test]
async fn confirming_with_redirects_needs_a_return_url() {
    let stripe = TestStripe::start().await;
    let id = stripe.intent().await;
    let confirm = format!("/v1/payment_intents/{id}/confirm");
    let (status, _) = status_and_json(stripe.call(&confirm, "payment_method=pm_card_visa")).await;
    assert_eq!(status, 400);
    let form = "payment_method=pm_card_visa&return_url=https://tombola.example/";
    let (status, response) = status_and_json(stripe.call(&confirm, form)).await;
    assert_eq!((status, &response["status"]), (200, &json!("succeeded")));
    stripe.stop().await;
}

#[tokio::test]
async fn a_repeated_key_gives_the_same_intent_and_says_so() {
    let stripe = TestStripe::start().await;
    let create = || {
        let request = stripe.call("/v1/payment_intents", INTENT);
        request.header("idempotency-key", "one").send()
    };
    let (first, again) = (create().await.unwrap(), create().await.unwrap());
    assert!(!first.headers().contains_key("idempotent-replayed"));
    assert_eq!(again.headers()["idempotent-replayed"], "true");
    assert_eq!(first.text().await.unwrap(), again.text().await.unwrap());
    stripe.stop().await;
}

#[tokio::test]
async fn less_than_half_a_dollar_is_too_small() {
    let stripe = TestStripe::start().await;
    let form = INTENT.replace("amount=500", "amount=49");
    assert_ne!(form, INTENT);
    let (status, response) = status_and_json(stripe.call("/v1/payment_intents", &form)).await;
    assert_eq!(
        (status, &response["error"]["code"]),
        (400, &json!("amount_too_small"))
    );
    stripe.stop().await;
}
