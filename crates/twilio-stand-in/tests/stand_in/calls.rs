//! Texts are asked for, listed and looked at.

use crate::desk::{ACCOUNT, Desk, SENDER, SOMEBODY, TOKEN, json_of};
use serde_json::{Value, json};
use twilio_stand_in::{Account, Config};

#[tokio::test]
async fn a_text_is_taken_as_queued_and_arrives() {
    let desk = Desk::open().await;
    let (status, text) = json_of(desk.text(SOMEBODY, "Hello")).await;
    assert_eq!(
        (status, &text["status"], &text["date_sent"]),
        (201, &json!("queued"), &Value::Null)
    );
    desk.carried().await;
    let sid = text["sid"].as_str().unwrap();
    let (status, text) = desk.read(&format!("/Messages/{sid}.json")).await;
    assert_eq!((status, &text["status"]), (200, &json!("delivered")));
    assert!(text["date_sent"].as_str().unwrap().ends_with(" +0000"), "{text}");
    assert_eq!(desk.read("/Messages/SM0.json").await.0, 404);
    assert_eq!(desk.read(".json").await.1["sid"], ACCOUNT);
    assert_eq!(
        desk.calls().await,
        json!({"create 201": 1, "fetch 200": 1, "fetch 404": 1, "account 200": 1})
    );
    desk.close().await;
}

#[tokio::test]
async fn what_is_wrong_is_refused_with_twilios_number() {
    let desk = Desk::open().await;
    let long = "x".repeat(1601);
    for (to, from, body, code) in [
        ("", SENDER, "Hello", 21604),
        (SOMEBODY, "", "Hello", 21603),
        (SOMEBODY, SENDER, "", 21602),
        ("5551234567", SENDER, "Hello", 21211),
        (SOMEBODY, "Tombola", "Hello", 21212),
        (SOMEBODY, SOMEBODY, "Hello", 21266),
        (SOMEBODY, SENDER, &long, 21617),
        ("+15005550001", SENDER, "Hello", 21211),
        ("+15005550009", SENDER, "Hello", 21614),
    ] {
        let (status, said) = json_of(desk.call(&[("To", to), ("From", from), ("Body", body)])).await;
        assert_eq!((status, &said["code"]), (400, &json!(code)), "{to} {from}");
    }
    assert_eq!(desk.accepted().await.len(), 0);
    assert_eq!(
        desk.violations().await,
        0,
        "they are what Twilio would understand"
    );
    desk.close().await;
}

#[tokio::test]
async fn what_twilios_types_do_not_know_is_refused_and_remembered() {
    let desk = Desk::open().await;
    let url = desk.url(&format!("/2010-04-01/Accounts/{ACCOUNT}/Messages.json"));
    let bare = desk.http.post(url).basic_auth(ACCOUNT, Some(TOKEN)).body("To=1");
    assert_eq!(json_of(bare).await.0, 400);
    assert_eq!(desk.violations().await, 1);
    let stranger = [
        ("To", SOMEBODY),
        ("From", SENDER),
        ("Body", "Hello"),
        ("Price", "1"),
    ];
    let (status, said) = json_of(desk.call(&stranger)).await;
    assert_eq!((status, &said["code"]), (400, &json!(20001)));
    if twilio_stand_in::contracts_folder().is_none() {
        eprintln!("skipped: TOMBOLA_CONTRACTS is not set, so there are no types to check against");
    } else {
        assert_eq!(desk.violations().await, 2, "{said}");
    }
    desk.close().await;
}

#[tokio::test]
async fn an_account_has_its_name_and_its_secret() {
    let fixed = Account {
        sid: ACCOUNT.to_owned(),
        auth_token: TOKEN.to_owned(),
    };
    let config = Config {
        account: Some(fixed),
        ..Config::default()
    };
    let desk = Desk::with(config).await;
    let wrong = |request: reqwest::RequestBuilder| async { json_of(request).await.1["code"].clone() };
    let url = desk.url(&format!("/2010-04-01/Accounts/{ACCOUNT}/Messages.json"));
    let other = "AC00000000000000000000000000000000";
    assert_eq!(wrong(desk.http.get(&url)).await, 20003);
    assert_eq!(
        wrong(desk.http.get(&url).basic_auth(ACCOUNT, Some("x"))).await,
        20003
    );
    assert_eq!(
        wrong(desk.http.get(&url).basic_auth(other, Some(TOKEN))).await,
        20003
    );
    assert_eq!(desk.read("/Messages.json").await.0, 200);

    desk.set("account", json!({"accountSid": ACCOUNT, "authToken": "other"}))
        .await;
    assert_eq!(desk.read("/Messages.json").await.0, 401);
    desk.set("account", json!({})).await;
    assert_eq!(desk.read("/Messages.json").await.0, 200);
    desk.close().await;
}

