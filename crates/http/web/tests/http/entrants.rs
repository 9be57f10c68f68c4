//! Entering a raffle, and what entrants see.

use crate::support::{app_state, get, register, register_referred, send, send_all};
use actix_web::cookie::Cookie;
use fakes::MemStore;
use fraud::{Flags, NewFlag};
use kernel::{EntrantId, StoreError, UnitOfWork};
use serde_json::json;
use sms::Consents;
use std::collections::BTreeSet;

#[actix_web::test]
async fn a_new_entrant_gets_201_and_a_visitor_cookie() {
    let store = MemStore::default();
    let body =
        r#"{"phoneNumber": "(555) 123-4567", "landingPage": "fresh-sips", "event_id": "aB3xyz012345"}"#;
    let response = send(&store, register(body)).await;
    assert_eq!(response.status, 201);
    let user = &response.json()["user"];
    assert_eq!(user["phoneNumber"], "+15551234567");
    assert_eq!(
        (&user["landingPage"], &user["isNew"]),
        (&json!("fresh-sips"), &json!(true))
    );
    assert_eq!(user["referralCode"].as_str().unwrap().len(), 8);
    let cookie = Cookie::parse(response.header("set-cookie").to_owned()).unwrap();
    assert_eq!((cookie.name(), cookie.http_only()), ("visitor", Some(true)));
    let page = response.headers.get_all("set-cookie").nth(1).unwrap();
    let page = Cookie::parse(page.to_str().unwrap().to_owned()).unwrap();
    let path = format!("/fresh-sips/success/{}", user["id"]);
    assert_eq!((page.name(), page.value()), ("your_page", path.as_str()));
    assert_eq!((page.http_only(), page.path()), (None, Some("/")));
}

