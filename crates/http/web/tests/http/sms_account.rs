//! The SMS provider account, the status of sending, and test messages.

use crate::sms_console::{ENVIRONMENT_TOKEN, SmsConsole, environment, phone, unsigned_callback};
use crate::support::{Response, app_state, authorized, get, post, send_all, sms_services};
use chrono::TimeDelta;
use kernel::{Sealer, StoreError, UnitOfWork};
use serde_json::{Value, json};
use sms::{DailyCounts, QuietHours, RecipientHours, SmsSettings};
use std::sync::Arc;
use usecases::campaigns::SmsRules;
use usecases::send_messages::steps::halt_for_credentials;
use web::{AppState, SmsServices};

const SAVE: &str = "/api/admin/save-credentials";
const SETTINGS: &str = "/api/admin/settings";
const STATUS: &str = "/api/admin/sms/status";
const TEST_TEXT: &str = "/api/admin/sms/test-text";
const SID: &str = "ACfedcba9876543210fedcba9876543210";
const TOKEN: &str = "a1b2c3d4e5f60718293a4b5c6d7e8f90";

fn account_body() -> Value {
    json!({"TWILIO_ACCOUNT_SID": SID, "TWILIO_AUTH_TOKEN": TOKEN, "TWILIO_PHONE_NUMBER": "(555) 777-8888"})
}

fn with(name: &str, value: Value) -> Value {
    let mut account = account_body();
    account[name] = value;
    account
}

/// A sealer that XORs every byte with a key.
struct XorSealer(u8);

impl Sealer<sms::Credentials> for XorSealer {
    fn seal(&self, _: &str, secret: &[u8]) -> Vec<u8> {
        let hidden = secret.iter().map(|byte| byte ^ self.0);
        [self.0].into_iter().chain(hidden).collect()
    }

    fn open(&self, _: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        let (key, hidden) = sealed.split_first()?;
        (*key == self.0).then(|| hidden.iter().map(|byte| byte ^ self.0).collect())
    }
}

fn state_with_sealer(console: &SmsConsole, key: u8) -> AppState {
    let state = console.state();
    AppState {
        sms: SmsServices {
            sealer: Arc::new(XorSealer(key)),
            ..state.sms
        },
        ..state
    }
}

/// Reads a path from an application without an account in the environment.
async fn get_without_environment(console: &SmsConsole, path: &str) -> Value {
    let request = authorized(get(path), &console.token);
    send_all(&console.store, app_state(), vec![request]).await[0].json()
}

#[actix_web::test]
async fn a_saved_account_overrides_the_environment() {
    let console = SmsConsole::new().await;
    let sms = |configured: bool, sid: Value, number: Value| {
        json!({"settings": {"showPricing": false, "phoneVerification": "off", "sms": {
            "configured": configured, "unreadable": false, "accountSidLast4": sid, "phoneNumberLast4": number}},
            "version": env!("CARGO_PKG_VERSION")})
    };
    assert_eq!(
        get_without_environment(&console, SETTINGS).await,
        sms(false, Value::Null, Value::Null)
    );
    assert_eq!(
        console.get(SETTINGS).await.json(),
        sms(true, json!("eeee"), json!("1111"))
    );
    let saved = console.post(SAVE, &account_body()).await;
    assert_eq!(
        (saved.status.as_u16(), saved.json()),
        (200, json!({"success": true}))
    );
    assert_eq!(
        console.last_audit_entry().await,
        (
            json!("save_credentials"),
            Value::Null,
            json!({"phoneNumberLast4": "8888"})
        )
    );
    let with_saved_account = sms(true, json!("3210"), json!("8888"));
    assert_eq!(console.get(SETTINGS).await.json(), with_saved_account);
    assert_eq!(
        get_without_environment(&console, SETTINGS).await,
        with_saved_account
    );
    let switched = console.post(SETTINGS, &json!({"showPricing": false})).await;
    assert_eq!(switched.json(), with_saved_account);

    // The provider now signs with the saved account's token.
    let path = "/api/twilio/inbound";
    let stop = [("MessageSid", "SM1"), ("From", &phone(1)), ("Body", "HELP")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
    let url = format!("https://example.org{path}");
    let with_old_token = console
        .send(SmsConsole::signed_callback(path, &stop, ENVIRONMENT_TOKEN, &url))
        .await;
    assert_eq!(with_old_token.error(), "403 bad_signature");
    let with_new_token = console
        .send(SmsConsole::signed_callback(path, &stop, TOKEN, &url))
        .await;
    assert_eq!(with_new_token.status, 200);

    let other = with("TWILIO_PHONE_NUMBER", json!("5557779999"));
    console.post(SAVE, &other).await;
    assert_eq!(
        console.get(SETTINGS).await.json(),
        sms(true, json!("3210"), json!("9999"))
    );
}

#[actix_web::test]
async fn every_invalid_field_is_named_and_nothing_is_saved() {
    let console = SmsConsole::new().await;
    let sid = "Must be AC and 32 letters a to f and digits";
    let token = "Must be 32 letters a to f and digits";
    let number = "Please enter a valid phone number.";
    let empty = console.post(SAVE, &json!({})).await;
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
        let response = console.post(SAVE, &with(name, value.clone())).await;
        assert_eq!(response.error(), format!("400 validation {name}"), "{value}");
        assert_eq!(response.json()["fields"], json!({ name: [sentence] }));
    }
    let number = console.post(SAVE, &with("TWILIO_AUTH_TOKEN", json!(7))).await;
    assert_eq!(number.error(), "400 validation TWILIO_AUTH_TOKEN");
    assert_eq!(console.get(STATUS).await.json()["source"], "environment");
}

