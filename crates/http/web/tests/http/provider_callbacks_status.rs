//! Status callbacks, with which the provider reports the delivery of a message.

use crate::clicks::click;
use crate::provider_callbacks_inbound::{EMPTY, INBOUND, inbound_message};
use crate::sms_console::{
    ENVIRONMENT_TOKEN, SmsConsole, message_id, phone, status_callback_path, tracking_id, unsigned_callback,
};
use crate::support::send_all;
use fakes::SmsAnswer;
use kernel::{Phone, StoreError};
use serde_json::{Value, json};
use sms::{Failure, MessageId, ProviderStatus};

/// The status of a message, and the counts of sent, delivered and failed messages of the newest campaign.
async fn status_and_counts(console: &SmsConsole, id: MessageId) -> (Value, [Value; 3]) {
    let message = console.get(&format!("/api/admin/sms/messages/{id}")).await.json();
    let campaign = console.newest_campaign().await;
    let counts = ["sentCount", "deliveredCount", "errorCount"].map(|name| campaign[name].clone());
    (message["status"].clone(), counts)
}

fn expected(status: &str, counts: [u32; 3]) -> (Value, [Value; 3]) {
    (json!(status), counts.map(|count| json!(count)))
}

#[actix_web::test]
async fn repeated_callbacks_in_any_order_have_the_same_result() {
    let console = SmsConsole::with_sent_campaign().await;
    let unreachable = || {
        Some(Failure {
            code: Some(30003),
            sentence: "Unreachable".to_owned(),
        })
    };
    let (delivered, undelivered) = (console.message_to(1), console.message_to(2));
    let callback = |message: &fakes::SentMessage, status, failure| {
        let (path, report) = (
            status_callback_path(message),
            console.sms.status_callback(&message.message.id, status, failure),
        );
        move || {
            let url = format!("https://example.org{path}");
            SmsConsole::signed_callback(&path, &report, ENVIRONMENT_TOKEN, &url)
        }
    };
    // For the second message, the final status is reported first.
    let callbacks = [
        callback(&delivered, ProviderStatus::Accepted, None),
        callback(&undelivered, ProviderStatus::Undelivered, unreachable()),
        callback(&delivered, ProviderStatus::Delivered, None),
        callback(&undelivered, ProviderStatus::Accepted, None),
    ];
    // Each callback is sent a hundred times, in several orders.
    let order = |round: usize| (0..4).map(move |n| (n * (1 + 2 * (round % 2)) + round / 2) % 4);
    let requests = (0..100).flat_map(order).map(|n| callbacks[n]()).collect();
    for response in send_all(&console.store, console.state(), requests).await {
        assert_eq!(
            (response.status.as_u16(), response.bytes.as_ref()),
            (200, EMPTY.as_bytes())
        );
    }
    for (message, status) in [(delivered, "delivered"), (undelivered, "undelivered")] {
        assert_eq!(
            status_and_counts(&console, message_id(&message)).await,
            expected(status, [3, 1, 1])
        );
    }
}

#[actix_web::test]
async fn a_final_status_never_changes() {
    let console = SmsConsole::with_sent_campaign().await;
    let sent = console.message_to(1);
    let report_status = async |status| {
        console.report_status(&sent, status).await;
        status_and_counts(&console, message_id(&sent)).await
    };
    let delivered = report_status(ProviderStatus::Delivered).await;
    assert_eq!(delivered, expected("delivered", [3, 1, 0]));
    for late in [
        ProviderStatus::Accepted,
        ProviderStatus::Undelivered,
        ProviderStatus::Failed,
    ] {
        assert_eq!(report_status(late).await, delivered, "{late:?}");
    }
}

#[actix_web::test]
async fn a_callback_sets_the_status_even_if_the_response_to_sending_was_lost() {
    let console = SmsConsole::new().await;
    let first = Phone::from_e164(&phone(1)).unwrap();
    console.sms.answer_next(&first, SmsAnswer::Lost { sent: true });
    console.send_campaign_to(&[phone(1)]).await;
    let sent = console.message_to(1);
    let unknown = status_and_counts(&console, message_id(&sent)).await;
    assert_eq!(unknown, expected("unknown", [0, 0, 0]));
    console.report_status(&sent, ProviderStatus::Delivered).await;
    let delivered = status_and_counts(&console, message_id(&sent)).await;
    assert_eq!(delivered, expected("delivered", [1, 1, 0]));
    console.deliver_messages().await;
    assert_eq!(console.sent_messages().len(), 1, "the message is not sent again");
    assert_eq!(console.newest_campaign().await["status"], "sent");
}