fn bodies(list: &Value) -> Vec<&str> {
    let messages = list["messages"].as_array().unwrap();
    messages
        .iter()
        .map(|text| text["body"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn lists_have_the_newest_first_and_come_in_pages() {
    let desk = Desk::open().await;
    for (to, body) in [(SOMEBODY, "1"), (SENDER, "2"), (SOMEBODY, "3"), (SOMEBODY, "4")] {
        let from = if to == SENDER { SOMEBODY } else { SENDER };
        let asked = desk.call(&[("To", to), ("From", from), ("Body", body)]);
        assert_eq!(json_of(asked).await.0, 201);
    }
    desk.carried().await;
    for (query, expected) in [
        ("", vec!["4", "3", "2", "1"]),
        ("To=%2B15551234567", vec!["4", "3", "1"]),
        ("From=%2B15551234567", vec!["2"]),
        ("To=%2B15551234567&From=%2B15551234567", vec![]),
        ("To=%2B19995550000", vec![]),
        ("DateSent%3E=2020-01-01&To=%2B15551234567", vec!["4", "3", "1"]),
        ("DateSent%3C=2020-01-01", vec![]),
    ] {
        let (status, list) = desk.read(&format!("/Messages.json?{query}")).await;
        assert_eq!((status, bodies(&list)), (200, expected), "{query}");
    }
    let (_, first) = desk.read("/Messages.json?To=%2B15551234567&PageSize=2").await;
    assert_eq!(bodies(&first), ["4", "3"]);
    // What comes in between moves nothing to another page.
    assert_eq!(json_of(desk.text(SOMEBODY, "5")).await.0, 201);
    let next = desk.url(first["next_page_uri"].as_str().unwrap());
    let (_, second) = json_of(desk.http.get(next).basic_auth(ACCOUNT, Some(TOKEN))).await;
    assert_eq!(bodies(&second), ["1"]);
    assert_eq!(
        (&second["page"], &second["next_page_uri"]),
        (&json!(1), &Value::Null)
    );
    for wrong in ["Sort=up", "DateSent=soon", "PageSize=all", "PageToken=PASM1"] {
        let (status, _) = desk.read(&format!("/Messages.json?{wrong}")).await;
        assert!(matches!(status, 400 | 404), "{wrong}");
    }
    desk.close().await;
}

#[tokio::test]
async fn a_text_that_was_not_sent_yet_is_found_by_no_date() {
    let desk = Desk::open().await;
    desk.set("carrier", json!({"hold": true})).await;
    assert_eq!(json_of(desk.text(SOMEBODY, "1")).await.0, 201);
    let (_, list) = desk.read("/Messages.json").await;
    assert_eq!(
        (bodies(&list), &list["messages"][0]["status"]),
        (vec!["1"], &json!("queued"))
    );
    let (_, list) = desk.read("/Messages.json?DateSent%3E=2020-01-01").await;
    assert!(bodies(&list).is_empty());
    desk.close().await;
}

#[tokio::test]
async fn what_was_accepted_can_be_counted() {
    let desk = Desk::open().await;
    for n in 0..3 {
        let to = format!("+1555123000{}", n % 2);
        assert_eq!(json_of(desk.text(&to, &n.to_string())).await.0, 201);
    }
    let found = desk.get("/control/messages?limit=0").await;
    assert_eq!(found, json!({"total": 3, "recipients": 2, "messages": []}));
    let found = desk.get("/control/messages?to=%2B15551230000&offset=1").await;
    assert_eq!(found["messages"][0]["body"], "2");
    desk.close().await;
}
