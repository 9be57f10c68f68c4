//! The console's people: search, the file of a person, tags and notes, duplicates.

use crate::support::{
    Response, authorized, get_with_session, post_with_session, register, register_referred, send, sign_in,
};
use actix_web::test::TestRequest;
use fakes::{FixedClock, MemStore, MemTx};
use kernel::{Clock, EntrantId, StoreError, UnitOfWork};
use privacy::Erasure;
use serde_json::{Value, json};

const PATH: &str = "/api/admin/people";

async fn enter(store: &MemStore, phone: &str) -> Value {
    let body = json!({"phoneNumber": phone, "landingPage": "garden-bag"}).to_string();
    send(store, register(&body)).await.json()["user"].clone()
}

async fn people(store: &MemStore, token: &str, query: &str) -> Vec<Value> {
    let list = get_with_session(store, token, &format!("{PATH}?{query}")).await;
    assert_eq!(list.status.as_u16(), 200, "{query}");
    let rows = list.json()["people"].as_array().unwrap().clone();
    rows.into_iter().map(|row| row["id"].clone()).collect()
}

async fn patch(store: &MemStore, token: &str, id: &Value, body: &Value) -> Response {
    let request = TestRequest::patch().uri(&format!("{PATH}/{id}")).set_json(body);
    send(store, authorized(request, token)).await
}

async fn mark(store: &MemStore, token: &str, id: &Value, body: &Value) -> Response {
    post_with_session(store, token, &format!("{PATH}/{id}/duplicate-of"), body).await
}

async fn unmark(store: &MemStore, token: &str, id: &Value) -> Response {
    let request = TestRequest::delete().uri(&format!("{PATH}/{id}/duplicate-of"));
    send(store, authorized(request, token)).await
}

#[actix_web::test]
async fn people_are_searched_and_paged() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let ids = [
        enter(&store, "5551234567").await["id"].clone(),
        enter(&store, "5559994567").await["id"].clone(),
    ];
    let newest_first = [ids[1].clone(), ids[0].clone()];
    assert_eq!(people(&store, &token, "").await, newest_first);
    assert_eq!(people(&store, &token, "query=4567").await, newest_first);
    for number in ["5551234567", "%28555%29%20123-4567", "%2B15551234567"] {
        assert_eq!(
            people(&store, &token, &format!("query={number}")).await,
            [ids[0].clone()]
        );
    }
    assert_eq!(
        people(&store, &token, &format!("query={}", ids[0])).await,
        [ids[0].clone()]
    );
    assert_eq!(people(&store, &token, "limit=1&offset=1").await, [ids[0].clone()]);
    let page = get_with_session(&store, &token, &format!("{PATH}?limit=1")).await;
    assert_eq!(page.header("x-total-count"), "2");
    assert_eq!(
        people(&store, &token, "flagged=false&landingPage=garden-bag").await,
        newest_first
    );
    assert!(people(&store, &token, "flagged=true").await.is_empty());
    let list = get_with_session(&store, &token, PATH).await.json();
    assert_eq!((&list["total"], &list["isTotalExact"]), (&json!(2), &json!(true)));
    let row = &list["people"][1];
    assert_eq!(row["phoneNumber"], "+15551234567", "in full");
    assert_eq!(
        (&row["totalEntries"], &row["isFlagged"], &row["tags"]),
        (&json!(1), &json!(false), &json!([]))
    );
}

#[actix_web::test]
async fn a_wrong_query_is_reported_by_its_field() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let sentence = "Enter a phone number, its last four digits, a referral code or an ID.";
    let wrong = get_with_session(&store, &token, &format!("{PATH}?query=hello%20there")).await;
    assert_eq!(wrong.json()["fields"], json!({"query": [sentence]}));
    for field in [
        "flagged=maybe",
        "landingPage=x",
        "limit=0",
        "limit=501",
        "offset=-1",
    ] {
        let refused = get_with_session(&store, &token, &format!("{PATH}?{field}")).await;
        let name = field.split('=').next().unwrap();
        assert_eq!(refused.error(), format!("400 validation {name}"));
    }
}

