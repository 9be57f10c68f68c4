use crate::desk::{Desk, json_of};
use reqwest::Method;
use serde_json::json;

#[tokio::test]
async fn any_page_may_pay_as_its_payer() {
    let desk = Desk::open().await;
    let id = desk.intent().await;
    let url = desk.url(&format!("/control/intents/{id}/pay"));
    let preflight = desk.http.request(Method::OPTIONS, &url).send().await.unwrap();
    assert_eq!(preflight.status(), 204);
    for (name, value) in [
        ("access-control-allow-origin", "*"),
        ("access-control-allow-methods", "POST"),
        ("access-control-allow-headers", "content-type"),
    ] {
        assert_eq!(preflight.headers()[name], value);
    }
    let pay = json!({"paymentMethod": "pm_card_chargeDeclined"});
    let declined = desk.http.post(&url).body(pay.to_string()).send().await.unwrap();
    assert_eq!(declined.status(), 402);
    assert_eq!(declined.headers()["access-control-allow-origin"], "*");
    let pay = json!({"paymentMethod": "pm_card_visa"});
    let paid = desk.http.post(&url).body(pay.to_string()).send().await.unwrap();
    assert_eq!(paid.headers()["access-control-allow-origin"], "*");
    assert_eq!(paid.status(), 200);
    desk.close().await;
}

#[tokio::test]
async fn what_a_browser_loads_is_there() {
    let desk = Desk::open().await;
    for (path, mime, part) in [
        ("stripe.js", "text/javascript; charset=utf-8", "window.Stripe ="),
        ("fields?colorText=red", "text/html; charset=utf-8", "Card number"),
        ("question", "text/html; charset=utf-8", "Is it you?"),
    ] {
        let answer = desk
            .http
            .get(desk.url(&format!("/browser/{path}")))
            .send()
            .await
            .unwrap();
        assert_eq!(answer.headers()["content-type"], mime);
        assert!(answer.text().await.unwrap().contains(part), "{path}");
    }
    desk.close().await;
}

#[tokio::test]
async fn a_client_secret_that_is_given_must_be_the_right_one() {
    let desk = Desk::open().await;
    let id = desk.intent().await;
    let intents = desk.get("/control/intents").await;
    let secret = intents["intents"][0]["client_secret"].as_str().unwrap();
    let pay = |secret: &str| {
        let body = json!({"paymentMethod": "pm_card_visa", "clientSecret": secret});
        json_of(
            desk.http
                .post(desk.url(&format!("/control/intents/{id}/pay")))
                .body(body.to_string()),
        )
    };
    assert_eq!(pay("pi_1_secret_2").await.0, 400);
    assert_eq!(pay(secret).await.0, 200);
    desk.close().await;
}

#[tokio::test]
async fn a_wrong_question_is_answered_with_what_is_wrong() {
    let desk = Desk::open().await;
    let id = desk.intent().await;
    for (path, body) in [
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
    ] {
        let (status, said) = desk.control(&path, body).await;
        assert_eq!(status, 400, "{path}");
        assert!(said["error"]["message"].is_string(), "{said}");
    }
    desk.close().await;
}
