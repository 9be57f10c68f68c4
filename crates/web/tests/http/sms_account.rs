//! The account that texts are sent with, and how sending goes (D18).

use crate::site::{Answer, a_site, ask_all, get, post, signed, sms};
use crate::texting::{Desk, ENVIRONMENT_TOKEN, environment, phone};
use kernel::{Sealer, StoreError, UnitOfWork};
use serde_json::{Value, json};
use sms::{QuietHours, SmsSettings};
use std::sync::Arc;
use usecases::campaigns::SmsRules;
use web::{AppState, SmsServices};

const SAVE: &str = "/api/admin/save-credentials";
const SETTINGS: &str = "/api/admin/settings";
const STATUS: &str = "/api/admin/sms/status";
const TEST_TEXT: &str = "/api/admin/sms/test-text";
const SID: &str = "ACfedcba9876543210fedcba9876543210";
const TOKEN: &str = "a1b2c3d4e5f60718293a4b5c6d7e8f90";

fn an_account() -> Value {
    json!({"TWILIO_ACCOUNT_SID": SID, "TWILIO_AUTH_TOKEN": TOKEN, "TWILIO_PHONE_NUMBER": "(555) 777-8888"})
}

fn with(name: &str, value: Value) -> Value {
    let mut account = an_account();
    account[name] = value;
    account
}

/// Hides what it seals, if only from who does not look hard.
struct Hiding(u8);

impl Sealer for Hiding {
    fn seal(&self, _: &str, secret: &[u8]) -> Vec<u8> {
        let hidden = secret.iter().map(|byte| byte ^ self.0);
        [self.0].into_iter().chain(hidden).collect()
    }

    fn open(&self, _: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        let (key, hidden) = sealed.split_first()?;
        (*key == self.0).then(|| hidden.iter().map(|byte| byte ^ self.0).collect())
    }
}

fn hiding(desk: &Desk, key: u8) -> AppState {
    AppState {
        sealer: Arc::new(Hiding(key)),
        ..desk.state()
    }
}

/// Without an account from the environment.
async fn ask_bare(desk: &Desk, path: &str) -> Value {
    let request = signed(get(path), &desk.token);
    ask_all(&desk.store, a_site(), vec![request]).await[0].json()
}