#[actix_web::test]
async fn a_person_is_shown_and_an_unknown_one_is_not_found() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let user = enter(&store, "5551234567").await;
    let code = user["referralCode"].as_str().unwrap();
    let friend = json!({"phoneNumber": "5551234568", "landingPage": "garden-bag", "referralCode": code});
    send(&store, register_referred(&friend.to_string())).await;
    let path = format!("{PATH}/{}", user["id"]);
    let view = get_with_session(&store, &token, &path).await.json();
    assert_eq!(view["profile"]["phoneNumber"], "+15551234567");
    assert_eq!(view["profile"]["dataSource"], "site");
    assert_eq!(
        (&view["ledger"]["total"], &view["ledger"]["rows"][0]["kind"]),
        (&json!(2), &json!("referral"))
    );
    assert_eq!(view["referrals"]["rows"][0]["phoneNumber"], "+15551234568");
    for name in ["flags", "appeals", "claims", "duplicates", "tags", "moves"] {
        assert_eq!(view[name], json!([]), "{name}");
    }
    for name in ["77", "x"] {
        let unknown = get_with_session(&store, &token, &format!("{PATH}/{name}")).await;
        assert_eq!(unknown.error(), "404 not_found");
    }
}

#[actix_web::test]
async fn tags_and_notes_are_checked_and_stored() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let id = enter(&store, "5551234567").await["id"].clone();
    let edited = patch(&store, &token, &id, &json!({"tags": [" VIP ", "vip", "press"]})).await;
    assert_eq!(edited.json(), json!({"tags": ["vip", "press"], "notes": ""}));
    let edited = patch(&store, &token, &id, &json!({"notes": "Called\nin May"})).await;
    assert_eq!(
        edited.json(),
        json!({"tags": ["vip", "press"], "notes": "Called\nin May"})
    );
    assert_eq!(people(&store, &token, "tag=VIP").await, std::slice::from_ref(&id));
    let tags = get_with_session(&store, &token, &format!("{PATH}/tags")).await;
    assert_eq!(tags.json(), json!({"tags": ["press", "vip"]}));
    for (body, field) in [
        (json!({"tags": [""]}), "tags"),
        (
            json!({"tags": (0..21).map(|n| n.to_string()).collect::<Vec<_>>()}),
            "tags",
        ),
        (json!({"tags": ["a".repeat(41)]}), "tags"),
        (json!({"tags": "vip"}), "tags"),
        (json!({"notes": "a".repeat(5_001)}), "notes"),
    ] {
        let refused = patch(&store, &token, &id, &body).await;
        assert_eq!(refused.error(), format!("400 validation {field}"));
    }
    let longest = patch(&store, &token, &id, &json!({"notes": "\u{1f600}".repeat(5_000)})).await;
    assert_eq!(longest.status.as_u16(), 200);
    let unknown = patch(&store, &token, &json!(77), &json!({"notes": "x"})).await;
    assert_eq!(unknown.error(), "404 not_found");
    let log = get_with_session(&store, &token, "/api/admin/audit-log?action=edit_person").await;
    assert!(
        !log.json().to_string().contains("Called"),
        "notes may hold numbers"
    );
}

#[actix_web::test]
async fn a_duplicate_is_marked_and_unmarked() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let original = enter(&store, "5551234567").await["id"].clone();
    let duplicate = enter(&store, "5551234568").await["id"].clone();
    let body = json!({"userId": original, "reason": "Two phones"});
    let marked = mark(&store, &token, &duplicate, &body).await;
    assert_eq!(marked.status.as_u16(), 200);
    let view = marked.json();
    assert_eq!(
        (&view["duplicateOf"]["id"], &view["duplicateOf"]["reason"]),
        (&original, &json!("Two phones"))
    );
    assert_eq!(
        view["flags"][0]["reason"],
        format!("The same person as entry {original}")
    );
    assert_eq!(view["profile"]["isFlagged"], true);
    assert_eq!(
        mark(&store, &token, &duplicate, &body).await.error(),
        "409 already_duplicate"
    );
    for wrong in [json!(77), original.clone(), duplicate.clone()] {
        let refused = mark(
            &store,
            &token,
            &original,
            &json!({"userId": wrong, "reason": "Two phones"}),
        )
        .await;
        assert!(refused.json()["fields"]["userId"].is_array(), "{wrong}");
    }
    let refused = mark(&store, &token, &original, &json!({"reason": "x"}))
        .await
        .json();
    assert!(refused["fields"]["userId"].is_array() && refused["fields"]["reason"].is_array());
    let unknown = mark(&store, &token, &json!(77), &body).await;
    assert_eq!(unknown.error(), "404 not_found");

    let unmarked = unmark(&store, &token, &duplicate).await.json();
    assert_eq!(
        (&unmarked["duplicateOf"], &unmarked["profile"]["isFlagged"]),
        (&Value::Null, &json!(false))
    );
    assert_eq!(unmark(&store, &token, &duplicate).await.error(), "404 not_found");
}

