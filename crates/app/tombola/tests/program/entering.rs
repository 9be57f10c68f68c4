//! Entering on the whole program.

use crate::server::{Server, wait_until};
use crate::support::{TestDatabase, connect, execute, number};
use diesel::connection::SimpleConnection;
use serde_json::Value;

fn register_referred(server: &Server, n: u32, code: &str) -> u16 {
    let body = format!(r#"{{"phoneNumber": "555300{n:04}", "referralCode": "{code}"}}"#);
    server.post("/api/users/register-referred", &body).0
}

/// Each friend locks the row of the referrer. That row is locked by somebody else, for as long as the test likes.
#[test]
fn strangers_enter_while_many_friends_wait_for_one_referrer() {
    let database = TestDatabase::new();
    let server = Server::start(&database.url, &[("RATE_LIMITS", "off")]);
    let (status, referrer) = server.register("5552000000");
    assert_eq!(status, 201, "{referrer}");
    let referrer: Value = serde_json::from_str(&referrer).unwrap();
    let code = referrer["user"]["referralCode"].as_str().unwrap();
    let mut other = connect(&database.admin_url);
    other
        .batch_execute("BEGIN; SELECT FROM users WHERE phone_number = '+15552000000' FOR UPDATE")
        .unwrap();
    std::thread::scope(|scope| {
        for n in 0..100 {
            let server = &server;
            scope.spawn(move || register_referred(server, n, code));
        }
        let mut watcher = connect(&database.admin_url);
        let waiting = "SELECT count(*) AS n FROM pg_stat_activity
                       WHERE datname = current_database() AND wait_event_type = 'Lock'";
        wait_until(|| number(&mut watcher, waiting) > 0);
        // One after the other, so that any that waits for a friend is seen.
        for n in 0..50 {
            let (status, answer) = server.register(&format!("555400{n:04}"));
            assert_eq!(status, 201, "{n}: {answer}");
        }
        assert_eq!(
            number(&mut watcher, waiting),
            1,
            "one friend waits with a connection"
        );
        execute(&mut other, "COMMIT");
    });
    assert_eq!(register_referred(&server, 200, code), 201);
}

/// Each sign-up counts its text in the row of the day. That row is locked by somebody else, for as long as the test likes.
#[test]
fn codes_are_tried_while_many_sign_ups_wait_for_the_count_of_texts() {
    let database = TestDatabase::new();
    let variables = [
        ("RATE_LIMITS", "off"),
        ("PHONE_VERIFICATION", "on"),
        ("TWILIO_API_BASE", "http://127.0.0.1:9"), // nobody answers
        ("TWILIO_ACCOUNT_SID", "AC00000000000000000000000000000000"),
        ("TWILIO_AUTH_TOKEN", "00000000000000000000000000000000"),
        ("TWILIO_PHONE_NUMBER", "+15550000000"),
    ];
    let server = Server::start(&database.url, &variables);
    let (status, cookie) =
        server.post_for_cookie("/api/users/register", &[], r#"{"phoneNumber": "5552000000"}"#);
    assert_eq!(status, 202);
    let mut other = connect(&database.admin_url);
    other
        .batch_execute("BEGIN; SELECT FROM sms_daily_counts FOR UPDATE")
        .unwrap();
    std::thread::scope(|scope| {
        for n in 0..100 {
            let server = &server;
            scope.spawn(move || server.register(&format!("555300{n:04}")));
        }
        let mut watcher = connect(&database.admin_url);
        let waiting = "SELECT count(*) AS n FROM pg_stat_activity
                       WHERE datname = current_database() AND wait_event_type = 'Lock'";
        wait_until(|| number(&mut watcher, waiting) > 0);
        let unknown = r#"{"verificationId": "00000000000000000000000000000000", "code": "123456"}"#;
        for n in 0..50 {
            let (status, answer) = server.send("POST", "/api/users/verify", &[("Cookie", &cookie)], unknown);
            assert_eq!(status, 410, "{n}: {answer}");
        }
        let threads = number(&mut watcher, waiting);
        assert!(threads <= 4, "{threads} sign-ups wait with a connection");
        execute(&mut other, "COMMIT");
    });
}
