//! A stand-in, and calls of it.

use serde_json::{Value, json};
use stripe_stand_in::{Config, StandIn};

pub(crate) const ORDER: &str = "amount=500&currency=usd&automatic_payment_methods[enabled]=true";

pub(crate) struct Desk {
    stand_in: StandIn,
    pub(crate) http: reqwest::Client,
}

impl Desk {
    pub(crate) async fn open() -> Self {
        Self {
            stand_in: StandIn::start(Config::default()).await.unwrap(),
            http: reqwest::Client::builder().no_proxy().build().unwrap(),
        }
    }

    pub(crate) async fn close(self) {
        self.stand_in.stop().await;
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.stand_in.url())
    }

    pub(crate) async fn get(&self, path: &str) -> Value {
        json_of(self.http.get(self.url(path))).await.1
    }

    pub(crate) async fn control(&self, path: &str, body: Value) -> (u16, Value) {
        let request = self.http.post(self.url(&format!("/control/{path}")));
        json_of(request.body(body.to_string())).await
    }

    /// A call of the API as it should be, but for what the test changes.
    pub(crate) fn call(&self, path: &str, form: &str) -> reqwest::RequestBuilder {
        self.http
            .post(self.url(path))
            .header("authorization", "Bearer sk_test_1")
            .header("stripe-version", "2026-10-28.endive")
            .header("content-type", "application/x-www-form-urlencoded")
            .body(form.to_owned())
    }

    /// The name of a new payment.
    pub(crate) async fn intent(&self) -> String {
        let (status, intent) = json_of(self.call("/v1/payment_intents", ORDER)).await;
        assert_eq!(status, 200, "{intent}");
        intent["id"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn paid_intent(&self) -> String {
        let id = self.intent().await;
        let pay = json!({"paymentMethod": "pm_card_visa"});
        let (status, said) = self.control(&format!("intents/{id}/pay"), pay).await;
        assert_eq!(status, 200, "{said}");
        id
    }
}

pub(crate) async fn json_of(request: reqwest::RequestBuilder) -> (u16, Value) {
    let answer = request.send().await.unwrap();
    let status = answer.status().as_u16();
    (
        status,
        serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap(),
    )
}
