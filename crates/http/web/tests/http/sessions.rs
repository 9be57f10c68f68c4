//! Sessions of the console: tokens, expiry, signing out.

use crate::support::{
    CountingPasswordCheck, PASSWORD, Response, admin_sign_in, app_state, authorized, get, login, post,
    register, send, send_all, sign_in, token_keys,
};
use actix_web::cookie::Cookie;
use actix_web::test::TestRequest;
use chrono::{DateTime, TimeDelta, Utc};
use fakes::{FixedClock, MemStore};
use kernel::{Clock, StoreError, UnitOfWork};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use staff::{Accounts, AdminSessions, NewAdminSession, TokenHash};
use std::sync::Arc;
use web::AppState;

pub(crate) const AUDIT_LOG: &str = "/api/admin/audit-log";

pub(crate) fn now() -> DateTime<Utc> {
    FixedClock::default().now()
}

pub(crate) fn state_after(state: AppState, after: TimeDelta) -> AppState {
    AppState {
        clock: Arc::new(FixedClock::at(now() + after)),
        ..state
    }
}

pub(crate) fn errors(responses: &[Response]) -> Vec<String> {
    responses
        .iter()
        .map(|response| match response.status.as_u16() {
            200 => "200".to_owned(),
            _ => response.error(),
        })
        .collect()
}

fn hash(token: &str) -> TokenHash {
    Sha256::digest(token).into()
}

#[actix_web::test]
async fn a_session_token_is_accepted_in_both_headers() {
    let store = MemStore::default();
    let response = send(&store, login(" anna ", PASSWORD)).await;
    assert_eq!(response.status, 200);
    assert_eq!(response.json()["expiresAt"], "2025-08-02T00:00:00Z");
    let token = response.json()["sessionToken"].as_str().unwrap().to_owned();
    for (name, value) in [
        ("Authorization", format!("Bearer {token}")),
        ("authorization", format!("bearer {token}")),
        ("X-Session-Token", token.clone()),
    ] {
        let response = send(&store, get(AUDIT_LOG).insert_header((name, value.as_str()))).await;
        assert_eq!(response.status, 200, "{name}: {value:.10}");
    }
    let with_another_authorization = get(AUDIT_LOG)
        .insert_header(("Authorization", "Basic YTpi"))
        .insert_header(("X-Session-Token", token.as_str()));
    assert_eq!(send(&store, with_another_authorization).await.status, 200);
}

#[actix_web::test]
async fn the_store_finds_a_session_by_the_hash_of_its_token() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let find = |hash: TokenHash| store.read(|tx| tx.find_session(&hash, now())).unwrap();
    assert!(find(hash(&token)).is_some());
}

#[actix_web::test]
async fn signing_out_ends_the_session() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let requests = vec![
        authorized(post("/api/admin/logout", ""), &token),
        authorized(get(AUDIT_LOG), &token),
        authorized(post("/api/admin/logout", ""), &token),
    ];
    let responses = send_all(&store, app_state(), requests).await;
    assert_eq!(responses[0].json(), json!({"success": true}));
    assert_eq!(errors(&responses[1..]), ["401 unauthorized"; 2]);
}

#[actix_web::test]
async fn signing_in_again_leaves_other_sessions_open() {
    let store = MemStore::default();
    let responses = send_all(
        &store,
        app_state(),
        vec![login("anna", PASSWORD), login("anna", PASSWORD)],
    )
    .await;
    let tokens: Vec<_> = responses
        .iter()
        .map(|response| response.json()["sessionToken"].as_str().unwrap().to_owned())
        .collect();
    assert_ne!(tokens[0], tokens[1]);
    let requests = vec![
        authorized(post("/api/admin/logout", ""), &tokens[0]),
        authorized(get(AUDIT_LOG), &tokens[1]),
    ];
    let responses = send_all(&store, app_state(), requests).await;
    assert_eq!(errors(&responses), ["200", "200"]);
}

/// The result of a request with this token after some time.
async fn result_after(store: &MemStore, token: &str, after: TimeDelta) -> String {
    let responses = send_all(
        store,
        state_after(app_state(), after),
        vec![authorized(get(AUDIT_LOG), token)],
    )
    .await;
    errors(&responses).remove(0)
}

