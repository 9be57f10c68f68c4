//! Bad days, on demand.

use crate::desk::{Desk, SOMEBODY, json_of};
use serde_json::json;
use std::time::{Duration, Instant};

/// What one text is answered: a status with `Retry-After`, or no answer at all.
async fn answer_to(desk: &Desk) -> Option<(u16, Option<String>)> {
    let answer = desk.text(SOMEBODY, "Hello").send().await.ok()?;
    let pause = answer.headers().get("retry-after");
    let pause = pause.map(|value| value.to_str().unwrap().to_owned());
    let status = answer.status().as_u16();
    answer.bytes().await.ok().map(|_| (status, pause))
}

#[tokio::test]
async fn a_call_fails_as_asked_for_and_what_was_done_is_known() {
    let pause = |seconds: u32| Some(seconds.to_string());
    for (failure, answer, accepted, counted) in [
        (json!({"kind": "tooMany"}), Some((429, pause(1))), 0, "create 429"),
        (
            json!({"kind": "unavailable", "retryAfter": 3}),
            Some((503, pause(3))),
            0,
            "create 503",
        ),
        (json!({"kind": "error"}), Some((500, None)), 0, "create 500"),
        (json!({"kind": "errorAfter"}), Some((500, None)), 1, "create 500"),
        (json!({"kind": "drop"}), None, 1, "create drop"),
        (json!({"kind": "dropBefore"}), None, 0, "create drop"),
    ] {
        let desk = Desk::open().await;
        desk.set("failures", failure.clone()).await;
        assert_eq!(answer_to(&desk).await, answer, "{failure}");
        assert_eq!(desk.accepted().await.len(), accepted, "{failure}");
        assert_eq!(desk.calls().await, json!({ counted: 1 }), "{failure}");
        assert_eq!(json_of(desk.text(SOMEBODY, "Hello")).await.0, 201, "once is once");
        desk.close().await;
    }
}

#[tokio::test]
async fn a_call_that_hangs_is_done_all_the_same() {
    let desk = Desk::open().await;
    desk.set("failures", json!({"kind": "hang"})).await;
    let hanging = tokio::spawn(desk.text(SOMEBODY, "Hello").send());
    while desk.calls().await != json!({"create hang": 1}) {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    assert_eq!(desk.accepted().await.len(), 1);
    assert!(!hanging.is_finished());
    hanging.abort();
    desk.close().await;
}

#[tokio::test]
async fn failures_by_chance_stop_when_a_number_has_had_its_share_or_nobody_wants_them() {
    let desk = Desk::open().await;
    let often = json!({"rate": 1.1, "seed": 7, "kinds": ["error"], "atMostPerNumber": 2});
    desk.set("random-failures", often).await;
    let mut statuses = Vec::new();
    for _ in 0..3 {
        statuses.push(json_of(desk.text(SOMEBODY, "Hello")).await.0);
    }
    assert_eq!(statuses, [500, 500, 201]);
    let cleared = desk.http.delete(desk.url("/control/failures"));
    assert_eq!(json_of(cleared).await, (200, json!({})));
    assert_eq!(json_of(desk.text("+15551230002", "Hello")).await.0, 201);
    desk.close().await;
}

#[tokio::test]
async fn answers_take_as_long_as_asked_for() {
    let desk = Desk::open().await;
    desk.set("latency", json!({"ms": 300})).await;
    let started = Instant::now();
    assert_eq!(json_of(desk.text(SOMEBODY, "Hello")).await.0, 201);
    assert!(started.elapsed() >= Duration::from_millis(300));
    desk.close().await;
}
