//! Appeals of flagged entrants, and how staff decide them.

use crate::support::{
    Response, authorized, get, get_with_session, post, post_with_session, register, register_referred, send,
    sign_in,
};
use actix_web::test::TestRequest;
use fakes::MemStore;
use kernel::StoreError;
use serde_json::{Value, json};

const LIST: &str = "/api/admin/fraud/appeals";
const MESSAGE: &str = "We are a family of four.";

/// An entrant, and the cookie of the browser that entered.
struct Own {
    id: i64,
    code: String,
    cookie: String,
}

impl Own {
    async fn entered(store: &MemStore, n: u32, through: Option<&str>) -> Self {
        let body = json!({"phoneNumber": format!("555123{n:04}"), "referralCode": through}).to_string();
        let request = through.map_or_else(|| register(&body), |_| register_referred(&body));
        let response = send(store, request).await;
        let user = &response.json()["user"];
        let cookie = response
            .header("set-cookie")
            .split(';')
            .next()
            .unwrap()
            .to_owned();
        Self {
            id: user["id"].as_i64().unwrap(),
            code: user["referralCode"].as_str().unwrap().to_owned(),
            cookie,
        }
    }

    fn path(&self) -> String {
        format!("/api/users/{}/appeal", self.id)
    }

    async fn send(&self, store: &MemStore, request: TestRequest) -> Response {
        send(store, request.insert_header(("Cookie", self.cookie.clone()))).await
    }

    async fn standing(&self, store: &MemStore) -> Value {
        let response = self.send(store, get(&self.path())).await;
        assert_eq!(response.status, 200, "{:?}", response.bytes);
        response.json()
    }

    async fn appeal(&self, store: &MemStore, message: &str) -> Response {
        self.send(
            store,
            post(&self.path(), &json!({"message": message}).to_string()),
        )
        .await
    }

    async fn flag(&self, store: &MemStore, token: &str) {
        let body = json!({"userId": self.id, "reason": "Four accounts of Mrs. Smith", "publicReason": "several_accounts"});
        let response = post_with_session(store, token, "/api/admin/flag-user", &body).await;
        assert_eq!(response.status, 200);
    }
}

async fn decide(store: &MemStore, token: &str, id: i64, body: &Value) -> Response {
    post_with_session(store, token, &format!("{LIST}/{id}/decide"), body).await
}

#[actix_web::test]
async fn a_flag_by_hand_says_what_the_entrant_reads() {
    let store = MemStore::default();
    let own = Own::entered(&store, 1, None).await;
    let token = sign_in(&store).await;
    let flag = async |reason: &str, public_reason: Value| {
        let body = json!({"userId": own.id, "reason": reason, "publicReason": public_reason});
        post_with_session(&store, &token, "/api/admin/flag-user", &body).await
    };
    for wrong in [Value::Null, json!(""), json!("fraud"), json!(1)] {
        let refused = flag("Ten accounts", wrong).await;
        assert_eq!(refused.error(), "400 validation publicReason");
    }
    assert_eq!(own.standing(&store).await["onHold"], false);
    // As the button beside suspicious networks writes it, and as it did before there was a second reason.
    assert_eq!(
        flag("Multiple accounts from IP 203.0.113.7", Value::Null)
            .await
            .status,
        200
    );
    let why = own.standing(&store).await["why"].clone();
    assert!(why.as_str().unwrap().contains("several phone numbers"), "{why}");
    let entry = &get_with_session(&store, &token, "/api/admin/audit-log")
        .await
        .json()["entries"][0];
    assert_eq!(entry["details"]["publicReason"], "several_accounts", "{entry}");
}

