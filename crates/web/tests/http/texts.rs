//! What readers of texts and their provider tell us (D22, D23).

use crate::sms_console::{
    ENVIRONMENT_TOKEN, SmsConsole, message_id, phone, status_callback_path, tracking_id, unsigned_callback,
};
use crate::support::{app_state, get, post, send, send_all, with_rate_limits};
use actix_web::test::TestRequest;
use fakes::SmsAnswer;
use kernel::{Phone, StoreError, UnitOfWork};
use serde_json::{Value, json};
use sms::{Failure, HELP_ANSWER, MessageId, OptOuts, ProviderStatus};

const CLICK: &str = "/api/sms/track-click";
const INBOUND: &str = "/api/twilio/inbound";
const EMPTY: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Response></Response>";

/// Two entrants and a stranger were sent a campaign of fresh-sips.
async fn a_sent_campaign() -> SmsConsole {
    let console = SmsConsole::new().await;
    console.register_entrant(1, "fresh-sips").await;
    console.register_entrant(2, "garden-bag").await;
    let plan = json!({"templateId": console.create_template().await, "campaignName": "Summer",
                      "scheduledDate": "2025-08-01T12:00:00Z", "targetAudience": "custom",
                      "customPhoneNumbers": [phone(1), phone(2), phone(3)]});
    console.schedule_campaign(&plan).await;
    console.deliver_messages().await;
    assert_eq!(console.sent_messages().len(), 3);
    console
}

async fn campaign(console: &SmsConsole) -> Value {
    let list = console.get("/api/admin/sms/campaigns").await.json();
    list["campaigns"][0].clone()
}

fn click(id: &str, cta: bool) -> TestRequest {
    post(CLICK, &json!({"trackingId": id, "cta": cta}).to_string())
}

#[actix_web::test]
async fn a_click_is_counted_once_and_going_on_once() {
    let console = a_sent_campaign().await;
    let counts = async || {
        let campaign = campaign(&console).await;
        (
            campaign["clickedCount"].clone(),
            campaign["ctaClickedCount"].clone(),
        )
    };
    let first = tracking_id(&console.message_to(1));
    for _ in 0..3 {
        let response = console
            .send(post(CLICK, &json!({"trackingId": first}).to_string()))
            .await;
        assert_eq!(
            (response.status.as_u16(), response.json()),
            (
                200,
                json!({"success": true, "landingPage": "fresh-sips", "isEntrant": true})
            )
        );
        assert_eq!(counts().await, (json!(1), json!(0)));
    }
    for _ in 0..3 {
        assert_eq!(console.send(click(&first, true)).await.status, 200);
        assert_eq!(counts().await, (json!(1), json!(1)));
    }
    // Going on is opening too.
    assert_eq!(
        console
            .send(click(&tracking_id(&console.message_to(2)), true))
            .await
            .json(),
        json!({"success": true, "landingPage": "garden-bag", "isEntrant": true})
    );
    assert_eq!(counts().await, (json!(2), json!(2)));
    // The raffle of a number that is no entrant is the template's.
    assert_eq!(
        console
            .send(click(&tracking_id(&console.message_to(3)), false))
            .await
            .json(),
        json!({"success": true, "landingPage": "fresh-sips", "isEntrant": false})
    );
    assert_eq!(counts().await, (json!(3), json!(2)));
}

#[actix_web::test]
async fn an_unknown_link_is_no_ones() {
    let console = a_sent_campaign().await;
    for unknown in ["garden-2345678923456", "", "../1", "garden-é", &"x".repeat(65)] {
        for cta in [false, true] {
            let response = console.send(click(unknown, cta)).await;
            assert_eq!(response.error(), "404 unknown_tracking_id", "{unknown}");
        }
    }
    for body in ["{}", r#"{"trackingId": null}"#, r#"{"trackingId": 7}"#] {
        let response = console.send(post(CLICK, body)).await;
        assert_eq!(response.error(), "400 validation trackingId", "{body}");
    }
    let id = tracking_id(&console.message_to(1));
    let cta = json!({"trackingId": id, "cta": "yes"});
    assert_eq!(
        console.send(post(CLICK, &cta.to_string())).await.error(),
        "400 validation cta"
    );
    let as_text = click(&id, false).insert_header(("Content-Type", "text/plain"));
    assert_eq!(console.send(as_text).await.error(), "415 wrong_content_type");
    let huge = post(CLICK, &"x".repeat(20_000));
    assert_eq!(console.send(huge).await.error(), "413 too_large");
    assert_eq!(console.send(get(CLICK)).await.error(), "405 method_not_allowed");
    assert_eq!(campaign(&console).await["clickedCount"], 0);
}

