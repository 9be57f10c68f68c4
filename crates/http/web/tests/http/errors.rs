//! Errors that are no flow's own, rate limits and response headers.

use crate::support::{
    app_state, authorized, claim_key, get, login, post, post_with_session, register, register_referred, send,
    send_all, sign_in, with_rate_limits,
};
use actix_web::http::Method;
use actix_web::test::TestRequest;
use chrono::DateTime;
use drawing::DrawingId;
use fakes::{FakePictures, MemStore};
use kernel::{StoreError, UnitOfWork};
use raffle::pictures::{PictureMaker, Pictures};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use web::AppState;

#[actix_web::test]
async fn a_server_that_is_about_to_stop_is_not_ready_but_answers() {
    let store = MemStore::default();
    let state = app_state();
    state.stopping.begin();
    let responses = send_all(&store, state, vec![get("/readyz"), get("/healthz")]).await;
    let [ready, alive] = responses.try_into().unwrap_or_else(|_| panic!());
    assert_eq!(ready.error(), "503 stopping");
    assert_eq!(alive.status, 200);
}

#[actix_web::test]
async fn unknown_entrants_and_paths_are_not_found() {
    let store = MemStore::default();
    let unknown = [
        "99",
        "0",
        "-1",
        "abc",
        "1.5",
        "%FF",
        "%00",
        "9223372036854775808",
        "+15551234567",
    ];
    for id in unknown {
        for path in ["", "/stats", "/referrals"] {
            let response = send(&store, get(&format!("/api/users/{id}{path}"))).await;
            assert_eq!(response.error(), "404 not_found", "{id}{path}");
        }
    }
    for path in [
        "/api",
        "/api/",
        "/api/users",
        "/api/users/1/nothing",
        "/api/admin",
        "/api/admin/nothing",
    ] {
        assert_eq!(send(&store, get(path)).await.error(), "404 not_found", "{path}");
    }
}

#[actix_web::test]
async fn a_wrong_method_gets_405_with_the_allowed_methods() {
    let cases = [
        (TestRequest::get().uri("/api/users/register-referred"), "POST"),
        (TestRequest::put().uri("/api/users/register"), "POST"),
        (TestRequest::delete().uri("/api/users/1"), "GET, HEAD"),
        (TestRequest::post().uri("/api/users/1/stats"), "GET, HEAD"),
        (TestRequest::post().uri("/healthz"), "GET, HEAD"),
        (TestRequest::post().uri("/garden-bag"), "GET, HEAD"),
    ];
    for (request, allowed) in cases {
        let response = send(&MemStore::default(), request).await;
        assert_eq!(response.error(), "405 method_not_allowed");
        assert_eq!(response.header("allow"), allowed);
    }
}