#[actix_web::test]
async fn a_flagged_entrant_appeals_and_reads_the_decision() {
    let store = MemStore::default();
    let own = Own::entered(&store, 1, None).await;
    let token = sign_in(&store).await;
    let fine = json!({"onHold": false, "why": null, "canAppeal": false, "appeal": null, "drawing": null});
    assert_eq!(own.standing(&store).await, fine);
    assert_eq!(own.appeal(&store, MESSAGE).await.error(), "409 not_on_hold");

    own.flag(&store, &token).await;
    let why =
        "Your entries are on hold because it looks as if one person entered with several phone numbers.";
    let on_hold = json!({"onHold": true, "why": why, "canAppeal": true, "appeal": null, "drawing": null});
    assert_eq!(own.standing(&store).await, on_hold);
    let added = own.appeal(&store, &format!("  {MESSAGE}\n")).await;
    let appeal = json!({
        "message": MESSAGE, "status": "open", "createdAt": "2025-08-01T12:00:00Z", "decidedAt": null, "note": null,
    });
    let open = json!({"onHold": true, "why": why, "canAppeal": false, "appeal": appeal, "drawing": null});
    assert_eq!((added.status.as_u16(), added.json()), (201, open.clone()));
    assert_eq!(own.appeal(&store, MESSAGE).await.error(), "409 appeal_open");
    assert_eq!(own.standing(&store).await, open);

    let rejected = decide(
        &store,
        &token,
        1,
        &json!({"decision": "reject", "note": "One phone."}),
    )
    .await;
    assert_eq!(
        (rejected.status.as_u16(), &rejected.json()["status"]),
        (200, &json!("rejected"))
    );
    let standing = own.standing(&store).await;
    assert_eq!(
        (&standing["onHold"], &standing["canAppeal"]),
        (&json!(true), &json!(true))
    );
    let decided = json!({
        "message": MESSAGE, "status": "rejected", "createdAt": "2025-08-01T12:00:00Z",
        "decidedAt": "2025-08-01T12:00:00Z", "note": "One phone.",
    });
    assert_eq!(standing["appeal"], decided);

    assert_eq!(own.appeal(&store, "Please look at it again.").await.status, 201);
    assert_eq!(
        decide(&store, &token, 2, &json!({"decision": "accept"}))
            .await
            .status,
        200
    );
    let standing = own.standing(&store).await;
    assert_eq!(
        (&standing["onHold"], &standing["why"]),
        (&json!(false), &json!(null))
    );
    let appeal = &standing["appeal"];
    assert_eq!(
        (&appeal["status"], &appeal["note"]),
        (&json!("accepted"), &json!(null))
    );
}

#[actix_web::test]
async fn only_the_browser_that_entered_sees_the_hold_and_appeals() {
    let store = MemStore::default();
    let (own, other) = (
        Own::entered(&store, 1, None).await,
        Own::entered(&store, 2, None).await,
    );
    let token = sign_in(&store).await;
    own.flag(&store, &token).await;
    let body = json!({"message": MESSAGE}).to_string();
    for path in [own.path(), "/api/users/99/appeal".to_owned()] {
        for response in [
            send(&store, get(&path)).await,
            send(&store, post(&path, &body)).await,
            other.send(&store, get(&path)).await,
            other.send(&store, post(&path, &body)).await,
        ] {
            assert_eq!(response.error(), "403 another_browser", "{path}");
        }
    }
    assert_eq!(
        own.send(&store, get("/api/users/x/appeal")).await.error(),
        "404 not_found"
    );
    assert_eq!(
        get_with_session(&store, &token, LIST)
            .await
            .header("x-total-count"),
        "0"
    );
}

#[actix_web::test]
async fn an_invalid_message_is_named() {
    let store = MemStore::default();
    let own = Own::entered(&store, 1, None).await;
    let token = sign_in(&store).await;
    own.flag(&store, &token).await;
    for message in [
        "",
        "too short",
        "   too short   ",
        &"x".repeat(501),
        "with a \u{7} bell in it",
    ] {
        let response = own.appeal(&store, message).await;
        assert_eq!(response.error(), "400 validation message", "{message:?}");
    }
    let missing = own.send(&store, post(&own.path(), "{}")).await;
    assert_eq!(missing.error(), "400 validation message");
    assert_eq!(own.appeal(&store, &"ü".repeat(500)).await.status, 201);
}

