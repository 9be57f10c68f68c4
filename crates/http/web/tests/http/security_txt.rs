//! `/.well-known/security.txt` (RFC 9116).

use crate::support::{Response, app_state, get, send_all};
use chrono::{DateTime, Duration, Utc};
use fakes::MemStore;
use web::AppState;

async fn security_txt(state: AppState) -> Response {
    let requests = vec![get("/.well-known/security.txt")];
    send_all(&MemStore::default(), state, requests).await.remove(0)
}

fn with_contact() -> AppState {
    AppState {
        security_contact: Some("mailto:security@example.org".to_owned()),
        ..app_state()
    }
}

/// The values of a field.
fn values<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    let value = |line: &'a str| {
        line.split_once(": ")
            .filter(|(field, _)| *field == name)
            .map(|(_, value)| value)
    };
    text.lines().filter_map(value).collect()
}

#[actix_web::test]
async fn it_says_whom_to_tell_about_a_vulnerability() {
    let state = with_contact();
    let now = state.clock.now();
    let response = security_txt(state).await;
    assert_eq!(response.status, 200);
    assert_eq!(response.header("content-type"), "text/plain; charset=utf-8");
    assert_eq!(response.header("cache-control"), "public, max-age=3600");
    let text = std::str::from_utf8(&response.bytes).unwrap();
    assert_eq!(values(text, "Contact"), ["mailto:security@example.org"]);
    assert_eq!(values(text, "Preferred-Languages"), ["en"]);
    assert_eq!(
        values(text, "Canonical"),
        ["https://example.org/.well-known/security.txt"]
    );
    let [expires] = values(text, "Expires")[..] else {
        panic!("{text}")
    };
    let left = DateTime::parse_from_rfc3339(expires).unwrap().with_timezone(&Utc) - now;
    assert!(
        left > Duration::days(30) && left < Duration::days(365),
        "{expires}"
    );
}

#[actix_web::test]
async fn it_names_no_address_without_tls() {
    let state = AppState {
        public_origin: "http://localhost:8080".to_owned(),
        ..with_contact()
    };
    let response = security_txt(state).await;
    assert_eq!(response.status, 200);
    assert!(!String::from_utf8_lossy(&response.bytes).contains("Canonical"));
}

#[actix_web::test]
async fn without_a_contact_there_is_none() {
    let response = security_txt(app_state()).await;
    assert_eq!(response.error(), "404 not_found");
}