/// Uptime monitors ask so, and take 405 for an outage.
#[actix_web::test]
async fn head_is_answered_wherever_get_is() {
    let store = MemStore::default();
    send(&store, register(r#"{"phoneNumber": "5551234567"}"#)).await;
    let description: Value = serde_json::from_str(&web::openapi_json::<MemStore>().unwrap()).unwrap();
    let paths = description["paths"].as_object().unwrap().iter();
    let described = paths.filter(|(_, methods)| methods.get("get").is_some());
    let others = [
        "/api/openapi.json",
        "/.well-known/security.txt",
        "/garden-bag",
        "/api/nothing",
    ];
    let mut asked = 0;
    for path in described.map(|(path, _)| path.as_str()).chain(others) {
        // Most of them know nothing of this id, or want a session: as for GET.
        let path = path.replace(['{', '}'], "");
        let full = send(&store, get(&path)).await;
        let head = send(&store, get(&path).method(Method::HEAD)).await;
        assert_eq!(head.status, full.status, "{path}");
        assert_eq!(head.header("content-type"), full.header("content-type"), "{path}");
        asked += 1;
    }
    assert!(asked > 60, "{asked}");
}

#[actix_web::test]
async fn invalid_limits_and_offsets_are_rejected() {
    let store = MemStore::default();
    send(&store, register(r#"{"phoneNumber": "5551234567"}"#)).await;
    let cases = [
        ("limit=0", "400 validation limit"),
        ("limit=501", "400 validation limit"),
        ("limit=x&offset=-1", "400 validation limit,offset"),
        ("offset=99999999999", "400 validation offset"),
        ("limit=1&limit=2", "400 malformed"),
    ];
    for (query, error) in cases {
        assert_eq!(
            send(&store, get(&format!("/api/users/1/referrals?{query}")))
                .await
                .error(),
            error,
            "{query}"
        );
    }
}

#[actix_web::test]
async fn an_unavailable_store_is_503_and_a_failure_is_500_without_the_cause() {
    let cases = [
        (StoreError::Unavailable("secret host".into()), "503 unavailable"),
        (StoreError::Conflict, "503 unavailable"),
        (StoreError::Failed("secret column".into()), "500 internal"),
        (
            StoreError::Corrupt {
                table: "users",
                column: "secret",
                row: 1,
            },
            "500 internal",
        ),
    ];
    for (error, expected) in cases {
        let store = MemStore::default();
        store.fail_next(error);
        let response = send(&store, register(r#"{"phoneNumber": "5551234567"}"#)).await;
        assert_eq!(response.error(), expected);
        assert_eq!(
            response.header("retry-after"),
            if expected.starts_with("503") { "5" } else { "" }
        );
        assert!(!String::from_utf8_lossy(&response.bytes).contains("secret"));
    }
}

#[actix_web::test]
async fn the_thirty_first_entry_in_a_minute_is_rate_limited() {
    let requests = (0..32).map(|n| register(&format!(r#"{{"phoneNumber": "55500000{n:02}"}}"#)));
    let responses = send_all(
        &MemStore::default(),
        with_rate_limits(app_state()),
        requests.collect(),
    )
    .await;
    assert!(responses[..30].iter().all(|response| response.status == 201));
    assert_eq!(responses[30].error(), "429 rate_limited");
    let wait: u64 = responses[30].header("retry-after").parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
}

#[actix_web::test]
async fn both_routes_to_enter_share_a_rate_limit_that_reads_do_not() {
    let entering = (0..30).map(|_| register_referred(r#"{"phoneNumber": "1"}"#));
    let then = [register("{}"), get("/api/users/1")];
    let responses = send_all(
        &MemStore::default(),
        with_rate_limits(app_state()),
        entering.chain(then).collect(),
    )
    .await;
    assert_eq!(responses[30].error(), "429 rate_limited");
    assert_eq!(responses[31].error(), "404 not_found");
}

#[actix_web::test]
async fn every_response_has_a_request_id_and_the_security_headers() {
    let store = MemStore::default();
    let huge = get("/api/users/1").insert_header(("X-Filler", "x".repeat(20_000)));
    let entered = send(&store, register(r#"{"phoneNumber": "5550000001"}"#))
        .await
        .json();
    let requests = vec![
        register(r#"{"phoneNumber": "5551234567"}"#),
        register("nonsense"),
        get(&format!("/api/users/{}", entered["user"]["id"])),
        get("/api/none"),
        get("/no-such-page"),
        get("/healthz"),
        get("/api/openapi.json"),
        TestRequest::delete().uri("/api/users/1"),
        huge,
    ];
    let responses = send_all(&store, with_rate_limits(app_state()), requests).await;
    let statuses: Vec<_> = responses
        .iter()
        .map(|response| response.status.as_u16())
        .collect();
    assert_eq!(statuses, [201, 400, 200, 404, 404, 200, 200, 405, 431]);
    let mut ids = BTreeMap::new();
    for response in &responses {
        assert_eq!(response.header("x-content-type-options"), "nosniff");
        assert_eq!(
            response.header("referrer-policy"),
            "strict-origin-when-cross-origin"
        );
        assert_eq!(response.header("cross-origin-opener-policy"), "same-origin");
        assert!(
            response
                .header("content-security-policy")
                .contains("frame-ancestors 'none'")
        );
        let is_description = !response.header("etag").is_empty();
        let cache_control = if is_description {
            "public, max-age=300"
        } else {
            "no-store"
        };
        assert_eq!(response.header("cache-control"), cache_control);
        assert_eq!(response.header("x-request-id").len(), 36);
        *ids.entry(response.header("x-request-id").to_owned()).or_insert(0) += 1;
    }
    assert_eq!(ids.len(), responses.len(), "each request has its own id");
}

#[actix_web::test]
async fn every_route_of_the_description_exists() {
    let description: Value = serde_json::from_str(&web::openapi_json::<MemStore>().unwrap()).unwrap();
    let store = MemStore::default();
    usecases::rules::publish(&store, chrono_tz::America::New_York, "Be fair.").unwrap();
    let entered = send(&store, register(r#"{"phoneNumber": "5551234567"}"#)).await;
    let cookie = entered.header("set-cookie").split(';').next().unwrap().to_owned();
    let user = entered.json()["user"]["id"].to_string();
    let perform = post("/api/admin/drawing/perform", r#"{"landingPage": "garden-bag"}"#);
    let drawn = send(&store, authorized(perform, &sign_in(&store).await)).await;
    assert_eq!(drawn.json()["id"], 1);
    let session = sign_in(&store).await;
    let invited = json!({"name": "ben", "role": "viewer"});
    let invited = post_with_session(&store, &session, "/api/admin/staff", &invited)
        .await
        .json();
    let invitation = invited["invitationUrl"]
        .as_str()
        .unwrap()
        .split('=')
        .nth(1)
        .unwrap();
    let claim = claim_key().token(DrawingId::new(1), 0);
    let export = post(
        &format!("/api/users/{user}/data-requests"),
        r#"{"requestType": "export"}"#,
    );
    let export = send(&store, export.insert_header(("Cookie", cookie.as_str())))
        .await
        .json();
    let download = export["fileUrl"].as_str().unwrap();
    let picture = FakePictures.make(b"\xff\xd8\xff").unwrap();
    let add = |tx: &mut fakes::MemTx| tx.add_picture(&picture, DateTime::UNIX_EPOCH);
    store.transaction::<_, StoreError>(add).unwrap();
    let hash = picture.summary().hash().to_string();
    for (path, methods) in description["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            let method = method.to_uppercase().parse().unwrap();
            let id = if path.starts_with("/api/users/") {
                user.as_str()
            } else {
                "1"
            };
            let uri = path
                .replace("{id}", id)
                .replace("{landingPage}", "garden-bag")
                .replace("/api/data-exports/{token}", download)
                .replace("{purchaseId}", "1")
                .replace("{version}", "1")
                .replace("{n}", "1")
                .replace("{hash}", &hash)
                .replace(
                    "/api/staff/invitations/{token}",
                    &format!("/api/staff/invitations/{invitation}"),
                )
                .replace("{token}", &claim.to_text());
            let request = TestRequest::with_uri(&uri).method(method);
            let request = request.insert_header(("Cookie", cookie.as_str()));
            let with_codes = AppState {
                phone_verification: true,
                ..app_state()
            };
            let response = send_all(&store, with_codes, vec![request]).await.remove(0);
            assert!(
                ![404, 405].contains(&response.status.as_u16()),
                "{path}: {}",
                response.status
            );
        }
    }
}

#[actix_web::test]
async fn general_errors_have_their_status_code_and_sentence() {
    let store = MemStore::default();
    let huge = get("/api/users/1").insert_header(("X-Filler", "x".repeat(20_000)));
    let form = TestRequest::post()
        .uri("/api/users/register")
        .insert_header(("Content-Type", "text/html"))
        .set_payload("{}");
    let key = post("/api/admin/drawing/perform", r#"{"landingPage": "garden-bag"}"#);
    let key = key.insert_header(("Idempotency-Key", "a b"));
    let key = authorized(key, &sign_in(&store).await);
    for (request, status, body) in [
        (
            get("/api/none"),
            404,
            json!({"error": "There is nothing at this address.", "code": "not_found"}),
        ),
        (
            TestRequest::put().uri("/api/users/register"),
            405,
            json!({"error": "This address does not support this method.", "code": "method_not_allowed"}),
        ),
        (
            huge,
            431,
            json!({"error": "The request's headers are too large.", "code": "headers_too_large"}),
        ),
        (
            form,
            415,
            json!({"error": "The request must be sent as JSON.", "code": "wrong_content_type"}),
        ),
        (
            register(&" ".repeat(20_000)),
            413,
            json!({"error": "The request is too large.", "code": "too_large"}),
        ),
        (
            register("[]"),
            400,
            json!({"error": "The request must be a JSON object.", "code": "malformed"}),
        ),
        (
            get("/api/users/1/referrals?limit=1&limit=2"),
            400,
            json!({"error": "The query string cannot be read.", "code": "malformed"}),
        ),
        (
            key,
            400,
            json!({"error": "The Idempotency-Key must have 1 to 255 visible ASCII characters.", "code": "malformed"}),
        ),
        (
            login("anna", "wrong"),
            401,
            json!({"error": "Invalid credentials", "code": "invalid_credentials"}),
        ),
        (
            post("/api/stripe/webhook", "{}"),
            503,
            json!({"error": "Payments are not configured", "code": "payments_not_configured"}),
        ),
        (
            post("/api/twilio/status", "{}").insert_header(("X-Twilio-Signature", "c2lnbmVk")),
            503,
            json!({"error": "Texts are not configured", "code": "sms_not_configured"}),
        ),
        (
            register(r#"{"phoneNumber": 1}"#),
            400,
            json!({"error": "Please check the marked fields.", "code": "validation",
                   "fields": {"phoneNumber": ["This value has the wrong type."]}}),
        ),
    ] {
        let response = send(&store, request).await;
        assert_eq!((response.status.as_u16(), response.json()), (status, body));
    }
}
