//! The stand-in, and the adapter before it.

use chrono::{DateTime, TimeDelta, Utc};
use kernel::Phone;
use serde_json::{Value, json};
use sms::{Credentials, MessageQuery, OutgoingMessage};
use sms_twilio::{Timeouts, TwilioSms};
use std::time::Duration;
use twilio_stand_in::{Config, StandIn};

pub(crate) const ACCOUNT: &str = "AC0123456789abcdef0123456789abcdef";
pub(crate) const TOKEN: &str = "fedcba9876543210fedcba9876543210";
pub(crate) const SENDER: &str = "+15557654321";
pub(crate) const SOMEBODY: &str = "+15551234567";
pub(crate) const MARK: &str = "https://tombola.example/planter/garden-bcdfghjklmnp";
/// Where nobody listens. Callbacks are kept back here, and this is only their address.
pub(crate) const CALLBACK: &str = "https://tombola.example/api/twilio/status?text=7";

pub(crate) struct Carrier {
    stand_in: StandIn,
    http: reqwest::Client,
    pub(crate) sms: TwilioSms,
}

impl Carrier {
    pub(crate) async fn open() -> Self {
        let minute = Duration::from_secs(60);
        Self::with_patience(Timeouts {
            connecting: minute,
            whole_call: minute,
        })
        .await
    }

    pub(crate) async fn with_patience(patience: Timeouts) -> Self {
        let config = Config {
            callbacks: false,
            ..Config::default()
        };
        let stand_in = StandIn::start(config).await.unwrap();
        let sms = TwilioSms::new(stand_in.url().parse().unwrap(), patience).unwrap();
        Self {
            stand_in,
            http: reqwest::Client::builder().no_proxy().build().unwrap(),
            sms,
        }
    }

    /// Nothing that was asked or answered was against Twilio's types.
    pub(crate) async fn close(self) {
        let found = self.get("violations").await;
        self.stand_in.stop().await;
        assert_eq!(found["violations"], json!([]));
        if found["checked"] == false {
            eprintln!("skipped: TOMBOLA_CONTRACTS is not set, so Twilio's types were not compared");
        }
    }

    pub(crate) async fn get(&self, path: &str) -> Value {
        let url = format!("{}/control/{path}", self.stand_in.url());
        let answer = self.http.get(url).send().await.unwrap();
        serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap()
    }

    pub(crate) async fn set(&self, path: &str, body: Value) {
        let url = format!("{}/control/{path}", self.stand_in.url());
        let answer = self.http.post(url).body(body.to_string()).send().await.unwrap();
        assert_eq!(answer.status(), 200, "{path}");
    }

    /// The texts that the provider accepted.
    pub(crate) async fn accepted(&self) -> Vec<Value> {
        self.get("messages").await["messages"].as_array().unwrap().clone()
    }

    /// Waits until all texts have come as far as they will.
    pub(crate) async fn carried(&self) {
        while self.get("callbacks").await["waiting"] != 0 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }
}

pub(crate) fn credentials() -> Credentials {
    Credentials::parse(ACCOUNT, TOKEN, SENDER).unwrap()
}

pub(crate) fn text_to(to: &str) -> OutgoingMessage {
    OutgoingMessage {
        to: Phone::from_e164(to).unwrap(),
        body: format!("Your planter & more: {MARK} – Grüße 🎉"),
        status_callback: CALLBACK.to_owned(),
    }
}

pub(crate) fn query(since: DateTime<Utc>) -> MessageQuery {
    MessageQuery {
        to: Phone::from_e164(SOMEBODY).unwrap(),
        needle: MARK.to_owned(),
        since,
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the stand-in keeps time by the machine's clock"
)]
pub(crate) fn in_minutes(minutes: i64) -> DateTime<Utc> {
    Utc::now() + TimeDelta::minutes(minutes)
}
