//! Faults that a test asks for. The tests of the adapter meet every kind.

use crate::drand::{start, text};
use serde_json::json;
use stand_ins::drand::Config;
use stand_ins::kit::testing::status_and_json;

#[tokio::test]
async fn a_fault_lasts_as_long_as_planned_or_until_it_is_cleared() {
    let (drand, hash) = start(Config::default()).await;
    let path = format!("/{hash}/public/1");
    drand.set("faults", json!({"kind": "away", "times": 2})).await;
    for status in [503, 503, 200] {
        assert_eq!(text(&drand, &path).await.0, status);
    }
    drand.set("faults", json!({"kind": "notFound"})).await;
    for _ in 0..5 {
        assert_eq!(text(&drand, &path).await.0, 404);
    }
    let clear = drand.http.delete(drand.url("/control/faults"));
    assert_eq!(status_and_json(clear).await, (200, json!({})));
    assert_eq!(text(&drand, &path).await.0, 200);
    drand.stop().await;
}

#[tokio::test]
async fn a_control_call_that_cannot_be_read_is_refused() {
    let (drand, _) = start(Config::default()).await;
    let wrong = [
        json!({}),
        json!({"kind": "other"}),
        json!({"kind": "away", "time": 1}),
    ];
    drand
        .expect_bad_requests(wrong.map(|body| ("faults".to_owned(), body)))
        .await;
    drand.stop().await;
}
