//! Inbound messages that the provider passes on.

use crate::sms_console::{ENVIRONMENT_TOKEN, SmsConsole, phone, unsigned_callback};
use crate::support::{app_state, send};
use actix_web::test::TestRequest;
use serde_json::json;

pub(crate) const INBOUND: &str = "/api/twilio/inbound";

/// The body of a response without a message.
pub(crate) const EMPTY: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Response></Response>";

pub(crate) fn inbound_message(sid: &str, from: &str, body: &str) -> Vec<(String, String)> {
    [
        ("MessageSid", sid),
        ("From", from),
        ("To", "+15550001111"),
        ("Body", body),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .to_vec()
}

#[actix_web::test]
async fn stop_and_start_keywords_change_the_opt_out_and_get_an_empty_response() {
    let console = SmsConsole::new().await;
    let stops = [
        "STOP",
        "stop",
        " stop ",
        "STOPALL",
        "UNSUBSCRIBE",
        "Cancel",
        "END",
        "quit",
        "REVOKE",
        "OPTOUT",
    ];
    let starts = ["START", "yes", "Unstop"];
    for (n, stop) in stops.iter().enumerate() {
        let start = starts[n % starts.len()];
        for (word, out) in [(*stop, true), (start, false)] {
            let message = inbound_message(&format!("SM{n}{out}"), &phone(1), word);
            let response = console.post_callback(INBOUND, &message).await;
            assert_eq!(
                (response.status.as_u16(), response.bytes.as_ref()),
                (200, EMPTY.as_bytes())
            );
            assert_eq!(response.header("content-type"), "text/xml");
            assert_eq!(console.has_opted_out(1), out, "{word}");
        }
    }
    assert!(!console.has_opted_out(2));
}

fn with_message(answer: &str) -> String {
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?><Response><Message>{answer}</Message></Response>")
}

/// The name of the site of the tests.
const SITE: &str = "Bees &amp; Co.";

#[actix_web::test]
async fn only_help_keywords_get_a_reply_each_time() {
    let console = SmsConsole::new().await;
    let help = with_message(&sms::Keyword::help(SITE));
    for (n, (body, expected)) in [
        ("HELP", help.as_str()),
        ("info?", &help),
        ("Thanks!", EMPTY),
        ("Can I stop by on Friday?", EMPTY),
        ("", EMPTY),
        ("\u{1f331}<&>", EMPTY),
    ]
    .into_iter()
    .enumerate()
    {
        for _ in 0..2 {
            let message = inbound_message(&format!("SM{n}"), &phone(1), body);
            let response = console.post_callback(INBOUND, &message).await;
            assert_eq!(
                (response.status.as_u16(), response.bytes.as_ref()),
                (200, expected.as_bytes())
            );
        }
    }
    assert!(!console.has_opted_out(1));
}

#[actix_web::test]
async fn an_opt_out_in_other_words_is_answered_once() {
    let console = SmsConsole::new().await;
    let stopped = with_message(&sms::Keyword::stopped(SITE));
    let answers = [
        ("SM1", "opt-out please", stopped.as_str()),
        ("SM1", "opt-out please", EMPTY),
        ("SM2", "Stop. Thank you", EMPTY),
    ];
    for (sid, body, expected) in answers {
        let response = console
            .post_callback(INBOUND, &inbound_message(sid, &phone(1), body))
            .await;
        assert_eq!(response.bytes.as_ref(), expected.as_bytes(), "{sid}");
        assert!(console.has_opted_out(1));
    }
}

#[actix_web::test]
async fn what_the_provider_takes_a_message_for_decides_and_gets_no_second_answer() {
    let console = SmsConsole::new().await;
    for (n, (body, verdict, out)) in [
        ("ALTO", "STOP", true),
        ("AYUDA", "HELP", true),
        ("COMENZAR", "START", false),
        ("no more", "STOP", true),
        ("HELP", "HELP", true),
        ("please stop", "START", false),
    ]
    .into_iter()
    .enumerate()
    {
        let mut message = inbound_message(&format!("SM{n}"), &phone(1), body);
        message.push(("OptOutType".to_owned(), verdict.to_owned()));
        let response = console.post_callback(INBOUND, &message).await;
        assert_eq!(response.bytes, EMPTY, "{body}");
        assert_eq!(console.has_opted_out(1), out, "{body}");
    }
}

#[actix_web::test]
async fn a_repeated_inbound_message_changes_nothing() {
    let console = SmsConsole::new().await;
    let stop = inbound_message("SM1", &phone(1), "STOP");
    console.post_callback(INBOUND, &stop).await;
    console
        .post_callback(INBOUND, &inbound_message("SM2", &phone(1), "START"))
        .await;
    assert!(!console.has_opted_out(1));
    for _ in 0..3 {
        assert_eq!(console.post_callback(INBOUND, &stop).await.bytes, EMPTY);
        assert!(!console.has_opted_out(1));
    }
    console
        .post_callback(INBOUND, &inbound_message("SM3", &phone(1), "STOP"))
        .await;
    assert!(console.has_opted_out(1));
}

#[actix_web::test]
async fn a_number_that_opted_out_gets_no_text() {
    let console = SmsConsole::new().await;
    console
        .post_callback(INBOUND, &inbound_message("SM1", &phone(1), "STOP"))
        .await;
    console.register_entrant(1, "garden-bag").await;
    let test = console
        .post("/api/admin/sms/test-text", &json!({"phoneNumber": phone(1)}))
        .await;
    console.deliver_messages().await;
    assert_eq!(console.sms.sent(), []);
    let text = console
        .get(&format!("/api/admin/sms/messages/{}", test.json()["id"]))
        .await;
    assert_eq!(
        (&text.json()["status"], &text.json()["errorMessage"]),
        (&json!("skipped"), &json!("opted_out"))
    );
    console.register_entrant(2, "garden-bag").await;
    console.deliver_messages().await;
    assert_eq!(console.sms.sent().len(), 1);
}

#[actix_web::test]
async fn messages_from_other_senders_are_ignored_and_malformed_ones_rejected() {
    let console = SmsConsole::new().await;
    for from in ["12345", "TOMBOLA", ""] {
        let response = console
            .post_callback(INBOUND, &inbound_message("SM1", from, "STOP"))
            .await;
        assert_eq!(
            (response.status.as_u16(), response.bytes.as_ref()),
            (200, EMPTY.as_bytes())
        );
    }
    let complete = inbound_message("SM1", &phone(1), "STOP");
    for missing in ["MessageSid", "From"] {
        let mut message = complete.clone();
        message.retain(|(name, _)| name != missing);
        assert_eq!(
            console.post_callback(INBOUND, &message).await.error(),
            "400 malformed"
        );
    }
    for sid in ["", "SM\x001", "SM 1"] {
        let message = inbound_message(sid, &phone(1), "STOP");
        assert_eq!(
            console.post_callback(INBOUND, &message).await.error(),
            "400 malformed",
            "{sid:?}"
        );
    }
    let large = inbound_message("SM1", &phone(1), &"x".repeat(65 * 1024));
    assert_eq!(
        console.post_callback(INBOUND, &large).await.error(),
        "413 too_large"
    );
    assert!(!console.has_opted_out(1));
    // None of these requests used up the message's SID.
    assert_eq!(console.post_callback(INBOUND, &complete).await.bytes, EMPTY);
    assert!(console.has_opted_out(1));
}

#[actix_web::test]
async fn an_inbound_message_without_a_valid_signature_is_rejected() {
    let console = SmsConsole::new().await;
    let stop = inbound_message("SM1", &phone(1), "STOP");
    let url = "https://example.org/api/twilio/inbound";
    let signed_with = |token: &str, url: &str| SmsConsole::signed_callback(INBOUND, &stop, token, url);
    let other_number = inbound_message("SM1", &phone(2), "STOP");
    let signature = fakes::FakeSms::sign(ENVIRONMENT_TOKEN, url, &stop);
    let with_signature =
        |request: TestRequest, signature: &str| request.insert_header(("X-Twilio-Signature", signature));
    let added = [stop.clone(), inbound_message("SM1", "", "")[3..].to_vec()].concat();
    let forged = [
        unsigned_callback(INBOUND, &stop),
        with_signature(unsigned_callback(INBOUND, &stop), ""),
        with_signature(unsigned_callback(INBOUND, &stop), "nonsense"),
        signed_with("ffffffffffffffffffffffffffffffff", url),
        signed_with(ENVIRONMENT_TOKEN, "https://example.org/api/twilio/status"),
        signed_with(ENVIRONMENT_TOKEN, "http://example.org/api/twilio/inbound"),
        with_signature(unsigned_callback(INBOUND, &other_number), &signature),
        with_signature(unsigned_callback(INBOUND, &added), &signature),
        with_signature(unsigned_callback(INBOUND, &stop[..3]), &signature),
        with_signature(unsigned_callback(&format!("{INBOUND}?x=1"), &stop), &signature),
        signed_with(ENVIRONMENT_TOKEN, "https://evil.example/api/twilio/inbound")
            .insert_header(("Host", "evil.example"))
            .insert_header(("X-Forwarded-Host", "evil.example")),
    ];
    for request in forged {
        assert_eq!(console.send(request).await.error(), "403 bad_signature");
        assert!(!console.has_opted_out(1) && !console.has_opted_out(2));
    }
    let through_a_proxy = signed_with(ENVIRONMENT_TOKEN, url).insert_header(("Host", "10.0.0.7:8080"));
    assert_eq!(console.send(through_a_proxy).await.status, 200);
    assert!(console.has_opted_out(1));
}

#[actix_web::test]
async fn callbacks_are_rejected_without_an_account() {
    let console = SmsConsole::new().await;
    let stop = inbound_message("SM1", &phone(1), "STOP");
    for path in [INBOUND, "/api/twilio/status?text=1"] {
        let request = SmsConsole::signed_callback(path, &stop, "", &format!("https://example.org{path}"));
        let response = send(&console.store, request).await;
        assert_eq!(response.error(), "503 sms_not_configured", "{path}");
        assert_eq!(response.json()["error"], "Texts are not configured");
    }
    assert!(!console.has_opted_out(1));
    assert!(app_state().sms.environment.is_none());
}
