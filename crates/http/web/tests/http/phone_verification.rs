//! Proving a phone number with a code.

use crate::support::{
    Response, app_state, authorized, code_services, get, post, register, register_referred, send_all,
    sign_in, sms_services, with_rate_limits,
};
use actix_web::cookie::Cookie;
use actix_web::test::TestRequest;
use chrono::{DateTime, TimeDelta, Utc};
use fakes::{FixedClock, MemStore, MemTx, PlainSealer, SeededEntropy};
use kernel::{StoreError, UnitOfWork};
use serde_json::{Value, json};
use sms::{
    Credentials, DailyBudget, Failure, MessageId, MessageKind, Outbox, ProviderMessage, ProviderMessageId,
    ProviderStatus,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use usecases::campaigns::SmsRules;
use web::{AppState, CodeServices, SmsServices, TrustedProxies};

const NUMBER: &str =
    r#"{"phoneNumber": "(555) 123-4567", "landingPage": "fresh-sips", "event_id": "aB3xyz012345"}"#;

/// Each application draws other ids, as each process does.
static APPLICATIONS: AtomicU64 = AtomicU64::new(1_000);

/// An application whose sign-ups need a code, so many seconds after the first one.
pub(crate) fn with_codes(second: i64) -> AppState {
    let account = Credentials::parse(&format!("AC{}", "1".repeat(32)), &"2".repeat(32), "+15550100000");
    let now = DateTime::<Utc>::UNIX_EPOCH + TimeDelta::seconds(second);
    AppState {
        clock: Arc::new(FixedClock::at(now)),
        entropy: Arc::new(SeededEntropy::new(APPLICATIONS.fetch_add(1, Ordering::Relaxed))),
        phone_verification: true,
        codes: CodeServices {
            limits: true,
            ..code_services()
        },
        sms: SmsServices {
            environment: Some(account.unwrap()),
            ..sms_services()
        },
        ..app_state()
    }
}

/// With so many texts a day.
fn with_daily_budget(state: AppState, texts: u32) -> AppState {
    let rules = SmsRules {
        daily_budget: DailyBudget::new(texts),
        ..(*state.sms.rules).clone()
    };
    AppState {
        sms: SmsServices {
            rules: Arc::new(rules),
            ..state.sms
        },
        ..state
    }
}

async fn send(store: &MemStore, state: AppState, request: TestRequest) -> Response {
    send_all(store, state, vec![request]).await.remove(0)
}

/// The texts with codes that were queued, oldest first.
fn code_texts(store: &MemStore) -> Vec<String> {
    let messages = (1..).map_while(|id| store.read(|tx| tx.find_message(MessageId::new(id))).unwrap());
    let codes = messages.filter(|message| message.content.kind == MessageKind::Code);
    let open = |message: sms::Message| {
        let body = message.content.body.unwrap();
        assert_eq!(body.as_clear(), None, "a code is stored encrypted");
        body.open(&PlainSealer::default()).unwrap()
    };
    codes.map(open).collect()
}

/// The code of the newest text.
pub(crate) fn newest_code(store: &MemStore) -> String {
    let text = code_texts(store).pop().unwrap();
    let last = text.lines().last().unwrap().to_owned();
    last.strip_prefix("@example.org #").unwrap().to_owned()
}

/// Another code than the newest.
pub(crate) fn wrong_code(store: &MemStore) -> String {
    let code: u32 = newest_code(store).parse().unwrap();
    format!("{:06}", (code + 1) % 1_000_000)
}

/// A sign-up that waits: its id, and the cookie of its browser.
#[derive(Clone)]
struct Pending {
    id: String,
    cookie: Cookie<'static>,
}

fn cookie(response: &Response) -> Cookie<'static> {
    Cookie::parse(response.header("set-cookie").to_owned()).unwrap()
}

fn pending(response: &Response) -> Pending {
    assert_eq!(response.status, 202, "{:?}", response.bytes);
    Pending {
        id: response.json()["verification"]["id"].as_str().unwrap().to_owned(),
        cookie: cookie(response),
    }
}

