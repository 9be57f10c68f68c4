//! Failures that a test asks for.

use crate::twilio::client::{RECIPIENT, TestTwilio};
use serde_json::json;
use stand_ins::kit::testing::status_and_json;
use std::time::{Duration, Instant};

/// Creates a message. Returns the status and `Retry-After`, or nothing without a response.
async fn create_message(twilio: &TestTwilio) -> Option<(u16, Option<String>)> {
    let response = twilio.message(RECIPIENT, "Hello").send().await.ok()?;
    let pause = response.headers().get("retry-after");
    let pause = pause.map(|value| value.to_str().unwrap().to_owned());
    let status = response.status().as_u16();
    response.bytes().await.ok().map(|_| (status, pause))
}

#[tokio::test]
async fn a_planned_failure_happens_once_and_the_processed_calls_are_known() {
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
        let twilio = TestTwilio::start().await;
        twilio.set("failures", failure.clone()).await;
        assert_eq!(create_message(&twilio).await, answer, "{failure}");
        assert_eq!(twilio.accepted().await.len(), accepted, "{failure}");
        assert_eq!(twilio.calls().await, json!({ counted: 1 }), "{failure}");
        assert_eq!(
            status_and_json(twilio.message(RECIPIENT, "Hello")).await.0,
            201,
            "the failure was planned for one call"
        );
        twilio.stop().await;
    }
}

#[tokio::test]
async fn a_call_that_hangs_is_processed() {
    let twilio = TestTwilio::start().await;
    twilio.set("failures", json!({"kind": "hang"})).await;
    let hanging = tokio::spawn(twilio.message(RECIPIENT, "Hello").send());
    while twilio.calls().await != json!({"create hang": 1}) {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    assert_eq!(twilio.accepted().await.len(), 1);
    assert!(!hanging.is_finished());
    hanging.abort();
    twilio.stop().await;
}

#[tokio::test]
async fn random_failures_stop_at_the_limit_per_number_or_when_they_are_cleared() {
    let twilio = TestTwilio::start().await;
    let often = json!({"rate": 1.1, "seed": 7, "kinds": ["error"], "atMostPerNumber": 2});
    twilio.set("random-failures", often).await;
    let mut statuses = Vec::new();
    for _ in 0..3 {
        statuses.push(status_and_json(twilio.message(RECIPIENT, "Hello")).await.0);
    }
    assert_eq!(statuses, [500, 500, 201]);
    let cleared = twilio.http.delete(twilio.url("/control/failures"));
    assert_eq!(status_and_json(cleared).await, (200, json!({})));
    assert_eq!(
        status_and_json(twilio.message("+15551230002", "Hello")).await.0,
        201
    );
    twilio.stop().await;
}

#[tokio::test]
async fn responses_take_as_long_as_requested() {
    let twilio = TestTwilio::start().await;
    twilio.set("latency", json!({"ms": 300})).await;
    let started = Instant::now();
    assert_eq!(status_and_json(twilio.message(RECIPIENT, "Hello")).await.0, 201);
    assert!(started.elapsed() >= Duration::from_millis(300));
    twilio.stop().await;
}