fn contains_a_secret(response: &Response) -> bool {
    let text = String::from_utf8_lossy(&response.bytes).to_lowercase();
    let headers = format!("{:?}", response.headers).to_lowercase();
    [TOKEN, &SID.to_lowercase(), ENVIRONMENT_TOKEN]
        .iter()
        .any(|secret| text.contains(secret) || headers.contains(secret))
}

#[actix_web::test]
async fn account_secrets_are_never_returned_and_stored_only_sealed() {
    let console = SmsConsole::new().await;
    let read = |path: &str| authorized(get(path), &console.token);
    let save = |body: Value| authorized(post(SAVE, &body.to_string()), &console.token);
    let requests = vec![
        save(account_body()),
        save(with("TWILIO_PHONE_NUMBER", json!("no"))),
        save(with("TWILIO_PHONE_NUMBER", json!([TOKEN]))),
        save(json!([SID, TOKEN])),
        authorized(post(SETTINGS, r#"{"showPricing": true}"#), &console.token),
        authorized(
            post(TEST_TEXT, r#"{"phoneNumber": "5551234567"}"#),
            &console.token,
        ),
        read("/api/admin/sms/messages/1"),
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
    let responses = send_all(&console.store, state_with_sealer(&console, 0x5a), requests).await;
    let statuses: Vec<_> = responses[..7]
        .iter()
        .map(|response| response.status.as_u16())
        .collect();
    assert_eq!(statuses, [200, 400, 400, 400, 200, 201, 200]);
    assert_eq!(responses[8].json()["source"], "console");
    for response in &responses {
        assert!(!contains_a_secret(response), "{:?}", response.bytes);
    }
    let stored = console
        .store
        .read::<_, StoreError>(|tx| tx.sealed_credentials())
        .unwrap()
        .unwrap();
    let opened = XorSealer(0x5a).open("", &stored).unwrap();
    let contains = |bytes: &[u8], secret: &str| {
        bytes
            .windows(secret.len())
            .any(|window| window == secret.as_bytes())
    };
    for secret in [TOKEN, SID, "5557778888"] {
        assert!(contains(&opened, secret), "the sealed bytes are the account");
        assert!(!contains(&stored, secret));
    }
}

#[actix_web::test]
async fn an_account_sealed_with_another_key_stops_sending_and_no_other_is_used() {
    let console = SmsConsole::new().await;
    let save = authorized(post(SAVE, &account_body().to_string()), &console.token);
    send_all(&console.store, state_with_sealer(&console, 1), vec![save]).await;
    let status = || vec![authorized(get(STATUS), &console.token)];
    let same_key = send_all(&console.store, state_with_sealer(&console, 1), status()).await;
    assert_eq!(same_key[0].json()["source"], "console");

    // Although there is an account in the environment.
    let requests = vec![
        authorized(get(STATUS), &console.token),
        authorized(get(SETTINGS), &console.token),
        authorized(
            post(TEST_TEXT, r#"{"phoneNumber": "5551230007"}"#),
            &console.token,
        ),
        unsigned_callback("/api/twilio/inbound", &[]).insert_header(("X-Twilio-Signature", "c2lnbmVk")),
        authorized(post(SAVE, &account_body().to_string()), &console.token),
        authorized(get(STATUS), &console.token),
    ];
    let other_key = send_all(&console.store, state_with_sealer(&console, 2), requests).await;
    let [state, settings, test_text, callback, _, saved] = &other_key[..] else {
        panic!("six responses")
    };
    assert_eq!(
        (
            &state.json()["configured"],
            &state.json()["source"],
            &state.json()["halted"]
        ),
        (&json!(false), &Value::Null, &json!("credentials_unreadable"))
    );
    assert_eq!(
        settings.json()["settings"]["sms"],
        json!({"configured": false, "unreadable": true, "accountSidLast4": null, "phoneNumberLast4": null})
    );
    for refused in [test_text, callback] {
        assert_eq!(refused.error(), "503 sms_account_unreadable");
        assert_eq!(
            refused.json()["error"],
            "The saved Twilio account cannot be opened"
        );
    }
    assert_eq!(
        (&saved.json()["source"], &saved.json()["halted"]),
        (&json!("console"), &Value::Null)
    );
}

#[actix_web::test]
async fn the_status_has_the_account_the_halt_and_the_queue() {
    let console = SmsConsole::new().await;
    let expected = |configured: bool, source: Value| {
        json!({"configured": configured, "source": source, "halted": null, "waiting": 0, "unknown": 0,
               "putOff": 0, "putOffUntil": null, "quietUntil": null, "timeZone": "America/New_York", "maxPerSecond": 10,
               "monthlyCap": 1,
               "countries": ["US"], "dailyBudget": 10_000, "textsToday": 0, "overBudget": null,
               "nextBudgetAt": "2025-08-02T00:00:00Z"})
    };
    assert_eq!(
        get_without_environment(&console, STATUS).await,
        expected(false, Value::Null)
    );
    assert_eq!(
        console.get(STATUS).await.json(),
        expected(true, json!("environment"))
    );
    let (fence, refused) = (console.start_campaigns(), environment());
    let sealer = fakes::PlainSealer::default();
    halt_for_credentials(&console.store, &sealer, Some(&refused), fence, &refused).unwrap();
    assert_eq!(console.get(STATUS).await.json()["halted"], "credentials_refused");
    console.post(SAVE, &account_body()).await;
    assert_eq!(console.get(STATUS).await.json(), expected(true, json!("console")));

    console.register_entrant(1, "garden-bag").await;
    console.register_entrant(2, "garden-bag").await;
    let number = kernel::Phone::from_e164(&phone(1)).unwrap();
    console
        .sms
        .answer_next(&number, fakes::SmsAnswer::Lost { sent: false });
    let queue = async || {
        let status = console.get(STATUS).await.json();
        (status["waiting"].clone(), status["unknown"].clone())
    };
    assert_eq!(queue().await, (json!(2), json!(0)));
    console.deliver_messages().await;
    assert_eq!(queue().await, (json!(0), json!(1)));
}

#[actix_web::test]
async fn the_status_has_the_end_of_the_quiet_hours() {
    let console = SmsConsole::new().await;
    // It is 8:00 in New York.
    let quiet = |from: u16, until: u16| {
        let rules = SmsRules {
            hours: RecipientHours::new(
                Some(QuietHours {
                    from: from * 60,
                    until: until * 60,
                }),
                chrono_tz::America::New_York,
            )
            .ok(),
            ..(*sms_services().rules).clone()
        };
        AppState {
            sms: SmsServices {
                rules: Arc::new(rules),
                ..sms_services()
            },
            ..app_state()
        }
    };
    for (from, until, expected) in [
        (21, 8, Value::Null),
        (21, 9, json!("2025-08-01T13:00:00Z")),
        (8, 12, json!("2025-08-01T16:00:00Z")),
    ] {
        let request = authorized(get(STATUS), &console.token);
        let response = send_all(&console.store, quiet(from, until), vec![request]).await;
        assert_eq!(response[0].json()["quietUntil"], expected, "{from} to {until}");
    }
}

#[actix_web::test]
async fn the_status_says_what_the_budget_of_the_day_stops() {
    let console = SmsConsole::new().await;
    let status = async |phone_verification: bool| {
        let state = AppState {
            phone_verification,
            ..app_state()
        };
        let request = authorized(get(STATUS), &console.token);
        let status = send_all(&console.store, state, vec![request]).await[0].json();
        (status["textsToday"].clone(), status["overBudget"].clone())
    };
    // The days before and after do not count.
    let now = app_state().clock.now();
    for other in [now - TimeDelta::days(1), now + TimeDelta::days(1)] {
        console
            .store
            .transaction::<_, StoreError>(|tx| tx.count_texts(other, 20_000))
            .unwrap();
    }
    for (more, counted, without_codes, with_codes) in [
        (4_999, 4_999, Value::Null, Value::Null),
        (1, 5_000, json!("welcomes"), json!("welcomes")),
        (3_000, 8_000, json!("welcomes"), json!("sign_ups")),
        (2_000, 10_000, json!("welcomes"), json!("codes")),
    ] {
        console
            .store
            .transaction::<_, StoreError>(|tx| tx.count_texts(now, more))
            .unwrap();
        assert_eq!(status(false).await, (json!(counted), without_codes));
        assert_eq!(status(true).await, (json!(counted), with_codes));
    }
}
