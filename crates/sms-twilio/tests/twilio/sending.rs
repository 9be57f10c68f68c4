use crate::carrier::{
    ACCOUNT, CALLBACK, Carrier, MARK, SENDER, SOMEBODY, TOKEN, credentials, in_minutes, query, text_to,
};
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use sms::{ProviderStatus, SendError, SmsSender};
use sms_twilio::{Timeouts, TwilioSms};
use std::error::Error;
use std::time::Duration;

/// What one text comes to after this change of the stand-in, and how many the provider accepted.
async fn outcome(path: &str, change: Value) -> (SendError, usize) {
    let carrier = Carrier::open().await;
    carrier.set(path, change.clone()).await;
    let sent = carrier.sms.send_message(&credentials(), &text_to(SOMEBODY)).await;
    let error = sent.expect_err(&change.to_string());
    assert_says_nothing(&error);
    let accepted = carrier.accepted().await.len();
    carrier.close().await;
    (error, accepted)
}

/// Neither numbers nor texts nor secrets are in an error or in what caused it.
fn assert_says_nothing(error: &SendError) {
    let mut said = format!("{error:?} {error}");
    let mut cause = error.source();
    while let Some(error) = cause {
        said.push_str(&error.to_string());
        cause = error.source();
    }
    for secret in [
        &SOMEBODY[1..],
        &SENDER[1..],
        ACCOUNT,
        TOKEN,
        MARK,
        "planter",
        "text=7",
    ] {
        assert!(!said.contains(secret), "{said}");
    }
}

#[tokio::test]
async fn a_text_is_handed_over_as_it_is() {
    let carrier = Carrier::open().await;
    let sent = carrier
        .sms
        .send_message(&credentials(), &text_to(SOMEBODY))
        .await
        .unwrap();
    assert_eq!((sent.status, sent.failure), (ProviderStatus::Accepted, None));
    let accepted = carrier.accepted().await;
    assert_eq!(accepted.len(), 1);
    for (name, value) in [
        ("sid", sent.id.as_str()),
        ("to", SOMEBODY),
        ("from", SENDER),
        ("body", &*text_to(SOMEBODY).body),
        ("statusCallback", CALLBACK),
    ] {
        assert_eq!(accepted[0][name], value, "{name}");
    }
    carrier.close().await;
}

#[tokio::test]
async fn a_number_that_cannot_get_texts_is_refused_with_the_providers_number() {
    for (code, shown) in [
        (21211, "21211 Invalid number"),
        (21214, "21214 Number cannot be reached"),
        (21217, "21217 Invalid number"),
        (21614, "21614 Not a mobile number"),
        (21408, "21408 Texts to this region are not enabled"),
        (20001, "20001 Refused by the provider"),
    ] {
        let fate = json!({"phoneNumber": SOMEBODY, "fate": {"refused": code}});
        let (error, accepted) = outcome("numbers", fate).await;
        match error {
            SendError::Refused(failure) => assert_eq!(failure.to_string(), shown),
            other => panic!("{other:?}"),
        }
        assert_eq!(accepted, 0);
    }
}

#[tokio::test]
async fn whoever_said_stop_has_opted_out() {
    let carrier = Carrier::open().await;
    let send = async || carrier.sms.send_message(&credentials(), &text_to(SOMEBODY)).await;
    send().await.unwrap();
    carrier
        .set("inbound", json!({"from": SOMEBODY, "body": "STOP"}))
        .await;
    assert!(matches!(send().await, Err(SendError::OptedOut)));
    carrier
        .set("inbound", json!({"from": SOMEBODY, "body": "START"}))
        .await;
    send().await.unwrap();
    carrier.close().await;
}

#[tokio::test]
async fn a_wrong_secret_is_told_from_a_wrong_text() {
    let right = json!({"accountSid": ACCOUNT, "authToken": "0".repeat(32)});
    let (error, accepted) = outcome("account", right).await;
    assert!(matches!(error, SendError::Credentials), "{error:?}");
    assert_eq!(accepted, 0);
}

#[tokio::test]
async fn what_the_provider_says_it_did_not_do_is_not_sent() {
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
async fn what_may_have_been_sent_is_said_to_be() {
    for (kind, sent) in [("error", 0), ("errorAfter", 1), ("drop", 1), ("dropBefore", 0)] {
        let (error, accepted) = outcome("failures", json!({ "kind": kind })).await;
        assert!(matches!(error, SendError::MaybeSent(_)), "{kind} {error:?}");
        assert_eq!(accepted, sent, "{kind}: it was called once");
    }
}

#[tokio::test]
async fn a_provider_that_hangs_may_have_sent_the_text() {
    let patience = Timeouts {
        whole_call: Duration::from_millis(500),
        ..Timeouts::default()
    };
    let carrier = Carrier::with_patience(patience).await;
    carrier
        .set("failures", json!({"kind": "hang", "times": 1000}))
        .await;
    let error = carrier.sms.send_message(&credentials(), &text_to(SOMEBODY)).await;
    let error = error.unwrap_err();
    assert!(matches!(error, SendError::MaybeSent(_)), "{error:?}");
    assert_says_nothing(&error);
    carrier.close().await;
}

#[tokio::test]
async fn without_a_connection_nothing_was_sent() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", free.local_addr().unwrap());
    drop(free);
    let sms = TwilioSms::new(url.parse().unwrap(), Timeouts::default()).unwrap();
    let error = sms
        .send_message(&credentials(), &text_to(SOMEBODY))
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
    assert_says_nothing(&error);
}

#[tokio::test]
async fn what_is_said_of_many_texts_is_true_of_each() {
    let carrier = Carrier::open().await;
    let credentials = credentials();
    let texts: Vec<_> = (0..200).map(|n| text_to(&format!("+1555123{n:04}"))).collect();
    carrier
        .set(
            "random-failures",
            json!({"rate": 0.5, "seed": 7, "atMostPerNumber": 1,
                   "kinds": ["tooMany", "unavailable", "error", "errorAfter", "drop", "dropBefore"]}),
        )
        .await;
    let sending = texts
        .iter()
        .map(|text| carrier.sms.send_message(&credentials, text));
    let outcomes: Vec<_> = stream::iter(sending).buffered(16).collect().await;
    let accepted = carrier.accepted().await;
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
    carrier.close().await;
}

#[tokio::test]
async fn nothing_is_tried_again_here() {
    let carrier = Carrier::open().await;
    carrier.set("failures", json!({"kind": "drop"})).await;
    let lost = carrier.sms.send_message(&credentials(), &text_to(SOMEBODY)).await;
    assert!(matches!(lost, Err(SendError::MaybeSent(_))), "{lost:?}");
    assert_eq!(carrier.get("calls").await["calls"], json!({"create drop": 1}));
    let found = carrier
        .sms
        .find_message(&credentials(), &query(in_minutes(-1)))
        .await;
    assert!(found.unwrap().is_some());
    carrier.close().await;
}

#[test]
fn what_is_sent_is_not_shown() {
    let shown = format!(
        "{:?} {:?} {:?}",
        text_to(SOMEBODY),
        query(in_minutes(0)),
        credentials()
    );
    for secret in [&SOMEBODY[1..], ACCOUNT, TOKEN, MARK] {
        assert!(!shown.contains(secret), "{shown}");
    }
}
