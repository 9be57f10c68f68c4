//! Tells the configured address of events, signed as Stripe signs them.

use crate::objects;
use hmac::{Hmac, KeyInit, Mac};
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::Sha256;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc;
use url::Url;

/// How often an event is sent until it is acknowledged.
const TRIES: u32 = 5;
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const TIME_OUT: Duration = Duration::from_secs(5);

pub(crate) struct Webhooks {
    client: reqwest::Client,
    secret: String,
    settings: Mutex<Settings>,
    queue: mpsc::UnboundedSender<Value>,
}

#[derive(Clone)]
struct Settings {
    url: Option<Url>,
    hold: bool,
    copies: u32,
}

/// `POST /control/webhooks`: what is given changes, the rest stays.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Change {
    url: Option<Url>,
    /// Whether events wait until they are delivered by hand.
    hold: Option<bool>,
    /// How often each event is sent.
    copies: Option<u32>,
}

/// `POST /control/webhooks/deliver`.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Delivery {
    /// Which events, in this order; all, as they came, if none are named.
    pub(crate) events: Vec<String>,
    /// Whether the last one comes first.
    pub(crate) reversed: bool,
    copies: u32,
    /// How many seconds ago it was signed.
    age: i64,
    /// Another secret than the right one.
    secret: Option<String>,
}

impl Default for Delivery {
    fn default() -> Self {
        Self {
            events: Vec::new(),
            reversed: false,
            copies: 1,
            age: 0,
            secret: None,
        }
    }
}

impl Webhooks {
    pub(crate) fn new(
        url: Option<Url>,
        secret: String,
    ) -> anyhow::Result<(Self, mpsc::UnboundedReceiver<Value>)> {
        let (queue, waiting) = mpsc::unbounded_channel();
        let client = reqwest::Client::builder().timeout(TIME_OUT).no_proxy().build()?;
        let settings = Mutex::new(Settings {
            url,
            hold: false,
            copies: 1,
        });
        let webhooks = Self {
            client,
            secret,
            settings,
            queue,
        };
        Ok((webhooks, waiting))
    }

    pub(crate) fn change(&self, change: Change) {
        let mut settings = self.settings();
        settings.url = change.url.or_else(|| settings.url.take());
        settings.hold = change.hold.unwrap_or(settings.hold);
        settings.copies = change.copies.unwrap_or(settings.copies);
    }

    /// Has an event sent in the background, unless events are held or nobody listens.
    pub(crate) fn queue(&self, event: &Value) {
        let settings = self.settings().clone();
        if settings.hold || settings.url.is_none() {
            return;
        }
        for _ in 0..settings.copies {
            // Without a receiver the stand-in is stopping.
            let _ = self.queue.send(event.clone());
        }
    }

    /// Sends what is queued, one after the other, until the stand-in stops.
    pub(crate) async fn send_queued(&self, mut waiting: mpsc::UnboundedReceiver<Value>) {
        while let Some(event) = waiting.recv().await {
            self.send_until_acknowledged(&event).await;
        }
    }

    async fn send_until_acknowledged(&self, event: &Value) {
        let mut pause = FIRST_PAUSE;
        for _ in 0..TRIES {
            let status = self.send(event, &self.secret, 0).await;
            if status.is_some_and(|status| (200..300).contains(&status)) {
                return;
            }
            tokio::time::sleep(pause).await;
            pause *= 2;
        }
    }

    /// Sends events by hand, and says what was answered.
    pub(crate) async fn deliver(&self, events: &[Value], how: &Delivery) -> Value {
        let secret = how.secret.as_ref().unwrap_or(&self.secret);
        let mut sent = Vec::new();
        for event in events {
            for _ in 0..how.copies {
                let status = self.send(event, secret, how.age).await;
                sent.push(json!({"event": event["id"], "type": event["type"], "status": status}));
            }
        }
        json!({ "deliveries": sent })
    }

    /// An event's body and its header, signed now.
    pub(crate) fn signed(&self, event: &Value) -> (String, String) {
        let body = event.to_string();
        let signature = sign(&self.secret, objects::now(), &body);
        (body, signature)
    }

    async fn send(&self, event: &Value, secret: &str, age: i64) -> Option<u16> {
        let url = self.settings().url.clone()?;
        let body = event.to_string();
        let signature = sign(secret, objects::now() - age, &body);
        let request = self
            .client
            .post(url)
            .header("content-type", "application/json; charset=utf-8");
        let answer = request
            .header("stripe-signature", signature)
            .body(body)
            .send()
            .await;
        answer.ok().map(|answer| answer.status().as_u16())
    }

    fn settings(&self) -> MutexGuard<'_, Settings> {
        self.settings.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The header `Stripe-Signature` of a body.
fn sign(secret: &str, time: i64, body: &str) -> String {
    let signature = Hmac::<Sha256>::new_from_slice(secret.as_bytes())
        .map(|mac| mac.chain_update(format!("{time}.{body}")).finalize().into_bytes());
    // A key of any length will do.
    format!("t={time},v1={}", signature.map(hex::encode).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_those_of_stripes_own_clients() {
        let Some(folder) = crate::contracts_folder() else {
            eprintln!("skipped: TOMBOLA_CONTRACTS is not set, so Stripe's own signatures were not compared");
            return;
        };
        let text = std::fs::read(folder.join("test-vectors.json")).unwrap();
        let vectors: Value = serde_json::from_slice(&text).unwrap();
        let cases = vectors["stripe"]["header_valid"].as_array().unwrap();
        assert_eq!(cases.len(), 4);
        for case in cases {
            let text = |name: &str| case[name].as_str().unwrap();
            let time = case["timestamp"].as_i64().unwrap();
            assert_eq!(
                sign(text("secret"), time, text("payload")),
                text("header"),
                "{}",
                case["name"]
            );
        }
    }
}