#[actix_web::test]
async fn a_callback_about_another_message_is_accepted_and_ignored() {
    let console = SmsConsole::with_sent_campaign().await;
    let (first, second) = (console.message_to(1), console.message_to(2));
    let report = console
        .sms
        .status_callback(&first.message.id, ProviderStatus::Failed, None);
    let before = status_and_counts(&console, message_id(&first)).await;
    for path in [
        "/api/twilio/status",
        "/api/twilio/status?text=",
        "/api/twilio/status?text=x",
        "/api/twilio/status?text=-1",
        "/api/twilio/status?text=999",
        "/api/twilio/status?text=1&text=2",
        // This message has another SID at the provider.
        &status_callback_path(&second),
    ] {
        let response = console.post_callback(path, &report).await;
        assert_eq!(
            (response.status.as_u16(), response.bytes.as_ref()),
            (200, EMPTY.as_bytes()),
            "{path}"
        );
    }
    let without_status = inbound_message("SM1", &phone(1), "STOP");
    assert_eq!(
        console
            .post_callback(&status_callback_path(&first), &without_status)
            .await
            .status,
        200
    );
    assert_eq!(status_and_counts(&console, message_id(&first)).await, before);
    assert_eq!(status_and_counts(&console, message_id(&second)).await, before);
}

#[actix_web::test]
async fn a_forged_callback_changes_nothing() {
    let console = SmsConsole::with_sent_campaign().await;
    let (first, second) = (console.message_to(1), console.message_to(2));
    let report = console
        .sms
        .status_callback(&first.message.id, ProviderStatus::Failed, None);
    let path = status_callback_path(&first);
    let url_of_another = format!("https://example.org{}", status_callback_path(&second));
    let mut changed = report.clone();
    changed[1].1 = "delivered".to_owned();
    let url = format!("https://example.org{path}");
    let signature = fakes::FakeSms::sign(ENVIRONMENT_TOKEN, &url, &report);
    for request in [
        unsigned_callback(&path, &report),
        SmsConsole::signed_callback(
            &path,
            &report,
            ENVIRONMENT_TOKEN,
            "https://example.org/api/twilio/status",
        ),
        SmsConsole::signed_callback(&path, &report, ENVIRONMENT_TOKEN, &url_of_another),
        unsigned_callback(&path, &changed).insert_header(("X-Twilio-Signature", signature)),
    ] {
        assert_eq!(console.send(request).await.error(), "403 bad_signature");
    }
    let (status, _) = status_and_counts(&console, message_id(&first)).await;
    assert_eq!(status, "sent");
}

#[actix_web::test]
async fn no_public_response_contains_a_phone_number() {
    let console = SmsConsole::with_sent_campaign().await;
    let first = console.message_to(1);
    let report = console
        .sms
        .status_callback(&first.message.id, ProviderStatus::Delivered, None);
    let responses = [
        console.send(click(&tracking_id(&first), true)).await,
        console.send(click("garden-2345678923456", false)).await,
        console
            .post_callback(INBOUND, &inbound_message("SM1", &phone(1), "HELP"))
            .await,
        console
            .post_callback(INBOUND, &inbound_message("SM2", &phone(1), "STOP"))
            .await,
        console
            .post_callback(&status_callback_path(&first), &report)
            .await,
        console
            .send(unsigned_callback(
                INBOUND,
                &inbound_message("SM3", &phone(1), "STOP"),
            ))
            .await,
    ];
    for response in responses {
        let body = String::from_utf8(response.bytes.to_vec()).unwrap();
        assert!(!body.contains("5551230001"), "{body}");
        assert!(!body.contains("0001111"), "{body}");
    }
}

#[actix_web::test]
async fn clicks_and_callbacks_fail_while_the_store_is_unavailable() {
    let console = SmsConsole::with_sent_campaign().await;
    let first = console.message_to(1);
    let stop = inbound_message("SM1", &phone(1), "STOP");
    let report = console
        .sms
        .status_callback(&first.message.id, ProviderStatus::Delivered, None);
    let fail_once = || {
        console
            .store
            .fail_next(StoreError::Unavailable("secret host".into()))
    };
    fail_once();
    let clicked = console.send(click(&tracking_id(&first), false)).await;
    fail_once();
    let inbound = console.post_callback(INBOUND, &stop).await;
    fail_once();
    let status = console
        .post_callback(&status_callback_path(&first), &report)
        .await;
    for response in [clicked, inbound, status] {
        assert_eq!(response.error(), "503 unavailable");
        assert_eq!(response.header("retry-after"), "5");
    }
    assert!(!console.has_opted_out(1));
    // The provider repeats its callbacks.
    assert_eq!(console.post_callback(INBOUND, &stop).await.status, 200);
    assert_eq!(
        console
            .post_callback(&status_callback_path(&first), &report)
            .await
            .status,
        200
    );
    assert!(console.has_opted_out(1));
    let (status, _) = status_and_counts(&console, message_id(&first)).await;
    assert_eq!(status, "delivered");
}

#[actix_web::test]
async fn a_later_report_that_the_number_opted_out_opts_it_out() {
    let console = SmsConsole::with_sent_campaign().await;
    let message = console.message_to(1);
    let failure = |code| Failure {
        code: Some(code),
        sentence: "Opted out".to_owned(),
    };
    for (to, code, is_out) in [(2, 30003, false), (1, 21610, true)] {
        let message = if to == 1 {
            &message
        } else {
            &console.message_to(to)
        };
        let report =
            console
                .sms
                .status_callback(&message.message.id, ProviderStatus::Failed, Some(failure(code)));
        let response = console
            .post_callback(&status_callback_path(message), &report)
            .await;
        assert_eq!(response.status, 200);
        assert_eq!(console.has_opted_out(to), is_out, "{code}");
    }
}
