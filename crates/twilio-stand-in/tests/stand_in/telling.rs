//! Callbacks on their way to whoever listens.

use crate::desk::{ACCOUNT, Desk, SOMEBODY};
use crate::listener::Listener;
use serde_json::json;

async fn listened_to(settings: serde_json::Value) -> (Desk, Listener) {
    let (desk, listener) = (Desk::open().await, Listener::open().await);
    desk.set("carrier", settings).await;
    (desk, listener)
}

async fn close(desk: Desk, listener: Listener) {
    assert_eq!(desk.violations().await, 0);
    listener.close().await;
    desk.close().await;
}

#[tokio::test]
async fn a_text_is_told_about_in_order_at_its_own_address() {
    let (desk, listener) = listened_to(json!({})).await;
    let sid = desk.told(SOMEBODY, &format!("{}?text=7", listener.url)).await;
    let sent = listener.next().await;
    for (name, value) in [
        ("MessageSid", &*sid),
        ("SmsSid", &*sid),
        ("AccountSid", ACCOUNT),
        ("MessageStatus", "sent"),
        ("SmsStatus", "sent"),
        ("To", SOMEBODY),
        ("ErrorCode", ""),
    ] {
        assert_eq!(sent.get(name), value, "{name}");
    }
    assert_eq!(sent.query, "text=7");
    assert_eq!(listener.next().await.get("MessageStatus"), "delivered");
    assert_eq!(
        desk.carried().await,
        json!({"waiting": 0, "accepted": 2, "refused": 0})
    );
    close(desk, listener).await;
}

#[tokio::test]
async fn a_text_that_does_not_arrive_says_why() {
    let (desk, listener) = listened_to(json!({})).await;
    for (fate, statuses) in [
        (json!({"undelivered": 30003}), vec!["sent", "undelivered"]),
        (json!({"failed": 30003}), vec!["failed"]),
    ] {
        desk.set("numbers", json!({"phoneNumber": SOMEBODY, "fate": fate}))
            .await;
        let sid = desk.told(SOMEBODY, &listener.url).await;
        let (last, before) = statuses.split_last().unwrap();
        for status in before {
            let call = listener.next().await;
            assert_eq!((call.get("MessageStatus"), call.get("ErrorCode")), (*status, ""));
        }
        let call = listener.next().await;
        assert_eq!(
            (call.get("MessageStatus"), call.get("ErrorCode")),
            (*last, "30003")
        );
        let (_, text) = desk.read(&format!("/Messages/{sid}.json")).await;
        assert_eq!(text["error_code"], 30003);
        assert_eq!(text["error_message"], "Unreachable destination handset");
    }
    close(desk, listener).await;
}

#[tokio::test]
async fn callbacks_come_as_often_and_in_the_order_that_is_asked_for() {
    let (desk, listener) = listened_to(json!({"copies": 2, "order": "reversed"})).await;
    desk.told(SOMEBODY, &listener.url).await;
    assert_eq!(
        listener.statuses(4).await,
        ["delivered", "delivered", "sent", "sent"]
    );
    desk.set("carrier", json!({"copies": 20, "order": "shuffled"}))
        .await;
    desk.told(SOMEBODY, &listener.url).await;
    let mut statuses = listener.statuses(40).await;
    assert!(!statuses.is_sorted(), "{statuses:?}");
    statuses.sort();
    assert_eq!(statuses[..20], ["delivered"; 20]);
    assert_eq!(statuses[20..], ["sent"; 20]);
    close(desk, listener).await;
}

#[tokio::test]
async fn texts_that_are_held_stay_queued_until_they_are_released() {
    let (desk, listener) = listened_to(json!({"hold": true})).await;
    let sid = desk.told(SOMEBODY, &listener.url).await;
    let path = format!("/Messages/{sid}.json");
    assert_eq!(desk.read(&path).await.1["status"], "queued");
    desk.set("carrier", json!({"hold": false})).await;
    assert_eq!(listener.statuses(2).await, ["sent", "delivered"]);
    assert_eq!(desk.read(&path).await.1["status"], "delivered");
    close(desk, listener).await;
}

#[tokio::test]
async fn callbacks_that_are_kept_back_are_delivered_by_hand() {
    let (desk, listener) = listened_to(json!({"callbacks": false})).await;
    let first = desk.told(SOMEBODY, &listener.url).await;
    desk.told(SOMEBODY, &listener.url).await;
    desk.carried().await;
    assert!(listener.nothing_waits().await);

    let (_, sent) = desk.control("callbacks/deliver", json!({"texts": [first]})).await;
    let right = listener.next().await;
    assert_eq!(right.get("MessageSid"), first);
    assert_eq!(listener.next().await.get("MessageStatus"), "delivered");
    assert_eq!(
        sent["deliveries"][1],
        json!({"sid": first, "messageStatus": "delivered", "status": 200})
    );

    let all = json!({"order": "reversed", "copies": 2});
    desk.set("callbacks/deliver", all).await;
    assert_eq!(listener.statuses(3).await, ["delivered", "delivered", "sent"]);
    assert_eq!(
        listener.statuses(5).await,
        ["sent", "delivered", "delivered", "sent", "sent"]
    );

    desk.set(
        "callbacks/deliver",
        json!({"texts": [first], "authToken": "forged"}),
    )
    .await;
    assert_ne!(listener.next().await.signature, right.signature);
    close(desk, listener).await;
}

#[tokio::test]
async fn nobody_listening_stops_nothing() {
    let (desk, listener) = listened_to(json!({})).await;
    let nowhere = listener.url.clone();
    listener.close().await;
    desk.told(SOMEBODY, &nowhere).await;
    assert_eq!(
        desk.carried().await,
        json!({"waiting": 0, "accepted": 0, "refused": 2})
    );
    desk.close().await;
}
