//! People send texts too.

use crate::desk::{ACCOUNT, Desk, SENDER, SOMEBODY, json_of};
use crate::listener::{Listener, TWIML};
use serde_json::json;

async fn code_of(desk: &Desk) -> (u16, Option<u64>) {
    let (status, said) = json_of(desk.text(SOMEBODY, "Hello")).await;
    (status, said["code"].as_u64())
}

#[tokio::test]
async fn whoever_says_stop_gets_no_more_texts_until_they_say_start() {
    let desk = Desk::open().await;
    assert_eq!(code_of(&desk).await, (201, None));
    for word in ["STOP", " unsubscribe\n", "End"] {
        desk.set("inbound", json!({"from": SOMEBODY, "body": word})).await;
        assert_eq!(code_of(&desk).await, (400, Some(21610)), "{word}");
        desk.set("inbound", json!({"from": SOMEBODY, "body": "please stop"}))
            .await;
        assert_eq!(
            code_of(&desk).await,
            (400, Some(21610)),
            "only the word itself counts"
        );
        desk.set("inbound", json!({"from": SOMEBODY, "body": "Start"}))
            .await;
        assert_eq!(code_of(&desk).await, (201, None), "{word}");
    }
    desk.close().await;
}

#[tokio::test]
async fn a_text_that_somebody_sends_is_told_signed_and_what_is_answered_is_shown() {
    let (desk, listener) = (Desk::open().await, Listener::open().await);
    assert_eq!(code_of(&desk).await, (201, None));
    desk.set("carrier", json!({"inboundUrl": listener.url})).await;
    let help = json!({"from": SOMEBODY, "body": "HELP", "copies": 2});
    let (_, said) = desk.control("inbound", help).await;
    let first = listener.next().await;
    for (name, value) in [
        ("AccountSid", ACCOUNT),
        ("Body", "HELP"),
        ("From", SOMEBODY),
        ("To", SENDER),
        ("MessageSid", said["messageSid"].as_str().unwrap()),
    ] {
        assert_eq!(first.get(name), value, "{name}");
    }
    assert_eq!(listener.next().await, first);
    let answer = json!({"status": 200, "body": TWIML});
    assert_eq!(said["answers"], json!([answer, answer]));

    let again =
        json!({"from": SOMEBODY, "body": "HELP", "messageSid": said["messageSid"], "authToken": "forged"});
    desk.set("inbound", again).await;
    let forged = listener.next().await;
    assert_eq!(forged.get("MessageSid"), first.get("MessageSid"));
    assert_ne!(forged.signature, first.signature);
    listener.close().await;
    desk.close().await;
}

#[tokio::test]
async fn a_wrong_question_is_answered_with_what_is_wrong() {
    let desk = Desk::open().await;
    for (path, body) in [
        ("inbound", json!({"from": SOMEBODY, "body": "STOP"})),
        ("inbound", json!({"from": "5551234567", "body": "STOP"})),
        ("numbers", json!({"phoneNumber": SOMEBODY, "fate": "lost"})),
        ("failures", json!({"kind": "explode"})),
        ("random-failures", json!({"rate": 0.3})),
        ("carrier", json!({"inboundUrl": "nowhere"})),
        ("callbacks/deliver", json!({"sorted": true})),
        ("latency", json!({"ms": -1})),
        ("account", json!({"sid": ACCOUNT})),
    ] {
        let (status, said) = desk.control(path, body).await;
        assert_eq!(status, 400, "{path}");
        assert!(said["error"]["message"].is_string(), "{said}");
    }
    desk.close().await;
}
