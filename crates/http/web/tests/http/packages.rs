//! Entry packages, as staff edit them and visitors see them.

use crate::support::{Response, authorized, get, get_with_session, post_with_session, send, sign_in};
use actix_web::test::TestRequest;
use fakes::MemStore;
use serde_json::{Value, json};

const ADMIN: &str = "/api/admin/entry-packages";
const PUBLIC: &str = "/api/entry-packages";
const SETTINGS: &str = "/api/admin/settings";

pub(crate) fn package_body() -> Value {
    json!({"name": "Starter", "description": "Ten more chances", "entries": 10, "price": 500})
}

pub(crate) fn with(name: &str, value: Value) -> Value {
    let mut package = package_body();
    package[name] = value;
    package
}

async fn put(store: &MemStore, token: &str, id: &Value, body: &Value) -> Response {
    let request = TestRequest::put()
        .uri(&format!("{ADMIN}/{id}"))
        .insert_header(("Content-Type", "application/json"))
        .set_payload(body.to_string());
    send(store, authorized(request, token)).await
}

async fn delete(store: &MemStore, token: &str, id: &Value) -> Response {
    send(
        store,
        authorized(TestRequest::delete().uri(&format!("{ADMIN}/{id}")), token),
    )
    .await
}

async fn read_json(store: &MemStore, token: &str, path: &str) -> Value {
    get_with_session(store, token, path).await.json()
}

#[actix_web::test]
async fn a_package_accepts_either_field_name_and_returns_both() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let created = post_with_session(&store, &token, ADMIN, &package_body()).await;
    assert_eq!(created.status, 201);
    let id = created.json()["id"].clone();
    assert_eq!(
        created.json(),
        json!({"id": id, "name": "Starter", "description": "Ten more chances", "entries": 10, "entryCount": 10,
               "price": 500, "priceInCents": 500, "isPopular": false, "isActive": true, "sortOrder": 0,
               "createdAt": "2025-08-01T12:00:00Z"})
    );
    let other = json!({"name": " Mega ", "description": "x", "entryCount": 1_000_000, "priceInCents": 99_999_999,
                       "isPopular": true, "isActive": false, "sortOrder": 7});
    let other = post_with_session(&store, &token, ADMIN, &other).await.json();
    assert_eq!(
        (&other["name"], &other["entries"], &other["price"]),
        (&json!("Mega"), &json!(1_000_000), &json!(99_999_999))
    );
    assert_eq!(
        (&other["isPopular"], &other["isActive"], &other["sortOrder"]),
        (&json!(true), &json!(false), &json!(7))
    );
    let all = read_json(&store, &token, ADMIN).await;
    assert_eq!(all, json!({"packages": [created.json(), other]}));
    let public = send(&store, get(PUBLIC)).await.json();
    assert_eq!(
        public,
        json!({"packages": [created.json()], "showPricing": false, "publishableKey": null})
    );
}

#[actix_web::test]
async fn packages_are_sorted_by_sort_order_and_id() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    for (name, order) in [("c", 2), ("a", 1), ("d", 2), ("b", 1)] {
        let mut package = with("name", json!(name));
        package["sortOrder"] = json!(order);
        assert_eq!(
            post_with_session(&store, &token, ADMIN, &package).await.status,
            201
        );
    }
    for path in [ADMIN, PUBLIC] {
        let packages = read_json(&store, &token, path).await["packages"].clone();
        let names: Vec<_> = packages
            .as_array()
            .unwrap()
            .iter()
            .map(|package| package["name"].clone())
            .collect();
        assert_eq!(names, ["a", "b", "c", "d"], "{path}");
    }
}

#[actix_web::test]
async fn every_invalid_field_is_named() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let empty = post_with_session(&store, &token, ADMIN, &json!({})).await;
    assert_eq!(
        empty.json()["fields"],
        json!({"name": ["Name is required"], "description": ["Description is required"],
               "entries": ["Must be at least 1 entry"], "price": ["Price must be greater than 0"]})
    );
    let invalid = [
        (
            "name",
            vec![
                json!(""),
                json!("  "),
                json!("x".repeat(81)),
                json!("a\u{0}"),
                json!(7),
            ],
        ),
        (
            "description",
            vec![json!(""), json!("x".repeat(301)), json!(null)],
        ),
        (
            "entries",
            vec![
                json!(0),
                json!(-1),
                json!(1_000_001),
                json!(1.5),
                json!("10"),
                json!(i64::MAX),
            ],
        ),
        (
            "price",
            vec![json!(0), json!(-500), json!(100_000_000), json!(4.99), json!("5")],
        ),
        (
            "sortOrder",
            vec![json!(-1), json!(2_147_483_648_u64), json!("first")],
        ),
        ("isPopular", vec![json!("yes"), json!(1)]),
        ("isActive", vec![json!("yes"), json!(0)]),
    ];
    for (name, values) in invalid {
        for value in values {
            let response = post_with_session(&store, &token, ADMIN, &with(name, value.clone())).await;
            assert_eq!(response.error(), format!("400 validation {name}"), "{value}");
        }
    }
    assert_eq!(read_json(&store, &token, ADMIN).await, json!({"packages": []}));
}

