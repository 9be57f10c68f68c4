//! Request bodies that are rejected: invalid fields, malformed JSON, wrong content types and sizes.

use crate::support::{Response, register, register_referred, send};
use actix_web::test::TestRequest;
use fakes::MemStore;
use serde_json::{Value, json};

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
                json!("555.123.4567"),
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

/// What a page sends, or a program: the header, its value, and whether the call is taken.
const SENDERS: [(&str, &str, bool); 7] = [
    ("Sec-Fetch-Site", "same-origin", true),
    ("Sec-Fetch-Site", "none", true),
    ("Sec-Fetch-Site", "same-site", false),
    ("Sec-Fetch-Site", "cross-site", false),
    ("Origin", "https://example.org", true),
    ("Origin", "https://other.example", false),
    ("Origin", "null", false),
];

#[actix_web::test]
async fn a_page_of_another_site_changes_nothing_with_a_body_or_without() {
    for (name, value, is_taken) in SENDERS {
        let sent = async |request: TestRequest| -> Response {
            send(&MemStore::default(), request.insert_header((name, value))).await
        };
        for path in [
            "/api/users/1/free-entries",
            "/api/stripe/create-payment-intent",
            "/api/nothing",
        ] {
            let response = sent(TestRequest::post().uri(path)).await;
            assert_eq!(
                response.error() != "403 another_site",
                is_taken,
                "{path} {name}: {value}"
            );
        }
        let response = sent(register(r#"{"phoneNumber": "5551234567"}"#)).await;
        assert_eq!(
            response.status,
            if is_taken { 201 } else { 403 },
            "{name}: {value}"
        );
    }
}

#[actix_web::test]
async fn links_from_other_sites_open_and_callbacks_of_providers_are_taken() {
    let foreign = ("Sec-Fetch-Site", "cross-site");
    let reading = TestRequest::get().uri("/healthz").insert_header(foreign);
    assert_eq!(send(&MemStore::default(), reading).await.status, 200);
    for path in ["/api/stripe/webhook", "/api/twilio/inbound", "/api/twilio/status"] {
        let callback = TestRequest::post().uri(path).insert_header(foreign);
        let response = send(&MemStore::default(), callback).await;
        assert_ne!(response.error(), "403 another_site", "{path}");
    }
}
