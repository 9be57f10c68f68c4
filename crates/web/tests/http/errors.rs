//! Errors, limits and headers that all routes share.

use crate::support::{
    app_state, authorized, get, login, open_commitment, post, register, register_referred, send, send_all,
    sign_in, with_rate_limits,
};
use actix_web::body::MessageBody;
use actix_web::test::TestRequest;
use chrono::TimeDelta;
use fakes::MemStore;
use kernel::{Raffle, StoreError};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use usecases::campaigns::CampaignError;
use usecases::drawings::FindDrawingError;
use usecases::entering::EnterError;
use usecases::entrants::FindEntrantError;
use usecases::flags::FlagError;
use usecases::packages::PackageError;
use usecases::perform_drawing::PerformDrawingError;
use usecases::provider_callbacks::ClickError;
use usecases::purchases::{ConfirmError, PurchaseError};
use usecases::sessions::{AttemptError, SessionError};
use usecases::sms_templates::TemplateError;
use web::ApiError;

#[actix_web::test]
async fn every_invalid_field_is_named_and_nothing_is_stored() {
    let store = MemStore::default();
    let long = "5".repeat(10_000);
    let valid = json!({"phoneNumber": "5551234567", "landingPage": "garden-bag", "event_id": "aB3", "referralCode": "CDFG3467"});
    let invalid: [(&str, Vec<Value>); 5] = [
        (
            "phoneNumber",
            vec![
                json!(5_551_234_567_u64),
                json!(null),
                json!(true),
                json!(["5551234567"]),
                json!({}),
                json!(""),
                json!("555"),
                json!(long),
                json!("555123456\0"),
                json!("٥٥٥١٢٣٤٥٦٧"),
                json!("----------"),
                json!("55512345678901"),
            ],
        ),
        (
            "landingPage",
            vec![
                json!(1),
                json!([]),
                json!(""),
                json!("garden"),
                json!("GARDEN-BAG"),
                json!(long),
                json!("garden-bag\0"),
            ],
        ),
        (
            "event_id",
            vec![
                json!(1),
                json!({}),
                json!(""),
                json!("a b"),
                json!("a\0"),
                json!("é"),
                json!(long),
            ],
        ),
        ("smsConsent", vec![json!("true"), json!(1), json!([])]),
        (
            "referralCode",
            vec![
                json!(1),
                json!(null),
                json!([]),
                json!(""),
                json!("  "),
                json!(long),
                json!("CDFG346\0"),
            ],
        ),
    ];
    for (field, values) in invalid {
        for value in values {
            let mut body = valid.clone();
            body[field] = value.clone();
            let response = send(&store, register_referred(&body.to_string())).await;
            assert_eq!(response.error(), format!("400 validation {field}"), "{value:.40}");
            if field != "referralCode" {
                let response = send(&store, register(&body.to_string())).await;
                assert_eq!(response.error(), format!("400 validation {field}"), "{value:.40}");
            }
        }
    }
    assert_eq!(store.count_entrants(), 0);
}

#[actix_web::test]
async fn an_invalid_phone_number_gets_the_exact_messages() {
    let messages = async |phone: &str| {
        let response = send(
            &MemStore::default(),
            register(&json!({"phoneNumber": phone}).to_string()),
        )
        .await;
        response.json()["fields"]["phoneNumber"].clone()
    };
    assert_eq!(
        messages("555").await,
        json!(["Phone number must be at least 10 digits"])
    );
    assert_eq!(
        messages("555 555 555 555 555 555").await,
        json!(["Phone number is too long"])
    );
    let characters = "Phone number can only contain digits, spaces, dashes, parentheses, and plus sign";
    assert_eq!(messages("555.123.4567").await, json!([characters]));
    assert_eq!(
        messages("----------").await,
        json!(["Please enter a valid phone number."])
    );
    assert_eq!(
        messages("call me").await,
        json!(["Phone number must be at least 10 digits", characters])
    );
}

