//! Test messages that staff send.

use crate::campaign_audiences::ESTIMATE;
use crate::sms_console::{SmsConsole, TEMPLATES, environment, phone};
use crate::support::{app_state, authorized, get, post, send_all, sms_services};
use fakes::FixedClock;
use kernel::{Clock, Phone, StoreError, UnitOfWork};
use serde_json::json;
use sms::{MessageKind, NewMessage, Outbox, RecipientHours};
use std::sync::Arc;
use usecases::campaigns::SmsRules;
use web::{AppState, SmsServices};

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
    let expected = |status: &str| json!({"id": id, "status": status, "errorMessage": null, "waitingUntil": null, "waitingReason": null});
    assert_eq!(sent.json(), expected("pending"));
    assert_eq!(
        console.last_audit_entry().await,
        (json!("send_test_text"), json!(id.to_string()), json!({}))
    );
    let path = format!("/api/admin/sms/messages/{id}");
    assert_eq!(console.get(&path).await.json(), expected("pending"));
    console.deliver_messages().await;
    assert_eq!(console.get(&path).await.json(), expected("sent"));
    let message = console.sms.sent().remove(0);
    assert_eq!(message.outgoing.to.as_e164(), phone(7));
    assert!(
        message
            .outgoing
            .body
            .starts_with("Bees & Co.: this is the test text"),
        "{}",
        message.outgoing.body
    );
    for unknown in ["99", "0", "-1", "x"] {
        let response = console.get(&format!("/api/admin/sms/messages/{unknown}")).await;
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
    let path = format!("/api/admin/sms/messages/{}", sent.json()["id"]);
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

#[actix_web::test]
async fn a_message_says_until_when_it_waits_and_why() {
    let console = SmsConsole::new().await;
    let rules = SmsRules {
        hours: RecipientHours::new(None, chrono_tz::America::New_York).ok(),
        ..(*sms_services().rules).clone()
    };
    let state = AppState {
        sms: SmsServices {
            rules: Arc::new(rules),
            ..sms_services()
        },
        ..app_state()
    };
    // It is 5:00 in Los Angeles.
    let message = NewMessage {
        kind: MessageKind::Victory,
        entrant: None,
        phone: Phone::from_e164("+12135550001").unwrap(),
        body: Some("You may have won".to_owned().into()),
        at: FixedClock::default().now(),
    };
    let id = console
        .store
        .transaction::<_, StoreError>(|tx| tx.queue_message(&message))
        .unwrap();
    console.store.set_time(message.at);
    let request = authorized(get(&format!("/api/admin/sms/messages/{id}")), &console.token);
    let response = send_all(&console.store, state, vec![request]).await;
    assert_eq!(
        response[0].json(),
        json!({
            "id": id.get(), "status": "pending", "errorMessage": null,
            "waitingUntil": "2025-08-01T16:00:00Z", "waitingReason": "quiet_hours",
        })
    );
}

#[actix_web::test]
async fn the_text_of_a_template_is_sent_to_one_number() {
    let console = SmsConsole::new().await;
    let template = console.create_template().await;
    let path = format!("{TEMPLATES}/{template}/test");
    let sent = console
        .post(&path, &json!({"phoneNumber": "(555) 123-0007"}))
        .await;
    assert_eq!(
        (sent.status.as_u16(), &sent.json()["status"]),
        (201, &json!("pending"))
    );
    let id = sent.json()["id"].clone();
    assert_eq!(
        console.last_audit_entry().await,
        (
            json!("send_test_text"),
            json!(id.to_string()),
            json!({"templateId": template})
        )
    );
    console.deliver_messages().await;
    let message = console.sms.sent().remove(0);
    assert_eq!(message.outgoing.to.as_e164(), phone(7));
    let body = message.outgoing.body;
    assert!(
        body.starts_with("Look: https://example.org/planter/fresh-"),
        "{body}"
    );
    assert!(body.ends_with(" Reply STOP to opt out."), "{body}");
    for unknown in ["99", "0", "x"] {
        let path = format!("{TEMPLATES}/{unknown}/test");
        let response = console.post(&path, &json!({"phoneNumber": phone(7)})).await;
        assert_eq!(response.error(), "404 not_found", "{unknown}");
    }
    let invalid = console.post(&path, &json!({"phoneNumber": "12345"})).await;
    assert_eq!(invalid.error(), "400 validation phoneNumber");
}

#[actix_web::test]
async fn a_test_goes_to_no_number_that_opted_out_or_gets_no_texts() {
    let console = SmsConsole::new().await;
    let path = format!("{TEMPLATES}/{}/test", console.create_template().await);
    let stop = [("MessageSid", "SM1"), ("From", &phone(7)), ("Body", "STOP")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(
        console.post_callback("/api/twilio/inbound", &stop).await.status,
        200
    );
    let before = console.sms.sent().len();
    for (number, reason) in [(phone(7), "opted_out"), ("+18005551234".to_owned(), "country")] {
        let sent = console.post(&path, &json!({"phoneNumber": number})).await;
        console.deliver_messages().await;
        let path = format!("/api/admin/sms/messages/{}", sent.json()["id"]);
        let text = console.get(&path).await.json();
        assert_eq!(
            (&text["status"], &text["errorMessage"]),
            (&json!("skipped"), &json!(reason))
        );
    }
    let sent = console.sms.sent();
    assert!(
        sent[before..]
            .iter()
            .all(|sent| !sent.outgoing.body.contains("/planter/"))
    );
}

/// The text of a test takes nothing from the cap of a number.
#[actix_web::test]
async fn a_test_does_not_count_toward_the_monthly_cap() {
    let console = SmsConsole::new().await;
    let template = console.create_template().await;
    console.register_entrant(7, "fresh-sips").await;
    let path = format!("{TEMPLATES}/{template}/test");
    console.post(&path, &json!({"phoneNumber": phone(7)})).await;
    console.deliver_messages().await;
    let everyone = json!({"templateId": template, "targetAudience": "all"});
    let estimate = console.post(ESTIMATE, &everyone).await.json();
    assert_eq!(
        (&estimate["recipients"], &estimate["overCap"]),
        (&json!(1), &json!(0))
    );
}
