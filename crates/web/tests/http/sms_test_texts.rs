//! Test messages that staff send (D18).

use crate::sms_console::{SmsConsole, environment, phone};
use crate::support::{app_state, authorized, post, send_all};
use serde_json::json;

const STATUS: &str = "/api/admin/sms/status";
const TEST_TEXT: &str = "/api/admin/sms/test-text";

#[actix_web::test]
async fn a_test_text_is_sent_and_its_status_returned() {
    let console = SmsConsole::new().await;
    let sent = console
        .post(TEST_TEXT, &json!({"phoneNumber": "(555) 123-0007"}))
        .await;
    assert_eq!(sent.status, 201);
    let id = sent.json()["id"].clone();
    let expected = |status: &str| json!({"id": id, "status": status, "errorMessage": null});
    assert_eq!(sent.json(), expected("pending"));
    assert_eq!(
        console.last_audit_entry().await,
        (json!("send_test_text"), json!(id.to_string()), json!({}))
    );
    let path = format!("/api/admin/sms/texts/{id}");
    assert_eq!(console.get(&path).await.json(), expected("pending"));
    console.deliver_messages().await;
    assert_eq!(console.get(&path).await.json(), expected("sent"));
    let message = console.sms.sent().remove(0);
    assert_eq!(message.outgoing.to.as_e164(), phone(7));
    assert!(
        message.outgoing.body.contains("test text"),
        "{}",
        message.outgoing.body
    );
    for unknown in ["99", "0", "-1", "x"] {
        let response = console.get(&format!("/api/admin/sms/texts/{unknown}")).await;
        assert_eq!(response.error(), "404 not_found", "{unknown}");
    }
}

#[actix_web::test]
async fn a_rejected_test_text_has_the_providers_error() {
    let console = SmsConsole::new().await;
    let number = kernel::Phone::from_e164(&phone(7)).unwrap();
    let failure = sms::Failure {
        code: Some(21608),
        sentence: "Unverified number".to_owned(),
    };
    console
        .sms
        .answer_next(&number, fakes::SmsAnswer::Refused(failure));
    let sent = console.post(TEST_TEXT, &json!({"phoneNumber": phone(7)})).await;
    console.deliver_messages().await;
    let path = format!("/api/admin/sms/texts/{}", sent.json()["id"]);
    let text = console.get(&path).await.json();
    assert_eq!(
        (&text["status"], &text["errorMessage"]),
        (&json!("failed"), &json!("21608 Unverified number"))
    );
}

#[actix_web::test]
async fn a_test_text_needs_a_number_and_an_account() {
    let console = SmsConsole::new().await;
    for invalid in [
        json!({}),
        json!({"phoneNumber": null}),
        json!({"phoneNumber": ""}),
        json!({"phoneNumber": "12345"}),
        json!({"phoneNumber": 5_551_234_567_u64}),
    ] {
        let response = console.post(TEST_TEXT, &invalid).await;
        assert_eq!(response.error(), "400 validation phoneNumber", "{invalid}");
    }
    let request = authorized(
        post(TEST_TEXT, r#"{"phoneNumber": "5551230007"}"#),
        &console.token,
    );
    let response = send_all(&console.store, app_state(), vec![request])
        .await
        .remove(0);
    assert_eq!(response.error(), "503 sms_not_configured");
    assert_eq!(response.json()["error"], "Texts are not configured");
    assert_eq!(
        console.last_audit_entry().await.0,
        "login",
        "no message was queued"
    );
    assert_eq!(console.get(STATUS).await.json()["waiting"], 0);
    assert_eq!(environment().phone().last_four(), "1111");
}
