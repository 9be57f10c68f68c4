//! The browsers of an entrant, and signing out all but one.

use crate::phone_verification::{newest_code, with_codes};
use crate::support::{Own, Response, get, post, register, send_all, token_keys};
use actix_web::test::TestRequest;
use chrono::{DateTime, TimeDelta, Utc};
use fakes::{FixedClock, MemStore};
use serde_json::json;
use std::sync::Arc;
use web::{AppState, VisitorToken};

const START: DateTime<Utc> = DateTime::UNIX_EPOCH;

/// So many seconds after the start.
fn state_at(second: i64) -> AppState {
    AppState {
        clock: Arc::new(FixedClock::at(START + TimeDelta::seconds(second))),
        ..crate::support::app_state()
    }
}

/// The cookie of a browser that got its token in this second.
fn cookie(entrant: i64, second: i64) -> String {
    let now = START + TimeDelta::seconds(second);
    let keys = token_keys::<VisitorToken>(7, &[]);
    let token = keys.sign(entrant.to_string(), now, TimeDelta::days(400), None);
    format!("visitor={}", token.unwrap())
}

async fn send(store: &MemStore, second: i64, cookie: &str, request: TestRequest) -> Response {
    let request = request.insert_header(("Cookie", cookie));
    send_all(store, state_at(second), vec![request]).await.remove(0)
}

/// Calls that only the browser that entered may make.
fn own_calls(own: &Own) -> Vec<TestRequest> {
    let subscription = json!({"userId": own.id, "endpoint": "https://fcm.googleapis.com/fcm/send/1"});
    vec![
        get(&own.path("consent")),
        get(&own.path("share-progress")),
        get(&own.path("data-requests")),
        get(&own.path("appeal")),
        post(&own.path("free-entries"), ""),
        post(
            &own.path("appeal"),
            &json!({"message": "I share a flat."}).to_string(),
        ),
        post(
            &own.path("data-requests"),
            &json!({"requestType": "export"}).to_string(),
        ),
        post(&own.path("sign-out-others"), ""),
        TestRequest::delete()
            .uri("/api/push/subscriptions")
            .insert_header(("Content-Type", "application/json"))
            .set_payload(subscription.to_string()),
    ]
}

#[actix_web::test]
async fn a_browser_that_was_signed_out_is_a_strangers() {
    let store = MemStore::default();
    let own = Own::entered(&store, 1).await;
    let (here, lost) = (cookie(own.id, 10), cookie(own.id, 20));
    let shown = async |cookie: &str| {
        let user = send(&store, 60, cookie, get(&format!("/api/users/{}", own.id))).await;
        user.json()["phoneNumber"].as_str().unwrap().to_owned()
    };
    assert_eq!(shown(&lost).await, "+15551230001");
    // The second call is a double click, or the answer to the first was lost.
    for second in [30, 31] {
        let done = send(&store, second, &here, post(&own.path("sign-out-others"), "")).await;
        assert_eq!((done.status.as_u16(), done.bytes.len()), (204, 0));
        assert!(!done.headers.contains_key("set-cookie"));
    }
    assert_eq!(shown(&here).await, "+15551230001");
    assert_eq!(shown(&lost).await, "***-***-0001");
    for request in own_calls(&own) {
        let answer = send(&store, 60, &lost, request).await;
        assert_eq!(answer.error(), "403 another_browser");
    }
    for request in own_calls(&own) {
        assert_ne!(send(&store, 60, &here, request).await.status, 403);
    }
    assert_eq!(
        shown(&cookie(own.id, 60)).await,
        "+15551230001",
        "a browser that came later"
    );
}

/// With codes, whoever has the number gets in again.
#[actix_web::test]
async fn a_code_brings_a_browser_back() {
    let store = MemStore::default();
    let own = Own::entered(&store, 1).await;
    let (here, lost) = (cookie(own.id, 10), cookie(own.id, 20));
    send(&store, 30, &here, post(&own.path("sign-out-others"), "")).await;
    let body = json!({"phoneNumber": "5551230001"}).to_string();
    let request = register(&body).insert_header(("Cookie", lost));
    let asked = send_all(&store, with_codes(60), vec![request]).await.remove(0);
    assert_eq!(asked.status, 202, "a token that was signed out proves no number");
    let id = asked.json()["verification"]["id"].clone();
    let browser = asked.header("set-cookie").split(';').next().unwrap().to_owned();
    let body = json!({"verificationId": id, "code": newest_code(&store)}).to_string();
    let verify = post("/api/users/verify", &body).insert_header(("Cookie", browser));
    let verified = send_all(&store, with_codes(70), vec![verify]).await.remove(0);
    assert_eq!(verified.status, 200, "{:?}", verified.bytes);
    let visitor = verified
        .headers
        .get_all("set-cookie")
        .map(|cookie| cookie.to_str().unwrap().split(';').next().unwrap().to_owned())
        .find(|cookie| cookie.starts_with("visitor="))
        .unwrap();
    let consent = send(&store, 80, &visitor, get(&own.path("consent"))).await;
    assert_eq!(consent.status, 200);
}
