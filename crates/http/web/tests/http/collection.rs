//! Events that browsers report: page views, shares and funnel steps.

use crate::support::{
    Response, app_state, authorized, get, post, register, send, send_all, sign_in, with_rate_limits,
};
use actix_web::test::TestRequest;
use analytics::{AnalyticsClearing, AnalyticsCounts};
use fakes::MemStore;
use kernel::{StoreError, UnitOfWork};
use serde_json::{Value, json};

const VIEW: &str = "/api/analytics/page-view";
const SHARE: &str = "/api/analytics/social-share";
const STEP: &str = "/api/analytics/funnel-step";
const BOT: &str = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";

fn view(session: &str, page: &str) -> TestRequest {
    let body = json!({"page": page, "sessionId": session, "referralCode": null});
    post(VIEW, &body.to_string())
}

fn with_data(data: &str) -> String {
    format!(r#"{{"sessionId": "one", "step": "formStart", "stepData": {data}}}"#)
}

fn counts(store: &MemStore) -> AnalyticsCounts {
    store.read::<_, StoreError>(|tx| tx.count_analytics()).unwrap()
}

fn views(store: &MemStore) -> i64 {
    counts(store).page_views
}

fn assert_success(response: &Response) {
    assert_eq!(response.status, 200, "{:?}", response.bytes);
    assert_eq!(response.json(), json!({"success": true}));
}

async fn funnel(store: &MemStore) -> Value {
    let token = sign_in(store).await;
    let path = "/api/admin/analytics/funnel";
    send(store, authorized(get(path), &token)).await.json()["funnel"].clone()
}

#[actix_web::test]
async fn views_of_a_session_in_any_request_format_are_stored_once() {
    let store = MemStore::default();
    let beacon = TestRequest::post()
        .uri(VIEW)
        .insert_header(("Content-Type", "text/plain;charset=UTF-8"))
        .set_payload(r#"{"page": "garden-bag", "sessionId": "one", "timeSpent": 12.5}"#);
    let with_session_header =
        post(VIEW, r#"{"page": "garden-bag"}"#).insert_header(("X-Analytics-Session", "one"));
    let responses = send_all(
        &store,
        app_state(),
        vec![view("one", "garden-bag"), beacon, with_session_header],
    )
    .await;
    responses.iter().for_each(assert_success);
    assert_eq!(views(&store), 1);
    assert_eq!(funnel(&store).await["avgTimeSpent"], 12.5);
}

#[actix_web::test]
async fn an_implausible_time_is_ignored() {
    let store = MemStore::default();
    for seconds in ["0", "-3", "1800", "1e300", "null"] {
        let body = format!(r#"{{"page": "garden-bag", "sessionId": "one", "timeSpent": {seconds}}}"#);
        assert_success(&send(&store, post(VIEW, &body)).await);
    }
    let funnel = funnel(&store).await;
    assert_eq!(
        (&funnel["avgTimeSpent"], &funnel["totalSessions"]),
        (&json!(0.0), &json!(1))
    );
}

#[actix_web::test]
async fn bots_and_visitors_who_opted_out_are_not_tracked() {
    let store = MemStore::default();
    for (name, value) in [("Sec-GPC", "1"), ("DNT", "1"), ("User-Agent", BOT)] {
        for request in [
            view("one", "garden-bag"),
            post(SHARE, r#"{"platform": "sms"}"#),
            post(STEP, r#"{"sessionId": "one", "step": "formStart"}"#),
        ] {
            assert_success(&send(&store, request.insert_header((name, value))).await);
        }
        let entering =
            register(r#"{"phoneNumber": "5551234567"}"#).insert_header(("X-Analytics-Session", "one"));
        send(&store, entering.insert_header((name, value))).await;
    }
    assert_eq!(counts(&store), AnalyticsCounts::default());
    assert_success(&send(&store, view("one", "garden-bag").insert_header(("DNT", "0"))).await);
    assert_eq!(views(&store), 1);
}

#[actix_web::test]
async fn untracked_pages_are_accepted_and_not_stored() {
    let store = MemStore::default();
    for page in ["/", "admin", "admin-dashboard", "garden-bag-referral"] {
        assert_success(&send(&store, view("one", page)).await);
    }
    assert_eq!(views(&store), 0);
    assert_success(&send(&store, view("one", "anything else")).await);
    assert_eq!(views(&store), 1);
}

#[actix_web::test]
async fn invalid_bodies_are_rejected() {
    let store = MemStore::default();
    let long = format!(r#"{{"page": "garden-bag", "sessionId": "{}"}}"#, "x".repeat(65));
    let cases = [
        (VIEW, r#"{"sessionId": "one"}"#, "400 validation page"),
        (VIEW, r#"{"page": "garden-bag"}"#, "400 validation sessionId"),
        (VIEW, &long, "400 validation sessionId"),
        (
            VIEW,
            r#"{"page": "garden-bag", "sessionId": "a\u0000b"}"#,
            "400 validation sessionId",
        ),
        (
            VIEW,
            r#"{"page": "garden-bag", "sessionId": "one", "timeSpent": "5"}"#,
            "400 validation timeSpent",
        ),
        (VIEW, "[]", "400 malformed"),
        (SHARE, r#"{"userId": 1}"#, "400 validation platform"),
        (
            SHARE,
            r#"{"platform": "carrier pigeon"}"#,
            "400 validation platform",
        ),
        (
            SHARE,
            r#"{"platform": "sms", "event_id": "a b"}"#,
            "400 validation event_id",
        ),
        (
            STEP,
            r#"{"sessionId": "one", "step": "signUp"}"#,
            "400 validation step",
        ),
        (
            STEP,
            r#"{"sessionId": "one", "step": "formStart", "landingPage": "x"}"#,
            "400 validation landingPage",
        ),
        (STEP, r#"{"step": "formStart"}"#, "400 validation sessionId"),
        (STEP, &with_data("[]"), "400 validation stepData"),
        (STEP, &with_data(r#"{"page": null}"#), "400 validation stepData"),
        (
            STEP,
            &with_data(r#"{"page": {"name": "x"}}"#),
            "400 validation stepData",
        ),
        (
            STEP,
            &with_data(r#"{"page": "a\u0000b"}"#),
            "400 validation stepData",
        ),
        (STEP, &with_data(r#"{"a b": 1}"#), "400 validation stepData"),
    ];
    for (path, body, error) in cases {
        assert_eq!(send(&store, post(path, body)).await.error(), error, "{body}");
    }
    let form = post(SHARE, r#"{"platform": "sms"}"#).insert_header(("Content-Type", "text/plain"));
    assert_eq!(send(&store, form).await.error(), "415 wrong_content_type");
    let large = format!(r#"{{"page": "{}"}}"#, "x".repeat(20_000));
    assert_eq!(send(&store, post(VIEW, &large)).await.error(), "413 too_large");
    assert_eq!(counts(&store), AnalyticsCounts::default());
}

#[actix_web::test]
async fn invalid_headers_are_ignored() {
    let store = MemStore::default();
    let long = "x".repeat(65);
    let body =
        r#"{"page": "garden-bag", "sessionId": "one", "fingerprint": "not hex", "referralCode": "%%%"}"#;
    let request = post(VIEW, body)
        .insert_header(("X-Analytics-Session", long.as_str()))
        .insert_header(("X-Analytics-Fingerprint", "<script>"));
    assert_success(&send(&store, request).await);
    assert_eq!(views(&store), 1);
}

#[actix_web::test]
async fn the_funnel_has_the_steps_of_a_session_from_view_to_share() {
    let store = MemStore::default();
    let session = ("X-Analytics-Session", "one");
    send(&store, view("one", "fresh-sips")).await;
    for step in ["formStart", "formSubmit"] {
        let body = json!({"sessionId": "one", "landingPage": "fresh-sips", "step": step, "timeSpent": 3});
        assert_success(&send(&store, post(STEP, &body.to_string())).await);
    }
    let body = r#"{"phoneNumber": "5551234567", "landingPage": "fresh-sips"}"#;
    let user = send(&store, register(body).insert_header(session)).await.json()["user"].clone();
    let share = json!({"platform": "email", "userId": user["id"], "referralCode": user["referralCode"]});
    assert_success(&send(&store, post(SHARE, &share.to_string()).insert_header(session)).await);
    send(&store, view("two", "fresh-sips")).await;
    let funnel = funnel(&store).await;
    assert_eq!(funnel["totalSessions"], 2);
    let expected = json!({
        "pageView": {"count": 2, "exits": 1},
        "formStart": {"count": 1, "exits": 0},
        "formSubmit": {"count": 1, "exits": 0},
        "signUp": {"count": 1, "exits": 0},
        "socialShare": {"count": 1, "exits": 1},
    });
    assert_eq!(funnel["stepBreakdown"], expected);
}

#[actix_web::test]
async fn a_view_that_could_not_be_stored_gets_503() {
    let store = MemStore::default();
    store.fail_next(StoreError::Unavailable("gone".into()));
    let response = send(&store, view("one", "garden-bag")).await;
    assert_eq!(response.error(), "503 unavailable");
    assert!(response.header("retry-after").parse::<u32>().is_ok());
    assert_eq!(views(&store), 0);
}

#[actix_web::test]
async fn views_are_rate_limited_by_address() {
    let store = MemStore::default();
    // Five requests a second are allowed again, so on a slow machine the first 429 comes a little later.
    let requests = (0..600).map(|_| view("one", "garden-bag")).collect();
    let responses = send_all(&store, with_rate_limits(app_state()), requests).await;
    assert!(responses.iter().take(300).all(|response| response.status == 200));
    let limited = responses.iter().find(|response| response.status != 200).unwrap();
    assert_eq!(limited.error(), "429 rate_limited");
}
