//! A running stand-in, and calls of its API.

use serde_json::json;
use stand_ins::kit::testing::{TestStandIn, status_and_json};
use stand_ins::stripe::Config;
use std::ops::Deref;

/// The parameters of a payment intent.
pub(crate) const INTENT: &str = "amount=500&currency=usd&automatic_payment_methods[enabled]=true";

pub(crate) struct TestStripe(TestStandIn);

impl Deref for TestStripe {
    type Target = TestStandIn;

    fn deref(&self) -> &TestStandIn {
        &self.0
    }
}

impl TestStripe {
    pub(crate) async fn start() -> Self {
        Self(TestStandIn::start(Config::default()).await)
    }

    pub(crate) async fn stop(self) {
        self.0.stop().await;
    }

    /// An API call with the right headers.
    pub(crate) fn call(&self, path: &str, form: &str) -> reqwest::RequestBuilder {
        self.http
            .post(self.url(path))
            .header("authorization", "Bearer sk_test_1")
            .header("stripe-version", "2026-10-28.endive")
            .header("content-type", "application/x-www-form-urlencoded")
            .body(form.to_owned())
    }

    /// The id of a new payment intent.
    pub(crate) async fn intent(&self) -> String {
        let (status, intent) = status_and_json(self.call("/v1/payment_intents", INTENT)).await;
        assert_eq!(status, 200, "{intent}");
        intent["id"].as_str().unwrap().to_owned()
    }

    /// The id of a new payment intent that is paid.
    pub(crate) async fn paid_intent(&self) -> String {
        let id = self.intent().await;
        let pay = json!({"paymentMethod": "pm_card_visa"});
        self.set(&format!("intents/{id}/pay"), pay).await;
        id
    }
}