async fn begin(store: &MemStore, second: i64) -> Pending {
    pending(&send(store, with_codes(second), register(NUMBER)).await)
}

fn verify(pending: &Pending, code: &str) -> TestRequest {
    let body = json!({"verificationId": pending.id, "code": code});
    post("/api/users/verify", &body.to_string()).cookie(pending.cookie.clone())
}

fn resend(pending: &Pending) -> TestRequest {
    let body = json!({"verificationId": pending.id});
    post("/api/users/verify/resend", &body.to_string()).cookie(pending.cookie.clone())
}

/// Enters with a code, and returns the answer.
async fn enter(store: &MemStore, second: i64) -> Response {
    let pending = begin(store, second).await;
    send(store, with_codes(second), verify(&pending, &newest_code(store))).await
}

#[actix_web::test]
async fn a_sign_up_waits_for_its_code() {
    let store = MemStore::default();
    let response = send(&store, with_codes(0), register(NUMBER)).await;
    assert_eq!(response.status, 202);
    let verification = &response.json()["verification"];
    assert_eq!(verification["id"].as_str().unwrap().len(), 32);
    let expected = json!({
        "id": verification["id"], "from": "+15550100000", "expiresAt": "1970-01-01T00:10:00Z", "expiresAfter": 600,
        "resendAfter": 60, "undeliverable": false
    });
    assert_eq!(*verification, expected);
    let cookie = cookie(&response);
    assert_eq!((cookie.name(), cookie.http_only()), ("browser", Some(true)));
    assert_eq!(store.count_entrants(), 0, "only the pending sign-up is stored");
    let texts = code_texts(&store);
    assert_eq!(texts.len(), 1);
    assert!(texts[0].contains("your Bees & Co. code"), "{texts:?}");
}

#[actix_web::test]
async fn the_code_completes_the_sign_up_and_binds_the_browser() {
    let store = MemStore::default();
    let entered = enter(&store, 0).await;
    assert_eq!(entered.status, 201);
    let user = &entered.json()["user"];
    assert_eq!(
        (&user["phoneNumber"], &user["landingPage"], &user["isNew"]),
        (&json!("+15551234567"), &json!("fresh-sips"), &json!(true))
    );
    assert_eq!(cookie(&entered).name(), "visitor");
}

#[actix_web::test]
async fn a_returning_entrant_gets_the_page_back_in_another_browser() {
    let store = MemStore::default();
    let first = enter(&store, 0).await.json();
    let again = enter(&store, 100).await;
    assert_eq!(again.status, 200);
    assert_eq!(again.json()["user"]["id"], first["user"]["id"]);
    assert_eq!(again.json()["user"]["isNew"], false);
    assert_eq!(cookie(&again).name(), "visitor");
    assert_eq!(store.count_entrants(), 1);
}

/// Draws the month of a raffle, and closes it.
async fn end_raffle(store: &MemStore, token: &str, raffle: &str) {
    let closed = json!({"now": true, "reason": "The prize is gone"});
    for (path, body) in [
        (
            "/api/admin/drawing/perform".to_owned(),
            json!({"landingPage": raffle}),
        ),
        (format!("/api/admin/raffles/{raffle}/close"), closed),
    ] {
        let done = send(
            store,
            app_state(),
            authorized(post(&path, &body.to_string()), token),
        )
        .await;
        assert!(done.status.is_success(), "{:?}", done.bytes);
    }
}

