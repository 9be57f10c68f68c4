//! Creating, listing and fetching messages.

use crate::twilio::client::{ACCOUNT, RECIPIENT, SENDER, TOKEN, TestTwilio};
use serde_json::{Value, json};
use stand_ins::kit::testing::status_and_json;
use stand_ins::twilio::{Account, Config};

#[tokio::test]
async fn a_message_is_accepted_as_queued_and_then_delivered() {
    let twilio = TestTwilio::start().await;
    let (status, message) = status_and_json(twilio.message(RECIPIENT, "Hello")).await;
    assert_eq!(
        (status, &message["status"], &message["date_sent"]),
        (201, &json!("queued"), &Value::Null)
    );
    twilio.all_delivered().await;
    let sid = message["sid"].as_str().unwrap();
    let (status, message) = twilio.read(&format!("/Messages/{sid}.json")).await;
    assert_eq!((status, &message["status"]), (200, &json!("delivered")));
    assert!(
        message["date_sent"].as_str().unwrap().ends_with(" +0000"),
        "{message}"
    );
    assert_eq!(twilio.read("/Messages/SM0.json").await.0, 404);
    assert_eq!(twilio.read(".json").await.1["sid"], ACCOUNT);
    assert_eq!(
        twilio.calls().await,
        json!({"create 201": 1, "fetch 200": 1, "fetch 404": 1, "account 200": 1})
    );
    twilio.stop().await;
}

#[tokio::test]
async fn a_wrong_parameter_is_rejected_with_twilios_error_code() {
    let twilio = TestTwilio::start().await;
    let long = "x".repeat(1601);
    for (to, from, body, code) in [
        ("", SENDER, "Hello", 21604),
        (RECIPIENT, "", "Hello", 21603),
        (RECIPIENT, SENDER, "", 21602),
        ("5551234567", SENDER, "Hello", 21211),
        (RECIPIENT, "Tombola", "Hello", 21212),
        (RECIPIENT, RECIPIENT, "Hello", 21266),
        (RECIPIENT, SENDER, &long, 21617),
        ("+15005550001", SENDER, "Hello", 21211),
        ("+15005550009", SENDER, "Hello", 21614),
    ] {
        let (status, error) =
            status_and_json(twilio.create(&[("To", to), ("From", from), ("Body", body)])).await;
        assert_eq!((status, &error["code"]), (400, &json!(code)), "{to} {from}");
    }
    assert_eq!(twilio.accepted().await.len(), 0);
    assert_eq!(twilio.violations().await, 0, "the requests match Twilio's schema");
    twilio.stop().await;
}

#[tokio::test]
async fn a_request_that_does_not_match_twilios_schema_is_rejected_and_recorded() {
    let twilio = TestTwilio::start().await;
    let url = twilio.url(&format!("/2010-04-01/Accounts/{ACCOUNT}/Messages.json"));
    let bare = twilio
        .http
        .post(url)
        .basic_auth(ACCOUNT, Some(TOKEN))
        .body("To=1");
    assert_eq!(status_and_json(bare).await.0, 400);
    assert_eq!(twilio.violations().await, 1);
    let unknown_parameter = [
        ("To", RECIPIENT),
        ("From", SENDER),
        ("Body", "Hello"),
        ("Price", "1"),
    ];
    let (status, error) = status_and_json(twilio.create(&unknown_parameter)).await;
    assert_eq!((status, &error["code"]), (400, &json!(20001)));
    if stand_ins::kit::contracts_folder().is_none() {
        eprintln!("skipped: TOMBOLA_CONTRACTS is not set, so there are no schemas to check against");
    } else {
        assert_eq!(twilio.violations().await, 2, "{error}");
    }
    twilio.stop().await;
}

