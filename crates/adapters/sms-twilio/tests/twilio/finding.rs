use crate::client::{
    ACCOUNT, MARK, RECIPIENT, TestTwilio, assert_no_private_data, credentials, in_minutes, query, text_to,
    unknown_auth_token, unreachable,
};
use futures_util::{StreamExt, stream};
use kernel::Phone;
use serde_json::json;
use sms::{Credentials, MessageQuery, MessageQueryError, OutgoingMessage, ProviderStatus, SmsSender};

#[tokio::test]
async fn a_queued_or_delivered_message_is_found() {
    for (change, status, failure) in [
        (json!({"hold": true}), ProviderStatus::Accepted, None),
        (json!({}), ProviderStatus::Delivered, None),
    ] {
        let twilio = TestTwilio::start().await;
        twilio.set("carrier", change).await;
        let sent = twilio.send().await.unwrap();
        twilio.all_delivered().await;
        let found = twilio.find(0).await;
        let found = found.unwrap().unwrap();
        assert_eq!(
            (found.id, found.status, found.failure),
            (sent.id, status, failure)
        );
        twilio.stop().await;
    }
}

#[tokio::test]
async fn an_undelivered_message_has_an_error_code() {
    for (fate, status) in [
        (json!({"undelivered": 30003}), ProviderStatus::Undelivered),
        (json!({"failed": 30003}), ProviderStatus::Failed),
    ] {
        let twilio = TestTwilio::start().await;
        twilio
            .set("numbers", json!({"phoneNumber": RECIPIENT, "fate": fate}))
            .await;
        twilio.send().await.unwrap();
        twilio.all_delivered().await;
        let found = twilio.find(0).await;
        let found = found.unwrap().unwrap();
        assert_eq!(found.status, status);
        assert_eq!(found.failure.unwrap().to_string(), "30003 Unreachable phone");
        twilio.stop().await;
    }
}

#[tokio::test]
async fn other_messages_are_not_found() {
    let twilio = TestTwilio::start().await;
    let credentials = credentials();
    let find = async |query: &MessageQuery| twilio.sms.find_message(&credentials, query).await.unwrap();
    assert_eq!(find(&query(in_minutes(-1))).await, None);
    twilio
        .sms
        .send_message(&credentials, &text_to(RECIPIENT))
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
        "it was sent an hour before the period"
    );
    let other_sender = Credentials::parse(ACCOUNT, &"0".repeat(32), "+15557654320").unwrap();
    let found = twilio
        .sms
        .find_message(&other_sender, &query(in_minutes(-1)))
        .await;
    assert_eq!(found.unwrap(), None);
    twilio.stop().await;
}

#[tokio::test]
async fn a_message_is_found_on_any_page() {
    let twilio = TestTwilio::start().await;
    let credentials = credentials();
    let first = twilio
        .sms
        .send_message(&credentials, &text_to(RECIPIENT))
        .await
        .unwrap();
    let other = OutgoingMessage {
        body: "Hello".to_owned(),
        ..text_to(RECIPIENT)
    };
    let sending = (0..1001).map(|_| twilio.sms.send_message(&credentials, &other));
    let sent: Vec<_> = stream::iter(sending).buffer_unordered(16).collect().await;
    assert!(sent.iter().all(Result::is_ok));
    let find = async || {
        twilio
            .sms
            .find_message(&credentials, &query(in_minutes(-30)))
            .await
    };
    assert_eq!(find().await.unwrap().unwrap().id, first.id);
    assert_eq!(twilio.calls().await["list 200"], 2);
    twilio.stop().await;
}

#[tokio::test]
async fn a_failed_search_is_an_error_and_not_an_empty_result() {
    for kind in ["tooMany", "unavailable", "error", "drop"] {
        let twilio = TestTwilio::start().await;
        twilio
            .set("failures", json!({"kind": kind, "method": "GET"}))
            .await;
        let found = twilio.find(0).await;
        assert!(
            matches!(found, Err(MessageQueryError::Unavailable(_))),
            "{kind} {found:?}"
        );
        assert_no_private_data(&found.unwrap_err());
        twilio.stop().await;
    }
}

#[tokio::test]
async fn wrong_credentials_are_their_own_error() {
    let twilio = TestTwilio::start().await;
    twilio.set("account", unknown_auth_token()).await;
    let found = twilio.find(0).await;
    assert!(matches!(found, Err(MessageQueryError::Credentials)), "{found:?}");
    twilio.stop().await;
}

#[tokio::test]
async fn an_error_of_a_search_contains_no_private_data() {
    let sms = unreachable();
    let found = sms.find_message(&credentials(), &query(in_minutes(0))).await;
    assert_no_private_data(&found.unwrap_err());
}
