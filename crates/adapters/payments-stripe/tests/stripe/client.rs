//! The adapter and the stand-in that it calls, which tests control in place of customers and their banks.

use kernel::{EntrantId, Entropy, Money};
use payments_stripe::{StripeConfig, StripePayments, Timeouts};
use pricing::{IntentId, NewIntent, PackageId, Payments, PurchaseId};
use secrecy::SecretString;
use serde_json::{Value, json};
use stand_ins::kit::testing::{TestStandIn, status_and_json};
use stand_ins::stripe::Config;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

pub(crate) const SECRET_KEY: &str = "sk_test_0815";

/// The default timeouts with short pauses, so that tests are fast.
pub(crate) fn short_pauses() -> Timeouts {
    Timeouts {
        min_pause: Duration::from_millis(1),
        max_pause: Duration::from_millis(1),
        ..Timeouts::default()
    }
}

pub(crate) struct TestStripe {
    stand_in: TestStandIn,
    pub(crate) payments: StripePayments,
}

impl Deref for TestStripe {
    type Target = TestStandIn;

    fn deref(&self) -> &TestStandIn {
        &self.stand_in
    }
}

impl TestStripe {
    pub(crate) async fn start() -> Self {
        Self::start_with(short_pauses()).await
    }

    pub(crate) async fn start_with(patience: Timeouts) -> Self {
        let stand_in = TestStandIn::start(Config::default()).await;
        let payments = adapter(&stand_in.base(), patience);
        Self { stand_in, payments }
    }

    /// Stops, and expects that everything matched Stripe's schemas.
    pub(crate) async fn stop(self) {
        self.stand_in.stop_without_violations().await;
    }

    /// Creates the payment intent of a purchase. Returns its id.
    pub(crate) async fn create_intent(&self) -> IntentId {
        self.payments.create_intent(&purchase(1, 500)).await.unwrap().id
    }

    pub(crate) async fn pay(&self, intent: &IntentId, method: &str) -> (u16, Value) {
        self.control(&format!("intents/{intent}/pay"), json!({"paymentMethod": method}))
            .await
    }

    /// Creates and pays the payment intent of a purchase. Returns its id.
    pub(crate) async fn paid_intent(&self) -> IntentId {
        let id = self.create_intent().await;
        let (status, response) = self.pay(&id, "pm_card_visa").await;
        assert_eq!(status, 200, "{response}");
        id
    }

    pub(crate) async fn fail(&self, failure: Value) {
        self.set("failures", failure).await;
    }

    /// Calls the API as staff do through Stripe's dashboard.
    pub(crate) async fn dashboard(&self, path: &str, form: &str) -> Value {
        let request = self
            .http
            .post(self.url(&format!("/v1/{path}")))
            .header("authorization", format!("Bearer {SECRET_KEY}"))
            .header("stripe-version", "2026-10-28.endive")
            .header("content-type", "application/x-www-form-urlencoded")
            .body(form.to_owned());
        let (status, response) = status_and_json(request).await;
        assert_eq!(status, 200, "{response}");
        response
    }

    /// The API calls so far, as method, path and status.
    pub(crate) async fn calls(&self) -> Vec<String> {
        let found = self.get("/control/calls").await;
        let calls = found["calls"].as_array().unwrap();
        let text = |call: &Value, name: &str| call[name].as_str().unwrap().to_owned();
        calls
            .iter()
            .map(|call| {
                format!(
                    "{} {} {}",
                    text(call, "method"),
                    text(call, "path"),
                    call["status"]
                )
            })
            .collect()
    }

    pub(crate) async fn intents(&self) -> Vec<Value> {
        let found = self.get("/control/intents").await;
        found["intents"].as_array().unwrap().clone()
    }
}

pub(crate) fn adapter(url: &str, patience: Timeouts) -> StripePayments {
    adapter_with_key(SECRET_KEY, url, patience)
}

pub(crate) fn adapter_with_key(key: &str, url: &str, patience: Timeouts) -> StripePayments {
    let config = StripeConfig {
        secret_key: SecretString::from(key),
        api_base: url.parse().unwrap(),
        patience,
    };
    StripePayments::new(config, Arc::new(FixedEntropy)).unwrap()
}

pub(crate) fn purchase(id: i64, cents: i64) -> NewIntent {
    NewIntent {
        purchase: PurchaseId::new(id),
        entrant: EntrantId::new(7),
        package: PackageId::new(3),
        amount: Money::from_cents(cents).unwrap(),
        customer: None,
    }
}

struct FixedEntropy;

impl Entropy for FixedEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.fill(0x80);
    }
}