#[actix_web::test]
async fn all_invalid_fields_are_named_together() {
    let body = r#"{"phoneNumber": "1", "landingPage": "x", "event_id": "", "referralCode": ""}"#;
    let response = send(&MemStore::default(), register_referred(body)).await;
    assert_eq!(
        response.error(),
        "400 validation event_id,landingPage,phoneNumber,referralCode"
    );
    let response = send(&MemStore::default(), register_referred("{}")).await;
    assert_eq!(
        response.json()["fields"],
        json!({"phoneNumber": ["Required"], "referralCode": ["Required"]})
    );
}

#[actix_web::test]
async fn no_error_repeats_the_input() {
    let secret = "0815-secret-4711";
    for body in [
        json!({"phoneNumber": secret}),
        json!({"phoneNumber": [secret]}),
        json!([secret]),
        json!(secret),
    ] {
        let response = send(&MemStore::default(), register(&body.to_string())).await;
        assert!(
            !String::from_utf8_lossy(&response.bytes).contains("secret"),
            "{:?}",
            response.bytes
        );
    }
}

#[actix_web::test]
async fn a_body_that_is_not_a_json_object_is_malformed() {
    let deep = "[".repeat(10_000);
    let twice = r#"{"phoneNumber": "5551234567", "phoneNumber": "5551234568"}"#;
    let after = r#"{"phoneNumber": "5551234567"} {}"#;
    for body in [
        "",
        "{",
        "nonsense",
        "[]",
        "null",
        "7",
        "\"text\"",
        "{\"phoneNumber\":\"555",
        twice,
        after,
        &deep,
    ] {
        let response = send(&MemStore::default(), register(body)).await;
        assert_eq!(response.error(), "400 malformed", "{body:.40}");
    }
    let not_utf8 = register("").set_payload(&b"{\"phoneNumber\": \"\xff\xfe5551234567\"}"[..]);
    assert_eq!(
        send(&MemStore::default(), not_utf8).await.error(),
        "400 malformed"
    );
}

#[actix_web::test]
async fn a_body_must_be_json_and_at_most_16_kib() {
    let store = MemStore::default();
    let body = r#"{"phoneNumber": "5551234567"}"#;
    for content_type in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/jsonp",
        "",
    ] {
        let request = TestRequest::post().uri("/api/users/register").set_payload(body);
        let response = send(&store, request.insert_header(("Content-Type", content_type))).await;
        assert_eq!(response.error(), "415 wrong_content_type", "{content_type}");
    }
    let charset = register(body).insert_header(("Content-Type", "Application/JSON; charset=utf-8"));
    assert_eq!(send(&store, charset).await.status, 201);

    let padded = |length: usize| format!("{}{body}", " ".repeat(length - body.len()));
    assert_eq!(send(&store, register(&padded(16 * 1024))).await.status, 200);
    assert_eq!(
        send(&store, register(&padded(16 * 1024 + 1))).await.error(),
        "413 too_large"
    );
    assert_eq!(
        send(&store, register(&padded(2 * 1024 * 1024))).await.error(),
        "413 too_large"
    );
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
        (TestRequest::delete().uri("/api/users/1"), "GET"),
        (TestRequest::post().uri("/api/users/1/stats"), "GET"),
        (TestRequest::post().uri("/healthz"), "GET"),
        (TestRequest::post().uri("/garden-bag"), "GET, HEAD"),
    ];
    for (request, allowed) in cases {
        let response = send(&MemStore::default(), request).await;
        assert_eq!(response.error(), "405 method_not_allowed");
        assert_eq!(response.header("allow"), allowed);
    }
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
    let store = MemStore::default();
    store.fail_next(StoreError::Conflict);
    assert_eq!(send(&store, get("/readyz")).await.error(), "503 unavailable");
    store.fail_next(StoreError::Conflict);
    assert_eq!(send(&store, get("/healthz")).await.status, 200);
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
    let requests = vec![
        register(r#"{"phoneNumber": "5551234567"}"#),
        register("nonsense"),
        get("/api/users/1"),
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
        assert_eq!(response.header("cache-control"), "no-store");
        assert_eq!(response.header("x-request-id").len(), 36);
        *ids.entry(response.header("x-request-id").to_owned()).or_insert(0) += 1;
    }
    assert_eq!(ids.len(), responses.len(), "each request has its own id");
}

