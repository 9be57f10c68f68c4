use crate::stripe::client::TestStripe;
use reqwest::Method;
use serde_json::json;
use stand_ins::kit::testing::status_and_json;

#[tokio::test]
async fn a_page_of_any_origin_may_pay() {
    let stripe = TestStripe::start().await;
    let id = stripe.intent().await;
    let url = stripe.url(&format!("/control/intents/{id}/pay"));
    let preflight = stripe.http.request(Method::OPTIONS, &url).send().await.unwrap();
    assert_eq!(preflight.status(), 204);
    for (name, value) in [
        ("access-control-allow-origin", "*"),
        ("access-control-allow-methods", "POST"),
        ("access-control-allow-headers", "content-type"),
    ] {
        assert_eq!(preflight.headers()[name], value);
    }
    let pay = json!({"paymentMethod": "pm_card_chargeDeclined"});
    let declined = stripe.http.post(&url).body(pay.to_string()).send().await.unwrap();
    assert_eq!(declined.status(), 402);
    assert_eq!(declined.headers()["access-control-allow-origin"], "*");
    let pay = json!({"paymentMethod": "pm_card_visa"});
    let paid = stripe.http.post(&url).body(pay.to_string()).send().await.unwrap();
    assert_eq!(paid.headers()["access-control-allow-origin"], "*");
    assert_eq!(paid.status(), 200);
    stripe.stop().await;
}

#[tokio::test]
async fn the_script_and_the_frames_are_served() {
    let stripe = TestStripe::start().await;
    for (path, mime, part) in [
        ("stripe.js", "text/javascript; charset=utf-8", "window.Stripe ="),
        ("fields?colorText=red", "text/html; charset=utf-8", "Card number"),
        ("question", "text/html; charset=utf-8", "Is it you?"),
    ] {
        let answer = stripe
            .http
            .get(stripe.url(&format!("/browser/{path}")))
            .send()
            .await
            .unwrap();
        assert_eq!(answer.headers()["content-type"], mime);
        assert!(answer.text().await.unwrap().contains(part), "{path}");
    }
    stripe.stop().await;
}

#[tokio::test]
async fn a_wrong_client_secret_is_rejected() {
    let stripe = TestStripe::start().await;
    let id = stripe.intent().await;
    let intents = stripe.get("/control/intents").await;
    let secret = intents["intents"][0]["client_secret"].as_str().unwrap();
    let pay = |secret: &str| {
        let body = json!({"paymentMethod": "pm_card_visa", "clientSecret": secret});
        status_and_json(
            stripe
                .http
                .post(stripe.url(&format!("/control/intents/{id}/pay")))
                .body(body.to_string()),
        )
    };
    assert_eq!(pay("pi_1_secret_2").await.0, 400);
    assert_eq!(pay(secret).await.0, 200);
    stripe.stop().await;
}

#[tokio::test]
async fn a_wrong_control_request_is_rejected_with_the_reason() {
    let stripe = TestStripe::start().await;
    let id = stripe.intent().await;
    let requests = [
        (format!("intents/{id}/pay"), json!({"method": "pm_card_visa"})),
        (format!("intents/{id}/pay"), json!({"paymentMethod": "visa"})),
        (
            format!("intents/{id}/complete-action"),
            json!({"outcome": "succeed"}),
        ),
        (format!("intents/{id}/dispute"), json!({"outcome": "lost"})),
        ("failures".to_owned(), json!({"kind": "explode"})),
        ("webhooks".to_owned(), json!({"url": "nowhere"})),
        ("webhooks/deliver".to_owned(), json!({"sorted": true})),
    ];
    stripe.expect_bad_requests(requests).await;
    stripe.stop().await;
}