#[actix_web::test]
async fn a_code_or_the_token_moves_a_number_whose_raffle_is_over() {
    let store = MemStore::with_rules();
    let token = sign_in(&store).await;
    let before = enter(&store, 0).await.json()["user"].clone();
    let into =
        |raffle: &str| register(&json!({"phoneNumber": "5551234567", "landingPage": raffle}).to_string());
    let told = |answer: &Response| {
        let user = answer.json()["user"].clone();
        json!([user["id"], user["landingPage"], user["isNew"], user["movedFrom"]])
    };
    let waiting = pending(&send(&store, with_codes(100), into("kitchen-garden")).await);
    end_raffle(&store, &token, "fresh-sips").await;
    let moved = json!([before["id"], "kitchen-garden", false, "fresh-sips"]);
    let mut browser = None;
    for _ in 0..2 {
        let request = verify(&waiting, &newest_code(&store));
        let answer = send(&store, with_codes(101), request).await;
        assert_eq!(told(&answer), moved, "the same code again gets the same answer");
        browser = Some(cookie(&answer));
    }
    let again = into("garden-bag").cookie(browser.unwrap());
    end_raffle(&store, &token, "kitchen-garden").await;
    let answer = send(&store, with_codes(200), again).await;
    let moved = json!([before["id"], "garden-bag", false, "kitchen-garden"]);
    assert_eq!((answer.status.as_u16(), told(&answer)), (200, moved));
    assert_eq!(store.count_entrants(), 1);
}

#[actix_web::test]
async fn a_known_number_gets_the_same_answer_as_a_new_one() {
    let store = MemStore::default();
    let names = |response: &Response| {
        let json = response.json();
        let names = json["verification"].as_object().unwrap().keys().cloned();
        (response.status, names.collect::<Vec<_>>())
    };
    let new = send(&store, with_codes(0), register(NUMBER)).await;
    let pending = pending(&new);
    send(&store, with_codes(0), verify(&pending, &newest_code(&store))).await;
    let known = send(&store, with_codes(100), register(NUMBER)).await;
    assert_eq!(names(&known), names(&new));
    assert_eq!(known.json()["verification"]["resendAfter"], 60);
}

