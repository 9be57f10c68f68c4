//! Every public call, made by somebody else with the ids of an entrant: nothing of the entrant is shown or changed.

use crate::support::{Own, Response, authorized, get, post_with_session, send, sign_in};
use actix_web::http::Method;
use actix_web::test::TestRequest;
use fakes::MemStore;
use serde_json::{Value, json};

const NUMBER: &str = "5551230001";

/// A public call with the ids of an entrant.
struct Call {
    name: String,
    method: Method,
    path: String,
    body: Option<Value>,
    /// Whether it says that it is only for the browser that entered.
    is_own: bool,
}

impl Call {
    fn request(&self) -> TestRequest {
        let request = TestRequest::with_uri(&self.path).method(self.method.clone());
        match &self.body {
            Some(body) => request
                .insert_header(("Content-Type", "application/json"))
                .set_payload(body.to_string()),
            None => request,
        }
    }
}

/// The public calls, about an entrant and a drawing. Secrets in paths are guesses.
fn calls(entrant: i64, drawing: i64) -> Vec<Call> {
    let description: Value = serde_json::from_str(&web::openapi_json::<MemStore>().unwrap()).unwrap();
    let bodies: Value = serde_json::from_str(include_str!("valid_bodies.json")).unwrap();
    let mut calls = Vec::new();
    for (path, methods) in description["paths"].as_object().unwrap() {
        if path.starts_with("/api/admin/") {
            continue;
        }
        let id = if path.starts_with("/api/users/") {
            entrant
        } else {
            drawing
        };
        let filled = path
            .replace("{id}", &id.to_string())
            .replace("{token}", &"0".repeat(32))
            .replace("{purchaseId}", "1")
            .replace("{version}", "1")
            .replace("{verificationId}", &"A".repeat(22));
        for (method, operation) in methods.as_object().unwrap() {
            let name = operation["operationId"].as_str().unwrap().to_owned();
            let body = bodies.get(&name).cloned().map(|mut body| {
                if body.get("userId").is_some() {
                    body["userId"] = json!(entrant);
                }
                body
            });
            let refusal = &operation["responses"]["403"]["description"];
            let is_own = refusal
                .as_str()
                .is_some_and(|text| text.starts_with("`another_browser`: not the browser that entered"));
            calls.push(Call {
                name,
                method: method.to_uppercase().parse().unwrap(),
                path: filled.clone(),
                body,
                is_own,
            });
        }
    }
    calls
}

/// What the entrant sees of their own.
async fn own_view(store: &MemStore, own: &Own) -> Vec<Value> {
    let mut seen = Vec::new();
    for end in [
        "stats",
        "consent",
        "appeal",
        "share-progress",
        "data-requests",
        "free-entries",
        "purchases",
        "referrals",
    ] {
        let answer = own.send(store, get(&own.path(end))).await;
        assert_eq!(answer.status, 200, "{end}");
        seen.push(answer.json());
    }
    seen
}

fn holds_number(answer: &Response) -> bool {
    let digits: String = String::from_utf8_lossy(&answer.bytes)
        .chars()
        .filter(char::is_ascii_digit)
        .collect();
    digits.contains(NUMBER)
}

#[actix_web::test]
async fn with_the_ids_of_another_entrant_nothing_is_shown_or_changed() {
    let store = MemStore::with_rules();
    let (own, other) = (Own::entered(&store, 1).await, Own::entered(&store, 2).await);
    let staff = sign_in(&store).await;
    let raffle = json!({"landingPage": "garden-bag"});
    let drawn = post_with_session(&store, &staff, "/api/admin/drawing/perform", &raffle).await;
    let drawing = drawn.json()["id"].as_i64().unwrap();
    let shown = own.send(&store, get(&format!("/api/users/{}", own.id))).await;
    assert!(holds_number(&shown), "the test would see the number");
    let before = own_view(&store, &own).await;
    let mut own_calls = 0;
    for call in calls(own.id, drawing) {
        let nobody = send(&store, call.request()).await;
        let stranger = other.send(&store, call.request()).await;
        let member = send(&store, authorized(call.request(), &staff)).await;
        for (who, answer) in [
            ("nobody", &nobody),
            ("another entrant", &stranger),
            ("staff", &member),
        ] {
            let (name, status) = (&call.name, answer.status);
            assert!(!holds_number(answer), "{name} shows the number to {who}");
            assert_ne!(status, 500, "{name} as {who}");
            if call.is_own {
                assert_eq!(answer.error(), "403 another_browser", "{name} as {who}");
                own_calls += 1;
            }
        }
    }
    assert_eq!(
        own_calls,
        3 * 13,
        "each call that is only for the browser that entered"
    );
    assert_eq!(own_view(&store, &own).await, before);
}
