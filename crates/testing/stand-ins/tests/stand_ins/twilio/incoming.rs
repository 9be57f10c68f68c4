//! Messages that people send.

use crate::twilio::client::{ACCOUNT, RECIPIENT, SENDER, TestTwilio};
use crate::twilio::receiver::{Receiver, TWIML};
use serde_json::json;
use stand_ins::kit::testing::status_and_json;

async fn create_message(twilio: &TestTwilio) -> (u16, Option<u64>) {
    let (status, response) = status_and_json(twilio.message(RECIPIENT, "Hello")).await;
    (status, response["code"].as_u64())
}

#[tokio::test]
async fn a_person_who_sends_stop_gets_no_messages_until_they_send_start() {
    let twilio = TestTwilio::start().await;
    assert_eq!(create_message(&twilio).await, (201, None));
    for word in ["STOP", " unsubscribe\n", "End"] {
        twilio
            .set("inbound", json!({"from": RECIPIENT, "body": word}))
            .await;
        assert_eq!(create_message(&twilio).await, (400, Some(21610)), "{word}");
        twilio
            .set("inbound", json!({"from": RECIPIENT, "body": "please stop"}))
            .await;
        assert_eq!(
            create_message(&twilio).await,
            (400, Some(21610)),
            "only the keyword alone opts in or out"
        );
        twilio
            .set("inbound", json!({"from": RECIPIENT, "body": "Start"}))
            .await;
        assert_eq!(create_message(&twilio).await, (201, None), "{word}");
    }
    twilio.stop().await;
}

#[tokio::test]
async fn an_incoming_message_is_sent_to_the_signed_webhook_and_the_response_is_returned() {
    let (twilio, receiver) = (TestTwilio::start().await, Receiver::start().await);
    assert_eq!(create_message(&twilio).await, (201, None));
    twilio.set("carrier", json!({"inboundUrl": receiver.url})).await;
    let help = json!({"from": RECIPIENT, "body": "HELP", "copies": 2});
    let (_, response) = twilio.control("inbound", help).await;
    let first = receiver.next().await;
    for (name, value) in [
        ("AccountSid", ACCOUNT),
        ("Body", "HELP"),
        ("From", RECIPIENT),
        ("To", SENDER),
        ("MessageSid", response["messageSid"].as_str().unwrap()),
    ] {
        assert_eq!(first.get(name), value, "{name}");
    }
    assert_eq!(receiver.next().await, first);
    let answer = json!({"status": 200, "body": TWIML});
    assert_eq!(response["answers"], json!([answer, answer]));

    let again = json!({"from": RECIPIENT, "body": "HELP", "messageSid": response["messageSid"], "authToken": "forged"});
    twilio.set("inbound", again).await;
    let forged = receiver.next().await;
    assert_eq!(forged.get("MessageSid"), first.get("MessageSid"));
    assert_ne!(forged.signature, first.signature);
    receiver.stop().await;
    twilio.stop().await;
}

#[tokio::test]
async fn a_wrong_control_request_is_rejected_with_the_reason() {
    let twilio = TestTwilio::start().await;
    let requests = [
        ("inbound", json!({"from": RECIPIENT, "body": "STOP"})),
        ("inbound", json!({"from": "5551234567", "body": "STOP"})),
        ("numbers", json!({"phoneNumber": RECIPIENT, "fate": "lost"})),
        ("failures", json!({"kind": "explode"})),
        ("random-failures", json!({"rate": 0.3})),
        ("carrier", json!({"inboundUrl": "nowhere"})),
        ("callbacks/deliver", json!({"sorted": true})),
        ("latency", json!({"ms": -1})),
        ("account", json!({"sid": ACCOUNT})),
    ];
    let requests = requests.map(|(path, body)| (path.to_owned(), body));
    twilio.expect_bad_requests(requests).await;
    twilio.stop().await;
}
