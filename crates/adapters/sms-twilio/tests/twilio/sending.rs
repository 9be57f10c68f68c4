use crate::client::{
    ACCOUNT, CALLBACK, MARK, RECIPIENT, SENDER, TOKEN, TestTwilio, assert_no_private_data, credentials,
    in_minutes, query, text_to, unknown_auth_token, unreachable,
};
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use sms::{ProviderStatus, SendError, SmsSender};
use sms_twilio::Timeouts;
use std::time::Duration;

/// Sends a message after a change of the stand-in. Returns the error, and how many messages the provider accepted.
async fn outcome(path: &str, change: Value) -> (SendError, usize) {
    let twilio = TestTwilio::start().await;
    twilio.set(path, change.clone()).await;
    let sent = twilio.send().await;
    let error = sent.expect_err(&change.to_string());
    assert_no_private_data(&error);
    let accepted = twilio.accepted().await.len();
    twilio.stop().await;
    (error, accepted)
}

#[tokio::test]
async fn a_message_is_sent_unchanged() {
    let twilio = TestTwilio::start().await;
    let sent = twilio.send().await.unwrap();
    assert_eq!((sent.status, sent.failure), (ProviderStatus::Accepted, None));
    let accepted = twilio.accepted().await;
    assert_eq!(accepted.len(), 1);
    for (name, value) in [
        ("sid", sent.id.as_str()),
        ("to", RECIPIENT),
        ("from", SENDER),
        ("body", &*text_to(RECIPIENT).body),
        ("statusCallback", CALLBACK),
    ] {
        assert_eq!(accepted[0][name], value, "{name}");
    }
    twilio.stop().await;
}

#[tokio::test]
async fn a_rejected_message_has_the_providers_error_code() {
    for (code, shown) in [
        (21211, "21211 Invalid number"),
        (21214, "21214 Number cannot be reached"),
        (21217, "21217 Invalid number"),
        (21614, "21614 Not a mobile number"),
        (21408, "21408 Texts to this region are not enabled"),
        (20001, "20001 Refused by the provider"),
    ] {
        let fate = json!({"phoneNumber": RECIPIENT, "fate": {"refused": code}});
        let (error, accepted) = outcome("numbers", fate).await;
        match error {
            SendError::Refused(failure) => assert_eq!(failure.to_string(), shown),
            other => panic!("{other:?}"),
        }
        assert_eq!(accepted, 0);
    }
}

#[tokio::test]
async fn a_person_who_sent_stop_has_opted_out() {
    let twilio = TestTwilio::start().await;
    let send = async || twilio.send().await;
    send().await.unwrap();
    twilio
        .set("inbound", json!({"from": RECIPIENT, "body": "STOP"}))
        .await;
    assert!(matches!(send().await, Err(SendError::OptedOut)));
    twilio
        .set("inbound", json!({"from": RECIPIENT, "body": "START"}))
        .await;
    send().await.unwrap();
    twilio.stop().await;
}

#[tokio::test]
async fn wrong_credentials_are_their_own_error() {
    let (error, accepted) = outcome("account", unknown_auth_token()).await;
    assert!(matches!(error, SendError::Credentials), "{error:?}");
    assert_eq!(accepted, 0);
}

#[tokio::test]
async fn a_message_that_the_provider_did_not_process_is_not_sent() {
    for (failure, pause) in [
        (json!({"kind": "tooMany", "retryAfter": 4}), 4),
        (json!({"kind": "unavailable", "retryAfter": 2}), 2),
    ] {
        let (error, accepted) = outcome("failures", failure.clone()).await;
        let SendError::NotSent { retry_after, .. } = error else {
            panic!("{failure} {error:?}")
        };
        assert_eq!(retry_after, Some(Duration::from_secs(pause)));
        assert_eq!(accepted, 0);
    }
}

