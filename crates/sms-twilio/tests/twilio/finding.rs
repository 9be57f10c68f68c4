use crate::carrier::{ACCOUNT, Carrier, MARK, SENDER, SOMEBODY, credentials, in_minutes, query, text_to};
use futures_util::{StreamExt, stream};
use kernel::Phone;
use serde_json::json;
use sms::{Credentials, MessageQuery, MessageQueryError, OutgoingMessage, ProviderStatus, SmsSender};
use sms_twilio::{Timeouts, TwilioSms};
use std::error::Error;

#[tokio::test]
async fn a_text_is_found_by_its_mark_however_far_it_has_come() {
    for (change, status, failure) in [
        (json!({"hold": true}), ProviderStatus::Accepted, None),
        (json!({}), ProviderStatus::Delivered, None),
    ] {
        let carrier = Carrier::open().await;
        carrier.set("carrier", change).await;
        let sent = carrier
            .sms
            .send_message(&credentials(), &text_to(SOMEBODY))
            .await
            .unwrap();
        carrier.carried().await;
        let found = carrier
            .sms
            .find_message(&credentials(), &query(in_minutes(0)))
            .await;
        let found = found.unwrap().unwrap();
        assert_eq!(
            (found.id, found.status, found.failure),
            (sent.id, status, failure)
        );
        carrier.close().await;
    }
}

#[tokio::test]
async fn a_text_that_did_not_arrive_says_why() {
    for (fate, status) in [
        (json!({"undelivered": 30003}), ProviderStatus::Undelivered),
        (json!({"failed": 30003}), ProviderStatus::Failed),
    ] {
        let carrier = Carrier::open().await;
        carrier
            .set("numbers", json!({"phoneNumber": SOMEBODY, "fate": fate}))
            .await;
        carrier
            .sms
            .send_message(&credentials(), &text_to(SOMEBODY))
            .await
            .unwrap();
        carrier.carried().await;
        let found = carrier
            .sms
            .find_message(&credentials(), &query(in_minutes(0)))
            .await;
        let found = found.unwrap().unwrap();
        assert_eq!(found.status, status);
        assert_eq!(found.failure.unwrap().to_string(), "30003 Unreachable phone");
        carrier.close().await;
    }
}

#[tokio::test]
async fn other_texts_are_not_it() {
    let carrier = Carrier::open().await;
    let credentials = credentials();
    let find = async |query: &MessageQuery| carrier.sms.find_message(&credentials, query).await.unwrap();
    assert_eq!(find(&query(in_minutes(-1))).await, None);
    carrier
        .sms
        .send_message(&credentials, &text_to(SOMEBODY))
        .await
        .unwrap();
    let other_mark = MessageQuery {
        needle: format!("{MARK}q"),
        ..query(in_minutes(-1))
    };
    assert_eq!(find(&other_mark).await, None);
    let other_number = MessageQuery {
        to: Phone::from_e164("+15551234568").unwrap(),
        ..query(in_minutes(-1))
    };
    assert_eq!(find(&other_number).await, None);
    assert_eq!(
        find(&query(in_minutes(60))).await,
        None,
        "an hour before it was asked for"
    );
    let other_sender = Credentials::parse(ACCOUNT, &"0".repeat(32), "+15557654320").unwrap();
    let found = carrier
        .sms
        .find_message(&other_sender, &query(in_minutes(-1)))
        .await;
    assert_eq!(found.unwrap(), None);
    carrier.close().await;
}

#[tokio::test]
async fn the_newest_of_several_is_found_and_on_whatever_page() {
    let carrier = Carrier::open().await;
    let credentials = credentials();
    let first = carrier
        .sms
        .send_message(&credentials, &text_to(SOMEBODY))
        .await
        .unwrap();
    let chatter = OutgoingMessage {
        body: "Hello".to_owned(),
        ..text_to(SOMEBODY)
    };
    let sending = (0..1001).map(|_| carrier.sms.send_message(&credentials, &chatter));
    let sent: Vec<_> = stream::iter(sending).buffer_unordered(16).collect().await;
    assert!(sent.iter().all(Result::is_ok));
    let find = async || {
        carrier
            .sms
            .find_message(&credentials, &query(in_minutes(-30)))
            .await
    };
    assert_eq!(find().await.unwrap().unwrap().id, first.id);
    assert_eq!(carrier.get("calls").await["calls"]["list 200"], 2);
    carrier.close().await;
}

#[tokio::test]
async fn a_provider_that_cannot_be_asked_does_not_say_no() {
    for kind in ["tooMany", "unavailable", "error", "drop"] {
        let carrier = Carrier::open().await;
        carrier
            .set("failures", json!({"kind": kind, "method": "GET"}))
            .await;
        let found = carrier
            .sms
            .find_message(&credentials(), &query(in_minutes(0)))
            .await;
        assert!(
            matches!(found, Err(MessageQueryError::Unavailable(_))),
            "{kind} {found:?}"
        );
        assert_says_nothing(&found.unwrap_err());
        carrier.close().await;
    }
}

#[tokio::test]
async fn a_wrong_secret_is_told_from_a_provider_that_cannot_be_asked() {
    let carrier = Carrier::open().await;
    carrier
        .set(
            "account",
            json!({"accountSid": ACCOUNT, "authToken": "0".repeat(32)}),
        )
        .await;
    let found = carrier
        .sms
        .find_message(&credentials(), &query(in_minutes(0)))
        .await;
    assert!(matches!(found, Err(MessageQueryError::Credentials)), "{found:?}");
    carrier.close().await;
}

#[tokio::test]
async fn nobody_is_told_who_was_looked_for() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", free.local_addr().unwrap());
    drop(free);
    let sms = TwilioSms::new(url.parse().unwrap(), Timeouts::default()).unwrap();
    let found = sms.find_message(&credentials(), &query(in_minutes(0))).await;
    assert_says_nothing(&found.unwrap_err());
}

/// Neither numbers nor marks are in an error or in what caused it.
fn assert_says_nothing(error: &MessageQueryError) {
    let mut said = format!("{error:?} {error}");
    let mut cause = error.source();
    while let Some(error) = cause {
        said.push_str(&error.to_string());
        cause = error.source();
    }
    for secret in [&SOMEBODY[1..], &SENDER[1..], ACCOUNT, MARK] {
        assert!(!said.contains(secret), "{said}");
    }
}