#[actix_web::test]
async fn staff_see_the_flag_with_the_appeal_and_the_number_of_open_ones() {
    let store = MemStore::default();
    let first = Own::entered(&store, 1, None).await;
    let second = Own::entered(&store, 2, Some(&first.code)).await;
    let third = Own::entered(&store, 3, Some(&first.code)).await;
    let token = sign_in(&store).await;
    let detected = post_with_session(&store, &token, "/api/admin/fraud-detection", &json!({})).await;
    assert_eq!(detected.json(), json!({"flagged": 3}));
    for own in [&second, &third] {
        assert_eq!(own.appeal(&store, MESSAGE).await.status, 201);
    }
    let list = get_with_session(&store, &token, LIST).await;
    assert_eq!(
        (list.header("x-total-count"), &list.json()["open"]),
        ("2", &json!(2))
    );
    let flagged_at = list.json()["appeals"][0]["flaggedAt"].clone();
    let user = json!({
        "id": second.id, "phoneNumber": "+15551230002", "landingPage": "garden-bag", "totalEntries": 1, "isFlagged": true,
    });
    let expected = json!({
        "id": 1, "status": "open", "message": MESSAGE, "createdAt": "2025-08-01T12:00:00Z", "decidedAt": null, "note": null,
        "user": user, "reason": "Multiple accounts from IP 192.0.2.7", "flaggedAt": flagged_at,
        "evidence": [
            {"kind": "shared_network", "value": 3},
            {"kind": "burst", "value": 3},
            {"kind": "one_referrer", "value": 2.0 / 3.0, "referrerId": first.id},
        ],
    });
    assert_eq!(list.json()["appeals"][0], expected);
    let why = second.standing(&store).await["why"].clone();
    assert!(why.as_str().unwrap().ends_with("through the same link."), "{why}");

    let accepted = decide(
        &store,
        &token,
        1,
        &json!({"decision": "accept", "note": " Welcome\nback. "}),
    )
    .await;
    assert_eq!(accepted.status, 200);
    let accepted = accepted.json();
    assert_eq!(
        (&accepted["note"], &accepted["user"]["isFlagged"]),
        (&json!("Welcome\nback."), &json!(false))
    );
    let stats = send(&store, get(&format!("/api/users/{}/stats", first.id)))
        .await
        .json();
    assert_eq!(
        (&stats["bonusEntries"], &stats["entriesOnHold"]),
        (&json!(1), &json!(1))
    );
    let flagged = get_with_session(&store, &token, "/api/admin/flagged-users").await;
    assert_eq!(flagged.header("x-total-count"), "2");
    let audit = get_with_session(&store, &token, "/api/admin/audit-log?limit=1")
        .await
        .json()["entries"][0]
        .clone();
    assert_eq!(
        (&audit["action"], &audit["target"]),
        (&json!("decide_appeal"), &json!("1"))
    );
    assert_eq!(
        audit["details"],
        json!({"decision": "accept", "note": "Welcome\nback.", "userId": second.id})
    );

    for (query, ids, total) in [
        ("", vec![2, 1], "2"),
        ("?status=open", vec![2], "1"),
        ("?status=accepted", vec![1], "1"),
        ("?status=rejected", vec![], "0"),
        ("?limit=1&offset=1", vec![1], "2"),
    ] {
        let list = get_with_session(&store, &token, &format!("{LIST}{query}")).await;
        let json = list.json();
        let rows = json["appeals"].as_array().unwrap().iter();
        assert_eq!(
            rows.map(|row| row["id"].as_i64().unwrap()).collect::<Vec<_>>(),
            ids,
            "{query}"
        );
        assert_eq!(
            (list.header("x-total-count"), &json["open"]),
            (total, &json!(1)),
            "{query}"
        );
    }
}

