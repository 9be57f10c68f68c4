//! Buying entries, with a fake payment provider.

use crate::drawing::PERFORM;
use crate::packages::{package_body, with};
use crate::support::{
    Response, app_state, get, post, post_with_session, register, send_all, sign_in, with_rate_limits,
};
use actix_web::test::TestRequest;
use chrono_tz::America;
use fakes::{FakePayments, MemStore};
use pricing::{EntryCap, PaymentsError, Purchase};
use serde_json::{Value, json};
use std::sync::Arc;
use usecases::reconcile::{ReconcileError, ReconcileLog};
use usecases::{RunError, Runner};
use web::{AppState, PaymentGateway};

const CREATE: &str = "/api/stripe/create-payment-intent";
const CONFIRM: &str = "/api/confirm-payment";
pub(crate) const WEBHOOK: &str = "/api/stripe/webhook";

pub(crate) struct Checkout {
    pub(crate) store: MemStore,
    payments: FakePayments,
    token: String,
    user: Value,
    /// Of the browser that entered.
    cookie: String,
    package: Value,
}

async fn set_show_pricing(store: &MemStore, token: &str, show: bool) {
    let response =
        post_with_session(store, token, "/api/admin/settings", &json!({"showPricing": show})).await;
    assert_eq!(response.status, 200, "{:?}", response.bytes);
}