#[actix_web::test]
async fn what_staff_save_wins_over_the_environment() {
    let desk = Desk::open().await;
    let sms = |configured: bool, sid: Value, number: Value| {
        json!({"settings": {"showPricing": false, "sms": {
            "configured": configured, "accountSidLast4": sid, "phoneNumberLast4": number}}})
    };
    assert_eq!(
        ask_bare(&desk, SETTINGS).await,
        sms(false, Value::Null, Value::Null)
    );
    assert_eq!(
        desk.read(SETTINGS).await.json(),
        sms(true, json!("eeee"), json!("1111"))
    );
    let saved = desk.write(SAVE, &an_account()).await;
    assert_eq!(
        (saved.status.as_u16(), saved.json()),
        (200, json!({"success": true}))
    );
    assert_eq!(
        desk.last_entry().await,
        (
            json!("save_credentials"),
            Value::Null,
            json!({"phoneNumberLast4": "8888"})
        )
    );
    let own = sms(true, json!("3210"), json!("8888"));
    assert_eq!(desk.read(SETTINGS).await.json(), own);
    assert_eq!(ask_bare(&desk, SETTINGS).await, own);
    let switched = desk.write(SETTINGS, &json!({"showPricing": false})).await;
    assert_eq!(switched.json(), own);

    // The provider signs with its token now.
    let path = "/api/twilio/inbound";
    let stop = [("MessageSid", "SM1"), ("From", &phone(1)), ("Body", "HELP")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
    let url = format!("https://example.org{path}");
    let by_old = desk.ask(Desk::call(path, &stop, ENVIRONMENT_TOKEN, &url)).await;
    assert_eq!(by_old.error(), "403 bad_signature");
    let by_new = desk.ask(Desk::call(path, &stop, TOKEN, &url)).await;
    assert_eq!(by_new.status, 200);

    let other = with("TWILIO_PHONE_NUMBER", json!("5557779999"));
    desk.write(SAVE, &other).await;
    assert_eq!(
        desk.read(SETTINGS).await.json(),
        sms(true, json!("3210"), json!("9999"))
    );
}

#[actix_web::test]
async fn every_wrong_part_is_named_and_nothing_is_saved() {
    let desk = Desk::open().await;
    let sid = "Must be AC and 32 letters a to f and digits";
    let token = "Must be 32 letters a to f and digits";
    let number = "Please enter a valid phone number.";
    let empty = desk.write(SAVE, &json!({})).await;
    assert_eq!(
        empty.error(),
        "400 validation TWILIO_ACCOUNT_SID,TWILIO_AUTH_TOKEN,TWILIO_PHONE_NUMBER"
    );
    assert_eq!(
        empty.json()["fields"],
        json!({"TWILIO_ACCOUNT_SID": [sid], "TWILIO_AUTH_TOKEN": [token], "TWILIO_PHONE_NUMBER": [number]})
    );
    for (name, value, sentence) in [
        ("TWILIO_ACCOUNT_SID", json!(""), sid),
        ("TWILIO_ACCOUNT_SID", json!(TOKEN), sid),
        ("TWILIO_ACCOUNT_SID", json!(format!("{SID}0")), sid),
        ("TWILIO_AUTH_TOKEN", json!(""), token),
        ("TWILIO_AUTH_TOKEN", json!(SID), token),
        ("TWILIO_AUTH_TOKEN", json!(TOKEN.replace('a', "g")), token),
        ("TWILIO_AUTH_TOKEN", json!(format!("{TOKEN}\n{TOKEN}")), token),
        ("TWILIO_PHONE_NUMBER", json!(""), number),
        ("TWILIO_PHONE_NUMBER", json!("TOMBOLA"), number),
        ("TWILIO_PHONE_NUMBER", json!("12345"), number),
    ] {
        let answer = desk.write(SAVE, &with(name, value.clone())).await;
        assert_eq!(answer.error(), format!("400 validation {name}"), "{value}");
        assert_eq!(answer.json()["fields"], json!({ name: [sentence] }));
    }
    let number = desk.write(SAVE, &with("TWILIO_AUTH_TOKEN", json!(7))).await;
    assert_eq!(number.error(), "400 validation TWILIO_AUTH_TOKEN");
    assert_eq!(desk.read(STATUS).await.json()["source"], "environment");
}

fn reveals(answer: &Answer) -> bool {
    let text = String::from_utf8_lossy(&answer.bytes).to_lowercase();
    let headers = format!("{:?}", answer.headers).to_lowercase();
    [TOKEN, &SID.to_lowercase(), ENVIRONMENT_TOKEN]
        .iter()
        .any(|secret| text.contains(secret) || headers.contains(secret))
}

#[actix_web::test]
async fn an_account_is_never_sent_back_and_stored_only_sealed() {
    let desk = Desk::open().await;
    let read = |path: &str| signed(get(path), &desk.token);
    let save = |body: Value| signed(post(SAVE, &body.to_string()), &desk.token);
    let requests = vec![
        save(an_account()),
        save(with("TWILIO_PHONE_NUMBER", json!("no"))),
        save(with("TWILIO_PHONE_NUMBER", json!([TOKEN]))),
        save(json!([SID, TOKEN])),
        signed(post(SETTINGS, r#"{"showPricing": true}"#), &desk.token),
        signed(post(TEST_TEXT, r#"{"phoneNumber": "5551234567"}"#), &desk.token),
        read("/api/admin/sms/texts/1"),
        read(SETTINGS),
        read(STATUS),
        read("/api/admin/audit-log"),
        read("/api/admin/audit-log/export"),
        read("/api/admin/stored-data"),
        read("/api/admin/sms/campaigns"),
        read("/api/admin/sms/templates"),
        read("/api/admin/welcome-sms"),
        read("/api/openapi.json"),
    ];
    let answers = ask_all(&desk.store, hiding(&desk, 0x5a), requests).await;
    let statuses: Vec<_> = answers[..7].iter().map(|answer| answer.status.as_u16()).collect();
    assert_eq!(statuses, [200, 400, 400, 400, 200, 201, 200]);
    assert_eq!(answers[8].json()["source"], "console");
    for answer in &answers {
        assert!(!reveals(answer), "{:?}", answer.bytes);
    }
    let stored = desk
        .store
        .read::<_, StoreError>(|tx| tx.sealed_credentials())
        .unwrap()
        .unwrap();
    let opened = Hiding(0x5a).open("", &stored).unwrap();
    let contains = |bytes: &[u8], secret: &str| {
        bytes
            .windows(secret.len())
            .any(|window| window == secret.as_bytes())
    };
    for secret in [TOKEN, SID, "5557778888"] {
        assert!(contains(&opened, secret), "it is what was sealed");
        assert!(!contains(&stored, secret));
    }
}

#[actix_web::test]
async fn what_was_sealed_with_a_lost_key_counts_as_not_saved() {
    let desk = Desk::open().await;
    let save = signed(post(SAVE, &an_account().to_string()), &desk.token);
    ask_all(&desk.store, hiding(&desk, 1), vec![save]).await;
    let status = || vec![signed(get(STATUS), &desk.token)];
    let same_key = ask_all(&desk.store, hiding(&desk, 1), status()).await;
    assert_eq!(same_key[0].json()["source"], "console");
    let other_key = ask_all(&desk.store, hiding(&desk, 2), status()).await;
    assert_eq!(other_key[0].json()["source"], "environment");
}

#[actix_web::test]
async fn the_status_says_how_sending_goes() {
    let desk = Desk::open().await;
    let expected = |configured: bool, source: Value| {
        json!({"configured": configured, "source": source, "halted": null, "waiting": 0, "unknown": 0,
               "quietUntil": null, "timeZone": "America/New_York", "maxPerSecond": 10, "monthlyCap": 1})
    };
    assert_eq!(ask_bare(&desk, STATUS).await, expected(false, Value::Null));
    assert_eq!(
        desk.read(STATUS).await.json(),
        expected(true, json!("environment"))
    );
    usecases::deliver_messages::halt_for_credentials(&desk.store).unwrap();
    assert_eq!(desk.read(STATUS).await.json()["halted"], "credentials_refused");
    desk.write(SAVE, &an_account()).await;
    assert_eq!(desk.read(STATUS).await.json(), expected(true, json!("console")));

    desk.enter(1, "garden-bag").await;
    desk.enter(2, "garden-bag").await;
    let number = kernel::Phone::from_e164(&phone(1)).unwrap();
    desk.sms
        .answer_next(&number, fakes::SmsAnswer::Lost { sent: false });
    let open = async || {
        let status = desk.read(STATUS).await.json();
        (status["waiting"].clone(), status["unknown"].clone())
    };
    assert_eq!(open().await, (json!(2), json!(0)));
    desk.deliver().await;
    assert_eq!(open().await, (json!(0), json!(1)));
}

#[actix_web::test]
async fn the_status_says_until_when_it_is_quiet() {
    let desk = Desk::open().await;
    // It is 8 in the morning in New York.
    let quiet = |from: u16, until: u16| {
        let rules = SmsRules {
            quiet_hours: Some(QuietHours {
                from: from * 60,
                until: until * 60,
            }),
            ..(*sms().rules).clone()
        };
        AppState {
            sms: SmsServices {
                rules: Arc::new(rules),
                ..sms()
            },
            ..a_site()
        }
    };
    for (from, until, expected) in [
        (21, 8, Value::Null),
        (21, 9, json!("2025-08-01T13:00:00Z")),
        (8, 20, json!("2025-08-02T00:00:00Z")),
    ] {
        let request = signed(get(STATUS), &desk.token);
        let answer = ask_all(&desk.store, quiet(from, until), vec![request]).await;
        assert_eq!(answer[0].json()["quietUntil"], expected, "{from} to {until}");
    }
}

#[actix_web::test]
async fn a_test_text_is_sent_and_followed() {
    let desk = Desk::open().await;
    let sent = desk
        .write(TEST_TEXT, &json!({"phoneNumber": "(555) 123-0007"}))
        .await;
    assert_eq!(sent.status, 201);
    let id = sent.json()["id"].clone();
    let standing = |status: &str| json!({"id": id, "status": status, "errorMessage": null});
    assert_eq!(sent.json(), standing("pending"));
    assert_eq!(
        desk.last_entry().await,
        (json!("send_test_text"), json!(id.to_string()), json!({}))
    );
    let path = format!("/api/admin/sms/texts/{id}");
    assert_eq!(desk.read(&path).await.json(), standing("pending"));
    desk.deliver().await;
    assert_eq!(desk.read(&path).await.json(), standing("sent"));
    let text = desk.sms.sent().remove(0);
    assert_eq!(text.outgoing.to.as_e164(), phone(7));
    assert!(text.outgoing.body.contains("test text"), "{}", text.outgoing.body);
    for unknown in ["99", "0", "-1", "x"] {
        let answer = desk.read(&format!("/api/admin/sms/texts/{unknown}")).await;
        assert_eq!(answer.error(), "404 not_found", "{unknown}");
    }
}

#[actix_web::test]
async fn a_test_text_that_is_refused_says_why() {
    let desk = Desk::open().await;
    let number = kernel::Phone::from_e164(&phone(7)).unwrap();
    let failure = sms::Failure {
        code: Some(21608),
        sentence: "Unverified number".to_owned(),
    };
    desk.sms.answer_next(&number, fakes::SmsAnswer::Refused(failure));
    let sent = desk.write(TEST_TEXT, &json!({"phoneNumber": phone(7)})).await;
    desk.deliver().await;
    let path = format!("/api/admin/sms/texts/{}", sent.json()["id"]);
    let text = desk.read(&path).await.json();
    assert_eq!(
        (&text["status"], &text["errorMessage"]),
        (&json!("failed"), &json!("21608 Unverified number"))
    );
}

#[actix_web::test]
async fn a_test_text_needs_a_number_and_an_account() {
    let desk = Desk::open().await;
    for wrong in [
        json!({}),
        json!({"phoneNumber": null}),
        json!({"phoneNumber": ""}),
        json!({"phoneNumber": "12345"}),
        json!({"phoneNumber": 5_551_234_567_u64}),
    ] {
        let answer = desk.write(TEST_TEXT, &wrong).await;
        assert_eq!(answer.error(), "400 validation phoneNumber", "{wrong}");
    }
    let request = signed(post(TEST_TEXT, r#"{"phoneNumber": "5551230007"}"#), &desk.token);
    let answer = ask_all(&desk.store, a_site(), vec![request]).await.remove(0);
    assert_eq!(answer.error(), "503 sms_not_configured");
    assert_eq!(answer.json()["error"], "Texts are not configured");
    assert_eq!(desk.last_entry().await.0, "login", "nothing was queued");
    assert_eq!(desk.read(STATUS).await.json()["waiting"], 0);
    assert_eq!(environment().phone().last_four(), "1111");
}