#[actix_web::test]
async fn a_decision_is_made_once() {
    let store = MemStore::default();
    let own = Own::entered(&store, 1, None).await;
    let token = sign_in(&store).await;
    own.flag(&store, &token).await;
    own.appeal(&store, MESSAGE).await;
    let reject = json!({"decision": "reject", "note": "One phone."});
    assert_eq!(decide(&store, &token, 7, &reject).await.error(), "404 not_found");
    assert_eq!(decide(&store, &token, 1, &reject).await.status, 200);
    assert_eq!(
        decide(&store, &token, 1, &reject).await.error(),
        "409 appeal_decided"
    );
    let accept = json!({"decision": "accept"});
    assert_eq!(
        decide(&store, &token, 1, &accept).await.error(),
        "409 appeal_decided"
    );

    own.appeal(&store, MESSAGE).await;
    let unflag = json!({"userId": own.id, "reason": "A family after all"});
    post_with_session(&store, &token, "/api/admin/unflag-user", &unflag).await;
    assert_eq!(
        decide(&store, &token, 2, &reject).await.error(),
        "409 appeal_decided"
    );
    let appeal = own.standing(&store).await["appeal"].clone();
    assert_eq!(
        (&appeal["status"], &appeal["note"]),
        (&json!("accepted"), &json!(null))
    );
}

#[actix_web::test]
async fn invalid_decisions_and_filters_are_named() {
    let store = MemStore::default();
    let own = Own::entered(&store, 1, None).await;
    let token = sign_in(&store).await;
    own.flag(&store, &token).await;
    own.appeal(&store, MESSAGE).await;
    for (body, error) in [
        (json!({}), "400 validation decision"),
        (
            json!({"decision": "maybe", "note": "x"}),
            "400 validation decision",
        ),
        (json!({"decision": "reject"}), "400 validation note"),
        (json!({"decision": "reject", "note": "  "}), "400 validation note"),
        (
            json!({"decision": "accept", "note": "x".repeat(501)}),
            "400 validation note",
        ),
        (
            json!({"decision": "accept", "note": "a\u{7}b"}),
            "400 validation note",
        ),
        (json!({"decision": 1, "note": 2}), "400 validation decision"),
    ] {
        assert_eq!(decide(&store, &token, 1, &body).await.error(), error, "{body}");
    }
    let open = get_with_session(&store, &token, &format!("{LIST}?status=open")).await;
    assert_eq!(open.header("x-total-count"), "1", "nothing was decided");
    for (query, fields) in [
        ("status=closed", "status"),
        ("status=", "status"),
        ("status=x&limit=0", "limit,status"),
    ] {
        let response = get_with_session(&store, &token, &format!("{LIST}?{query}")).await;
        assert_eq!(response.error(), format!("400 validation {fields}"), "{query}");
    }
}

#[actix_web::test]
async fn an_unavailable_store_is_503() {
    let store = MemStore::default();
    let own = Own::entered(&store, 1, None).await;
    let away = || store.fail_next(StoreError::Unavailable("gone".into()));
    away();
    assert_eq!(
        own.send(&store, get(&own.path())).await.error(),
        "503 unavailable"
    );
    away();
    assert_eq!(own.appeal(&store, MESSAGE).await.error(), "503 unavailable");
    let token = sign_in(&store).await;
    away();
    let request = authorized(get(LIST), &token);
    assert_eq!(send(&store, request).await.error(), "503 unavailable");
}

#[actix_web::test]
async fn open_appeals_wait_for_staff_until_they_are_decided() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let waiting = async || {
        let response = get_with_session(&store, &token, "/api/admin/waiting").await;
        assert_eq!(response.status, 200, "{:?}", response.bytes);
        response.json()
    };
    assert_eq!(
        waiting().await,
        json!({"appeals": 0, "claims": 0, "approvals": 0})
    );
    for n in [1, 2] {
        let own = Own::entered(&store, n, None).await;
        own.flag(&store, &token).await;
        assert_eq!(own.appeal(&store, MESSAGE).await.status, 201);
    }
    assert_eq!(
        waiting().await,
        json!({"appeals": 2, "claims": 0, "approvals": 0})
    );
    let accepted = decide(&store, &token, 1, &json!({"decision": "accept"})).await;
    assert_eq!(accepted.status, 200);
    assert_eq!(
        waiting().await,
        json!({"appeals": 1, "claims": 0, "approvals": 0})
    );
}