#[tokio::test]
async fn calls_need_the_sid_and_auth_token_of_the_account() {
    let only = Account {
        sid: ACCOUNT.to_owned(),
        auth_token: TOKEN.to_owned(),
    };
    let config = Config {
        account: Some(only),
        ..Config::default()
    };
    let twilio = TestTwilio::start_with(config).await;
    let code = |request: reqwest::RequestBuilder| async { status_and_json(request).await.1["code"].clone() };
    let url = twilio.url(&format!("/2010-04-01/Accounts/{ACCOUNT}/Messages.json"));
    let other = "AC00000000000000000000000000000000";
    assert_eq!(code(twilio.http.get(&url)).await, 20003);
    assert_eq!(
        code(twilio.http.get(&url).basic_auth(ACCOUNT, Some("x"))).await,
        20003
    );
    assert_eq!(
        code(twilio.http.get(&url).basic_auth(other, Some(TOKEN))).await,
        20003
    );
    assert_eq!(twilio.read("/Messages.json").await.0, 200);

    twilio
        .set("account", json!({"accountSid": ACCOUNT, "authToken": "other"}))
        .await;
    assert_eq!(twilio.read("/Messages.json").await.0, 401);
    twilio.set("account", json!({})).await;
    assert_eq!(twilio.read("/Messages.json").await.0, 200);
    twilio.stop().await;
}

fn bodies(list: &Value) -> Vec<&str> {
    let messages = list["messages"].as_array().unwrap();
    messages
        .iter()
        .map(|message| message["body"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn lists_are_newest_first_and_have_pages() {
    let twilio = TestTwilio::start().await;
    for (to, body) in [
        (RECIPIENT, "1"),
        (SENDER, "2"),
        (RECIPIENT, "3"),
        (RECIPIENT, "4"),
    ] {
        let from = if to == SENDER { RECIPIENT } else { SENDER };
        let request = twilio.create(&[("To", to), ("From", from), ("Body", body)]);
        assert_eq!(status_and_json(request).await.0, 201);
    }
    twilio.all_delivered().await;
    for (query, expected) in [
        ("", vec!["4", "3", "2", "1"]),
        ("To=%2B15551234567", vec!["4", "3", "1"]),
        ("From=%2B15551234567", vec!["2"]),
        ("To=%2B15551234567&From=%2B15551234567", vec![]),
        ("To=%2B19995550000", vec![]),
        ("DateSent%3E=2020-01-01&To=%2B15551234567", vec!["4", "3", "1"]),
        ("DateSent%3C=2020-01-01", vec![]),
    ] {
        let (status, list) = twilio.read(&format!("/Messages.json?{query}")).await;
        assert_eq!((status, bodies(&list)), (200, expected), "{query}");
    }
    let (_, first) = twilio.read("/Messages.json?To=%2B15551234567&PageSize=2").await;
    assert_eq!(bodies(&first), ["4", "3"]);
    // A new message moves none to another page.
    assert_eq!(status_and_json(twilio.message(RECIPIENT, "5")).await.0, 201);
    let next = twilio.url(first["next_page_uri"].as_str().unwrap());
    let (_, second) = status_and_json(twilio.http.get(next).basic_auth(ACCOUNT, Some(TOKEN))).await;
    assert_eq!(bodies(&second), ["1"]);
    assert_eq!(
        (&second["page"], &second["next_page_uri"]),
        (&json!(1), &Value::Null)
    );
    for wrong in ["Sort=up", "DateSent=soon", "PageSize=all", "PageToken=PASM1"] {
        let (status, _) = twilio.read(&format!("/Messages.json?{wrong}")).await;
        assert!(matches!(status, 400 | 404), "{wrong}");
    }
    twilio.stop().await;
}

#[tokio::test]
async fn a_message_that_was_not_sent_yet_matches_no_date() {
    let twilio = TestTwilio::start().await;
    twilio.set("carrier", json!({"hold": true})).await;
    assert_eq!(status_and_json(twilio.message(RECIPIENT, "1")).await.0, 201);
    let (_, list) = twilio.read("/Messages.json").await;
    assert_eq!(
        (bodies(&list), &list["messages"][0]["status"]),
        (vec!["1"], &json!("queued"))
    );
    let (_, list) = twilio.read("/Messages.json?DateSent%3E=2020-01-01").await;
    assert!(bodies(&list).is_empty());
    twilio.stop().await;
}

#[tokio::test]
async fn accepted_messages_can_be_counted_and_filtered() {
    let twilio = TestTwilio::start().await;
    for n in 0..3 {
        let to = format!("+1555123000{}", n % 2);
        assert_eq!(status_and_json(twilio.message(&to, &n.to_string())).await.0, 201);
    }
    let found = twilio.get("/control/messages?limit=0").await;
    assert_eq!(found, json!({"total": 3, "recipients": 2, "messages": []}));
    let found = twilio.get("/control/messages?to=%2B15551230000&offset=1").await;
    assert_eq!(found["messages"][0]["body"], "2");
    twilio.stop().await;
}
