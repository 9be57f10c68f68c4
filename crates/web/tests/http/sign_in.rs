//! Who gets into the console, and who does not (D10).

use crate::support::{
    CountingPasswordCheck, PASSWORD, Response, admin_sign_in, app_state, authorized, get, login, post,
    register, secrets, send, send_all, send_concurrently, sign_in,
};
use actix_web::cookie::Cookie;
use actix_web::test::TestRequest;
use chrono::{DateTime, TimeDelta, Utc};
use fakes::{FixedClock, MemStore};
use kernel::{Clock, StoreError, UnitOfWork};
use secrecy::SecretString;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use staff::{AdminSessions, AttemptLimit, LoginAttempts, NewAdminSession, Reservation, TokenHash};
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use web::{AdminSignIn, AppState, PasswordCheck, TrustedProxies};

const LOG: &str = "/api/admin/audit-log";

fn now() -> DateTime<Utc> {
    FixedClock::default().now()
}

fn later(state: AppState, after: TimeDelta) -> AppState {
    AppState {
        clock: Arc::new(FixedClock::at(now() + after)),
        ..state
    }
}

/// A site that counts how often the password was checked, behind a proxy that names where requests come from.
fn counting_site(limited: bool) -> (Arc<CountingPasswordCheck>, AppState) {
    let check = Arc::new(CountingPasswordCheck::default());
    let state = AppState {
        admin: admin_sign_in(&secrets(7, &[]), check.clone(), limited),
        trusted_proxies: TrustedProxies::parse("192.0.2.7").unwrap(),
        ..app_state()
    };
    (check, state)
}

fn from(address: &str, request: TestRequest) -> TestRequest {
    request.insert_header(("X-Forwarded-For", address))
}

fn wrong(address: &str) -> TestRequest {
    from(address, login("anna", "wrong"))
}

fn right(address: &str) -> TestRequest {
    from(address, login("anna", PASSWORD))
}

fn errors(responses: &[Response]) -> Vec<String> {
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
async fn the_administrators_token_holds_in_both_headers() {
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
        let response = send(&store, get(LOG).insert_header((name, value.as_str()))).await;
        assert_eq!(response.status, 200, "{name}: {value:.10}");
    }
    let behind_a_proxys_own = get(LOG)
        .insert_header(("Authorization", "Basic YTpi"))
        .insert_header(("X-Session-Token", token.as_str()));
    assert_eq!(send(&store, behind_a_proxys_own).await.status, 200);
}

#[actix_web::test]
async fn the_store_knows_a_session_by_its_tokens_hash_only() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let find = |hash: TokenHash| store.read(|tx| tx.find_session(&hash, now())).unwrap();
    assert!(find(hash(&token)).is_some());
}

#[actix_web::test]
async fn a_wrong_name_and_a_wrong_password_take_the_same_way() {
    let (check, state) = counting_site(true);
    let requests = vec![
        login("anna", "wrong"),
        login("berta", PASSWORD),
        login("berta", "wrong"),
        login("Anna", PASSWORD),
        login("annaanna", PASSWORD),
    ];
    let responses = send_all(&MemStore::default(), state, requests).await;
    for response in &responses {
        assert_eq!(response.error(), "401 invalid_credentials");
        assert_eq!(response.bytes, responses[0].bytes);
        assert_eq!(response.json()["error"], "Invalid credentials");
    }
    assert_eq!(check.count(), 5, "every one was checked");
}

#[actix_web::test]
async fn without_an_administrator_nobody_gets_in() {
    let admin = || AdminSignIn::new(&secrets(7, &[]), None, true).unwrap();
    let state = AppState {
        admin: admin(),
        ..app_state()
    };
    let responses = send_all(
        &MemStore::default(),
        state,
        vec![login("anna", PASSWORD), login("admin", "admin")],
    )
    .await;
    assert_eq!(errors(&responses), ["401 invalid_credentials"; 2]);
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let state = AppState {
        admin: admin(),
        ..app_state()
    };
    let responses = send_all(&store, state, vec![authorized(get(LOG), &token)]).await;
    assert_eq!(
        errors(&responses),
        ["401 unauthorized"],
        "who is no administrator any more is out"
    );
}

