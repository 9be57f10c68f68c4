use crate::desk::{Desk, ORDER, json_of};
use serde_json::json;

async fn violations(desk: &Desk) -> usize {
    let found = desk.get("/control/violations").await;
    found["violations"].as_array().unwrap().len()
}

#[tokio::test]
async fn what_stripes_types_do_not_know_is_refused_and_remembered() {
    if stripe_stand_in::contracts_folder().is_none() {
        eprintln!("skipped: TOMBOLA_CONTRACTS is not set, so there are no types to check against");
        return;
    }
    let desk = Desk::open().await;
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
        let before = violations(&desk).await;
        let (status, said) = json_of(desk.call(path, form)).await;
        assert_eq!(
            (status, &said["error"]["type"]),
            (400, &json!("invalid_request_error")),
            "{form}"
        );
        assert_eq!(violations(&desk).await, before + 1, "{form}: {said}");
    }
    desk.close().await;
}

#[tokio::test]
async fn headers_are_checked() {
    let desk = Desk::open().await;
    let bare = || desk.http.post(desk.url("/v1/payment_intents")).body(ORDER);
    let (status, _) = json_of(bare()).await;
    assert_eq!(status, 401);
    let keyed = || bare().header("authorization", "Bearer sk_test_1");
    for (request, what) in [
        (keyed(), "no version"),
        (keyed().header("stripe-version", "2023-08-16"), "another version"),
        (
            keyed().header("stripe-version", "2026-10-28.endive"),
            "no content type",
        ),
        (
            desk.call("/v1/payment_intents", ORDER)
                .header("idempotency-key", "k".repeat(256)),
            "a long key",
        ),
    ] {
        let (status, said) = json_of(request).await;
        assert_eq!(status, 400, "{what}: {said}");
    }
    assert_eq!(violations(&desk).await, 4);
    let (status, _) = json_of(desk.call("/v1/payment_intents", ORDER)).await;
    assert_eq!(status, 200);
    desk.close().await;
}

#[tokio::test]
async fn the_secret_key_does_not_confirm_what_may_redirect_without_an_address_to_return_to() {
    let desk = Desk::open().await;
    let id = desk.intent().await;
    let confirm = format!("/v1/payment_intents/{id}/confirm");
    let (status, _) = json_of(desk.call(&confirm, "payment_method=pm_card_visa")).await;
    assert_eq!(status, 400);
    let form = "payment_method=pm_card_visa&return_url=https://tombola.example/";
    let (status, said) = json_of(desk.call(&confirm, form)).await;
    assert_eq!((status, &said["status"]), (200, &json!("succeeded")));
    desk.close().await;
}
