//! Sends events to the webhook endpoint, signed as Stripe signs them.

use crate::kit::Shared;
use crate::stripe::objects;
use hmac::{Hmac, KeyInit, Mac};
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::Sha256;
use std::time::Duration;
use tokio::sync::mpsc;
use url::Url;

/// How often an event is sent before it is given up.
const ATTEMPTS: u32 = 5;
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const TIMEOUT: Duration = Duration::from_secs(5);

pub(crate) struct Webhooks {
    client: reqwest::Client,
    secret: String,
    endpoint: Shared<Endpoint>,
    queue: mpsc::UnboundedSender<Value>,
}

#[derive(Clone)]
struct Endpoint {
    url: Option<Url>,
    hold: bool,
    copies: u32,
}

/// `POST /control/webhooks`: changes the settings that are given.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Settings {
    url: Option<Url>,
    /// Whether events wait for `POST /control/webhooks/deliver`.
    hold: Option<bool>,
    /// How often each event is sent.
    copies: Option<u32>,
}

/// `POST /control/webhooks/deliver`.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Delivery {
    /// The ids of the events, in the order of delivery; without any, all events, oldest first.
    pub(crate) events: Vec<String>,
    /// Whether to reverse the order.
    pub(crate) reversed: bool,
    copies: u32,
    /// The age of the signature, in seconds.
    age: i64,
    /// A secret to sign with, other than the right one.
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
        let (queue, queued) = mpsc::unbounded_channel();
        let webhooks = Self {
            client: reqwest::Client::builder().timeout(TIMEOUT).no_proxy().build()?,
            secret,
            endpoint: Shared::new(Endpoint {
                url,
                hold: false,
                copies: 1,
            }),
            queue,
        };
        Ok((webhooks, queued))
    }

    pub(crate) fn change(&self, settings: Settings) {
        let mut endpoint = self.endpoint.lock();
        endpoint.url = settings.url.or_else(|| endpoint.url.take());
        endpoint.hold = settings.hold.unwrap_or(endpoint.hold);
        endpoint.copies = settings.copies.unwrap_or(endpoint.copies);
    }

    /// Sends an event in the background, unless events are held or there is no endpoint.
    pub(crate) fn queue(&self, event: &Value) {
        let endpoint = self.endpoint.lock().clone();
        if endpoint.hold || endpoint.url.is_none() {
            return;
        }
        for _ in 0..endpoint.copies {
            // Without a receiver the stand-in is stopping.
            let _ = self.queue.send(event.clone());
        }
    }

    /// Sends queued events, one at a time, until the stand-in stops.
    pub(crate) async fn send_queued(&self, mut queued: mpsc::UnboundedReceiver<Value>) {
        while let Some(event) = queued.recv().await {
            self.send_until_acknowledged(&event).await;
        }
    }

    async fn send_until_acknowledged(&self, event: &Value) {
        let mut pause = FIRST_PAUSE;
        for _ in 0..ATTEMPTS {
            let status = self.send(event, &self.secret, 0).await;
            if status.is_some_and(|status| (200..300).contains(&status)) {
                return;
            }
            tokio::time::sleep(pause).await;
            pause *= 2;
        }
    }

    /// Sends events now, and reports the status of each response.
    pub(crate) async fn deliver(&self, events: &[Value], delivery: &Delivery) -> Value {
        let secret = delivery.secret.as_ref().unwrap_or(&self.secret);
        let mut sent = Vec::new();
        for event in events {
            for _ in 0..delivery.copies {
                let status = self.send(event, secret, delivery.age).await;
                sent.push(json!({"event": event["id"], "type": event["type"], "status": status}));
            }
        }
        json!({ "deliveries": sent })
    }

    /// An event's body and `Stripe-Signature` header, signed now.
    pub(crate) fn signed(&self, event: &Value) -> (String, String) {
        let body = event.to_string();
        let signature = sign(&self.secret, objects::now(), &body);
        (body, signature)
    }

    /// Sends an event with a signature of this age in seconds. Returns the status of the response, if there is one.
    async fn send(&self, event: &Value, secret: &str, age: i64) -> Option<u16> {
        let url = self.endpoint.lock().url.clone()?;
        let body = event.to_string();
        let signature = sign(secret, objects::now() - age, &body);
        let request = self
            .client
            .post(url)
            .header("content-type", "application/json; charset=utf-8")
            .header("stripe-signature", signature)
            .body(body);
        let response = request.send().await.ok()?;
        Some(response.status().as_u16())
    }
}

/// The `Stripe-Signature` header of a body.
fn sign(secret: &str, time: i64, body: &str) -> String {
    let signature = Hmac::<Sha256>::new_from_slice(secret.as_bytes())
        .map(|mac| mac.chain_update(format!("{time}.{body}")).finalize().into_bytes());
    // A key may have any length.
    format!("t={time},v1={}", signature.map(hex::encode).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_the_same_as_those_of_stripes_clients() {
        let Some(vectors) = crate::kit::testing::contract_file("test-vectors.json") else {
            return;
        };
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