/// One entrant and one package on sale.
pub(crate) async fn checkout() -> Checkout {
    let checkout = Checkout {
        store: MemStore::default(),
        payments: FakePayments::default(),
        token: String::new(),
        user: Value::Null,
        cookie: String::new(),
        package: Value::Null,
    };
    let token = sign_in(&checkout.store).await;
    let package = post_with_session(
        &checkout.store,
        &token,
        "/api/admin/entry-packages",
        &package_body(),
    )
    .await
    .json();
    set_show_pricing(&checkout.store, &token, true).await;
    let entered = checkout.send(register(r#"{"phoneNumber": "5551234567"}"#)).await;
    let cookie = entered.header("set-cookie").split(';').next().unwrap();
    Checkout {
        token,
        user: entered.json()["user"]["id"].clone(),
        cookie: cookie.to_owned(),
        package: package["id"].clone(),
        ..checkout
    }
}

impl Checkout {
    pub(crate) fn state(&self) -> AppState {
        AppState {
            payments: Some(Arc::new(PaymentGateway {
                publishable_key: "pk_test_1".to_owned(),
                payments: Arc::new(self.payments.clone()),
                webhooks: Arc::new(self.payments.clone()),
            })),
            entry_cap: EntryCap::HIGHEST,
            ..app_state()
        }
    }

    async fn send(&self, request: TestRequest) -> Response {
        send_all(&self.store, self.state(), vec![request]).await.remove(0)
    }

    fn intent_body(&self) -> Value {
        json!({"userId": self.user, "amount": 500, "entriesAdded": 10, "packageId": self.package})
    }

    async fn create_intent(&self, body: &Value) -> Response {
        self.send(post(CREATE, &body.to_string())).await
    }

    pub(crate) async fn created_intent(&self) -> Value {
        let response = self.create_intent(&self.intent_body()).await;
        assert_eq!(response.status, 200, "{:?}", response.bytes);
        response.json()
    }

    fn confirmation_body(&self, intent: &Value) -> Value {
        json!({"paymentIntentId": intent["paymentIntentId"], "userId": self.user, "packageId": self.package})
    }

    async fn confirm(&self, body: &Value) -> Response {
        self.send(post(CONFIRM, &body.to_string())).await
    }

    async fn post_event(&self, body: &str, signature: &str) -> Response {
        self.send(post(WEBHOOK, body).insert_header(("Stripe-Signature", signature)))
            .await
    }

    pub(crate) async fn paid_entries(&self) -> Value {
        let stats = self
            .send(get(&format!("/api/users/{}/stats", self.user)))
            .await
            .json();
        stats["paidEntries"].clone()
    }

    pub(crate) fn succeed(&self, intent: &Value) -> String {
        let id = pricing::IntentId::parse(intent["paymentIntentId"].as_str().unwrap()).unwrap();
        String::from_utf8(self.payments.succeed(&id)).unwrap()
    }
}

#[actix_web::test]
async fn the_browser_that_entered_lists_what_was_paid_and_gets_receipts() {
    let checkout = checkout().await;
    let intent = checkout.created_intent().await;
    let path = format!("/api/users/{}/purchases", checkout.user);
    let own = async |path: &str| {
        checkout
            .send(get(path).insert_header(("Cookie", checkout.cookie.clone())))
            .await
    };
    assert_eq!(own(&path).await.json(), json!({"purchases": []}), "not paid yet");
    assert_eq!(own(&format!("{path}/1/receipt")).await.error(), "404 not_found");
    checkout.succeed(&intent);
    assert_eq!(
        checkout
            .confirm(&checkout.confirmation_body(&intent))
            .await
            .status,
        200
    );

    let list = own(&path).await.json()["purchases"].clone();
    assert_eq!(
        list,
        json!([{"id": 1, "amount": 500, "entriesAdded": 10, "status": "completed", "createdAt": list[0]["createdAt"]}])
    );
    let receipt = format!("{path}/1/receipt");
    let url = own(&receipt).await.json()["url"].clone();
    assert!(
        url.as_str().is_some_and(|url| url.starts_with("https://")),
        "{url}"
    );
    checkout
        .payments
        .fail_next(PaymentsError::Unavailable("down".into()));
    assert_eq!(own(&receipt).await.error(), "502 receipt_failed");
    assert_eq!(own(&format!("{path}/2/receipt")).await.error(), "404 not_found");
    for path in [path, receipt] {
        assert_eq!(checkout.send(get(&path)).await.error(), "403 another_browser");
    }
}

#[actix_web::test]
async fn a_confirmed_purchase_is_credited_once() {
    let checkout = checkout().await;
    let offer = checkout.send(get("/api/entry-packages")).await.json();
    assert_eq!(
        (&offer["showPricing"], &offer["publishableKey"]),
        (&json!(true), &json!("pk_test_1"))
    );
    let intent = checkout.created_intent().await;
    assert!(
        intent["clientSecret"]
            .as_str()
            .is_some_and(|secret| !secret.is_empty())
    );
    let body = checkout.confirmation_body(&intent);
    assert_eq!(checkout.confirm(&body).await.error(), "409 payment_not_confirmed");
    assert_eq!(checkout.paid_entries().await, 0);
    checkout.succeed(&intent);
    for _ in 0..3 {
        let confirmed = checkout.confirm(&body).await;
        assert_eq!(confirmed.status, 200, "{:?}", confirmed.bytes);
        assert_eq!(
            confirmed.json(),
            json!({"eventId": intent["eventId"], "entriesAdded": 10})
        );
    }
    assert_eq!(checkout.paid_entries().await, 10);
}

#[actix_web::test]
async fn every_tampered_field_is_rejected() {
    let checkout = checkout().await;
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
        let mut body = checkout.intent_body();
        body[name] = wrong.clone();
        assert_eq!(
            checkout.create_intent(&body).await.error(),
            expected,
            "{name} {wrong}"
        );
    }
    let both_wrong =
        json!({"userId": checkout.user, "amount": 1, "entriesAdded": 99, "packageId": checkout.package});
    assert_eq!(
        checkout.create_intent(&both_wrong).await.error(),
        "400 validation amount,entriesAdded"
    );
    assert!(
        checkout.payments.intents().is_empty(),
        "the provider was not called"
    );
    let mut body = checkout.intent_body();
    for (name, wrong) in [
        ("currency", json!("jpy")),
        ("price", json!(1)),
        ("entries", json!(1_000_000)),
        ("status", json!("succeeded")),
        ("metadata", json!({"purchaseId": 1})),
    ] {
        body[name] = wrong;
    }
    assert_eq!(
        checkout.create_intent(&body).await.status,
        200,
        "unknown fields are ignored"
    );
    let [created] = &checkout.payments.intents()[..] else {
        panic!("not exactly one payment intent")
    };
    assert_eq!((created.amount, created.currency.as_str()), (500, "usd"));
    assert_eq!(created.status, pricing::IntentStatus::Open);
}

#[actix_web::test]
async fn nothing_is_sold_when_pricing_is_off_or_the_package_inactive_or_payments_unconfigured() {
    let checkout = checkout().await;
    let token = checkout.token.clone();
    set_show_pricing(&checkout.store, &token, false).await;
    let rejected = checkout.create_intent(&checkout.intent_body()).await;
    assert_eq!(rejected.error(), "403 purchases_unavailable");
    assert_eq!(rejected.json()["error"], "Purchases are not available right now");
    set_show_pricing(&checkout.store, &token, true).await;
    let inactive = post_with_session(
        &checkout.store,
        &token,
        "/api/admin/entry-packages",
        &with("isActive", json!(false)),
    )
    .await;
    let mut body = checkout.intent_body();
    body["packageId"] = inactive.json()["id"].clone();
    assert_eq!(
        checkout.create_intent(&body).await.error(),
        "403 purchases_unavailable"
    );
    for path in [CREATE, CONFIRM, WEBHOOK] {
        let response = send_all(&checkout.store, app_state(), vec![post(path, "{}")])
            .await
            .remove(0);
        assert_eq!(response.error(), "503 payments_not_configured", "{path}");
        assert_eq!(response.json()["error"], "Payments are not configured");
    }
}

#[actix_web::test]
async fn a_provider_failure_is_a_502_without_the_cause() {
    let checkout = checkout().await;
    checkout
        .payments
        .fail_next(PaymentsError::Unavailable("sk_live_secret is wrong".into()));
    let failed = checkout.create_intent(&checkout.intent_body()).await;
    assert_eq!(failed.error(), "502 payment_intent_failed");
    assert_eq!(failed.json()["error"], "Failed to create payment intent");
    assert!(!String::from_utf8_lossy(&failed.bytes).contains("sk_live"));
    let intent = checkout.created_intent().await;
    checkout.succeed(&intent);
    checkout.payments.fail_next(PaymentsError::Refused("no".into()));
    let failed = checkout.confirm(&checkout.confirmation_body(&intent)).await;
    assert_eq!(failed.error(), "502 confirmation_failed");
    assert_eq!(failed.json()["error"], "Payment confirmation failed");
    assert_eq!(
        checkout
            .confirm(&checkout.confirmation_body(&intent))
            .await
            .status,
        200
    );
}

#[actix_web::test]
async fn only_the_buyer_can_confirm_their_purchase() {
    let checkout = checkout().await;
    let other = checkout
        .send(register(r#"{"phoneNumber": "5557654321"}"#))
        .await
        .json()["user"]["id"]
        .clone();
    let intent = checkout.created_intent().await;
    checkout.succeed(&intent);
    let mut body = checkout.confirmation_body(&intent);
    body["userId"] = other;
    assert_eq!(checkout.confirm(&body).await.error(), "403 not_your_payment");
    let mut body = checkout.confirmation_body(&intent);
    body["packageId"] = json!(999);
    assert_eq!(checkout.confirm(&body).await.error(), "409 payment_not_confirmed");
    for unknown in ["pi_unknown", "", "../x", &"p".repeat(300)] {
        let mut body = checkout.confirmation_body(&intent);
        body["paymentIntentId"] = json!(unknown);
        assert_eq!(
            checkout.confirm(&body).await.error(),
            "404 not_found",
            "{unknown}"
        );
    }
    let empty = checkout.confirm(&json!({})).await;
    assert_eq!(empty.error(), "400 validation packageId,paymentIntentId,userId");
    assert_eq!(checkout.paid_entries().await, 0);
}

#[actix_web::test]
async fn a_signed_event_credits_once_and_any_other_is_rejected() {
    let checkout = checkout().await;
    let intent = checkout.created_intent().await;
    let body = checkout.succeed(&intent);
    for signature in ["", "t=1,v1=00", "nonsense"] {
        assert_eq!(
            checkout.post_event(&body, signature).await.error(),
            "400 bad_signature",
            "{signature}"
        );
    }
    assert_eq!(
        checkout.send(post(WEBHOOK, &body)).await.error(),
        "400 bad_signature",
        "unsigned"
    );
    assert_eq!(checkout.paid_entries().await, 0);
    for _ in 0..3 {
        let received = checkout.post_event(&body, FakePayments::SIGNATURE).await;
        assert_eq!(
            (received.status.as_u16(), received.json()),
            (200, json!({"received": true}))
        );
    }
    assert_eq!(checkout.paid_entries().await, 10);
    assert_eq!(
        checkout
            .confirm(&checkout.confirmation_body(&intent))
            .await
            .status,
        200
    );
    assert_eq!(checkout.paid_entries().await, 10);
    let large = checkout
        .post_event(&"x".repeat(300 * 1024), FakePayments::SIGNATURE)
        .await;
    assert_eq!(large.error(), "413 too_large");
}

#[actix_web::test]
async fn creating_payment_intents_is_rate_limited_by_address() {
    let checkout = checkout().await;
    let requests = (0..21).map(|_| post(CREATE, "{}")).collect();
    let responses = send_all(&checkout.store, with_rate_limits(checkout.state()), requests).await;
    assert!(responses[..20].iter().all(|response| response.status == 400));
    assert_eq!(responses[20].error(), "429 rate_limited");
}

#[actix_web::test]
async fn the_eleventh_open_purchase_is_too_many() {
    let checkout = checkout().await;
    for _ in 0..10 {
        checkout.created_intent().await;
    }
    let refused = checkout.create_intent(&checkout.intent_body()).await;
    assert_eq!(refused.error(), "429 too_many_open_purchases");
    assert_eq!(refused.header("retry-after"), "3600");
    assert_eq!(checkout.payments.intents().len(), 10);
}

/// The buyer reads what happens to the money: from the confirmation, again, and in the list of what they paid.
#[actix_web::test]
async fn a_payment_after_the_last_drawing_of_a_closed_raffle_is_refunded() {
    let checkout = checkout().await;
    let (confirmed, by_event) = (checkout.created_intent().await, checkout.created_intent().await);
    usecases::rules::publish(&checkout.store, America::New_York, "Be fair.").unwrap();
    let (store, token) = (&checkout.store, &checkout.token);
    let drawn = post_with_session(store, token, PERFORM, &json!({"landingPage": "garden-bag"})).await;
    assert_eq!(drawn.status, 201, "{:?}", drawn.bytes);
    let closed = json!({"now": true, "reason": "The prize is gone"});
    let closed = post_with_session(store, token, "/api/admin/raffles/garden-bag/close", &closed).await;
    assert_eq!(closed.status, 200, "{:?}", closed.bytes);

    checkout.succeed(&confirmed);
    let body = checkout.confirmation_body(&confirmed);
    let refused = checkout.confirm(&body).await;
    assert_eq!(refused.error(), "409 raffle_closed");
    let said = refused.json()["error"].clone();
    assert_eq!(
        said,
        "Your payment came too late: this raffle has ended. We are refunding it in full."
    );
    let again = checkout.confirm(&body).await;
    assert_eq!(again.error(), "409 paid_too_late");
    let said = again.json()["error"].clone();
    assert_eq!(
        said,
        "Your payment came too late to count. We are refunding it in full."
    );
    let event = checkout.succeed(&by_event);
    let received = checkout.post_event(&event, FakePayments::SIGNATURE).await;
    assert_eq!(received.status, 200);
    let body = checkout.confirmation_body(&by_event);
    assert_eq!(checkout.confirm(&body).await.error(), "409 paid_too_late");
    assert_eq!(checkout.paid_entries().await, 0);

    let list = get(&format!("/api/users/{}/purchases", checkout.user));
    let list = checkout
        .send(list.insert_header(("Cookie", checkout.cookie.clone())))
        .await;
    let statuses: Vec<_> = list.json()["purchases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|purchase| purchase["status"].clone())
        .collect();
    assert_eq!(statuses, ["refunding", "refunding"]);
    reconcile(&checkout).await;
    let refunded: Vec<_> = checkout
        .payments
        .intents()
        .iter()
        .map(|intent| intent.refunded)
        .collect();
    assert_eq!(refunded, [500, 500]);
    assert_eq!(checkout.confirm(&body).await.error(), "409 payment_not_confirmed");
}

/// One pass over what the provider is to be asked.
async fn reconcile(checkout: &Checkout) {
    struct Inline;
    impl Runner for Inline {
        async fn run<T: Send + 'static>(
            &self,
            step: impl FnOnce() -> T + Send + 'static,
        ) -> Result<T, RunError> {
            Ok(step())
        }
    }
    impl ReconcileLog for Inline {
        fn reconciled(&self, _: usize) {}

        fn failed(&self, purchase: Option<&Purchase>, error: &ReconcileError) {
            panic!("{purchase:?}: {error}");
        }
    }
    let state = checkout.state();
    let times = state.drawing_times();
    let (store, payments) = (&checkout.store, &checkout.payments);
    let count = usecases::reconcile::reconcile(store, &Inline, &*state.clock, payments, times, &Inline).await;
    assert_eq!(count.unwrap(), 2);
}