#[actix_web::test]
async fn a_known_phone_number_gets_200_and_its_entrant_without_a_cookie() {
    let store = MemStore::default();
    let requests = vec![
        register(r#"{"phoneNumber": "5551234567", "landingPage": "kitchen-garden"}"#),
        register(r#"{"phoneNumber": "+1 555 123 4567", "landingPage": "fresh-sips"}"#),
    ];
    let responses = send_all(&store, app_state(), requests).await;
    let (first, again) = (responses[0].json(), responses[1].json());
    assert_eq!(
        (responses[0].status.as_u16(), responses[1].status.as_u16()),
        (201, 200)
    );
    assert_eq!(again["user"]["isNew"], false);
    for field in ["id", "phoneNumber", "referralCode", "landingPage"] {
        assert_eq!(first["user"][field], again["user"][field], "{field}");
    }
    assert_eq!(
        responses[1].header("set-cookie"),
        "",
        "knowing a number does not prove that it is the visitor's"
    );
    assert_eq!(store.count_entrants(), 1);
}

#[actix_web::test]
async fn the_default_raffle_is_garden_bag() {
    let response = send(&MemStore::default(), register(r#"{"phoneNumber": "5551234567"}"#)).await;
    assert_eq!(response.json()["user"]["landingPage"], "garden-bag");
}

#[actix_web::test]
async fn extra_fields_of_the_body_are_ignored() {
    let body = r#"{"phoneNumber": "5551234567", "totalEntries": 99, "bonusEntries": 99, "id": 7, "isFlagged": false}"#;
    let store = MemStore::default();
    let entered = send(&store, register(body)).await.json();
    let id = &entered["user"]["id"];
    assert_ne!(*id, 7);
    let stats = send(&store, get(&format!("/api/users/{id}/stats"))).await.json();
    assert_eq!(stats["totalEntries"], 1);
}

#[actix_web::test]
async fn a_referred_entry_adds_a_bonus_entry_for_the_referrer() {
    let store = MemStore::default();
    let first = send(&store, register(r#"{"phoneNumber": "5551234567"}"#))
        .await
        .json();
    let code = first["user"]["referralCode"].as_str().unwrap().to_lowercase();
    let body =
        format!(r#"{{"phoneNumber": "5557654321", "referralCode": "{code}", "landingPage": "fresh-sips"}}"#);
    let friend = send(&store, register_referred(&body)).await;
    assert_eq!(friend.status, 201);
    let user = format!("/api/users/{}", first["user"]["id"]);
    let stats = send(&store, get(&format!("{user}/stats"))).await.json();
    let expected = json!({
        "totalEntries": 2, "referralCount": 1, "baseEntries": 1, "bonusEntries": 1, "freeEntries": 0, "paidEntries": 0, "entriesOnHold": 0
    });
    assert_eq!(stats, expected);
    let referrals = send(&store, get(&format!("{user}/referrals"))).await;
    assert_eq!(referrals.json()[0]["referredPhoneNumber"], "***-***-4321");
    assert_eq!(referrals.header("x-total-count"), "1");
}

#[actix_web::test]
async fn the_entry_for_a_flagged_friend_is_on_hold() {
    let store = MemStore::default();
    let first = send(&store, register(r#"{"phoneNumber": "5551234567"}"#)).await;
    let code = first.json()["user"]["referralCode"].clone();
    let body = format!(r#"{{"phoneNumber": "5557654321", "referralCode": {code}}}"#);
    let friend = send(&store, register_referred(&body)).await;
    assert_eq!(friend.status, 201);
    let flag = NewFlag {
        entrant: EntrantId::new(friend.json()["user"]["id"].as_i64().unwrap()),
        reason: "any".to_owned(),
        public_reason: fraud::PublicReason::Rules,
    };
    store
        .transaction::<_, StoreError>(|tx| tx.flag(&flag).map(drop))
        .unwrap();
    let user = format!("/api/users/{}", first.json()["user"]["id"]);
    let stats = send(&store, get(&format!("{user}/stats"))).await.json();
    let expected = json!({
        "totalEntries": 1, "referralCount": 1, "baseEntries": 1, "bonusEntries": 0, "freeEntries": 0, "paidEntries": 0, "entriesOnHold": 1
    });
    assert_eq!(stats, expected);
}

#[actix_web::test]
async fn an_unknown_referral_code_is_rejected() {
    let store = MemStore::default();
    for code in ["CDFG3467", "no-such-code", "x"] {
        let body = format!(r#"{{"phoneNumber": "5551234567", "referralCode": "{code}"}}"#);
        let response = send(&store, register_referred(&body)).await;
        assert_eq!(response.error(), "404 referral_code_not_found", "{code}");
        assert_eq!(response.json()["error"], "Referral code not found");
    }
    assert_eq!(store.count_entrants(), 0);
}

#[actix_web::test]
async fn phone_numbers_are_complete_only_for_the_entrants_own_browser() {
    let store = MemStore::default();
    let entered = send(&store, register(r#"{"phoneNumber": "5551234567"}"#)).await;
    let cookie = Cookie::parse(entered.header("set-cookie").to_owned())
        .unwrap()
        .into_owned();
    let code = entered.json()["user"]["referralCode"]
        .as_str()
        .unwrap()
        .to_owned();
    let body = format!(r#"{{"phoneNumber": "5557654321", "referralCode": "{code}"}}"#);
    let friend = send(&store, register_referred(&body)).await;
    let friends_cookie = Cookie::parse(friend.header("set-cookie").to_owned())
        .unwrap()
        .into_owned();
    let id = entered.json()["user"]["id"].to_string();
    let forged = Cookie::new("visitor", id.clone());
    let (user, referrals) = (format!("/api/users/{id}"), format!("/api/users/{id}/referrals"));

    let shown = async |path: &str, cookie: Option<&Cookie<'static>>| {
        let request = cookie
            .into_iter()
            .fold(get(path), |request, cookie| request.cookie(cookie.clone()));
        let response = send(&store, request).await;
        let json = response.json();
        let entry = json.get(0).unwrap_or(&json);
        entry
            .get("phoneNumber")
            .or(entry.get("referredPhoneNumber"))
            .unwrap()
            .as_str()
            .unwrap()
            .to_owned()
    };
    for other in [None, Some(&friends_cookie), Some(&forged)] {
        assert_eq!(shown(&user, other).await, "***-***-4567");
        assert_eq!(shown(&referrals, other).await, "***-***-4321");
    }
    assert_eq!(shown(&user, Some(&cookie)).await, "+15551234567");
    assert_eq!(shown(&referrals, Some(&cookie)).await, "+15557654321");
}

#[actix_web::test]
async fn an_entrants_public_view_has_only_public_fields() {
    let store = MemStore::default();
    let entered = send(&store, register(r#"{"phoneNumber": "5551234567"}"#))
        .await
        .json();
    let user = send(&store, get(&format!("/api/users/{}", entered["user"]["id"])))
        .await
        .json();
    let fields: Vec<_> = user.as_object().unwrap().keys().cloned().collect();
    assert_eq!(
        fields,
        [
            "createdAt",
            "id",
            "landingPage",
            "lastDrawing",
            "phoneNumber",
            "referralCode"
        ]
    );
    assert_eq!(user["createdAt"], "2025-08-01T12:00:00Z");
}

#[actix_web::test]
async fn counting_from_a_known_id_finds_nobody() {
    let store = MemStore::default();
    let mut known = BTreeSet::new();
    for n in 0..5 {
        let body = format!(r#"{{"phoneNumber": "555000000{n}"}}"#);
        let entered = send(&store, register(&body)).await;
        known.insert(entered.json()["user"]["id"].as_i64().unwrap());
    }
    assert!(
        known.iter().all(|id| (1..1 << 52).contains(id)),
        "a JavaScript number is exact: {known:?}"
    );
    let first = *known.first().unwrap();
    let ids = (first - 50..first).chain(first + 1..=first + 50).chain(1..=20);
    let requests = ids
        .flat_map(|id| ["", "/stats", "/referrals"].map(|rest| get(&format!("/api/users/{id}{rest}"))))
        .collect();
    let responses = send_all(&store, app_state(), requests).await;
    assert_eq!(responses.len(), 360);
    assert!(responses.iter().all(|response| response.status == 404));
}

#[actix_web::test]
async fn referrals_are_paged() {
    let store = MemStore::default();
    let first = send(&store, register(r#"{"phoneNumber": "5551234567"}"#))
        .await
        .json();
    let code = first["user"]["referralCode"].as_str().unwrap();
    for n in 0..3 {
        let body = format!(r#"{{"phoneNumber": "555000000{n}", "referralCode": "{code}"}}"#);
        send(&store, register_referred(&body)).await;
    }
    let referrals = format!("/api/users/{}/referrals", first["user"]["id"]);
    let page = send(&store, get(&format!("{referrals}?limit=1&offset=1"))).await;
    assert_eq!(page.json().as_array().unwrap().len(), 1);
    assert_eq!(page.json()[0]["referredPhoneNumber"], "***-***-0001");
    assert_eq!(page.header("x-total-count"), "3");
    assert_eq!(
        send(&store, get(&referrals))
            .await
            .json()
            .as_array()
            .unwrap()
            .len(),
        3
    );
}

#[actix_web::test]
async fn consent_is_recorded_only_when_the_box_was_checked() {
    let store = MemStore::default();
    let cases = [
        (r#", "smsConsent": true"#, true),
        (r#", "smsConsent": false"#, false),
        ("", false),
    ];
    for (n, (consent, expected)) in cases.into_iter().enumerate() {
        let response = send(
            &store,
            register(&format!(r#"{{"phoneNumber": "555000000{n}"{consent}}}"#)),
        )
        .await;
        let id = EntrantId::new(response.json()["user"]["id"].as_i64().unwrap());
        assert_eq!(
            store.read(|tx| tx.has_campaign_consent(id)).unwrap(),
            expected,
            "{consent}"
        );
    }
}
