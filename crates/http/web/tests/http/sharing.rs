//! How far an entrant has come with sharing the link.

use crate::support::{Own, get, post, send};
use fakes::MemStore;
use serde_json::{Value, json};

fn share(own: &Own, platform: &str, event: &str) -> String {
    json!({"platform": platform, "userId": own.id, "event_id": event}).to_string()
}

async fn shared(store: &MemStore, own: &Own, platform: &str, event: &str) {
    let request = post("/api/analytics/social-share", &share(own, platform, event));
    assert_eq!(own.send(store, request).await.status, 200);
}

async fn progress(store: &MemStore, own: &Own) -> Value {
    let response = own.send(store, get(&own.path("share-progress"))).await;
    assert_eq!(response.status, 200);
    response.json()
}

#[actix_web::test]
async fn shares_of_the_browser_that_entered_make_progress() {
    let store = MemStore::default();
    let own = Own::entered(&store, 1).await;
    let none = json!({
        "platformsShared": [], "totalShares": 0, "shareStreak": 0, "lastShareDate": null, "achievements": [],
        "bonusEntries": 0, "level": 1, "xp": 0
    });
    assert_eq!(progress(&store, &own).await, none);
    for (platform, event) in [("sms", "one"), ("sms", "one"), ("sms", "two"), ("email", "three")] {
        shared(&store, &own, platform, event).await;
    }
    let expected = json!({
        "platformsShared": ["email", "sms"], "totalShares": 3, "shareStreak": 1, "lastShareDate": "2025-08-01",
        "achievements": ["first_share", "both_channels"], "bonusEntries": 0, "level": 1, "xp": 20
    });
    assert_eq!(progress(&store, &own).await, expected);
    let stats = send(&store, get(&own.path("stats"))).await.json();
    assert_eq!(stats["totalEntries"], 1, "sharing gives no entries");
}

#[actix_web::test]
async fn shares_of_other_browsers_make_none_and_they_see_none() {
    let store = MemStore::default();
    let (own, other) = (Own::entered(&store, 1).await, Own::entered(&store, 2).await);
    let body = share(&own, "sms", "one");
    for request in [
        post("/api/analytics/social-share", &body),
        post("/api/analytics/social-share", &body),
    ] {
        assert_eq!(other.send(&store, request).await.status, 200);
    }
    assert_eq!(
        send(&store, post("/api/analytics/social-share", &body))
            .await
            .status,
        200
    );
    assert_eq!(progress(&store, &own).await["totalShares"], 0);
    let path = own.path("share-progress");
    for refused in [
        send(&store, get(&path)).await,
        other.send(&store, get(&path)).await,
    ] {
        assert_eq!(refused.error(), "403 another_browser");
    }
    let unknown = own
        .send(&store, get("/api/users/4503599627370495/share-progress"))
        .await;
    assert_eq!(unknown.error(), "403 another_browser");
}

#[actix_web::test]
async fn a_visitor_who_is_not_tracked_makes_none() {
    let store = MemStore::default();
    let own = Own::entered(&store, 1).await;
    let request = post("/api/analytics/social-share", &share(&own, "sms", "one"));
    let request = request.insert_header(("Sec-GPC", "1"));
    assert_eq!(own.send(&store, request).await.status, 200);
    assert_eq!(progress(&store, &own).await["totalShares"], 0);
}