#[actix_web::test]
async fn the_browser_of_an_entrant_needs_no_code() {
    let store = MemStore::default();
    let entered = enter(&store, 0).await;
    let request = register(NUMBER).cookie(cookie(&entered));
    let again = send(&store, with_codes(1), request).await;
    assert_eq!(again.status, 200);
    assert_eq!(again.json()["user"]["isNew"], false);
    assert_eq!(code_texts(&store).len(), 1);

    let other = register(r#"{"phoneNumber": "5557654321"}"#).cookie(cookie(&entered));
    assert_eq!(
        send(&store, with_codes(2), other).await.status,
        202,
        "another number does"
    );
}

#[actix_web::test]
async fn the_same_form_again_sends_no_second_code() {
    let store = MemStore::default();
    let first = begin(&store, 0).await;
    let body = r#"{"phoneNumber": "5551234567", "landingPage": "garden-bag"}"#;
    let again = send(
        &store,
        with_codes(20),
        register(body).cookie(first.cookie.clone()),
    )
    .await;
    assert_eq!(again.json()["verification"]["id"], first.id.as_str());
    assert_eq!(again.json()["verification"]["resendAfter"], 40);
    assert_eq!(code_texts(&store).len(), 1);
    let entered = send(&store, with_codes(30), verify(&first, &newest_code(&store))).await;
    assert_eq!(
        entered.json()["user"]["landingPage"],
        "garden-bag",
        "what the form said last"
    );
}

#[actix_web::test]
async fn five_wrong_codes_end_a_sign_up() {
    let store = MemStore::default();
    let pending = begin(&store, 0).await;
    for left in [
        "4 tries left",
        "3 tries left",
        "2 tries left",
        "1 try left",
        "no tries left",
    ] {
        let wrong = send(&store, with_codes(1), verify(&pending, &wrong_code(&store))).await;
        assert_eq!(wrong.error(), "400 validation code");
        let message = wrong.json()["fields"]["code"][0].as_str().unwrap().to_owned();
        assert!(message.contains(left), "{message}");
    }
    let sixth = send(&store, with_codes(1), verify(&pending, &newest_code(&store))).await;
    assert_eq!(sixth.error(), "410 verification_expired");
    assert_eq!(store.count_entrants(), 0);
}

#[actix_web::test]
async fn a_code_is_valid_for_ten_minutes() {
    let store = MemStore::default();
    let late = begin(&store, 0).await;
    let code = newest_code(&store);
    assert_eq!(
        send(&store, with_codes(600), verify(&late, &code)).await.error(),
        "410 verification_expired"
    );
}

#[actix_web::test]
async fn a_lost_answer_comes_again_with_the_same_code() {
    let store = MemStore::default();
    let pending = begin(&store, 0).await;
    let code = newest_code(&store);
    let wrong = wrong_code(&store);
    let first = send(&store, with_codes(1), verify(&pending, &code)).await;
    let again = send(&store, with_codes(599), verify(&pending, &code)).await;
    assert_eq!((first.status, again.status.as_u16()), (again.status, 201));
    assert_eq!(again.json(), first.json());
    assert_eq!(cookie(&again).name(), "visitor");
    assert_eq!(store.count_entrants(), 1);

    let other = send(&store, with_codes(2), verify(&pending, &wrong)).await;
    assert_eq!(other.error(), "409 verification_used");
    assert_eq!(
        send(&store, with_codes(70), resend(&pending)).await.error(),
        "409 verification_used"
    );
    let late = send(&store, with_codes(600), verify(&pending, &code)).await;
    assert_eq!(late.error(), "410 verification_expired");
}

fn show(pending: &Pending) -> TestRequest {
    get(&format!("/api/users/verify/{}", pending.id)).cookie(pending.cookie.clone())
}

/// The provider says what became of the newest text with a code.
fn report(store: &MemStore, code: u32) {
    let newest = (1..).map_while(|id| store.read(|tx| tx.find_message(MessageId::new(id))).unwrap());
    let newest = newest.last().unwrap().id;
    let report = ProviderMessage {
        id: ProviderMessageId::parse("SM1").unwrap(),
        status: ProviderStatus::Failed,
        failure: Some(Failure {
            code: Some(code),
            sentence: "Not a mobile number".to_owned(),
        }),
    };
    let record = |tx: &mut MemTx| tx.record_report(newest, &report, DateTime::UNIX_EPOCH);
    store.transaction::<_, StoreError>(record).unwrap();
}

#[actix_web::test]
async fn the_asking_browser_reads_that_the_number_cannot_be_texted() {
    let store = MemStore::default();
    let waiting = begin(&store, 0).await;
    let code = newest_code(&store);
    let undeliverable = async |request: TestRequest| {
        let response = send(&store, with_codes(1), request).await;
        response.json()["verification"]["undeliverable"].clone()
    };
    assert_eq!(undeliverable(show(&waiting)).await, false);
    report(&store, 21614);
    assert_eq!(undeliverable(show(&waiting)).await, true);
    let again = register(NUMBER).cookie(waiting.cookie.clone());
    assert_eq!(undeliverable(again).await, true, "the form again");

    let stranger = Pending {
        cookie: Cookie::new("browser", "0".repeat(32)),
        ..waiting.clone()
    };
    let refused = send(&store, with_codes(1), show(&stranger)).await;
    assert_eq!(refused.error(), "410 verification_expired");
    send(&store, with_codes(1), verify(&waiting, &code)).await;
    let done = send(&store, with_codes(1), show(&waiting)).await;
    assert_eq!(done.error(), "409 verification_used");
}

#[actix_web::test]
async fn a_number_that_said_stop_reads_as_any_other() {
    let store = MemStore::default();
    let waiting = begin(&store, 0).await;
    report(&store, 21610);
    let shown = send(&store, with_codes(1), show(&waiting)).await.json();
    assert_eq!(shown["verification"]["undeliverable"], false);
}

#[actix_web::test]
async fn trying_codes_does_not_count_as_signing_up() {
    let store = MemStore::default();
    let mut requests = Vec::new();
    for n in 0..30 {
        let body = json!({"phoneNumber": format!("555123{n:04}")}).to_string();
        requests.push(register(&body));
    }
    let begun = send_all(&store, with_rate_limits(with_codes(0)), requests).await;
    let waiting: Vec<_> = begun.iter().map(pending).collect();
    let tries = waiting.iter().map(|waiting| verify(waiting, "000000")).collect();
    // The same process, whose limit of sign-ups is used up.
    let tried = send_all(&store, with_rate_limits(with_codes(1)), tries).await;
    assert!(
        tried.iter().all(|tried| tried.error() == "400 validation code"),
        "30 people on one Wi-Fi"
    );
}

#[actix_web::test]
async fn a_stranger_cannot_use_up_the_tries_of_a_sign_up() {
    let store = MemStore::default();
    let pending = begin(&store, 0).await;
    let stranger = Pending {
        cookie: Cookie::new("browser", "0".repeat(32)),
        ..pending.clone()
    };
    for _ in 0..10 {
        let tried = send(&store, with_codes(1), verify(&stranger, &wrong_code(&store))).await;
        assert_eq!(tried.error(), "410 verification_expired");
    }
    let right = send(&store, with_codes(1), verify(&stranger, &newest_code(&store))).await;
    assert_eq!(
        right.error(),
        "410 verification_expired",
        "not even with the code"
    );
    let code = newest_code(&store);
    assert_eq!(
        send(&store, with_codes(1), verify(&pending, &code)).await.status,
        201
    );
}

#[actix_web::test]
async fn a_code_of_another_sign_up_is_wrong() {
    let store = MemStore::default();
    let first = begin(&store, 0).await;
    let first_code = newest_code(&store);
    let second = begin(&store, 61).await;
    assert_ne!(first.id, second.id, "another browser");
    let tried = send(&store, with_codes(62), verify(&second, &first_code)).await;
    assert_eq!(tried.error(), "400 validation code");
}

#[actix_web::test]
async fn another_code_is_sent_after_a_minute_and_replaces_the_first() {
    let store = MemStore::default();
    let pending = begin(&store, 0).await;
    let first = newest_code(&store);
    let early = send(&store, with_codes(50), resend(&pending)).await;
    assert_eq!(early.error(), "429 too_many_codes");
    assert_eq!(early.header("retry-after"), "10");
    let sent = send(&store, with_codes(60), resend(&pending)).await;
    assert_eq!(sent.status, 202);
    let verification = &sent.json()["verification"];
    assert_eq!(verification["id"], pending.id.as_str());
    assert_eq!(verification["expiresAt"], "1970-01-01T00:11:00Z");
    assert_eq!(code_texts(&store).len(), 2);
    let old = send(&store, with_codes(61), verify(&pending, &first)).await;
    assert_eq!(old.error(), "400 validation code");
    let code = newest_code(&store);
    assert_eq!(
        send(&store, with_codes(650), verify(&pending, &code))
            .await
            .status,
        201
    );
}

/// A sign-up from another network.
async fn register_from(store: &MemStore, second: i64, address: &str, body: &str) -> Response {
    let request = register(body).insert_header(("X-Forwarded-For", address));
    let state = AppState {
        trusted_proxies: TrustedProxies::parse("192.0.2.0/24").unwrap(),
        ..with_codes(second)
    };
    send(store, state, request).await
}

#[actix_web::test]
async fn a_number_gets_three_codes_a_day_from_a_network_and_nine_from_all() {
    let store = MemStore::default();
    let mut granted = Vec::new();
    for network in 1..=4 {
        let address = format!("198.51.{network}.9");
        let mut of_network = 0;
        for minute in 0..10 {
            let response = register_from(&store, minute * 60, &address, NUMBER).await;
            match response.status.as_u16() {
                202 => of_network += 1,
                _ => assert_eq!(response.error(), "429 too_many_codes"),
            }
        }
        granted.push(of_network);
    }
    assert_eq!(granted, [3, 3, 3, 0]);
}

#[actix_web::test]
async fn a_network_gets_sixty_codes_a_day_that_were_not_completed() {
    let store = MemStore::default();
    let number = |n: u32| json!({"phoneNumber": format!("555123{n:04}")}).to_string();
    for n in 0..60 {
        let begun = register_from(&store, 0, "198.51.100.9", &number(n)).await;
        assert_eq!(begun.status, 202, "{n}");
    }
    let full = register_from(&store, 0, "198.51.100.9", &number(60)).await;
    assert_eq!(
        (full.error().as_str(), full.header("retry-after")),
        ("429 too_many_codes", "86400")
    );
    assert_eq!(
        register_from(&store, 0, "198.51.100.10", &number(60))
            .await
            .status,
        202
    );
}

#[actix_web::test]
async fn without_rate_limits_codes_have_none() {
    let store = MemStore::default();
    for _ in 0..10 {
        let state = AppState {
            codes: code_services(),
            ..with_codes(0)
        };
        assert_eq!(send(&store, state, register(NUMBER)).await.status, 202);
    }
    assert_eq!(code_texts(&store).len(), 10);
}

#[actix_web::test]
async fn the_last_fifth_of_a_days_texts_tells_nobody_who_is_in() {
    let store = MemStore::default();
    let entered = enter(&store, 0).await;
    let with_budget = |second| with_daily_budget(with_codes(second), 1);
    let known = send(&store, with_budget(100), register(NUMBER)).await;
    let new = send(
        &store,
        with_budget(100),
        register(r#"{"phoneNumber": "5557654321"}"#),
    )
    .await;
    assert_eq!(known.error(), "503 texts_used_up");
    assert_eq!(
        (known.status, known.json()["message"].clone()),
        (new.status, new.json()["message"].clone())
    );
    let own = register(NUMBER).cookie(cookie(&entered));
    assert_eq!(
        send(&store, with_budget(100), own).await.status,
        200,
        "the own browser needs no code"
    );
}

#[actix_web::test]
async fn an_unknown_referral_code_is_404_at_once() {
    let store = MemStore::default();
    let body = r#"{"phoneNumber": "5551234567", "referralCode": "CDFG3467"}"#;
    let response = send(&store, with_codes(0), register_referred(body)).await;
    assert_eq!(response.error(), "404 referral_code_not_found");
    assert!(code_texts(&store).is_empty());
}

#[actix_web::test]
async fn a_friend_is_credited_when_the_code_is_entered() {
    let store = MemStore::default();
    let referrer = enter(&store, 0).await.json();
    let code = referrer["user"]["referralCode"].as_str().unwrap();
    let body = json!({"phoneNumber": "5557654321", "referralCode": code}).to_string();
    let friend = pending(&send(&store, with_codes(1), register_referred(&body)).await);
    let stats = format!("/api/users/{}/stats", referrer["user"]["id"]);
    let bonus = async || send(&store, with_codes(2), get(&stats)).await.json()["bonusEntries"].clone();
    assert_eq!(bonus().await, 0);
    let entered = send(&store, with_codes(2), verify(&friend, &newest_code(&store))).await;
    assert_eq!(entered.status, 201);
    assert_eq!(bonus().await, 1);
}

#[actix_web::test]
async fn without_an_account_nobody_enters() {
    let store = MemStore::default();
    let state = AppState {
        sms: sms_services(),
        ..with_codes(0)
    };
    let response = send(&store, state, register(NUMBER)).await;
    assert_eq!(response.error(), "503 texts_not_configured");
    assert!(code_texts(&store).is_empty());
}

#[actix_web::test]
async fn numbers_that_cannot_be_texted_are_refused() {
    for number in ["+18005551234", "+19005551234", "+37120000000"] {
        let body = json!({"phoneNumber": number}).to_string();
        let response = send(&MemStore::default(), with_codes(0), register(&body)).await;
        assert_eq!(response.error(), "400 validation phoneNumber", "{number}");
        assert_eq!(
            response.json()["fields"]["phoneNumber"],
            json!(["We can only text mobile numbers in the United States"])
        );
    }
}

#[actix_web::test]
async fn malformed_codes_and_ids_use_no_try() {
    let store = MemStore::default();
    let pending = begin(&store, 0).await;
    for code in ["", "12345", "abcdef", "1234567"] {
        let response = send(&store, with_codes(1), verify(&pending, code)).await;
        assert_eq!(response.error(), "400 validation code", "{code:?}");
    }
    let unknown = Pending {
        id: "not an id".to_owned(),
        ..pending.clone()
    };
    let response = send(&store, with_codes(1), verify(&unknown, "123456")).await;
    assert_eq!(response.error(), "410 verification_expired");
    let code = newest_code(&store);
    let typed = format!("{} {}", &code[..3], &code[3..]);
    assert_eq!(
        send(&store, with_codes(1), verify(&pending, &typed)).await.status,
        201
    );
}

#[actix_web::test]
async fn where_numbers_are_not_verified_there_is_nothing_to_complete() {
    let body = json!({"verificationId": "0".repeat(32), "code": "123456"}).to_string();
    let paths = ["/api/users/verify", "/api/users/verify/resend"];
    for path in paths {
        let response = send(&MemStore::default(), app_state(), post(path, &body)).await;
        assert_eq!(response.error(), "404 not_found", "{path}");
    }
}

#[actix_web::test]
async fn a_day_without_budget_ends_at_midnight() {
    let store = MemStore::default();
    let state = with_daily_budget(with_codes(3_600), 0);
    let response = send(&store, state, register(NUMBER)).await;
    assert_eq!(response.error(), "503 texts_used_up");
    assert_eq!(response.header("retry-after"), (23 * 3_600).to_string());
    assert!(code_texts(&store).is_empty());
}

#[actix_web::test]
async fn steps_of_the_funnel_are_recorded() {
    let store = MemStore::default();
    let tracked = |request: TestRequest| request.insert_header(("X-Analytics-Session", "session-1"));
    let pending = pending(&send(&store, with_codes(0), tracked(register(NUMBER))).await);
    send(&store, with_codes(1), verify(&pending, &newest_code(&store))).await;
    let funnel = crate::support::sign_in(&store).await;
    let path = "/api/admin/analytics/funnel?startDate=1969-12-31&endDate=1970-01-02";
    let answer: Value = crate::support::get_with_session(&store, &funnel, path)
        .await
        .json();
    let steps = &answer["funnel"]["stepBreakdown"];
    for step in ["codeSent", "codeVerified", "signUp"] {
        assert_eq!(steps[step]["count"], 1, "{step}: {answer}");
    }
}

#[actix_web::test]
async fn the_console_says_when_nobody_can_enter() {
    let store = MemStore::default();
    let token = crate::support::sign_in(&store).await;
    let without_account = AppState {
        sms: sms_services(),
        ..with_codes(0)
    };
    let now = AppState {
        clock: Arc::new(FixedClock::default()),
        ..with_codes(0)
    };
    let without_account = AppState {
        clock: Arc::new(FixedClock::default()),
        ..without_account
    };
    for (state, expected) in [(app_state(), "off"), (now, "on"), (without_account, "no_account")] {
        let request = crate::support::authorized(get("/api/admin/settings"), &token);
        let answer = send(&store, state, request).await.json();
        assert_eq!(answer["settings"]["phoneVerification"], expected);
    }
}

#[actix_web::test]
async fn where_numbers_are_verified_buying_needs_the_visitor_token() {
    use fakes::FakePayments;
    let store = MemStore::default();
    let entered = enter(&store, 0).await;
    let id = entered.json()["user"]["id"].clone();
    let body = json!({"userId": id, "amount": 500, "entriesAdded": 10, "packageId": 1}).to_string();
    let payments = Arc::new(FakePayments::default());
    let buy = async |cookie: Option<Cookie<'static>>| {
        let gateway = web::PaymentGateway {
            publishable_key: "pk_test".to_owned(),
            payments: payments.clone(),
            webhooks: payments.clone(),
        };
        let state = AppState {
            payments: Some(Arc::new(gateway)),
            ..with_codes(10)
        };
        let request = post("/api/stripe/create-payment-intent", &body);
        let request = match cookie {
            Some(cookie) => request.cookie(cookie),
            None => request,
        };
        send(&store, state, request).await.error()
    };
    assert_eq!(buy(None).await, "403 verification_required");
    // The next check is whether anything is sold.
    assert_eq!(buy(Some(cookie(&entered))).await, "403 purchases_unavailable");
}
