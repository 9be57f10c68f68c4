//! Replies to messages in the console.

use crate::provider_callbacks_inbound::{INBOUND, inbound_message};
use crate::sms_console::{SmsConsole, phone};
use crate::support::{csv_text, get, send};
use serde_json::{Value, json};

const REPLIES: &str = "/api/admin/sms/replies";

/// Receives messages from the `n`th number each, in this order.
async fn receive(console: &SmsConsole, messages: &[(u32, &str)]) {
    for (n, (from, body)) in messages.iter().enumerate() {
        let message = inbound_message(&format!("SM{n}"), &phone(*from), body);
        assert_eq!(console.post_callback(INBOUND, &message).await.status, 200);
    }
}

async fn bodies(console: &SmsConsole, query: &str) -> Vec<Value> {
    let response = console.get(&format!("{REPLIES}?{query}")).await;
    let list = response.json()["replies"].clone();
    list.as_array()
        .unwrap()
        .iter()
        .map(|reply| reply["body"].clone())
        .collect()
}

#[actix_web::test]
async fn replies_are_listed_newest_first_with_their_entrants() {
    let console = SmsConsole::new().await;
    let empty = console.get(REPLIES).await;
    assert_eq!(
        (empty.json(), empty.header("x-total-count")),
        (json!({"replies": []}), "0")
    );
    let entrant = console.register_entrant(1, "garden-bag").await;
    receive(&console, &[(1, " When is it?\0\n"), (2, "STOP"), (2, "start")]).await;
    let list = console.get(REPLIES).await;
    assert_eq!(list.header("x-total-count"), "3");
    let reply = |id: i64, n: u32, user: &Value, body: &str, keyword: Value| {
        json!({"id": id, "phoneNumber": phone(n), "userId": user, "body": body, "keyword": keyword,
               "isUnclear": false,
               "createdAt": "2025-08-01T12:00:00Z"})
    };
    let expected = [
        reply(3, 2, &Value::Null, "start", json!("start")),
        reply(2, 2, &Value::Null, "STOP", json!("stop")),
        reply(1, 1, &entrant, "When is it?", Value::Null),
    ];
    assert_eq!(list.json()["replies"], json!(expected));
}

#[actix_web::test]
async fn a_repeated_call_stores_a_reply_once_and_a_forged_one_stores_none() {
    let console = SmsConsole::new().await;
    let message = inbound_message("SM1", &phone(1), "Hello");
    for _ in 0..3 {
        assert_eq!(console.post_callback(INBOUND, &message).await.status, 200);
    }
    let url = "https://example.org/api/twilio/inbound";
    let other = inbound_message("SM2", &phone(1), "Forged");
    let forged = SmsConsole::signed_callback(INBOUND, &other, "ffffffffffffffffffffffffffffffff", url);
    assert_eq!(console.send(forged).await.error(), "403 bad_signature");
    assert_eq!(bodies(&console, "").await, ["Hello"]);
}

#[actix_web::test]
async fn replies_are_searched_filtered_and_paged() {
    let console = SmsConsole::new().await;
    receive(
        &console,
        &[(1, "Where is my PRIZE?"), (2, "STOP"), (3, "100%"), (12, "no")],
    )
    .await;
    for (query, expected) in [
        ("search=prize", vec!["Where is my PRIZE?"]),
        ("search=%25", vec!["100%"]),
        ("search=0012", vec!["no"]),
        ("search=nothing", vec![]),
        ("kind=keyword", vec!["STOP"]),
        ("kind=message&limit=2", vec!["no", "100%"]),
        ("limit=1&offset=3", vec!["Where is my PRIZE?"]),
    ] {
        assert_eq!(bodies(&console, query).await, expected, "{query}");
    }
    for (query, field) in [
        ("kind=x", "kind"),
        ("search=a%00b", "search"),
        ("limit=0", "limit"),
    ] {
        let response = console.get(&format!("{REPLIES}?{query}")).await;
        assert_eq!(response.error(), format!("400 validation {field}"), "{query}");
    }
}

/// The ids of replies, as they are listed, with whether they wait for staff.
async fn listed(console: &SmsConsole) -> Vec<(Value, bool)> {
    let list = console.get(REPLIES).await.json();
    let replies = list["replies"].as_array().unwrap().iter();
    replies
        .map(|reply| (reply["body"].clone(), reply["isUnclear"].as_bool().unwrap()))
        .collect()
}