async fn import(store: &MemStore, token: &str, query: &str, file: &str) -> Response {
    let request = TestRequest::post()
        .uri(&format!("{PATH}/import{query}"))
        .insert_header(("Content-Type", "text/csv; charset=utf-8"))
        .set_payload(file.to_owned());
    send(store, authorized(request, token)).await
}

#[actix_web::test]
async fn a_file_is_tried_and_then_imported() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    enter(&store, "5551234567").await;
    let file = "\u{feff}phoneNumber,landingPage,consentBasis\r\n\
                (555) 123-4567,garden-bag,Booth\r\n\
                5559876543,fresh-sips,\"Booth, in May\"\r\n";
    let dry = import(&store, &token, "?dryRun=true", file).await;
    let expected = json!({"importBatchId": null, "imported": 1, "known": 1});
    assert_eq!((dry.status.as_u16(), dry.json()), (200, expected));
    assert_eq!(people(&store, &token, "query=6543").await.len(), 0);
    let done = import(&store, &token, "", file).await.json();
    assert_eq!((&done["imported"], &done["known"]), (&json!(1), &json!(1)));
    let ids = people(&store, &token, "query=6543").await;
    let file = get_with_session(&store, &token, &format!("{PATH}/{}", ids[0]))
        .await
        .json();
    assert_eq!(file["profile"]["importBatchId"], done["importBatchId"]);
    assert_eq!(file["profile"]["consentBasis"], "Booth, in May");
}

#[actix_web::test]
async fn a_file_is_imported_as_spreadsheets_write_it() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let file = "Consent basis;Landing page;Phone number\r\n\r\n\
                \"Booth\r\nin May\";garden-bag;'+15551234567\r\n\
                Booth;fresh-sips;5559876543\r\n;;\r\n";
    let bad = import(&store, &token, "", file).await.json();
    let lines = json!([{"line": 3, "error": "The basis of the consent must be one line"}]);
    assert_eq!(bad["lines"], lines);
    let done = import(&store, &token, "", &file.replace("\r\nin", " in"))
        .await
        .json();
    assert_eq!((&done["imported"], &done["known"]), (&json!(2), &json!(0)));
}

#[actix_web::test]
async fn the_numbers_of_erased_people_are_bad_lines() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let id = enter(&store, "5551234567").await["id"].as_i64().unwrap();
    let erase = |tx: &mut MemTx| tx.erase_person(EntrantId::new(id), FixedClock::default().now());
    store.transaction::<_, StoreError>(erase).unwrap();
    let file = "phoneNumber,landingPage,consentBasis\n5551234567,garden-bag,Booth\n";
    for query in ["?dryRun=true", ""] {
        let bad = import(&store, &token, query, file).await;
        assert_eq!(bad.error(), "400 bad_lines");
        let error = "Somebody with this number had their data erased. Only they can enter it again";
        assert_eq!(bad.json()["lines"], json!([{"line": 2, "error": error}]));
    }
}

#[actix_web::test]
async fn a_file_with_bad_lines_imports_nobody() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let header = "phoneNumber,landingPage,consentBasis\n";
    let bad = import(
        &store,
        &token,
        "",
        &format!("{header}5551234567,garden-bag,Booth\n555,garden,\n"),
    )
    .await;
    assert_eq!(bad.error(), "400 bad_lines");
    let lines = json!([{"line": 3, "error": "The phone number is not valid"}]);
    assert_eq!(bad.json()["lines"], lines);
    assert_eq!(people(&store, &token, "").await.len(), 0);
    for (file, line) in [("", 1), ("phone\n5551234567\n", 1), (header, 1)] {
        let refused = import(&store, &token, "", file).await;
        assert_eq!(
            (refused.error(), refused.json()["lines"][0]["line"].clone()),
            ("400 bad_lines".to_owned(), json!(line))
        );
    }
    let json = post_with_session(&store, &token, &format!("{PATH}/import"), &json!({})).await;
    assert_eq!(json.error(), "415 wrong_content_type");
    let unknown = import(&store, &token, "?dryRun=perhaps", header).await;
    assert_eq!(unknown.error(), "400 validation dryRun");
    let large = import(&store, &token, "", &"x".repeat(10 * 1024 * 1024 + 1)).await;
    assert_eq!(large.error(), "413 too_large");
}