#[actix_web::test]
async fn what_is_missing_is_named_and_not_checked() {
    let (check, state) = counting_site(true);
    let bodies = [
        json!({}),
        json!({"username": "", "password": ""}),
        json!({"username": " \t", "password": null}),
        json!({"username": "anna"}),
        json!({"password": PASSWORD}),
        json!({"username": 1, "password": PASSWORD}),
        json!({"username": "x".repeat(257), "password": "x".repeat(1025)}),
    ];
    let requests = bodies
        .iter()
        .map(|body| post("/api/admin/login", &body.to_string()))
        .collect();
    let responses = send_all(&MemStore::default(), state, requests).await;
    assert_eq!(
        errors(&responses),
        [
            "400 validation password,username",
            "400 validation password,username",
            "400 validation password,username",
            "400 validation password",
            "400 validation username",
            "400 validation username",
            "400 validation password,username",
        ]
    );
    let required = json!({"username": ["Username is required"], "password": ["Password is required"]});
    assert_eq!(responses[0].json()["fields"], required);
    assert_eq!(responses[1].json()["fields"], required);
    assert_eq!(check.count(), 0);
}

#[actix_web::test]
async fn the_sixth_failure_from_an_address_has_to_wait() {
    let (check, state) = counting_site(true);
    let store = MemStore::default();
    let mut requests: Vec<_> = (0..6).map(|_| wrong("198.51.100.1")).collect();
    requests.push(right("198.51.100.1"));
    requests.push(right("198.51.100.2"));
    let responses = send_all(&store, state, requests).await;
    let mut expected = vec!["401 invalid_credentials"; 5];
    expected.extend(["429 rate_limited", "429 rate_limited", "200"]);
    assert_eq!(errors(&responses), expected);
    assert_eq!(responses[5].header("retry-after"), "900");
    assert_eq!(check.count(), 6, "who has to wait is not checked");

    let state = later(counting_site(true).1, TimeDelta::minutes(14));
    let responses = send_all(&store, state, vec![right("198.51.100.1")]).await;
    assert_eq!(errors(&responses), ["429 rate_limited"]);
    assert_eq!(responses[0].header("retry-after"), "60");
    let state = later(counting_site(true).1, TimeDelta::minutes(15));
    let responses = send_all(&store, state, vec![right("198.51.100.1")]).await;
    assert_eq!(errors(&responses), ["200"]);
}

#[actix_web::test]
async fn a_success_does_not_count_and_does_not_forgive() {
    let (_, state) = counting_site(true);
    let mut requests: Vec<_> = (0..4).map(|_| wrong("198.51.100.1")).collect();
    requests.extend((0..3).map(|_| right("198.51.100.1")));
    requests.extend((0..2).map(|_| wrong("198.51.100.1")));
    let responses = send_all(&MemStore::default(), state, requests).await;
    let expected = [
        &["401 invalid_credentials"; 4][..],
        &["200"; 3],
        &["401 invalid_credentials", "429 rate_limited"],
    ]
    .concat();
    assert_eq!(errors(&responses), expected);
}

#[actix_web::test]
async fn of_twenty_at_once_five_are_checked_and_the_owner_gets_in_from_elsewhere() {
    let (check, state) = counting_site(true);
    let mut requests: Vec<_> = (0..20).map(|_| wrong("198.51.100.1")).collect();
    requests.push(right("198.51.100.2"));
    let responses = send_concurrently(&MemStore::default(), state, requests, |_| ()).await;
    let errors = errors(&responses);
    let count = |error: &str| errors.iter().filter(|one| *one == error).count();
    assert_eq!(
        (
            count("401 invalid_credentials"),
            count("429 rate_limited"),
            count("200")
        ),
        (5, 15, 1)
    );
    assert_eq!(errors[20], "200");
    assert_eq!(check.count(), 6);
}