#[actix_web::test]
async fn staff_decide_about_replies_that_are_not_clear() {
    let console = SmsConsole::new().await;
    receive(
        &console,
        &[(1, "I said STOP!!!"), (2, "please cancel"), (3, "Thanks!")],
    )
    .await;
    let waiting = [
        ("please cancel", true),
        ("I said STOP!!!", true),
        ("Thanks!", false),
    ];
    assert_eq!(
        listed(&console).await,
        waiting.map(|(body, is)| (json!(body), is))
    );
    assert_eq!(
        bodies(&console, "kind=unclear").await,
        ["please cancel", "I said STOP!!!"]
    );

    let decide = async |id: u32, opts_out: bool| {
        let path = format!("{REPLIES}/{id}/decision");
        console.post(&path, &json!({"optsOut": opts_out})).await
    };
    let stopped = decide(1, true).await.json();
    assert_eq!(
        (&stopped["keyword"], &stopped["isUnclear"]),
        (&json!("stop"), &json!(false))
    );
    assert!(console.has_opted_out(1));
    let left = decide(2, false).await.json();
    assert_eq!(
        (&left["keyword"], &left["isUnclear"]),
        (&Value::Null, &json!(false))
    );
    assert!(!console.has_opted_out(2));
    for (id, error) in [
        (1, "409 reply_decided"),
        (2, "409 reply_decided"),
        (3, "409 reply_decided"),
        (9, "404 not_found"),
    ] {
        assert_eq!(decide(id, true).await.error(), error, "{id}");
    }
    let missing = console.post(&format!("{REPLIES}/3/decision"), &json!({})).await;
    assert_eq!(missing.error(), "400 validation optsOut");
    let log = console
        .get("/api/admin/audit-log?action=decide_reply")
        .await
        .json();
    let decisions: Vec<_> = log["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["details"].clone())
        .collect();
    assert_eq!(
        decisions,
        [json!({"decision": "leave"}), json!({"decision": "stop_texts"})]
    );
}

#[actix_web::test]
async fn staff_stop_texts_to_any_number_and_only_its_start_lifts_that() {
    let console = SmsConsole::new().await;
    let entrant = console.register_entrant(1, "garden-bag").await;
    let person = format!("/api/admin/people/{entrant}/opt-out");
    let reason = json!({"reason": "Asked on the phone."});
    assert_eq!(console.post(&person, &reason).await.status, 200);
    assert!(console.has_opted_out(1));
    assert_eq!(console.post(&person, &reason).await.error(), "409 opted_out");
    let unknown = console.post("/api/admin/people/9/opt-out", &reason).await;
    assert_eq!(unknown.error(), "404 not_found");

    let number = "/api/admin/sms/opt-outs";
    let body = json!({"phoneNumber": phone(2), "reason": "Wrote a letter."});
    assert_eq!(console.post(number, &body).await.status, 200);
    assert!(console.has_opted_out(2), "nobody entered with it");
    assert_eq!(console.post(number, &body).await.error(), "409 opted_out");
    let wrong = console
        .post(number, &json!({"phoneNumber": "12", "reason": "x"}))
        .await;
    assert_eq!(wrong.error(), "400 validation phoneNumber,reason");

    receive(&console, &[(2, "START")]).await;
    assert!(!console.has_opted_out(2));
    let log = console.get("/api/admin/audit-log?action=stop_texts").await.json();
    let entries = log["entries"].as_array().unwrap();
    let seen: Vec<_> = entries
        .iter()
        .map(|entry| (entry["target"].clone(), entry["details"].clone()))
        .collect();
    let expected = [
        (
            Value::Null,
            json!({"phoneNumber": "***-***-0002", "reason": "Wrote a letter."}),
        ),
        (
            json!(entrant.to_string()),
            json!({"reason": "Asked on the phone."}),
        ),
    ];
    assert_eq!(seen, expected);
}

#[actix_web::test]
async fn replies_are_exported_with_masked_numbers_and_without_formulas() {
    let console = SmsConsole::new().await;
    receive(&console, &[(1, "=1+1"), (2, "a, \"b\"")]).await;
    let file = console.get(&format!("{REPLIES}/export")).await;
    let expected = "id,phoneNumber,userId,keyword,body,createdAt\n\
                    2,***-***-0002,,,\"a, \"\"b\"\"\",2025-08-01T12:00:00Z\n\
                    1,***-***-0001,,,'=1+1,2025-08-01T12:00:00Z\n";
    assert_eq!(csv_text(&file), expected);
    let found = console.get(&format!("{REPLIES}/export?search=b")).await;
    assert_eq!(csv_text(&found).lines().count(), 2);
}

#[actix_web::test]
async fn clearing_sms_data_deletes_replies_but_stop_and_start() {
    let console = SmsConsole::new().await;
    receive(&console, &[(1, "Hello"), (2, "STOP")]).await;
    console.post("/api/admin/clear-campaigns", &json!({})).await;
    assert_eq!(bodies(&console, "").await.len(), 2);
    assert_eq!(
        console.get("/api/admin/stored-data").await.json()["sms"]["replies"],
        1,
        "STOP is kept"
    );
    let cleared = console.post("/api/admin/clear-sms", &json!({})).await;
    assert_eq!(cleared.status, 200, "{:?}", cleared.bytes);
    assert_eq!(bodies(&console, "").await, ["STOP"], "evidence stays");
    assert!(console.has_opted_out(2), "opt-outs stay");
}

#[actix_web::test]
async fn replies_need_a_session() {
    let console = SmsConsole::new().await;
    for path in [REPLIES.to_owned(), format!("{REPLIES}/export")] {
        assert_eq!(send(&console.store, get(&path)).await.error(), "401 unauthorized");
    }
}
