//! Events on their way to whoever listens.

use crate::desk::Desk;
use actix_web::dev::ServerHandle;
use actix_web::web::{self, Bytes, Data};
use actix_web::{App, HttpRequest, HttpResponse, HttpServer};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use tokio::sync::{Mutex, mpsc};

/// Somebody who listens to events, and refuses the first few.
struct Listener {
    url: String,
    arrived: Mutex<mpsc::UnboundedReceiver<(String, Value)>>,
    server: ServerHandle,
}

struct Ear {
    refusals: AtomicU32,
    heard: mpsc::UnboundedSender<(String, Value)>,
}

impl Listener {
    async fn open(refusals: u32) -> Self {
        let (heard, arrived) = mpsc::unbounded_channel();
        let ear = Data::new(Ear {
            refusals: AtomicU32::new(refusals),
            heard,
        });
        let app = move || {
            App::new()
                .app_data(ear.clone())
                .route("/hook", web::post().to(hear))
        };
        let http = HttpServer::new(app)
            .workers(1)
            .disable_signals()
            .bind("127.0.0.1:0")
            .unwrap();
        let url = format!("http://{}/hook", http.addrs()[0]);
        let running = http.run();
        let server = running.handle();
        tokio::spawn(running);
        Self {
            url,
            arrived: Mutex::new(arrived),
            server,
        }
    }

    /// The signature and the event that arrives next.
    async fn next(&self) -> (String, Value) {
        let mut arrived = self.arrived.lock().await;
        let next = tokio::time::timeout(Duration::from_secs(20), arrived.recv());
        next.await.expect("nothing arrived").unwrap()
    }

    async fn nothing_waits(&self) -> bool {
        self.arrived.lock().await.try_recv().is_err()
    }
}

async fn hear(request: HttpRequest, body: Bytes, ear: Data<Ear>) -> HttpResponse {
    let refused = ear
        .refusals
        .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
    if refused.is_ok() {
        return HttpResponse::ServiceUnavailable().finish();
    }
    let signature = request
        .headers()
        .get("stripe-signature")
        .unwrap()
        .to_str()
        .unwrap();
    let event = serde_json::from_slice(&body).unwrap();
    ear.heard.send((signature.to_owned(), event)).unwrap();
    HttpResponse::Ok().finish()
}

async fn listened_to(settings: Value, refusals: u32) -> (Desk, Listener) {
    let listener = Listener::open(refusals).await;
    let desk = Desk::open().await;
    let (status, _) = desk.control("webhooks", json!({"url": listener.url})).await;
    assert_eq!(status, 200);
    assert_eq!(desk.control("webhooks", settings).await.0, 200);
    (desk, listener)
}

#[tokio::test]
async fn events_are_told_at_once_and_again_until_they_are_heard() {
    let (desk, listener) = listened_to(json!({}), 2).await;
    let id = desk.paid_intent().await;
    let (signature, event) = listener.next().await;
    assert_eq!(event["type"], "payment_intent.succeeded");
    assert_eq!(event["data"]["object"]["id"], id.as_str());
    assert!(
        signature.starts_with("t=") && signature.contains(",v1="),
        "{signature}"
    );
    listener.server.stop(false).await;
    desk.close().await;
}

#[tokio::test]
async fn events_come_as_often_as_asked() {
    let (desk, listener) = listened_to(json!({"copies": 3}), 0).await;
    desk.paid_intent().await;
    let first = listener.next().await.1;
    for _ in 0..2 {
        assert_eq!(listener.next().await.1, first);
    }
    listener.server.stop(false).await;
    desk.close().await;
}

#[tokio::test]
async fn held_events_come_when_and_in_what_order_they_are_asked_for() {
    let (desk, listener) = listened_to(json!({"hold": true}), 0).await;
    let id = desk.paid_intent().await;
    desk.control(&format!("intents/{id}/dispute"), json!({"outcome": "lost"}))
        .await;
    let kinds = [
        "payment_intent.succeeded",
        "charge.dispute.created",
        "charge.dispute.closed",
    ];
    assert!(listener.nothing_waits().await);

    let (_, sent) = desk
        .control("webhooks/deliver", json!({"reversed": true, "copies": 2}))
        .await;
    assert_eq!(sent["deliveries"].as_array().unwrap().len(), 6);
    for kind in kinds.iter().rev() {
        for _ in 0..2 {
            assert_eq!(listener.next().await.1["type"], *kind);
        }
    }

    let told = desk.get("/control/events").await;
    let [first, .., last] = told["events"].as_array().unwrap().as_slice() else {
        panic!("{told}")
    };
    let order = json!({"events": [last["id"], first["id"]]});
    let (_, sent) = desk.control("webhooks/deliver", order).await;
    assert_eq!(sent["deliveries"][0]["status"], 200);
    for kind in [kinds[2], kinds[0]] {
        assert_eq!(listener.next().await.1["type"], kind);
    }
    assert!(listener.nothing_waits().await);
    listener.server.stop(false).await;
    desk.close().await;
}

#[tokio::test]
async fn events_can_be_signed_long_ago_or_with_another_secret() {
    let (desk, listener) = listened_to(json!({"hold": true}), 0).await;
    desk.paid_intent().await;
    let time = |signature: &str| -> i64 {
        let (time, _) = signature.split_once(',').unwrap();
        time.trim_start_matches("t=").parse().unwrap()
    };
    desk.control("webhooks/deliver", json!({})).await;
    let now = time(&listener.next().await.0);
    desk.control("webhooks/deliver", json!({"age": 301})).await;
    let old = time(&listener.next().await.0);
    assert!(
        (240..=301).contains(&(now - old)),
        "301 s less what passed in between: {now} {old}"
    );
    desk.control("webhooks/deliver", json!({"secret": "whsec_other"}))
        .await;
    let forged = listener.next().await;
    let signed = desk
        .get(&format!(
            "/control/events/{}/signed",
            forged.1["id"].as_str().unwrap()
        ))
        .await;
    let hash = |signature: &str| signature.split_once("v1=").unwrap().1.to_owned();
    assert_ne!(hash(&forged.0), hash(signed["signature"].as_str().unwrap()));
    listener.server.stop(false).await;
    desk.close().await;
}