#[actix_web::test]
async fn a_subscribers_ipv6_addresses_count_together() {
    let (_, state) = counting_site(true);
    let mut requests: Vec<_> = (0..5).map(|n| wrong(&format!("2001:db8:1:2::{n}"))).collect();
    requests.push(wrong("2001:db8:1:2:ffff::9"));
    requests.push(wrong("2001:db8:1:3::1"));
    let responses = send_all(&MemStore::default(), state, requests).await;
    assert_eq!(
        errors(&responses)[5..],
        ["429 rate_limited", "401 invalid_credentials"]
    );
}

#[actix_web::test]
async fn without_limits_nobody_has_to_wait() {
    let (check, state) = counting_site(false);
    let mut requests: Vec<_> = (0..20).map(|_| wrong("198.51.100.1")).collect();
    requests.push(right("198.51.100.1"));
    let responses = send_all(&MemStore::default(), state, requests).await;
    assert_eq!(errors(&responses)[..20], ["401 invalid_credentials"; 20]);
    assert_eq!((responses[20].status.as_u16(), check.count()), (200, 21));
}

/// Holds every check until it is opened.
#[derive(Default)]
struct Gate {
    is_open: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    fn open(&self) {
        *self.is_open.lock().unwrap() = true;
        self.opened.notify_all();
    }
}

impl PasswordCheck for Gate {
    fn fits(&self, _: &SecretString) -> bool {
        let closed = self.is_open.lock().unwrap();
        drop(self.opened.wait_while(closed, |is_open| !*is_open).unwrap());
        false
    }
}

/// Whether no attempt of this address counts.
fn is_free(store: &MemStore, address: &str) -> bool {
    let (address, mut free) = (address.parse::<IpAddr>().unwrap(), false);
    let one = AttemptLimit {
        attempts: 1,
        ..AttemptLimit::SIGN_IN
    };
    let not_kept = store.transaction(|tx| {
        let reservation = tx.reserve_attempt(address, one, now())?;
        free = matches!(reservation, Reservation::Granted(_));
        Err::<(), _>(StoreError::Conflict)
    });
    assert!(not_kept.is_err());
    free
}

#[actix_web::test]
async fn a_flood_of_sign_ins_is_turned_away_and_not_counted() {
    let threads = std::thread::available_parallelism().map_or(1, |cores| (cores.get() / 2).max(1));
    let (taken, too_many) = (threads + 16, 4);
    let gate = Arc::new(Gate::default());
    let state = AppState {
        admin: admin_sign_in(&secrets(7, &[]), gate.clone(), true),
        ..counting_site(true).1
    };
    let store = MemStore::default();
    let addresses: Vec<_> = (0..taken + too_many)
        .map(|n| format!("198.51.{}.{}", n / 250, n % 250))
        .collect();
    let requests = addresses.iter().map(|address| wrong(address)).collect();
    let heard = AtomicUsize::new(0);
    let responses = send_concurrently(&store, state, requests, |_| {
        if heard.fetch_add(1, Ordering::SeqCst) + 1 == too_many {
            gate.open();
        }
    })
    .await;
    let busy: Vec<_> = responses
        .iter()
        .filter(|response| response.status == 503)
        .collect();
    // A thread that has not taken its first yet leaves one place less.
    assert!(
        (too_many..=too_many + threads).contains(&busy.len()),
        "{}",
        busy.len()
    );
    assert_eq!(busy[0].error(), "503 unavailable");
    assert_eq!(busy[0].header("retry-after"), "5");
    for (address, response) in addresses.iter().zip(&responses) {
        let turned_away = response.status == 503;
        assert!(turned_away || response.status == 401, "{}", response.status);
        assert_eq!(is_free(&store, address), turned_away, "{address}");
    }
}

