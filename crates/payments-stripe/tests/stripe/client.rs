//! The stand-in, the adapter before it, and the hands of payers and bankers.

use kernel::{EntrantId, Entropy, Money};
use payments_stripe::{StripeConfig, StripePayments, Timeouts};
use pricing::{NewIntent, PackageId, PurchaseId};
use secrecy::SecretString;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use stripe_stand_in::{Config, StandIn};

pub(crate) const SECRET_KEY: &str = "sk_test_0815";

/// Patience with shorter pauses, so that nobody waits.
pub(crate) fn brisk() -> Timeouts {
    Timeouts {
        least_pause: Duration::from_millis(1),
        longest_pause: Duration::from_millis(1),
        ..Timeouts::default()
    }
}

pub(crate) struct Bank {
    stand_in: StandIn,
    http: reqwest::Client,
    pub(crate) payments: StripePayments,
}

impl Bank {
    pub(crate) async fn open() -> Self {
        Self::with_patience(brisk()).await
    }

    pub(crate) async fn with_patience(patience: Timeouts) -> Self {
        let stand_in = StandIn::start(Config::default()).await.unwrap();
        let payments = adapter(&stand_in.url(), patience);
        Self {
            stand_in,
            http: reqwest::Client::builder().no_proxy().build().unwrap(),
            payments,
        }
    }

    /// Nothing that was asked, answered or told was against Stripe's types.
    pub(crate) async fn close(self) {
        let found = self.get("/control/violations").await;
        self.stand_in.stop().await;
        assert_eq!(found["violations"], json!([]));
        if found["checked"] == false {
            eprintln!("skipped: TOMBOLA_CONTRACTS is not set, so Stripe's types were not compared");
        }
    }

    pub(crate) fn url(&self) -> String {
        self.stand_in.url()
    }

    pub(crate) async fn get(&self, path: &str) -> Value {
        let url = format!("{}{path}", self.stand_in.url());
        let answer = self.http.get(url).send().await.unwrap();
        serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap()
    }

    pub(crate) async fn control(&self, path: &str, body: Value) -> (u16, Value) {
        let url = format!("{}/control/{path}", self.stand_in.url());
        let answer = self.http.post(url).body(body.to_string()).send().await.unwrap();
        let status = answer.status().as_u16();
        (
            status,
            serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap(),
        )
    }

    pub(crate) async fn pay(&self, intent: &str, method: &str) -> (u16, Value) {
        self.control(&format!("intents/{intent}/pay"), json!({"paymentMethod": method}))
            .await
    }

    pub(crate) async fn fail(&self, failure: Value) {
        let (status, said) = self.control("failures", failure).await;
        assert_eq!(status, 200, "{said}");
    }

    /// What somebody does in the provider's dashboard.
    pub(crate) async fn dashboard(&self, path: &str, form: &str) -> Value {
        let answer = self
            .http
            .post(format!("{}/v1/{path}", self.stand_in.url()))
            .header("authorization", format!("Bearer {SECRET_KEY}"))
            .header("stripe-version", "2026-10-28.endive")
            .header("content-type", "application/x-www-form-urlencoded")
            .body(form.to_owned());
        let answer = answer.send().await.unwrap();
        assert_eq!(answer.status(), 200);
        serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap()
    }

    /// The calls of the API that came, as method, path and status.
    pub(crate) async fn calls(&self) -> Vec<String> {
        let found = self.get("/control/calls").await;
        let calls = found["calls"].as_array().unwrap();
        calls
            .iter()
            .map(|call| {
                format!(
                    "{} {} {}",
                    call["method"].as_str().unwrap(),
                    call["path"].as_str().unwrap(),
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
    StripePayments::new(config, Arc::new(Halves)).unwrap()
}

pub(crate) fn purchase(id: i64, cents: i64) -> NewIntent {
    NewIntent {
        purchase: PurchaseId::new(id),
        entrant: EntrantId::new(7),
        package: PackageId::new(3),
        amount: Money::from_cents(cents).unwrap(),
    }
}

struct Halves;

impl Entropy for Halves {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.fill(0x80);
    }
}