#[actix_web::test]
async fn updating_and_deleting_a_package_is_in_the_audit_log() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let id = post_with_session(&store, &token, ADMIN, &package_body())
        .await
        .json()["id"]
        .clone();
    let changed = put(&store, &token, &id, &with("price", json!(700))).await;
    assert_eq!(
        (changed.status.as_u16(), &changed.json()["price"]),
        (200, &json!(700))
    );
    assert_eq!(
        put(&store, &token, &id, &with("price", json!(0))).await.error(),
        "400 validation price"
    );
    assert_eq!(delete(&store, &token, &id).await.json(), json!({"success": true}));
    assert_eq!(delete(&store, &token, &id).await.error(), "404 not_found");
    assert_eq!(
        put(&store, &token, &id, &package_body()).await.error(),
        "404 not_found"
    );
    assert_eq!(delete(&store, &token, &json!("x")).await.error(), "404 not_found");
    let log = read_json(&store, &token, "/api/admin/audit-log?limit=3").await["entries"].clone();
    let actions: Vec<_> = log
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["action"].clone())
        .collect();
    assert_eq!(actions, ["delete_package", "update_package", "create_package"]);
    assert_eq!(log[1]["target"], id.to_string());
    assert_eq!(
        log[1]["details"],
        json!({"name": "Starter", "entries": 10, "priceInCents": 700, "nameBefore": "Starter", "entriesBefore": 10,
               "priceInCentsBefore": 500})
    );
}

#[actix_web::test]
async fn pricing_is_off_until_staff_turn_it_on() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let sms =
        json!({"configured": false, "unreadable": false, "accountSidLast4": null, "phoneNumberLast4": null});
    let settings = |on: bool| {
        json!({"settings": {"showPricing": on, "phoneVerification": "off", "sms": sms},
            "version": env!("CARGO_PKG_VERSION")})
    };
    assert_eq!(read_json(&store, &token, SETTINGS).await, settings(false));
    for on in [true, true, false, true] {
        let switched = post_with_session(&store, &token, SETTINGS, &json!({"showPricing": on})).await;
        assert_eq!((switched.status.as_u16(), switched.json()), (200, settings(on)));
        assert_eq!(read_json(&store, &token, SETTINGS).await, settings(on));
        assert_eq!(send(&store, get(PUBLIC)).await.json()["showPricing"], json!(on));
    }
    for invalid in [
        json!({}),
        json!({"showPricing": null}),
        json!({"showPricing": "on"}),
    ] {
        let response = post_with_session(&store, &token, SETTINGS, &invalid).await;
        assert_eq!(response.error(), "400 validation showPricing", "{invalid}");
    }
    let log = read_json(
        &store,
        &token,
        "/api/admin/audit-log?action=update_settings&limit=1",
    )
    .await;
    assert_eq!(
        log["entries"][0]["details"],
        json!({"showPricing": "on", "showPricingBefore": "off"})
    );
}

#[actix_web::test]
async fn packages_are_listed_in_pages() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    for name in ["A", "B", "C"] {
        post_with_session(&store, &token, ADMIN, &with("name", json!(name))).await;
    }
    let part = get_with_session(&store, &token, &format!("{ADMIN}?limit=1&offset=1")).await;
    assert_eq!(part.header("x-total-count"), "3");
    let packages = part.json()["packages"].clone();
    assert_eq!(
        (packages.as_array().unwrap().len(), &packages[0]["name"]),
        (1, &json!("B"))
    );
    let wrong = get_with_session(&store, &token, &format!("{ADMIN}?offset=-1")).await;
    assert_eq!(wrong.error(), "400 validation offset");
}
