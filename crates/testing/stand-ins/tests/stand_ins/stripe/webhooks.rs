//! Events that are sent to the webhook endpoint.

use crate::stripe::client::TestStripe;
use actix_web::HttpResponse;
use serde_json::{Value, json};
use stand_ins::kit::testing::WebhookReceiver;
use std::sync::atomic::{AtomicU32, Ordering};

/// A stand-in with these settings and a webhook endpoint, which first answers 503 a number of times.
async fn start_with_receiver(settings: Value, failures: u32) -> (TestStripe, WebhookReceiver) {
    let failures = AtomicU32::new(failures);
    let fails = move || {
        failures
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1))
            .is_ok()
    };
    let respond = move || match fails() {
        true => HttpResponse::ServiceUnavailable().finish(),
        false => HttpResponse::Ok().finish(),
    };
    let receiver = WebhookReceiver::start(respond).await;
    let stripe = TestStripe::start().await;
    stripe.set("webhooks", json!({"url": receiver.url})).await;
    stripe.set("webhooks", settings).await;
    (stripe, receiver)
}

/// The signature and the event of the next webhook.
async fn next_event(receiver: &WebhookReceiver) -> (String, Value) {
    let webhook = receiver.next().await;
    let event = serde_json::from_slice(&webhook.body).unwrap();
    (webhook.header("stripe-signature"), event)
}

#[tokio::test]
async fn events_are_sent_at_once_and_again_until_they_are_acknowledged() {
    let (stripe, receiver) = start_with_receiver(json!({}), 2).await;
    let id = stripe.paid_intent().await;
    let (signature, event) = next_event(&receiver).await;
    assert_eq!(event["type"], "payment_intent.succeeded");
    assert_eq!(event["data"]["object"]["id"], id.as_str());
    assert!(
        signature.starts_with("t=") && signature.contains(",v1="),
        "{signature}"
    );
    receiver.stop().await;
    stripe.stop().await;
}

#[tokio::test]
async fn events_are_sent_as_often_as_requested() {
    let (stripe, receiver) = start_with_receiver(json!({"copies": 3}), 0).await;
    stripe.paid_intent().await;
    let first = next_event(&receiver).await.1;
    for _ in 0..2 {
        assert_eq!(next_event(&receiver).await.1, first);
    }
    receiver.stop().await;
    stripe.stop().await;
}

#[tokio::test]
async fn held_events_are_delivered_on_request_in_the_requested_order() {
    let (stripe, receiver) = start_with_receiver(json!({"hold": true}), 0).await;
    let id = stripe.paid_intent().await;
    stripe
        .control(&format!("intents/{id}/dispute"), json!({"outcome": "lost"}))
        .await;
    let kinds = [
        "payment_intent.succeeded",
        "charge.dispute.created",
        "charge.dispute.closed",
    ];
    assert!(receiver.is_empty().await);

    let (_, sent) = stripe
        .control("webhooks/deliver", json!({"reversed": true, "copies": 2}))
        .await;
    assert_eq!(sent["deliveries"].as_array().unwrap().len(), 6);
    for kind in kinds.iter().rev() {
        for _ in 0..2 {
            assert_eq!(next_event(&receiver).await.1["type"], *kind);
        }
    }

    let found = stripe.get("/control/events").await;
    let [first, .., last] = found["events"].as_array().unwrap().as_slice() else {
        panic!("{found}")
    };
    let order = json!({"events": [last["id"], first["id"]]});
    let (_, sent) = stripe.control("webhooks/deliver", order).await;
    assert_eq!(sent["deliveries"][0]["status"], 200);
    for kind in [kinds[2], kinds[0]] {
        assert_eq!(next_event(&receiver).await.1["type"], kind);
    }
    assert!(receiver.is_empty().await);
    receiver.stop().await;
    stripe.stop().await;
}

#[tokio::test]
async fn events_can_have_old_signatures_or_another_secret() {
    let (stripe, receiver) = start_with_receiver(json!({"hold": true}), 0).await;
    stripe.paid_intent().await;
    let time = |signature: &str| -> i64 {
        let (time, _) = signature.split_once(',').unwrap();
        time.trim_start_matches("t=").parse().unwrap()
    };
    stripe.control("webhooks/deliver", json!({})).await;
    let now = time(&next_event(&receiver).await.0);
    stripe.control("webhooks/deliver", json!({"age": 301})).await;
    let old = time(&next_event(&receiver).await.0);
    assert!(
        (240..=301).contains(&(now - old)),
        "301 s less the time between both: {now} {old}"
    );
    stripe
        .control("webhooks/deliver", json!({"secret": "whsec_other"}))
        .await;
    let forged = next_event(&receiver).await;
    let signed = stripe
        .get(&format!(
            "/control/events/{}/signed",
            forged.1["id"].as_str().unwrap()
        ))
        .await;
    let hash = |signature: &str| signature.split_once("v1=").unwrap().1.to_owned();
    assert_ne!(hash(&forged.0), hash(signed["signature"].as_str().unwrap()));
    receiver.stop().await;
    stripe.stop().await;
}
