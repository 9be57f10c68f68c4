//! Subscriptions of browsers to messages about drawings.

use crate::support::{Own, Response, app_state, get, post, send, send_all};
use actix_web::http::Method;
use actix_web::test::TestRequest;
use fakes::MemStore;
use kernel::EntrantId;
use push::EndpointRules;
use serde_json::{Value, json};
use web::{AppState, PushSettings};

const ENDPOINT: &str = "https://fcm.googleapis.com/fcm/send/abc";
const PATH: &str = "/api/push/subscriptions";

/// The keys of the example of RFC 8291.
fn keys() -> Value {
    json!({
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg"
    })
}

fn subscription(own: &Own, endpoint: &str) -> Value {
    json!({"userId": own.id, "endpoint": endpoint, "keys": keys()})
}

fn delete(body: &Value) -> TestRequest {
    post(PATH, &body.to_string()).method(Method::DELETE)
}

async fn subscribe(store: &MemStore, own: &Own, body: &Value) -> Response {
    own.send(store, post(PATH, &body.to_string())).await
}

fn endpoints(store: &MemStore, own: &Own) -> Vec<String> {
    store
        .endpoints_of(EntrantId::new(own.id))
        .iter()
        .map(|endpoint| endpoint.as_str().to_owned())
        .collect()
}

#[actix_web::test]
async fn a_browser_subscribes_and_ends_it() {
    let store = MemStore::default();
    let own = Own::entered(&store, 1).await;
    for _ in 0..2 {
        let response = subscribe(&store, &own, &subscription(&own, ENDPOINT)).await;
        assert_eq!((response.status.as_u16(), response.bytes.len()), (204, 0));
        assert_eq!(endpoints(&store, &own), [ENDPOINT]);
    }
    let end = json!({"userId": own.id, "endpoint": ENDPOINT});
    for _ in 0..2 {
        assert_eq!(own.send(&store, delete(&end)).await.status, 204);
        assert!(endpoints(&store, &own).is_empty());
    }
}

#[actix_web::test]
async fn only_the_browser_that_entered_subscribes() {
    let store = MemStore::default();
    let (own, other) = (Own::entered(&store, 1).await, Own::entered(&store, 2).await);
    let body = subscription(&own, ENDPOINT);
    let end = json!({"userId": own.id, "endpoint": ENDPOINT});
    subscribe(&store, &own, &body).await;
    for refused in [
        send(&store, post(PATH, &body.to_string())).await,
        other.send(&store, post(PATH, &body.to_string())).await,
        send(&store, delete(&end)).await,
        other.send(&store, delete(&end)).await,
    ] {
        assert_eq!(refused.error(), "403 another_browser");
    }
    assert_eq!(endpoints(&store, &own), [ENDPOINT]);
}

#[actix_web::test]
async fn each_wrong_field_is_named() {
    let store = MemStore::default();
    let own = Own::entered(&store, 1).await;
    let with = |change: Value| {
        let mut body = subscription(&own, ENDPOINT);
        for (name, value) in change.as_object().unwrap() {
            body[name] = value.clone();
        }
        body
    };
    for (change, fields) in [
        (json!({"userId": null}), "userId"),
        (json!({"endpoint": null}), "endpoint"),
        (json!({"endpoint": "https://example.org/push"}), "endpoint"),
        (json!({"endpoint": "http://127.0.0.1:80/push"}), "endpoint"),
        (
            json!({"endpoint": format!("{ENDPOINT}{}", "x".repeat(2048))}),
            "endpoint",
        ),
        (json!({"keys": null}), "keys"),
        (json!({"keys": {}}), "keys"),
        (
            json!({"keys": {"p256dh": "AAAA", "auth": keys()["auth"]}}),
            "keys",
        ),
        (
            json!({"keys": {"p256dh": keys()["p256dh"], "auth": "AAAA"}}),
            "keys",
        ),
        (json!({"endpoint": "x", "keys": {}}), "endpoint,keys"),
    ] {
        let response = subscribe(&store, &own, &with(change.clone())).await;
        assert_eq!(response.error(), format!("400 validation {fields}"), "{change}");
    }
    assert!(endpoints(&store, &own).is_empty());
}

#[actix_web::test]
async fn the_key_is_public_and_null_without_one() {
    let store = MemStore::default();
    assert_eq!(
        send(&store, get("/api/push/key")).await.json(),
        json!({"publicKey": null})
    );
    let state = AppState {
        push: PushSettings {
            public_key: Some("BP4z".to_owned()),
            endpoints: EndpointRules::KnownServices,
        },
        ..app_state()
    };
    let response = send_all(&store, state, vec![get("/api/push/key")])
        .await
        .remove(0);
    assert_eq!(response.json(), json!({"publicKey": "BP4z"}));
}