#[actix_web::test]
async fn who_signs_out_is_out() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let requests = vec![
        authorized(post("/api/admin/logout", ""), &token),
        authorized(get(LOG), &token),
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
        authorized(get(LOG), &tokens[1]),
    ];
    let responses = send_all(&store, app_state(), requests).await;
    assert_eq!(errors(&responses), ["200", "200"]);
}

/// Asks for something at a site whose clock is that much later.
async fn status(store: &MemStore, token: &str, after: TimeDelta) -> String {
    let responses = send_all(
        store,
        later(app_state(), after),
        vec![authorized(get(LOG), token)],
    )
    .await;
    errors(&responses).remove(0)
}

#[actix_web::test]
async fn both_the_token_and_the_session_have_to_hold() {
    const IN: &str = "200";
    const OUT: &str = "401 unauthorized";
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let hours = TimeDelta::hours;
    assert_eq!(
        status(&store, &token, hours(12) - TimeDelta::seconds(1)).await,
        IN
    );
    assert_eq!(status(&store, &token, hours(12)).await, OUT);

    let session = |expires_at| NewAdminSession {
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
    assert_eq!(status(&store, &token, hours(1)).await, OUT, "no session");
    open(now() + hours(48));
    assert_eq!(status(&store, &token, hours(1)).await, IN);
    assert_eq!(
        status(&store, &token, hours(13)).await,
        OUT,
        "the token has expired"
    );
    close();
    open(now() + hours(1));
    assert_eq!(
        status(&store, &token, hours(2)).await,
        OUT,
        "the session has expired"
    );
}

#[actix_web::test]
async fn nothing_else_is_a_sessions_token() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let entered = send(&store, register(r#"{"phoneNumber": "5551234567"}"#)).await;
    let cookie = Cookie::parse(entered.header("set-cookie").to_owned()).unwrap();
    let (head, signature) = token.rsplit_once('.').unwrap();
    let payload = head.split_once('.').unwrap().1;
    let unsigned = format!("eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.{payload}.");
    let long = "x".repeat(8_000);
    let wrong = [
        "",
        "x",
        cookie.value(),
        head,
        &format!("{head}x.{signature}"),
        &unsigned,
        &hex(&hash(&token)),
        &long,
    ];
    for token in wrong {
        for request in [
            authorized(get(LOG), token),
            get(LOG).insert_header(("X-Session-Token", token)),
            get(LOG).insert_header(("Authorization", token)),
        ] {
            let response = send(&store, request).await;
            assert_eq!(response.error(), "401 unauthorized", "{token:.40}");
            assert_eq!(response.json()["error"], "Please sign in again.");
            assert_eq!(response.header("www-authenticate"), "Bearer");
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[actix_web::test]
async fn a_new_secret_logs_nobody_out_while_the_old_one_is_known() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let with = |current, previous: &[u8]| AppState {
        admin: admin_sign_in(
            &secrets(current, previous),
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
        let responses = send_all(&store, state, vec![authorized(get(LOG), &token)]).await;
        assert_eq!(errors(&responses), [expected]);
    }
}

#[actix_web::test]
async fn every_call_of_the_console_needs_a_session() {
    let description: Value = serde_json::from_str(&web::openapi_json().unwrap()).unwrap();
    let calls = description["paths"].as_object().unwrap();
    let calls = calls
        .iter()
        .filter(|(path, _)| path.starts_with("/api/admin/") && *path != "/api/admin/login");
    let mut asked = 0;
    for (path, methods) in calls {
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
                asked += 1;
            }
            let security = &description["paths"][path][method]["security"];
            assert_eq!(security.as_array().map(Vec::len), Some(2), "{method} {path}");
        }
    }
    assert!(asked >= 6, "{asked}");
}

#[actix_web::test]
async fn a_store_that_is_away_is_not_a_wrong_session() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    for (request, expected) in [
        (authorized(get(LOG), &token), "503 unavailable"),
        (login("anna", PASSWORD), "503 unavailable"),
    ] {
        store.fail_next(StoreError::Conflict);
        assert_eq!(send(&store, request).await.error(), expected);
    }
}
