//! The console's list of networks that many people share.

use crate::support::{Response, authorized, get_with_session, post_with_session, send, sign_in};
use actix_web::test::TestRequest;
use fakes::MemStore;
use serde_json::{Value, json};

const PATH: &str = "/api/admin/fraud/networks";

async fn add(store: &MemStore, token: &str, network: &str, label: &str) -> Response {
    post_with_session(store, token, PATH, &json!({"network": network, "label": label})).await
}

async fn remove(store: &MemStore, token: &str, id: &str) -> Response {
    let request = TestRequest::delete().uri(&format!("{PATH}/{id}"));
    send(store, authorized(request, token)).await
}

async fn last_audit_entry(store: &MemStore, token: &str) -> Value {
    get_with_session(store, token, "/api/admin/audit-log?limit=1")
        .await
        .json()["entries"][0]
        .clone()
}

#[actix_web::test]
async fn a_shared_network_is_listed_and_removed() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let added = add(&store, &token, "198.51.100.77/24", "  Springfield University ").await;
    let row = json!({
        "id": 1, "network": "198.51.100.0/24", "label": "Springfield University", "createdAt": "2025-08-01T12:00:00Z",
    });
    assert_eq!((added.status.as_u16(), added.json()), (201, row.clone()));
    let entry = last_audit_entry(&store, &token).await;
    assert_eq!(
        (&entry["action"], &entry["target"]),
        (&json!("add_shared_network"), &json!("1"))
    );
    let details = json!({"network": "198.51.100.0/24", "label": "Springfield University"});
    assert_eq!(entry["details"], details);

    let again = add(&store, &token, "198.51.100.0/24", "Another name").await;
    assert_eq!(again.error(), "409 network_listed");
    add(&store, &token, "2001:DB8:1:2::9", "A library").await;
    let list = get_with_session(&store, &token, PATH).await;
    assert_eq!(list.header("x-total-count"), "2");
    let networks = list.json()["networks"].clone();
    assert_eq!(
        (&networks[0]["network"], &networks[1]),
        (&json!("2001:db8:1:2::/64"), &row)
    );
    let part = get_with_session(&store, &token, &format!("{PATH}?limit=1&offset=1")).await;
    assert_eq!(
        (part.json(), part.header("x-total-count")),
        (json!({"networks": [row]}), "2")
    );

    let removed = remove(&store, &token, "1").await;
    assert_eq!(
        (removed.status.as_u16(), removed.json()),
        (200, json!({"success": true}))
    );
    let entry = last_audit_entry(&store, &token).await;
    assert_eq!(
        (&entry["action"], &entry["details"]),
        (&json!("remove_shared_network"), &details)
    );
    for id in ["1", "9", "x"] {
        assert_eq!(remove(&store, &token, id).await.error(), "404 not_found", "{id}");
    }
    assert_eq!(
        get_with_session(&store, &token, PATH)
            .await
            .header("x-total-count"),
        "1"
    );
}

#[actix_web::test]
async fn invalid_networks_are_named() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    for (body, error) in [
        (json!({}), "400 validation label,network"),
        (
            json!({"network": "198.51.100.7", "label": " "}),
            "400 validation label",
        ),
        (
            json!({"network": "198.51.100.7", "label": "x".repeat(81)}),
            "400 validation label",
        ),
        (
            json!({"network": "198.51.100.7", "label": "a\nb"}),
            "400 validation label",
        ),
        (
            json!({"network": "the school", "label": "A school"}),
            "400 validation network",
        ),
        (
            json!({"network": "198.51.100.0/19", "label": "A school"}),
            "400 validation network",
        ),
        (
            json!({"network": "2001:db8::/39", "label": "A school"}),
            "400 validation network",
        ),
        (
            json!({"network": 7, "label": "A school"}),
            "400 validation network",
        ),
    ] {
        let response = post_with_session(&store, &token, PATH, &body).await;
        assert_eq!(response.error(), error, "{body}");
    }
    assert_eq!(
        get_with_session(&store, &token, PATH).await.json(),
        json!({"networks": []})
    );
    for (query, error) in [
        ("limit=0", "400 validation limit"),
        ("offset=x", "400 validation offset"),
    ] {
        let response = get_with_session(&store, &token, &format!("{PATH}?{query}")).await;
        assert_eq!(response.error(), error, "{query}");
    }
}
