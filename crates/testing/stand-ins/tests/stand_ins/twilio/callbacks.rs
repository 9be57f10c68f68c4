//! Status callbacks.

use crate::twilio::client::{ACCOUNT, RECIPIENT, TestTwilio};
use crate::twilio::receiver::Receiver;
use serde_json::json;

async fn start_with_receiver(settings: serde_json::Value) -> (TestTwilio, Receiver) {
    let (twilio, receiver) = (TestTwilio::start().await, Receiver::start().await);
    twilio.set("carrier", settings).await;
    (twilio, receiver)
}

async fn stop(twilio: TestTwilio, receiver: Receiver) {
    assert_eq!(twilio.violations().await, 0);
    receiver.stop().await;
    twilio.stop().await;
}

#[tokio::test]
async fn statuses_are_sent_in_order_to_the_status_callback_url() {
    let (twilio, receiver) = start_with_receiver(json!({})).await;
    let sid = twilio
        .create_with_callback(RECIPIENT, &format!("{}?text=7", receiver.url))
        .await;
    let sent = receiver.next().await;
    for (name, value) in [
        ("MessageSid", &*sid),
        ("SmsSid", &*sid),
        ("AccountSid", ACCOUNT),
        ("MessageStatus", "sent"),
        ("SmsStatus", "sent"),
        ("To", RECIPIENT),
        ("ErrorCode", ""),
    ] {
        assert_eq!(sent.get(name), value, "{name}");
    }
    assert_eq!(sent.query, "text=7");
    assert_eq!(receiver.next().await.get("MessageStatus"), "delivered");
    assert_eq!(
        twilio.all_delivered().await,
        json!({"waiting": 0, "accepted": 2, "refused": 0})
    );
    stop(twilio, receiver).await;
}

#[tokio::test]
async fn an_undelivered_message_has_an_error_code() {
    let (twilio, receiver) = start_with_receiver(json!({})).await;
    for (fate, statuses) in [
        (json!({"undelivered": 30003}), vec!["sent", "undelivered"]),
        (json!({"failed": 30003}), vec!["failed"]),
    ] {
        twilio
            .set("numbers", json!({"phoneNumber": RECIPIENT, "fate": fate}))
            .await;
        let sid = twilio.create_with_callback(RECIPIENT, &receiver.url).await;
        let (last, before) = statuses.split_last().unwrap();
        for status in before {
            let call = receiver.next().await;
            assert_eq!((call.get("MessageStatus"), call.get("ErrorCode")), (*status, ""));
        }
        let call = receiver.next().await;
        assert_eq!(
            (call.get("MessageStatus"), call.get("ErrorCode")),
            (*last, "30003")
        );
        let (_, message) = twilio.read(&format!("/Messages/{sid}.json")).await;
        assert_eq!(message["error_code"], 30003);
        assert_eq!(message["error_message"], "Unreachable destination handset");
    }
    stop(twilio, receiver).await;
}

#[tokio::test]
async fn callbacks_are_sent_as_often_and_in_the_order_requested() {
    let (twilio, receiver) = start_with_receiver(json!({"copies": 2, "order": "reversed"})).await;
    twilio.create_with_callback(RECIPIENT, &receiver.url).await;
    assert_eq!(
        receiver.statuses(4).await,
        ["delivered", "delivered", "sent", "sent"]
    );
    twilio
        .set("carrier", json!({"copies": 20, "order": "shuffled"}))
        .await;
    twilio.create_with_callback(RECIPIENT, &receiver.url).await;
    let mut statuses = receiver.statuses(40).await;
    assert!(!statuses.is_sorted(), "{statuses:?}");
    statuses.sort();
    assert_eq!(statuses[..20], ["delivered"; 20]);
    assert_eq!(statuses[20..], ["sent"; 20]);
    stop(twilio, receiver).await;
}

#[tokio::test]
async fn held_messages_stay_queued_until_they_are_released() {
    let (twilio, receiver) = start_with_receiver(json!({"hold": true})).await;
    let sid = twilio.create_with_callback(RECIPIENT, &receiver.url).await;
    let path = format!("/Messages/{sid}.json");
    assert_eq!(twilio.read(&path).await.1["status"], "queued");
    twilio.set("carrier", json!({"hold": false})).await;
    assert_eq!(receiver.statuses(2).await, ["sent", "delivered"]);
    assert_eq!(twilio.read(&path).await.1["status"], "delivered");
    stop(twilio, receiver).await;
}

#[tokio::test]
async fn callbacks_can_be_delivered_on_request() {
    let (twilio, receiver) = start_with_receiver(json!({"callbacks": false})).await;
    let first = twilio.create_with_callback(RECIPIENT, &receiver.url).await;
    twilio.create_with_callback(RECIPIENT, &receiver.url).await;
    twilio.all_delivered().await;
    assert!(receiver.is_empty().await);

    let (_, sent) = twilio
        .control("callbacks/deliver", json!({"texts": [first]}))
        .await;
    let right = receiver.next().await;
    assert_eq!(right.get("MessageSid"), first);
    assert_eq!(receiver.next().await.get("MessageStatus"), "delivered");
    assert_eq!(
        sent["deliveries"][1],
        json!({"sid": first, "messageStatus": "delivered", "status": 200})
    );

    let all = json!({"order": "reversed", "copies": 2});
    twilio.set("callbacks/deliver", all).await;
    assert_eq!(receiver.statuses(3).await, ["delivered", "delivered", "sent"]);
    assert_eq!(
        receiver.statuses(5).await,
        ["sent", "delivered", "delivered", "sent", "sent"]
    );

    twilio
        .set(
            "callbacks/deliver",
            json!({"texts": [first], "authToken": "forged"}),
        )
        .await;
    assert_ne!(receiver.next().await.signature, right.signature);
    stop(twilio, receiver).await;
}

#[tokio::test]
async fn an_unreachable_callback_url_does_not_stop_delivery() {
    let twilio = TestTwilio::start().await;
    let nowhere = "http://127.0.0.1:1/hook"; // no program may listen there
    twilio.create_with_callback(RECIPIENT, nowhere).await;
    assert_eq!(
        twilio.all_delivered().await,
        json!({"waiting": 0, "accepted": 0, "refused": 2})
    );
    twilio.stop().await;
}
