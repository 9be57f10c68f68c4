//! Signing in to the console, and its limits.

use crate::sessions::{AUDIT_LOG, errors, now, state_after};
use crate::support::{
    CountingPasswordCheck, PASSWORD, Response, admin_sign_in, app_state, authorized, get, login, post,
    send_all, send_concurrently, send_while, sign_in, token_keys,
};
use actix_web::cookie::Cookie;
use actix_web::test::TestRequest;
use chrono::TimeDelta;
use fakes::MemStore;
use kernel::{StoreError, UnitOfWork};
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use staff::{AttemptLimit, AttemptSubject, LoginAttempts, PasswordTag, Reservation};
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use web::{AdminSignIn, AppState, PasswordCheck, SignInSettings, StaffBrowserToken, TrustedProxies};

/// An application that counts password checks, behind a proxy that forwards client addresses.
fn counting_app(limited: bool) -> (Arc<CountingPasswordCheck>, AppState) {
    let check = Arc::new(CountingPasswordCheck::default());
    let state = AppState {
        admin: admin_sign_in(token_keys(7, &[]), check.clone(), limited),
        trusted_proxies: TrustedProxies::parse("192.0.2.7").unwrap(),
        ..app_state()
    };
    (check, state)
}

fn forwarded_for(address: &str, request: TestRequest) -> TestRequest {
    request.insert_header(("X-Forwarded-For", address))
}

fn wrong_password_from(address: &str) -> TestRequest {
    forwarded_for(address, login("anna", "wrong"))
}

fn right_password_from(address: &str) -> TestRequest {
    forwarded_for(address, login("anna", PASSWORD))
}

#[actix_web::test]
async fn a_wrong_name_and_a_wrong_password_get_the_same_response() {
    let (check, state) = counting_app(true);
    let requests = vec![
        login("anna", "wrong"),
        login("berta", PASSWORD),
        login("berta", "wrong"),
        login("Anna", "wrong"),
        login("annaanna", PASSWORD),
    ];
    let responses = send_all(&MemStore::default(), state, requests).await;
    for response in &responses {
        assert_eq!(response.error(), "401 invalid_credentials");
        assert_eq!(response.bytes, responses[0].bytes);
        assert_eq!(response.json()["error"], "Invalid credentials");
    }
    assert_eq!(
        check.count(),
        2,
        "the administrator's password; the others cost as much"
    );
}

#[actix_web::test]
async fn without_an_administrator_every_sign_in_and_session_is_rejected() {
    let admin = || {
        AdminSignIn::new(SignInSettings {
            administrator: None,
            tokens: token_keys(7, &[]),
            browsers: token_keys(7, &[]),
            limited: true,
            secure: false,
        })
        .unwrap()
    };
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
    let responses = send_all(&store, state, vec![authorized(get(AUDIT_LOG), &token)]).await;
    assert_eq!(
        errors(&responses),
        ["401 unauthorized"],
        "the former administrator's session is rejected"
    );
}