#[actix_web::test]
async fn a_click_is_a_step_of_the_visit_unless_it_objects() {
    let console = a_sent_campaign().await;
    let id = tracking_id(&console.message_to(1));
    let steps = async || {
        let funnel = console.get("/api/admin/analytics/funnel").await.json();
        funnel["funnel"]["stepBreakdown"]["smsClick"]["count"].clone()
    };
    let objecting = click(&id, false)
        .insert_header(("X-Analytics-Session", "quiet"))
        .insert_header(("Sec-GPC", "1"));
    let response = console.send(objecting).await;
    assert_eq!(
        response.json(),
        json!({"success": true, "landingPage": "fresh-sips", "isEntrant": false})
    );
    assert_eq!(steps().await, Value::Null);
    assert_eq!(campaign(&console).await["clickedCount"], 0);
    let visit = |cta| click(&id, cta).insert_header(("X-Analytics-Session", "one"));
    for cta in [false, false, true] {
        assert_eq!(console.send(visit(cta)).await.status, 200);
    }
    assert_eq!(steps().await, 1);
}

fn parameters(sid: &str, from: &str, body: &str) -> Vec<(String, String)> {
    [
        ("MessageSid", sid),
        ("From", from),
        ("To", "+15550001111"),
        ("Body", body),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .to_vec()
}

fn has_opted_out(console: &SmsConsole, n: u32) -> bool {
    let phone = Phone::from_e164(&phone(n)).unwrap();
    console
        .store
        .read::<_, StoreError>(|tx| tx.has_opted_out(&phone))
        .unwrap()
}

#[actix_web::test]
async fn stop_and_start_and_their_synonyms_are_heard_and_answered_with_nothing() {
    let console = SmsConsole::new().await;
    let stops = [
        "STOP",
        "stop",
        " Stop. ",
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
            let call = parameters(&format!("SM{n}{word}"), &phone(1), word);
            let response = console.post_callback(INBOUND, &call).await;
            assert_eq!(
                (response.status.as_u16(), response.bytes.as_ref()),
                (200, EMPTY.as_bytes())
            );
            assert_eq!(response.header("content-type"), "text/xml");
            assert_eq!(has_opted_out(&console, 1), out, "{word}");
        }
    }
    assert!(!has_opted_out(&console, 2));
}

#[actix_web::test]
async fn help_is_answered_and_everything_else_is_not() {
    let console = SmsConsole::new().await;
    let help = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Response><Message>{HELP_ANSWER}</Message></Response>"
    );
    assert!(
        !HELP_ANSWER.contains(['<', '>', '&']),
        "it stands in XML as it is"
    );
    for (n, (body, expected)) in [
        ("HELP", help.as_str()),
        ("info?", &help),
        ("Thanks!", EMPTY),
        ("please stop", EMPTY),
        ("", EMPTY),
        ("\u{1f331}<&>", EMPTY),
    ]
    .into_iter()
    .enumerate()
    {
        for _ in 0..2 {
            let call = parameters(&format!("SM{n}"), &phone(1), body);
            let response = console.post_callback(INBOUND, &call).await;
            assert_eq!(
                (response.status.as_u16(), response.bytes.as_ref()),
                (200, expected.as_bytes())
            );
        }
    }
    assert!(!has_opted_out(&console, 1));
}

#[actix_web::test]
async fn a_text_that_is_told_again_changes_nothing() {
    let console = SmsConsole::new().await;
    let stop = parameters("SM1", &phone(1), "STOP");
    console.post_callback(INBOUND, &stop).await;
    console
        .post_callback(INBOUND, &parameters("SM2", &phone(1), "START"))
        .await;
    assert!(!has_opted_out(&console, 1));
    for _ in 0..3 {
        assert_eq!(console.post_callback(INBOUND, &stop).await.bytes, EMPTY);
        assert!(!has_opted_out(&console, 1));
    }
    console
        .post_callback(INBOUND, &parameters("SM3", &phone(1), "STOP"))
        .await;
    assert!(has_opted_out(&console, 1));
}