#[actix_web::test]
async fn a_request_needs_an_unexpired_token_and_an_unexpired_session() {
    const ACCEPTED: &str = "200";
    const REJECTED: &str = "401 unauthorized";
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let hours = TimeDelta::hours;
    // Each use keeps the session for two more hours, and none for more than twelve.
    for minutes in (0..720).step_by(119) {
        let after = TimeDelta::minutes(minutes);
        assert_eq!(result_after(&store, &token, after).await, ACCEPTED, "{minutes}");
    }
    assert_eq!(
        result_after(&store, &token, hours(12) - TimeDelta::seconds(1)).await,
        ACCEPTED
    );
    assert_eq!(result_after(&store, &token, hours(12)).await, REJECTED);

    let member = store.read(|tx| tx.list_accounts()).unwrap()[0].member.id;
    let session = |expires_at| NewAdminSession {
        member,
        password_tag: [7; 32],
        code_given_at: None,
        token_hash: hash(&token),
        address: None,
        user_agent: None,
        created_at: now(),
        expires_at,
    };
    let close = || store.transaction(|tx| tx.close_session(&hash(&token))).unwrap();
    let open = |expires_at| {
        store
            .transaction(|tx| tx.open_session(&session(expires_at)))
            .unwrap()
    };
    close();
    assert_eq!(
        result_after(&store, &token, hours(1)).await,
        REJECTED,
        "no session"
    );
    open(now() + hours(48));
    assert_eq!(result_after(&store, &token, hours(1)).await, ACCEPTED);
    for after in (2..12).map(hours) {
        assert_eq!(result_after(&store, &token, after).await, ACCEPTED);
    }
    assert_eq!(
        result_after(&store, &token, hours(12)).await,
        REJECTED,
        "the token has expired"
    );
    close();
    open(now() + hours(1));
    assert_eq!(
        result_after(&store, &token, hours(1)).await,
        REJECTED,
        "the session has expired"
    );
}

#[actix_web::test]
async fn any_other_token_is_rejected() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let entered = send(&store, register(r#"{"phoneNumber": "5551234567"}"#)).await;
    let cookie = Cookie::parse(entered.header("set-cookie").to_owned()).unwrap();
    let (head, signature) = token.rsplit_once('.').unwrap();
    let payload = head.split_once('.').unwrap().1;
    let unsigned = format!("eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.{payload}.");
    let long = "x".repeat(8_000);
    let invalid = [
        "",
        "x",
        cookie.value(),
        head,
        &format!("{head}x.{signature}"),
        &unsigned,
        &hex(&hash(&token)),
        &long,
    ];
    for token in invalid {
        for request in [
            authorized(get(AUDIT_LOG), token),
            get(AUDIT_LOG).insert_header(("X-Session-Token", token)),
            get(AUDIT_LOG).insert_header(("Authorization", token)),
        ] {
            let response = send(&store, request).await;
            assert_eq!(response.error(), "401 unauthorized", "{token:.40}");
            assert_eq!(response.json()["error"], "Please log in again.");
            assert_eq!(response.header("www-authenticate"), "Bearer");
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[actix_web::test]
async fn sessions_survive_a_new_secret_while_the_old_one_is_configured() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let with = |current, previous: &[u8]| AppState {
        admin: admin_sign_in(
            token_keys(current, previous),
            Arc::new(CountingPasswordCheck::default()),
            true,
        ),
        ..app_state()
    };
    for (state, expected) in [
        (with(8, &[7]), "200"),
        (with(9, &[8, 7]), "200"),
        (with(8, &[]), "401 unauthorized"),
        (with(9, &[8]), "401 unauthorized"),
    ] {
        let responses = send_all(&store, state, vec![authorized(get(AUDIT_LOG), &token)]).await;
        assert_eq!(errors(&responses), [expected]);
    }
}

#[actix_web::test]
async fn every_described_console_route_needs_a_session() {
    let description: Value = serde_json::from_str(&web::openapi_json::<MemStore>().unwrap()).unwrap();
    let paths = description["paths"].as_object().unwrap();
    let console_paths = paths
        .iter()
        .filter(|(path, _)| path.starts_with("/api/admin/") && *path != "/api/admin/login");
    let mut count = 0;
    for (path, methods) in console_paths {
        for method in methods.as_object().unwrap().keys() {
            let request = || {
                TestRequest::with_uri(&path.replace("{id}", "1"))
                    .method(method.to_uppercase().parse().unwrap())
                    .insert_header(("Content-Type", "application/json"))
                    .set_payload("{}")
            };
            for request in [request(), authorized(request(), "x")] {
                let response = send(&MemStore::default(), request).await;
                assert_eq!(response.error(), "401 unauthorized", "{method} {path}");
                count += 1;
            }
            let security = &description["paths"][path][method]["security"];
            assert_eq!(security.as_array().map(Vec::len), Some(2), "{method} {path}");
        }
    }
    assert!(count >= 6, "{count}");
}

#[actix_web::test]
async fn an_unavailable_store_is_503_and_not_401() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    for (request, expected) in [
        (authorized(get(AUDIT_LOG), &token), "503 unavailable"),
        (login("anna", PASSWORD), "503 unavailable"),
    ] {
        store.fail_next(StoreError::Conflict);
        assert_eq!(send(&store, request).await.error(), expected);
    }
}

#[actix_web::test]
async fn a_session_ends_after_two_hours_without_use_and_polling_is_no_use() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let state_at = |minutes| state_after(app_state(), TimeDelta::minutes(minutes));
    let polled = || authorized(get(AUDIT_LOG), &token).insert_header(("X-Console-Polling", "1"));
    let used = || authorized(get(AUDIT_LOG), &token);
    for (minutes, request, expected) in [
        (60, used(), "200"),
        (119, polled(), "200"),
        (179, polled(), "200"),
        (180, polled(), "401 unauthorized"),
    ] {
        let responses = send_all(&store, state_at(minutes), vec![request]).await;
        assert_eq!(errors(&responses), [expected], "{minutes}");
    }
}