#[actix_web::test]
async fn every_described_call_is_there() {
    let description: Value = serde_json::from_str(&web::openapi_json::<MemStore>().unwrap()).unwrap();
    let store = MemStore::default();
    let entered = send(&store, register(r#"{"phoneNumber": "5551234567"}"#)).await;
    let cookie = entered.header("set-cookie").split(';').next().unwrap().to_owned();
    open_commitment(&store, Raffle::GardenBag);
    let perform = post("/api/admin/drawing/perform", r#"{"landingPage": "garden-bag"}"#);
    let drawn = send(&store, authorized(perform, &sign_in(&store).await)).await;
    assert_eq!(drawn.json()["id"], 1);
    for (path, methods) in description["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            let method = method.to_uppercase().parse().unwrap();
            let uri = path.replace("{id}", "1").replace("{landingPage}", "garden-bag");
            let request = TestRequest::with_uri(&uri).method(method);
            let response = send(&store, request.insert_header(("Cookie", cookie.as_str()))).await;
            assert!(
                ![404, 405].contains(&response.status.as_u16()),
                "{path}: {}",
                response.status
            );
        }
    }
}

/// An error's status, code, sentence and the headers that only errors have.
fn told(error: impl Into<ApiError>) -> String {
    use actix_web::ResponseError;
    let response = error.into().error_response();
    let header = |name: &str| {
        let value = response.headers().get(name)?.to_str().unwrap();
        Some(format!(" {name}: {value}"))
    };
    let headers: String = ["retry-after", "allow", "www-authenticate"]
        .into_iter()
        .filter_map(header)
        .collect();
    let status = response.status().as_u16();
    let body = response.into_body().try_into_bytes().unwrap();
    format!("{status}{headers} {}", String::from_utf8_lossy(&body))
}

#[actix_web::test]
async fn every_error_of_a_flow_has_its_status_code_and_sentence() {
    let table = [
        (
            told(EnterError::UnknownReferralCode),
            r#"404 {"error":"Referral code not found","code":"referral_code_not_found"}"#,
        ),
        (
            told(FindEntrantError::UnknownEntrant),
            r#"404 {"error":"There is nothing here.","code":"not_found"}"#,
        ),
        (
            told(FlagError::UnknownEntrant),
            r#"404 {"error":"There is nothing here.","code":"not_found"}"#,
        ),
        (
            told(PerformDrawingError::NoParticipants),
            r#"409 {"error":"Nobody can be drawn: this raffle has no participants.","code":"no_participants"}"#,
        ),
        (
            told(PerformDrawingError::NoCommitment),
            r#"409 {"error":"Nothing has been committed to for this raffle yet, so nobody could check the drawing.","code":"no_commitment"}"#,
        ),
        (
            told(PerformDrawingError::KeyReused),
            r#"409 {"error":"This key was used for a drawing of another raffle.","code":"idempotency_key_reused"}"#,
        ),
        (
            told(PerformDrawingError::Sealed),
            r#"500 {"error":"Something went wrong on our side. Please try again.","code":"internal"}"#,
        ),
        (
            told(FindDrawingError::UnknownDrawing),
            r#"404 {"error":"There is nothing here.","code":"not_found"}"#,
        ),
        (
            told(FindDrawingError::NotInIt),
            r#"404 {"error":"There is nothing here.","code":"not_found"}"#,
        ),
        (
            told(PurchaseError::NotForSale),
            r#"403 {"error":"Purchases are not available right now","code":"purchases_unavailable"}"#,
        ),
        (
            told(PurchaseError::UnknownEntrant),
            r#"404 {"error":"There is nothing here.","code":"not_found"}"#,
        ),
        (
            told(PurchaseError::OfferMismatch {
                amount: true,
                entries: false,
            }),
            r#"400 {"error":"Please check the marked fields.","code":"validation","fields":{"amount":["This is not what the package has; please reload the page"]}}"#,
        ),
        (
            told(ConfirmError::UnknownIntent),
            r#"404 {"error":"There is nothing here.","code":"not_found"}"#,
        ),
        (
            told(ConfirmError::NotYours),
            r#"403 {"error":"This payment belongs to somebody else.","code":"not_your_payment"}"#,
        ),
        (
            told(ConfirmError::NotPaid),
            r#"409 {"error":"Payment confirmation failed","code":"payment_not_confirmed"}"#,
        ),
        (
            told(PackageError::UnknownPackage),
            r#"404 {"error":"There is nothing here.","code":"not_found"}"#,
        ),
        (
            told(TemplateError::UnknownTemplate),
            r#"404 {"error":"There is nothing here.","code":"not_found"}"#,
        ),
        (
            told(TemplateError::AlreadyThere),
            r#"409 {"error":"This page has a welcome message already.","code":"template_exists"}"#,
        ),
        (
            told(CampaignError::UnknownTemplate),
            r#"404 {"error":"This template does not exist or is not active.","code":"unknown_template"}"#,
        ),
        (
            told(CampaignError::UnknownCampaign),
            r#"404 {"error":"There is nothing here.","code":"not_found"}"#,
        ),
        (
            told(CampaignError::NotPending),
            r#"409 {"error":"Only a pending campaign can be cancelled","code":"not_pending"}"#,
        ),
        (
            told(ClickError::UnknownTrackingId),
            r#"404 {"error":"This link is not known.","code":"unknown_tracking_id"}"#,
        ),
        (
            told(AttemptError::TooMany {
                wait: TimeDelta::milliseconds(61_001),
            }),
            r#"429 retry-after: 62 {"error":"Too many tries. Please wait a moment and try again.","code":"rate_limited"}"#,
        ),
        (
            told(SessionError::NoSession),
            r#"401 www-authenticate: Bearer {"error":"Please sign in again.","code":"unauthorized"}"#,
        ),
        (
            told(StoreError::Conflict),
            r#"503 retry-after: 5 {"error":"We cannot reach our records right now. Please try again in a moment.","code":"unavailable"}"#,
        ),
        (
            told(StoreError::Failed("why".into())),
            r#"500 {"error":"Something went wrong on our side. Please try again.","code":"internal"}"#,
        ),
    ];
    for (answered, expected) in table {
        assert_eq!(answered, expected);
    }
}

#[actix_web::test]
async fn errors_of_no_flow_have_their_status_code_and_sentence() {
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
            json!({"error": "There is nothing here.", "code": "not_found"}),
        ),
        (
            TestRequest::put().uri("/api/users/register"),
            405,
            json!({"error": "This cannot be done here.", "code": "method_not_allowed"}),
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
            json!({"error": "That is more than fits into one request.", "code": "too_large"}),
        ),
        (
            register("[]"),
            400,
            json!({"error": "The request must be a JSON object.", "code": "malformed"}),
        ),
        (
            get("/api/users/1/referrals?limit=1&limit=2"),
            400,
            json!({"error": "The address's query cannot be read.", "code": "malformed"}),
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
            post("/api/twilio/status", "{}"),
            503,
            json!({"error": "Texts are not configured", "code": "sms_not_configured"}),
        ),
        (
            register(r#"{"phoneNumber": 1}"#),
            400,
            json!({"error": "Please check the marked fields.", "code": "validation",
                   "fields": {"phoneNumber": ["This is not the kind of value that belongs here."]}}),
        ),
    ] {
        let answer = send(&store, request).await;
        assert_eq!((answer.status.as_u16(), answer.json()), (status, body));
    }
}