#[actix_web::test]
async fn who_opted_out_is_sent_nothing_at_all() {
    let console = SmsConsole::new().await;
    console
        .post_callback(INBOUND, &parameters("SM1", &phone(1), "STOP"))
        .await;
    console.register_entrant(1, "garden-bag").await;
    let test = console
        .post("/api/admin/sms/test-text", &json!({"phoneNumber": phone(1)}))
        .await;
    console.deliver_messages().await;
    assert_eq!(console.sms.sent(), []);
    let text = console
        .get(&format!("/api/admin/sms/texts/{}", test.json()["id"]))
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
async fn what_is_no_text_of_a_phone_is_acknowledged_or_refused() {
    let console = SmsConsole::new().await;
    for from in ["12345", "TOMBOLA", ""] {
        let response = console
            .post_callback(INBOUND, &parameters("SM1", from, "STOP"))
            .await;
        assert_eq!(
            (response.status.as_u16(), response.bytes.as_ref()),
            (200, EMPTY.as_bytes())
        );
    }
    let whole = parameters("SM1", &phone(1), "STOP");
    for missing in ["MessageSid", "From"] {
        let mut call = whole.clone();
        call.retain(|(name, _)| name != missing);
        assert_eq!(
            console.post_callback(INBOUND, &call).await.error(),
            "400 malformed"
        );
    }
    let large = parameters("SM1", &phone(1), &"x".repeat(65 * 1024));
    assert_eq!(
        console.post_callback(INBOUND, &large).await.error(),
        "413 too_large"
    );
    assert!(!has_opted_out(&console, 1));
    // None of these took the name of the text that counts.
    assert_eq!(console.post_callback(INBOUND, &whole).await.bytes, EMPTY);
    assert!(has_opted_out(&console, 1));
}

#[actix_web::test]
async fn only_the_provider_is_heard() {
    let console = SmsConsole::new().await;
    let stop = parameters("SM1", &phone(1), "STOP");
    let own = "https://example.org/api/twilio/inbound";
    let signed_with = |token: &str, url: &str| SmsConsole::signed_callback(INBOUND, &stop, token, url);
    let other_number = parameters("SM1", &phone(2), "STOP");
    let signature = fakes::FakeSms::sign(ENVIRONMENT_TOKEN, own, &stop);
    let with_signature =
        |request: TestRequest, signature: &str| request.insert_header(("X-Twilio-Signature", signature));
    let added = [stop.clone(), parameters("SM1", "", "")[3..].to_vec()].concat();
    let forged = [
        unsigned_callback(INBOUND, &stop),
        with_signature(unsigned_callback(INBOUND, &stop), ""),
        with_signature(unsigned_callback(INBOUND, &stop), "nonsense"),
        signed_with("ffffffffffffffffffffffffffffffff", own),
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
        assert!(!has_opted_out(&console, 1) && !has_opted_out(&console, 2));
    }
    let by_a_proxy = signed_with(ENVIRONMENT_TOKEN, own).insert_header(("Host", "10.0.0.7:8080"));
    assert_eq!(console.send(by_a_proxy).await.status, 200);
    assert!(has_opted_out(&console, 1));
}

#[actix_web::test]
async fn without_an_account_nobody_is_heard() {
    let console = SmsConsole::new().await;
    let stop = parameters("SM1", &phone(1), "STOP");
    for path in [INBOUND, "/api/twilio/status?text=1"] {
        let request = SmsConsole::signed_callback(path, &stop, "", &format!("https://example.org{path}"));
        let response = send(&console.store, request).await;
        assert_eq!(response.error(), "503 sms_not_configured", "{path}");
        assert_eq!(response.json()["error"], "Texts are not configured");
    }
    assert!(!has_opted_out(&console, 1));
    assert!(app_state().sms.environment.is_none());
}

/// How the first of the campaign's texts stands: its status, and the figures.
async fn standing(console: &SmsConsole, id: MessageId) -> (Value, Value, Value, Value) {
    let text = console.get(&format!("/api/admin/sms/texts/{id}")).await.json();
    let campaign = campaign(console).await;
    (
        text["status"].clone(),
        campaign["sentCount"].clone(),
        campaign["deliveredCount"].clone(),
        campaign["errorCount"].clone(),
    )
}

#[actix_web::test]
async fn callbacks_in_any_order_and_a_hundred_times_come_to_the_same() {
    let console = a_sent_campaign().await;
    let unreachable = || {
        Some(Failure {
            code: Some(30003),
            sentence: "Unreachable".to_owned(),
        })
    };
    let (arrived, lost) = (console.message_to(1), console.message_to(2));
    let call = |text: &fakes::SentMessage, status, failure| {
        let (path, told) = (
            status_callback_path(text),
            console.sms.tell(&text.text.id, status, failure),
        );
        move || {
            let url = format!("https://example.org{path}");
            SmsConsole::signed_callback(&path, &told, ENVIRONMENT_TOKEN, &url)
        }
    };
    // Of the second text the end is told first.
    let calls = [
        call(&arrived, ProviderStatus::Accepted, None),
        call(&lost, ProviderStatus::Undelivered, unreachable()),
        call(&arrived, ProviderStatus::Delivered, None),
        call(&lost, ProviderStatus::Accepted, None),
    ];
    // Every one a hundred times, each time in another order.
    let order = |round: usize| (0..4).map(move |n| (n * (1 + 2 * (round % 2)) + round / 2) % 4);
    let requests = (0..100).flat_map(order).map(|n| calls[n]()).collect();
    for response in send_all(&console.store, console.state(), requests).await {
        assert_eq!(
            (response.status.as_u16(), response.bytes.as_ref()),
            (200, EMPTY.as_bytes())
        );
    }
    let figures = (json!(3), json!(1), json!(1));
    let (status, sent, delivered, failed) = standing(&console, message_id(&arrived)).await;
    assert_eq!(
        (status, (sent, delivered, failed)),
        (json!("delivered"), figures.clone())
    );
    let (status, sent, delivered, failed) = standing(&console, message_id(&lost)).await;
    assert_eq!(
        (status, (sent, delivered, failed)),
        (json!("undelivered"), figures)
    );
}

#[actix_web::test]
async fn a_text_never_goes_back_from_an_end() {
    let console = a_sent_campaign().await;
    let sent = console.message_to(1);
    let tell = async |status| {
        let told = console.sms.tell(&sent.text.id, status, None);
        assert_eq!(
            console
                .post_callback(&status_callback_path(&sent), &told)
                .await
                .status,
            200
        );
        standing(&console, message_id(&sent)).await
    };
    let delivered = tell(ProviderStatus::Delivered).await;
    assert_eq!(delivered, (json!("delivered"), json!(3), json!(1), json!(0)));
    for late in [
        ProviderStatus::Accepted,
        ProviderStatus::Undelivered,
        ProviderStatus::Failed,
    ] {
        assert_eq!(tell(late).await, delivered, "{late:?}");
    }
}

#[actix_web::test]
async fn the_provider_may_tell_of_a_text_before_its_answer_is_known() {
    let console = SmsConsole::new().await;
    let first = Phone::from_e164(&phone(1)).unwrap();
    console.sms.answer_next(&first, SmsAnswer::Lost { sent: true });
    let plan = json!({"templateId": console.create_template().await, "campaignName": "Summer",
                      "scheduledDate": "2025-08-01T12:00:00Z", "targetAudience": "custom",
                      "customPhoneNumbers": [phone(1)]});
    console.schedule_campaign(&plan).await;
    console.deliver_messages().await;
    let sent = console.message_to(1);
    let unknown = standing(&console, message_id(&sent)).await;
    assert_eq!(unknown, (json!("unknown"), json!(0), json!(0), json!(0)));
    let told = console.sms.tell(&sent.text.id, ProviderStatus::Delivered, None);
    console.post_callback(&status_callback_path(&sent), &told).await;
    let delivered = standing(&console, message_id(&sent)).await;
    assert_eq!(delivered, (json!("delivered"), json!(1), json!(1), json!(0)));
    console.deliver_messages().await;
    assert_eq!(console.sent_messages().len(), 1, "it is not sent again");
    assert_eq!(campaign(&console).await["status"], "sent");
}

#[actix_web::test]
async fn what_is_told_of_no_text_of_ours_is_acknowledged() {
    let console = a_sent_campaign().await;
    let (first, second) = (console.message_to(1), console.message_to(2));
    let told = console.sms.tell(&first.text.id, ProviderStatus::Failed, None);
    let before = standing(&console, message_id(&first)).await;
    for path in [
        "/api/twilio/status",
        "/api/twilio/status?text=",
        "/api/twilio/status?text=x",
        "/api/twilio/status?text=-1",
        "/api/twilio/status?text=999",
        "/api/twilio/status?text=1&text=2",
        // This text has another name at the provider.
        &status_callback_path(&second),
    ] {
        let response = console.post_callback(path, &told).await;
        assert_eq!(
            (response.status.as_u16(), response.bytes.as_ref()),
            (200, EMPTY.as_bytes()),
            "{path}"
        );
    }
    let nothing = parameters("SM1", &phone(1), "STOP");
    assert_eq!(
        console
            .post_callback(&status_callback_path(&first), &nothing)
            .await
            .status,
        200
    );
    assert_eq!(standing(&console, message_id(&first)).await, before);
    assert_eq!(standing(&console, message_id(&second)).await, before);
}

#[actix_web::test]
async fn a_forged_callback_changes_nothing() {
    let console = a_sent_campaign().await;
    let (first, second) = (console.message_to(1), console.message_to(2));
    let told = console.sms.tell(&first.text.id, ProviderStatus::Failed, None);
    let path = status_callback_path(&first);
    let of_another = format!("https://example.org{}", status_callback_path(&second));
    let mut changed = told.clone();
    changed[1].1 = "delivered".to_owned();
    let own = format!("https://example.org{path}");
    let signature = fakes::FakeSms::sign(ENVIRONMENT_TOKEN, &own, &told);
    for request in [
        unsigned_callback(&path, &told),
        SmsConsole::signed_callback(
            &path,
            &told,
            ENVIRONMENT_TOKEN,
            "https://example.org/api/twilio/status",
        ),
        SmsConsole::signed_callback(&path, &told, ENVIRONMENT_TOKEN, &of_another),
        unsigned_callback(&path, &changed).insert_header(("X-Twilio-Signature", signature)),
    ] {
        assert_eq!(console.send(request).await.error(), "403 bad_signature");
    }
    let (status, ..) = standing(&console, message_id(&first)).await;
    assert_eq!(status, "sent");
}

#[actix_web::test]
async fn no_public_answer_holds_a_phone_number() {
    let console = a_sent_campaign().await;
    let first = console.message_to(1);
    let told = console.sms.tell(&first.text.id, ProviderStatus::Delivered, None);
    let responses = [
        console.send(click(&tracking_id(&first), true)).await,
        console.send(click("garden-2345678923456", false)).await,
        console
            .post_callback(INBOUND, &parameters("SM1", &phone(1), "HELP"))
            .await,
        console
            .post_callback(INBOUND, &parameters("SM2", &phone(1), "STOP"))
            .await,
        console.post_callback(&status_callback_path(&first), &told).await,
        console
            .send(unsigned_callback(INBOUND, &parameters("SM3", &phone(1), "STOP")))
            .await,
    ];
    for response in responses {
        let text = String::from_utf8(response.bytes.to_vec()).unwrap();
        assert!(!text.contains("5551230001"), "{text}");
        assert!(!text.contains("0001111"), "{text}");
    }
}

#[actix_web::test]
async fn clicks_are_limited_by_address_and_the_providers_calls_are_not() {
    let console = SmsConsole::new().await;
    // Five a second become free again meanwhile, so on a slow machine the first refusal comes a little later.
    let clicks = (0..600).map(|_| post(CLICK, "{}")).collect();
    let responses = send_all(&console.store, with_rate_limits(console.state()), clicks).await;
    assert!(responses.iter().take(300).all(|response| response.status == 400));
    let refused = responses.iter().find(|response| response.status != 400).unwrap();
    assert_eq!(refused.error(), "429 rate_limited");
    let calls = (0..700).map(|_| unsigned_callback(INBOUND, &[])).collect();
    for response in send_all(&console.store, with_rate_limits(console.state()), calls).await {
        assert_eq!(response.error(), "403 bad_signature");
    }
}

#[actix_web::test]
async fn while_the_store_is_away_nothing_is_acknowledged() {
    let console = a_sent_campaign().await;
    let first = console.message_to(1);
    let stop = parameters("SM1", &phone(1), "STOP");
    let told = console.sms.tell(&first.text.id, ProviderStatus::Delivered, None);
    let away = || {
        console
            .store
            .fail_next(StoreError::Unavailable("secret host".into()))
    };
    away();
    let clicked = console.send(click(&tracking_id(&first), false)).await;
    away();
    let heard = console.post_callback(INBOUND, &stop).await;
    away();
    let called = console.post_callback(&status_callback_path(&first), &told).await;
    for response in [clicked, heard, called] {
        assert_eq!(response.error(), "503 unavailable");
        assert_eq!(response.header("retry-after"), "5");
    }
    assert!(!has_opted_out(&console, 1));
    // So the provider comes again.
    assert_eq!(console.post_callback(INBOUND, &stop).await.status, 200);
    assert_eq!(
        console
            .post_callback(&status_callback_path(&first), &told)
            .await
            .status,
        200
    );
    assert!(has_opted_out(&console, 1));
    let (status, ..) = standing(&console, message_id(&first)).await;
    assert_eq!(status, "delivered");
}