#[actix_web::test]
async fn missing_fields_are_named_and_no_password_is_checked() {
    let (check, state) = counting_app(true);
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
async fn the_sixth_failure_from_an_address_is_rate_limited() {
    let (check, state) = counting_app(true);
    let store = MemStore::default();
    let mut requests: Vec<_> = (0..6).map(|_| wrong_password_from("198.51.100.1")).collect();
    requests.push(right_password_from("198.51.100.1"));
    requests.push(right_password_from("198.51.100.2"));
    let responses = send_all(&store, state, requests).await;
    let mut expected = vec!["401 invalid_credentials"; 5];
    expected.extend(["429 rate_limited", "429 rate_limited", "200"]);
    assert_eq!(errors(&responses), expected);
    assert_eq!(responses[5].header("retry-after"), "900");
    assert_eq!(check.count(), 6, "no password is checked for limited attempts");

    let state = state_after(counting_app(true).1, TimeDelta::minutes(14));
    let responses = send_all(&store, state, vec![right_password_from("198.51.100.1")]).await;
    assert_eq!(errors(&responses), ["429 rate_limited"]);
    assert_eq!(responses[0].header("retry-after"), "60");
    let state = state_after(counting_app(true).1, TimeDelta::minutes(15));
    let responses = send_all(&store, state, vec![right_password_from("198.51.100.1")]).await;
    assert_eq!(errors(&responses), ["200"]);
}

#[actix_web::test]
async fn a_success_neither_counts_as_a_failure_nor_resets_the_count() {
    let (_, state) = counting_app(true);
    let mut requests: Vec<_> = (0..4).map(|_| wrong_password_from("198.51.100.1")).collect();
    requests.extend((0..3).map(|_| right_password_from("198.51.100.1")));
    requests.extend((0..2).map(|_| wrong_password_from("198.51.100.1")));
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
async fn of_twenty_concurrent_attempts_from_an_address_five_are_checked() {
    let (check, state) = counting_app(true);
    let mut requests: Vec<_> = (0..20).map(|_| wrong_password_from("198.51.100.1")).collect();
    requests.push(right_password_from("198.51.100.2"));
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
async fn ipv6_addresses_are_limited_by_their_64_bit_prefix() {
    let (_, state) = counting_app(true);
    let mut requests: Vec<_> = (0..5)
        .map(|n| wrong_password_from(&format!("2001:db8:1:2::{n}")))
        .collect();
    requests.push(wrong_password_from("2001:db8:1:2:ffff::9"));
    requests.push(wrong_password_from("2001:db8:1:3::1"));
    let responses = send_all(&MemStore::default(), state, requests).await;
    assert_eq!(
        errors(&responses)[5..],
        ["429 rate_limited", "401 invalid_credentials"]
    );
}

#[actix_web::test]
async fn without_limits_no_attempt_is_limited() {
    let (check, state) = counting_app(false);
    let mut requests: Vec<_> = (0..20).map(|_| wrong_password_from("198.51.100.1")).collect();
    requests.push(right_password_from("198.51.100.1"));
    let responses = send_all(&MemStore::default(), state, requests).await;
    assert_eq!(errors(&responses)[..20], ["401 invalid_credentials"; 20]);
    assert_eq!((responses[20].status.as_u16(), check.count()), (200, 21));
}

/// A hash that takes longer than others.
#[derive(Default)]
struct SlowCheck(CountingPasswordCheck);

impl PasswordCheck for SlowCheck {
    fn verify(&self, password: &SecretString) -> bool {
        self.0.verify(password)
    }

    fn tag(&self) -> PasswordTag {
        self.0.tag()
    }

    fn takes_the_usual_time(&self) -> bool {
        false
    }
}

#[actix_web::test]
async fn a_name_that_nobody_has_takes_as_long_as_one_with_a_slow_hash() {
    let check = Arc::new(SlowCheck::default());
    for (count, login) in (1..).zip([
        login("anna", "wrong"),
        login("berta", "wrong"),
        login("berta", PASSWORD),
    ]) {
        let state = AppState {
            admin: admin_sign_in(token_keys(7, &[]), check.clone(), false),
            ..app_state()
        };
        let response = send_all(&MemStore::default(), state, vec![login]).await.remove(0);
        assert_eq!(response.error(), "401 invalid_credentials");
        assert_eq!(check.0.count(), count);
    }
}

/// A password check that blocks until the gate is opened.
#[derive(Default)]
struct Gate {
    entered: AtomicUsize,
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
    fn verify(&self, password: &SecretString) -> bool {
        self.entered.fetch_add(1, Ordering::SeqCst);
        let closed = self.is_open.lock().unwrap();
        drop(self.opened.wait_while(closed, |is_open| !*is_open).unwrap());
        password.expose_secret() == PASSWORD
    }

    fn tag(&self) -> PasswordTag {
        [7; 32]
    }
}

/// Whether the store holds no failed attempt of this address.
fn has_no_attempts(store: &MemStore, address: &str) -> bool {
    let address = AttemptSubject::Address(address.parse::<IpAddr>().unwrap());
    let mut granted = false;
    let limit_of_one = AttemptLimit {
        attempts: 1,
        ..AttemptLimit::SIGN_IN
    };
    let rolled_back = store.transaction(|tx| {
        let reservation = tx.reserve_attempt(address, limit_of_one, now())?;
        granted = matches!(reservation, Reservation::Granted(_));
        Err::<(), _>(StoreError::Conflict)
    });
    assert!(rolled_back.is_err());
    granted
}

/// The cookie of a browser that signed in as the administrator, the first account of the store.
fn known_browser(id: &str) -> Cookie<'static> {
    let browsers = token_keys::<StaffBrowserToken>(7, &[]);
    let life = TimeDelta::days(1);
    let token = browsers.sign("1".to_owned(), now(), life, Some(id.to_owned()));
    Cookie::new("tombola_staff_browser", token.unwrap())
}

/// An application without limits, whose password checks wait for the gate.
fn gated_app() -> (Arc<Gate>, AppState) {
    let gate = Arc::new(Gate::default());
    let state = AppState {
        admin: admin_sign_in(token_keys(7, &[]), gate.clone(), false),
        ..app_state()
    };
    (gate, state)
}

fn assert_busy(response: &Response) {
    assert_eq!(response.error(), "503 busy");
    assert_eq!(
        response.json()["error"],
        "Many people are signing in right now. Please try again in a moment."
    );
    assert_eq!(response.header("retry-after"), "5");
}

#[actix_web::test]
async fn a_hundred_sign_ins_at_once_wait_for_their_turn() {
    let (gate, state) = gated_app();
    let requests = (0..100).map(|_| login("anna", PASSWORD)).collect();
    let responses = send_while(&MemStore::default(), state, requests, async { gate.open() }).await;
    assert_eq!(errors(&responses), ["200"; 100]);
}

#[actix_web::test]
async fn a_sign_in_whose_turn_does_not_come_is_told_so() {
    let (gate, state) = gated_app();
    tokio::time::pause();
    let started = tokio::time::Instant::now();
    // Until it waits, this yields, so that no time passes. Then all of it passes at once, because nothing else happens while
    // the gate is closed.
    let once_it_waits = async {
        while gate.entered.load(Ordering::SeqCst) == 0 {
            tokio::task::yield_now().await;
        }
    };
    let requests = vec![login("anna", PASSWORD)];
    let responses = send_while(&MemStore::default(), state, requests, once_it_waits).await;
    let waited = started.elapsed();
    gate.open();
    responses.iter().for_each(assert_busy);
    assert_eq!(waited.as_secs(), 20);
}

#[actix_web::test]
async fn surplus_attempts_get_503_and_are_not_counted() {
    // Browsers that signed in before have a thread and a queue of their own. They do not slow the account down.
    let (capacity, surplus) = (1 + 32, 4);
    let gate = Arc::new(Gate::default());
    let state = AppState {
        admin: admin_sign_in(token_keys(7, &[]), gate.clone(), true),
        ..counting_app(true).1
    };
    let store = MemStore::default();
    let addresses: Vec<_> = (0..capacity + surplus)
        .map(|n| format!("198.51.{}.{}", n / 250, n % 250))
        .collect();
    let requests = addresses
        .iter()
        .map(|address| wrong_password_from(address).cookie(known_browser(address)))
        .collect();
    let finished = AtomicUsize::new(0);
    let responses = send_concurrently(&store, state, requests, |_| {
        if finished.fetch_add(1, Ordering::SeqCst) + 1 == surplus {
            gate.open();
        }
    })
    .await;
    let busy: Vec<_> = responses
        .iter()
        .filter(|response| response.status == 503)
        .collect();
    // If the thread has not yet taken an attempt from the queue, there is one place less.
    assert!((surplus..=surplus + 1).contains(&busy.len()), "{}", busy.len());
    assert_busy(busy[0]);
    for (address, response) in addresses.iter().zip(&responses) {
        let is_busy = response.status == 503;
        assert!(is_busy || response.status == 401, "{}", response.status);
        assert_eq!(has_no_attempts(&store, address), is_busy, "{address}");
    }
}

#[actix_web::test]
async fn an_account_under_attack_slows_down_and_keeps_no_known_browser_out() {
    let (check, state) = counting_app(true);
    let store = MemStore::default();
    let mut requests: Vec<_> = (0..200)
        .map(|n| wrong_password_from(&format!("198.51.100.{n}")))
        .collect();
    requests.push(right_password_from("203.0.113.1"));
    requests.push(right_password_from("203.0.113.1").cookie(known_browser("owner")));
    let responses = errors(&send_all(&store, state, requests).await);
    assert_eq!(responses[..10], ["401 invalid_credentials"; 10]);
    assert_eq!(responses[10..200], ["429 rate_limited"; 190]);
    assert_eq!(responses[200..], ["429 rate_limited", "200"]);
    assert_eq!(check.count(), 11, "what is refused costs no check");

    let state = state_after(counting_app(true).1, TimeDelta::minutes(1));
    let requests = vec![right_password_from("203.0.113.1")];
    assert_eq!(
        errors(&send_all(&store, state, requests).await),
        ["200"],
        "a minute later"
    );
}

#[actix_web::test]
async fn a_name_that_nobody_has_slows_down_as_well() {
    let (_, state) = counting_app(true);
    let requests = (0..11)
        .map(|n| forwarded_for(&format!("198.51.100.{n}"), login("berta", "wrong")))
        .collect();
    let responses = errors(&send_all(&MemStore::default(), state, requests).await);
    assert_eq!(responses[9..], ["401 invalid_credentials", "429 rate_limited"]);
}

#[actix_web::test]
async fn a_known_browser_has_five_failures_and_a_cookie_of_another_account_none() {
    let (_, state) = counting_app(true);
    let from = |n: u8, cookie| wrong_password_from(&format!("198.51.100.{n}")).cookie(cookie);
    let mut requests: Vec<_> = (0..6).map(|n| from(n, known_browser("owner"))).collect();
    let foreign =
        token_keys::<StaffBrowserToken>(7, &[]).sign("2".to_owned(), now(), TimeDelta::days(1), None);
    let foreign = Cookie::new("tombola_staff_browser", foreign.unwrap());
    requests.extend((10..21).map(|n| from(n, foreign.clone())));
    let responses = errors(&send_all(&MemStore::default(), state, requests).await);
    assert_eq!(responses[4..6], ["401 invalid_credentials", "429 rate_limited"]);
    assert_eq!(responses[15..], ["401 invalid_credentials", "429 rate_limited"]);
}

#[actix_web::test]
async fn signing_in_makes_the_browser_known() {
    let (_, state) = counting_app(true);
    let response = send_all(&MemStore::default(), state, vec![login("ANNA", PASSWORD)]).await;
    let cookie = response[0].header("set-cookie").to_owned();
    assert!(cookie.starts_with("tombola_staff_browser="), "{cookie}");
    for part in [
        "HttpOnly",
        "SameSite=Strict",
        "Path=/api/admin/login",
        "Max-Age=31536000",
    ] {
        assert!(cookie.contains(part), "{cookie}");
    }
}