#[tokio::test]
async fn without_a_clear_response_a_message_may_have_been_sent() {
    for (kind, sent) in [("error", 0), ("errorAfter", 1), ("drop", 1), ("dropBefore", 0)] {
        let (error, accepted) = outcome("failures", json!({ "kind": kind })).await;
        assert!(matches!(error, SendError::MaybeSent(_)), "{kind} {error:?}");
        assert_eq!(accepted, sent, "{kind}: it was called once");
    }
}

#[tokio::test]
async fn a_provider_that_hangs_may_have_sent_the_message() {
    let patience = Timeouts {
        total_timeout: Duration::from_millis(500),
        ..Timeouts::default()
    };
    let twilio = TestTwilio::start_with(patience).await;
    twilio
        .set("failures", json!({"kind": "hang", "times": 1000}))
        .await;
    // On a busy machine there may be no connection in time: then nothing was sent.
    let error = loop {
        match twilio.send().await.unwrap_err() {
            SendError::NotSent { .. } => {}
            error => break error,
        }
    };
    assert!(matches!(error, SendError::MaybeSent(_)), "{error:?}");
    assert_no_private_data(&error);
    twilio.stop().await;
}

#[tokio::test]
async fn without_a_connection_a_message_is_not_sent() {
    let sms = unreachable();
    let error = sms
        .send_message(&credentials(), &text_to(RECIPIENT))
        .await
        .unwrap_err();
    assert!(
        matches!(
            error,
            SendError::NotSent {
                retry_after: None,
                ..
            }
        ),
        "{error:?}"
    );
    assert_no_private_data(&error);
}

#[tokio::test]
async fn the_result_of_each_of_many_messages_is_right() {
    let twilio = TestTwilio::start().await;
    let credentials = credentials();
    let texts: Vec<_> = (0..200).map(|n| text_to(&format!("+1555123{n:04}"))).collect();
    twilio
        .set(
            "random-failures",
            json!({"rate": 0.5, "seed": 7, "atMostPerNumber": 1,
                   "kinds": ["tooMany", "unavailable", "error", "errorAfter", "drop", "dropBefore"]}),
        )
        .await;
    let sending = texts
        .iter()
        .map(|text| twilio.sms.send_message(&credentials, text));
    let outcomes: Vec<_> = stream::iter(sending).buffered(16).collect().await;
    let accepted = twilio.accepted().await;
    let (mut failed, mut known) = (0, 0);
    for (text, outcome) in texts.iter().zip(&outcomes) {
        let count = accepted
            .iter()
            .filter(|one| one["to"] == text.to.as_e164())
            .count();
        match outcome {
            Ok(_) => assert_eq!(count, 1),
            Err(SendError::NotSent { .. }) => assert_eq!(count, 0),
            Err(SendError::MaybeSent(_)) => assert!(count <= 1),
            Err(other) => panic!("{other:?}"),
        }
        failed += usize::from(outcome.is_err());
        known += usize::from(matches!(outcome, Err(SendError::NotSent { .. })));
    }
    assert!((50..150).contains(&failed) && known > 10, "{failed} {known}");
    twilio.stop().await;
}

#[tokio::test]
async fn the_adapter_does_not_retry() {
    let twilio = TestTwilio::start().await;
    twilio.set("failures", json!({"kind": "drop"})).await;
    let lost = twilio.send().await;
    assert!(matches!(lost, Err(SendError::MaybeSent(_))), "{lost:?}");
    assert_eq!(twilio.calls().await, json!({"create drop": 1}));
    let found = twilio.find(-1).await;
    assert!(found.unwrap().is_some());
    twilio.stop().await;
}

#[test]
fn debug_output_contains_no_private_data() {
    let shown = format!(
        "{:?} {:?} {:?}",
        text_to(RECIPIENT),
        query(in_minutes(0)),
        credentials()
    );
    for private in [&RECIPIENT[1..], ACCOUNT, TOKEN, MARK] {
        assert!(!shown.contains(private), "{shown}");
    }
}
