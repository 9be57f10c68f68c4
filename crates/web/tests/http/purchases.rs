//! Buying entries, with a provider that does as it is told (D7, D8).

use crate::packages::{a_package, with, write};
use crate::support::{Response, app_state, get, post, register, send_all, sign_in, with_rate_limits};
use actix_web::test::TestRequest;
use fakes::{FakePayments, MemStore};
use pricing::PaymentsError;
use serde_json::{Value, json};
use std::sync::Arc;
use web::{AppState, PaymentGateway};

const CREATE: &str = "/api/stripe/create-payment-intent";
const CONFIRM: &str = "/api/confirm-payment";
const WEBHOOK: &str = "/api/stripe/webhook";

struct Shop {
    store: MemStore,
    payments: FakePayments,
    token: String,
    user: Value,
    package: Value,
}

/// Somebody is in, and a package is sold.
async fn a_shop() -> Shop {
    let shop = Shop {
        store: MemStore::default(),
        payments: FakePayments::default(),
        token: String::new(),
        user: Value::Null,
        package: Value::Null,
    };
    let token = sign_in(&shop.store).await;
    let package = write(&shop.store, &token, "/api/admin/entry-packages", &a_package())
        .await
        .json();
    write(
        &shop.store,
        &token,
        "/api/admin/settings",
        &json!({"showPricing": true}),
    )
    .await;
    let user = shop
        .send(register(r#"{"phoneNumber": "5551234567"}"#))
        .await
        .json()["user"]["id"]
        .clone();
    Shop {
        token,
        user,
        package: package["id"].clone(),
        ..shop
    }
}

impl Shop {
    fn state(&self) -> AppState {
        AppState {
            payments: Some(Arc::new(PaymentGateway {
                publishable_key: "pk_test_1".to_owned(),
                payments: Arc::new(self.payments.clone()),
                webhooks: Arc::new(self.payments.clone()),
            })),
            ..app_state()
        }
    }

    async fn send(&self, request: TestRequest) -> Response {
        send_all(&self.store, self.state(), vec![request]).await.remove(0)
    }

    fn wish(&self) -> Value {
        json!({"userId": self.user, "amount": 500, "entriesAdded": 10, "packageId": self.package})
    }

    async fn create(&self, wish: &Value) -> Response {
        self.send(post(CREATE, &wish.to_string())).await
    }

    async fn begun(&self) -> Value {
        let response = self.create(&self.wish()).await;
        assert_eq!(response.status, 200, "{:?}", response.bytes);
        response.json()
    }

    fn claim(&self, begun: &Value) -> Value {
        json!({"paymentIntentId": begun["paymentIntentId"], "userId": self.user, "packageId": self.package})
    }

    async fn confirm(&self, claim: &Value) -> Response {
        self.send(post(CONFIRM, &claim.to_string())).await
    }

    async fn tell(&self, body: &str, signature: &str) -> Response {
        self.send(post(WEBHOOK, body).insert_header(("Stripe-Signature", signature)))
            .await
    }

    async fn paid_entries(&self) -> Value {
        let stats = self
            .send(get(&format!("/api/users/{}/stats", self.user)))
            .await
            .json();
        stats["paidEntries"].clone()
    }

    fn succeed(&self, begun: &Value) -> String {
        let id = pricing::IntentId::parse(begun["paymentIntentId"].as_str().unwrap()).unwrap();
        String::from_utf8(self.payments.succeed(&id)).unwrap()
    }
}

#[actix_web::test]
async fn a_purchase_is_priced_by_the_server_and_credited_once() {
    let shop = a_shop().await;
    let offer = shop.send(get("/api/entry-packages")).await.json();
    assert_eq!(
        (&offer["showPricing"], &offer["publishableKey"]),
        (&json!(true), &json!("pk_test_1"))
    );
    let begun = shop.begun().await;
    assert!(
        begun["clientSecret"]
            .as_str()
            .is_some_and(|secret| !secret.is_empty())
    );
    let claim = shop.claim(&begun);
    assert_eq!(shop.confirm(&claim).await.error(), "409 payment_not_confirmed");
    assert_eq!(shop.paid_entries().await, 0);
    shop.succeed(&begun);
    for _ in 0..3 {
        let confirmed = shop.confirm(&claim).await;
        assert_eq!(confirmed.status, 200, "{:?}", confirmed.bytes);
        assert_eq!(
            confirmed.json(),
            json!({"eventId": begun["eventId"], "entriesAdded": 10})
        );
    }
    assert_eq!(shop.paid_entries().await, 10);
}

#[actix_web::test]
async fn every_tampered_field_is_refused() {
    let shop = a_shop().await;
    for (name, wrong, expected) in [
        ("amount", json!(499), "400 validation amount"),
        ("amount", json!(0), "400 validation amount"),
        ("amount", json!(-500), "400 validation amount"),
        ("amount", json!(5.5), "400 validation amount"),
        ("amount", json!("500"), "400 validation amount"),
        ("amount", json!(null), "400 validation amount"),
        ("entriesAdded", json!(11), "400 validation entriesAdded"),
        ("entriesAdded", json!(1_000_000), "400 validation entriesAdded"),
        ("userId", json!(null), "400 validation userId"),
        ("userId", json!(999), "404 not_found"),
        ("packageId", json!(999), "403 purchases_unavailable"),
        ("packageId", json!("1"), "400 validation packageId"),
    ] {
        let mut wish = shop.wish();
        wish[name] = wrong.clone();
        assert_eq!(shop.create(&wish).await.error(), expected, "{name} {wrong}");
    }
    let both = json!({"userId": shop.user, "amount": 1, "entriesAdded": 99, "packageId": shop.package});
    assert_eq!(
        shop.create(&both).await.error(),
        "400 validation amount,entriesAdded"
    );
    assert!(shop.payments.intents().is_empty(), "the provider was never asked");
    let mut wish = shop.wish();
    for (name, wrong) in [
        ("currency", json!("jpy")),
        ("price", json!(1)),
        ("entries", json!(1_000_000)),
        ("status", json!("succeeded")),
        ("metadata", json!({"purchaseId": 1})),
    ] {
        wish[name] = wrong;
    }
    assert_eq!(
        shop.create(&wish).await.status,
        200,
        "what is not asked for is not read"
    );
    let [asked] = &shop.payments.intents()[..] else {
        panic!("one payment")
    };
    assert_eq!((asked.amount, asked.currency.as_str()), (500, "usd"));
    assert_eq!(asked.status, pricing::IntentStatus::Open);
}

#[actix_web::test]
async fn nothing_is_sold_while_it_is_off_inactive_or_unconfigured() {
    let shop = a_shop().await;
    let token = shop.token.clone();
    write(
        &shop.store,
        &token,
        "/api/admin/settings",
        &json!({"showPricing": false}),
    )
    .await;
    let refused = shop.create(&shop.wish()).await;
    assert_eq!(refused.error(), "403 purchases_unavailable");
    assert_eq!(refused.json()["error"], "Purchases are not available right now");
    write(
        &shop.store,
        &token,
        "/api/admin/settings",
        &json!({"showPricing": true}),
    )
    .await;
    let hidden = write(
        &shop.store,
        &token,
        "/api/admin/entry-packages",
        &with("isActive", json!(false)),
    )
    .await;
    let mut wish = shop.wish();
    wish["packageId"] = hidden.json()["id"].clone();
    assert_eq!(shop.create(&wish).await.error(), "403 purchases_unavailable");
    for path in [CREATE, CONFIRM, WEBHOOK] {
        let response = send_all(&shop.store, app_state(), vec![post(path, "{}")])
            .await
            .remove(0);
        assert_eq!(response.error(), "503 payments_not_configured", "{path}");
        assert_eq!(response.json()["error"], "Payments are not configured");
    }
}

#[actix_web::test]
async fn a_provider_that_fails_is_a_502_and_says_nothing() {
    let shop = a_shop().await;
    shop.payments
        .fail_next(PaymentsError::Unavailable("sk_live_secret is wrong".into()));
    let failed = shop.create(&shop.wish()).await;
    assert_eq!(failed.error(), "502 payment_intent_failed");
    assert_eq!(failed.json()["error"], "Failed to create payment intent");
    assert!(!String::from_utf8_lossy(&failed.bytes).contains("sk_live"));
    let begun = shop.begun().await;
    shop.succeed(&begun);
    shop.payments.fail_next(PaymentsError::Refused("no".into()));
    let failed = shop.confirm(&shop.claim(&begun)).await;
    assert_eq!(failed.error(), "502 confirmation_failed");
    assert_eq!(failed.json()["error"], "Payment confirmation failed");
    assert_eq!(shop.confirm(&shop.claim(&begun)).await.status, 200);
}

#[actix_web::test]
async fn nobody_confirms_what_is_not_theirs() {
    let shop = a_shop().await;
    let other = shop
        .send(register(r#"{"phoneNumber": "5557654321"}"#))
        .await
        .json()["user"]["id"]
        .clone();
    let begun = shop.begun().await;
    shop.succeed(&begun);
    let mut claim = shop.claim(&begun);
    claim["userId"] = other;
    assert_eq!(shop.confirm(&claim).await.error(), "403 not_your_payment");
    let mut claim = shop.claim(&begun);
    claim["packageId"] = json!(999);
    assert_eq!(shop.confirm(&claim).await.error(), "409 payment_not_confirmed");
    for unknown in ["pi_unknown", "", "../x", &"p".repeat(300)] {
        let mut claim = shop.claim(&begun);
        claim["paymentIntentId"] = json!(unknown);
        assert_eq!(shop.confirm(&claim).await.error(), "404 not_found", "{unknown}");
    }
    let empty = shop.confirm(&json!({})).await;
    assert_eq!(empty.error(), "400 validation packageId,paymentIntentId,userId");
    assert_eq!(shop.paid_entries().await, 0);
}

#[actix_web::test]
async fn a_signed_event_credits_once_and_any_other_is_refused() {
    let shop = a_shop().await;
    let begun = shop.begun().await;
    let body = shop.succeed(&begun);
    for signature in ["", "t=1,v1=00", "nonsense"] {
        assert_eq!(
            shop.tell(&body, signature).await.error(),
            "400 bad_signature",
            "{signature}"
        );
    }
    assert_eq!(
        shop.send(post(WEBHOOK, &body)).await.error(),
        "400 bad_signature",
        "unsigned"
    );
    assert_eq!(shop.paid_entries().await, 0);
    for _ in 0..3 {
        let received = shop.tell(&body, FakePayments::SIGNATURE).await;
        assert_eq!(
            (received.status.as_u16(), received.json()),
            (200, json!({"received": true}))
        );
    }
    assert_eq!(shop.paid_entries().await, 10);
    assert_eq!(shop.confirm(&shop.claim(&begun)).await.status, 200);
    assert_eq!(shop.paid_entries().await, 10);
    let large = shop.tell(&"x".repeat(300 * 1024), FakePayments::SIGNATURE).await;
    assert_eq!(large.error(), "413 too_large");
}

#[actix_web::test]
async fn buying_is_limited_by_address() {
    let shop = a_shop().await;
    let requests = (0..21).map(|_| post(CREATE, "{}")).collect();
    let responses = send_all(&shop.store, with_rate_limits(shop.state()), requests).await;
    assert!(responses[..20].iter().all(|response| response.status == 400));
    assert_eq!(responses[20].error(), "429 rate_limited");
}
