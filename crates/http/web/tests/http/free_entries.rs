//! Free entries and odds.

use crate::support::{Own, Response, get, post, post_with_session, send, sign_in};
use fakes::MemStore;
use serde_json::{Value, json};

impl Own {
    async fn claim(&self, store: &MemStore) -> Response {
        self.send(store, post(&self.path("free-entries"), "")).await
    }

    async fn odds(&self, store: &MemStore) -> Value {
        self.send(store, get(&self.path("odds"))).await.json()
    }
}

#[actix_web::test]
async fn free_entries_are_offered_and_claimed_once_a_day() {
    let store = MemStore::default();
    let own = Own::entered(&store, 1).await;
    let offer = async || get_json(&store, &own.path("free-entries")).await;
    let tomorrow = "2025-08-02T04:00:00Z"; // midnight in New York
    let fresh = json!({"entries": 4, "isClaimed": false, "againAt": tomorrow, "used": 0, "cap": 100});
    assert_eq!(offer().await, fresh);

    let claimed = own.claim(&store).await;
    let given = json!({"entriesAdded": 4, "againAt": tomorrow});
    assert_eq!((claimed.status.as_u16(), claimed.json()), (201, given));
    assert_eq!(own.claim(&store).await.error(), "409 already_claimed");
    let later = json!({"entries": 0, "isClaimed": true, "againAt": tomorrow, "used": 4, "cap": 100});
    assert_eq!(offer().await, later);
    let stats = get_json(&store, &own.path("stats")).await;
    assert_eq!(
        (&stats["bonusEntries"], &stats["totalEntries"]),
        (&json!(4), &json!(5))
    );
}

#[actix_web::test]
async fn only_the_browser_that_entered_claims() {
    let store = MemStore::default();
    let (own, other) = (Own::entered(&store, 1).await, Own::entered(&store, 2).await);
    let path = own.path("free-entries");
    assert_eq!(send(&store, post(&path, "")).await.error(), "403 another_browser");
    assert_eq!(
        other.send(&store, post(&path, "")).await.error(),
        "403 another_browser"
    );
    let unknown = "/api/users/4503599627370495/free-entries";
    assert_eq!(
        send(&store, post(unknown, "")).await.error(),
        "403 another_browser"
    );
    assert_eq!(send(&store, get(unknown)).await.error(), "404 not_found");
    assert_eq!(
        send(&store, get("/api/users/x/odds")).await.error(),
        "404 not_found"
    );
}

#[actix_web::test]
async fn odds_are_the_share_of_the_entries_that_take_part() {
    let store = MemStore::default();
    let (own, other) = (Own::entered(&store, 1).await, Own::entered(&store, 2).await);
    let half = json!({"entries": 1, "totalEntries": 2, "probability": 0.5});
    assert_eq!(own.odds(&store).await, half);
    other.claim(&store).await;
    assert_eq!(own.odds(&store).await["totalEntries"], 6);

    let token = sign_in(&store).await;
    let flag = json!({"userId": own.id, "reason": "Four accounts of Mrs. Smith", "publicReason": "several_accounts"});
    post_with_session(&store, &token, "/api/admin/flag-user", &flag).await;
    let refused = own.send(&store, post(&own.path("free-entries"), "")).await;
    assert_eq!(refused.error(), "409 on_hold");
    let on_hold = json!({"entries": 0, "totalEntries": 5, "probability": 0.0});
    assert_eq!(own.odds(&store).await, on_hold);
    let strangers = get_json(&store, &own.path("odds")).await;
    assert_eq!(
        strangers["entries"], 1,
        "nobody else learns that somebody is flagged"
    );
}

async fn get_json(store: &MemStore, path: &str) -> Value {
    let response = send(store, get(path)).await;
    assert_eq!(response.status, 200, "{:?}", response.bytes);
    response.json()
}
