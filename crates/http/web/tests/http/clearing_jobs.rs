//! Clearing that takes longer than a request: jobs and their progress.

use crate::support::{
    Response, authorized, get, get_with_session, post, register, register_referred, request_pools, send,
    send_with_pools, sign_in,
};
use fakes::{FixedClock, MemStore};
use kernel::StoreError;
use serde_json::{Value, json};
use staff::{Actor, ClearingKind, SessionId};
use usecases::clearing::{BatchSizes, StartedJob};
use web::{PoolSize, RequestPool, RequestPools};

const CLEAR: &str = "/api/admin/clear-referrals";

/// Posts to a server that starts no clearing, as if its thread were busy with another one.
async fn clear_on_busy_server(store: &MemStore, token: &str) -> Response {
    let none = PoolSize { threads: 0, queue: 1 };
    let pools = RequestPools {
        clearing: RequestPool::start("clearing", none, store.clone()).unwrap(),
        ..request_pools(store, 64)
    };
    send_with_pools(store, pools, authorized(post(CLEAR, ""), token)).await
}

/// A store with two referrals, and the token of a session.
async fn store_with_referrals() -> (MemStore, String) {
    let store = MemStore::default();
    let referrer = send(&store, register(r#"{"phoneNumber": "5551230001"}"#))
        .await
        .json();
    for n in 2..4 {
        let friend =
            json!({"phoneNumber": format!("555123000{n}"), "referralCode": referrer["user"]["referralCode"]});
        assert_eq!(
            send(&store, register_referred(&friend.to_string())).await.status,
            201
        );
    }
    let token = sign_in(&store).await;
    (store, token)
}

fn step(store: &MemStore) {
    let batches = BatchSizes {
        entrants: 1,
        messages: 1,
    };
    let id = staff::JobId::new(1);
    usecases::clearing::step(store, &FixedClock::default(), id, batches).unwrap();
}

async fn job(store: &MemStore, token: &str) -> Value {
    get_with_session(store, token, "/api/admin/jobs/1").await.json()
}

#[actix_web::test]
async fn a_clearing_that_takes_longer_is_202_and_shows_its_progress() {
    let (store, token) = store_with_referrals().await;
    let started = clear_on_busy_server(&store, &token).await;
    assert_eq!(
        (started.status.as_u16(), started.json()),
        (202, json!({"jobId": 1}))
    );
    let new = job(&store, &token).await;
    let expected = json!({
        "jobId": 1, "what": "clear_referrals", "state": "running", "deleted": {}, "deletedRows": 0, "totalRows": null,
        "startedAt": new["startedAt"], "finishedAt": null, "errorCode": null,
    });
    assert_eq!(new, expected);
    step(&store);
    assert_eq!(job(&store, &token).await["totalRows"], 4);
    // The referrals, then the entries of one entrant after the other, of whom every second one earned some.
    (0..3).for_each(|_| step(&store));
    let half = job(&store, &token).await;
    assert_eq!(
        (&half["state"], &half["deleted"]["referrals"]),
        (&json!("running"), &json!(2))
    );
    let taken = half["deleted"]["bonusEntries"].as_i64().unwrap();
    assert!((0..=2).contains(&taken), "{half}");
    assert_eq!(half["deletedRows"], 2 + taken);
    let running = get_with_session(&store, &token, "/api/admin/jobs").await.json();
    assert_eq!(running, json!({"jobs": [half]}));
    while job(&store, &token).await["state"] == "running" {
        step(&store);
    }
    let done = job(&store, &token).await;
    assert_eq!(
        (&done["state"], &done["totalRows"]),
        (&json!("completed"), &json!(4))
    );
    assert!(done["finishedAt"].is_string(), "{done}");
    let running = get_with_session(&store, &token, "/api/admin/jobs").await.json();
    assert_eq!(running, json!({"jobs": []}));
}

#[actix_web::test]
async fn a_second_request_finds_the_running_job() {
    let (store, token) = store_with_referrals().await;
    let actor = Actor {
        member: None,
        session: SessionId::new(9),
        address: None,
    };
    let clock = FixedClock::default();
    let kind = ClearingKind::ClearReferrals;
    let StartedJob::New(id) = usecases::clearing::start(&store, &clock, actor, kind).unwrap() else {
        panic!("no other job was running")
    };
    let found = send(&store, authorized(post(CLEAR, ""), &token)).await;
    assert_eq!(
        (found.status.as_u16(), found.json()),
        (202, json!({"jobId": id.get()}))
    );
}

#[actix_web::test]
async fn a_failed_clearing_says_so() {
    let (store, token) = store_with_referrals().await;
    clear_on_busy_server(&store, &token).await;
    for _ in 0..3 {
        store.fail_next(StoreError::Failed("on purpose".into()));
        step(&store);
    }
    let failed = job(&store, &token).await;
    assert_eq!(
        (&failed["state"], &failed["errorCode"], &failed["deletedRows"]),
        (&json!("failed"), &json!("store_failed"), &json!(0))
    );
    assert!(failed["finishedAt"].is_string(), "{failed}");
    let log = get_with_session(&store, &token, "/api/admin/audit-log?limit=1")
        .await
        .json();
    assert_eq!(
        (
            &log["entries"][0]["action"],
            &log["entries"][0]["details"]["error"]
        ),
        (&json!("clear_referrals"), &json!("store_failed"))
    );
}

#[actix_web::test]
async fn an_unknown_job_is_404_and_without_a_session_401() {
    let (store, token) = store_with_referrals().await;
    for path in ["/api/admin/jobs/7", "/api/admin/jobs/x"] {
        let response = get_with_session(&store, &token, path).await;
        assert_eq!(response.error(), "404 not_found", "{path}");
    }
    for path in ["/api/admin/jobs", "/api/admin/jobs/1"] {
        assert_eq!(
            send(&store, get(path)).await.error(),
            "401 unauthorized",
            "{path}"
        );
    }
}
