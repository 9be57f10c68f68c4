//! What readers of texts and their provider tell us (D22, D23).

use crate::site::{a_site, ask, ask_all, get, post, with_limits};
use crate::texting::{Desk, ENVIRONMENT_TOKEN, phone, status_path, text_id, tracking_id, unsigned_call};
use actix_web::test::TestRequest;
use fakes::SmsAnswer;
use kernel::{Phone, StoreError, UnitOfWork};
use serde_json::{Value, json};
use sms::{Failure, HELP_ANSWER, MessageId, OptOuts, ProviderStatus};

const CLICK: &str = "/api/sms/track-click";
const INBOUND: &str = "/api/twilio/inbound";
const EMPTY: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Response></Response>";

/// Two entrants and a stranger were sent a campaign of fresh-sips.
async fn a_sent_campaign() -> Desk {
    let desk = Desk::open().await;
    desk.enter(1, "fresh-sips").await;
    desk.enter(2, "garden-bag").await;
    let plan = json!({"templateId": desk.template().await, "campaignName": "Summer",
                      "scheduledDate": "2025-08-01T12:00:00Z", "targetAudience": "custom",
                      "customPhoneNumbers": [phone(1), phone(2), phone(3)]});
    desk.schedule(&plan).await;
    desk.deliver().await;
    assert_eq!(desk.sent().len(), 3);
    desk
}

async fn campaign(desk: &Desk) -> Value {
    let list = desk.read("/api/admin/sms/campaigns").await.json();
    list["campaigns"][0].clone()
}

fn click(id: &str, cta: bool) -> TestRequest {
    post(CLICK, &json!({"trackingId": id, "cta": cta}).to_string())
}

#[actix_web::test]
async fn a_click_is_counted_once_and_going_on_once() {
    let desk = a_sent_campaign().await;
    let counts = async || {
        let campaign = campaign(&desk).await;
        (
            campaign["clickedCount"].clone(),
            campaign["ctaClickedCount"].clone(),
        )
    };
    let first = tracking_id(&desk.sent_to(1));
    for _ in 0..3 {
        let answer = desk
            .ask(post(CLICK, &json!({"trackingId": first}).to_string()))
            .await;
        assert_eq!(
            (answer.status.as_u16(), answer.json()),
            (
                200,
                json!({"success": true, "landingPage": "fresh-sips", "isEntrant": true})
            )
        );
        assert_eq!(counts().await, (json!(1), json!(0)));
    }
    for _ in 0..3 {
        assert_eq!(desk.ask(click(&first, true)).await.status, 200);
        assert_eq!(counts().await, (json!(1), json!(1)));
    }
    // Going on is opening too.
    assert_eq!(
        desk.ask(click(&tracking_id(&desk.sent_to(2)), true)).await.json(),
        json!({"success": true, "landingPage": "garden-bag", "isEntrant": true})
    );
    assert_eq!(counts().await, (json!(2), json!(2)));
    // The raffle of a number that is no entrant is the template's.
    assert_eq!(
        desk.ask(click(&tracking_id(&desk.sent_to(3)), false))
            .await
            .json(),
        json!({"success": true, "landingPage": "fresh-sips", "isEntrant": false})
    );
    assert_eq!(counts().await, (json!(3), json!(2)));
}

#[actix_web::test]
async fn an_unknown_link_is_no_ones() {
    let desk = a_sent_campaign().await;
    for unknown in ["garden-2345678923456", "", "../1", "garden-é", &"x".repeat(65)] {
        for cta in [false, true] {
            let answer = desk.ask(click(unknown, cta)).await;
            assert_eq!(answer.error(), "404 unknown_tracking_id", "{unknown}");
        }
    }
    for body in ["{}", r#"{"trackingId": null}"#, r#"{"trackingId": 7}"#] {
        let answer = desk.ask(post(CLICK, body)).await;
        assert_eq!(answer.error(), "400 validation trackingId", "{body}");
    }
    let id = tracking_id(&desk.sent_to(1));
    let cta = json!({"trackingId": id, "cta": "yes"});
    assert_eq!(
        desk.ask(post(CLICK, &cta.to_string())).await.error(),
        "400 validation cta"
    );
    let as_text = click(&id, false).insert_header(("Content-Type", "text/plain"));
    assert_eq!(desk.ask(as_text).await.error(), "415 wrong_content_type");
    let huge = post(CLICK, &"x".repeat(20_000));
    assert_eq!(desk.ask(huge).await.error(), "413 too_large");
    assert_eq!(desk.ask(get(CLICK)).await.error(), "405 method_not_allowed");
    assert_eq!(campaign(&desk).await["clickedCount"], 0);
}

#[actix_web::test]
async fn a_click_is_a_step_of_the_visit_unless_it_objects() {
    let desk = a_sent_campaign().await;
    let id = tracking_id(&desk.sent_to(1));
    let steps = async || {
        let funnel = desk.read("/api/admin/analytics/funnel").await.json();
        funnel["funnel"]["stepBreakdown"]["smsClick"]["count"].clone()
    };
    let objecting = click(&id, false)
        .insert_header(("X-Analytics-Session", "quiet"))
        .insert_header(("Sec-GPC", "1"));
    let answer = desk.ask(objecting).await;
    assert_eq!(
        answer.json(),
        json!({"success": true, "landingPage": "fresh-sips", "isEntrant": false})
    );
    assert_eq!(steps().await, Value::Null);
    assert_eq!(campaign(&desk).await["clickedCount"], 0);
    let visit = |cta| click(&id, cta).insert_header(("X-Analytics-Session", "one"));
    for cta in [false, false, true] {
        assert_eq!(desk.ask(visit(cta)).await.status, 200);
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

fn has_opted_out(desk: &Desk, n: u32) -> bool {
    let phone = Phone::from_e164(&phone(n)).unwrap();
    desk.store
        .read::<_, StoreError>(|tx| tx.has_opted_out(&phone))
        .unwrap()
}

#[actix_web::test]
async fn stop_and_start_and_their_synonyms_are_heard_and_answered_with_nothing() {
    let desk = Desk::open().await;
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
            let answer = desk.tell(INBOUND, &call).await;
            assert_eq!(
                (answer.status.as_u16(), answer.bytes.as_ref()),
                (200, EMPTY.as_bytes())
            );
            assert_eq!(answer.header("content-type"), "text/xml");
            assert_eq!(has_opted_out(&desk, 1), out, "{word}");
        }
    }
    assert!(!has_opted_out(&desk, 2));
}

#[actix_web::test]
async fn help_is_answered_and_everything_else_is_not() {
    let desk = Desk::open().await;
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
            let answer = desk.tell(INBOUND, &call).await;
            assert_eq!(
                (answer.status.as_u16(), answer.bytes.as_ref()),
                (200, expected.as_bytes())
            );
        }
    }
    assert!(!has_opted_out(&desk, 1));
}

#[actix_web::test]
async fn a_text_that_is_told_again_changes_nothing() {
    let desk = Desk::open().await;
    let stop = parameters("SM1", &phone(1), "STOP");
    desk.tell(INBOUND, &stop).await;
    desk.tell(INBOUND, &parameters("SM2", &phone(1), "START")).await;
    assert!(!has_opted_out(&desk, 1));
    for _ in 0..3 {
        assert_eq!(desk.tell(INBOUND, &stop).await.bytes, EMPTY);
        assert!(!has_opted_out(&desk, 1));
    }
    desk.tell(INBOUND, &parameters("SM3", &phone(1), "STOP")).await;
    assert!(has_opted_out(&desk, 1));
}

#[actix_web::test]
async fn who_opted_out_is_sent_nothing_at_all() {
    let desk = Desk::open().await;
    desk.tell(INBOUND, &parameters("SM1", &phone(1), "STOP")).await;
    desk.enter(1, "garden-bag").await;
    let test = desk
        .write("/api/admin/sms/test-text", &json!({"phoneNumber": phone(1)}))
        .await;
    desk.deliver().await;
    assert_eq!(desk.sms.sent(), []);
    let text = desk
        .read(&format!("/api/admin/sms/texts/{}", test.json()["id"]))
        .await;
    assert_eq!(
        (&text.json()["status"], &text.json()["errorMessage"]),
        (&json!("skipped"), &json!("opted_out"))
    );
    desk.enter(2, "garden-bag").await;
    desk.deliver().await;
    assert_eq!(desk.sms.sent().len(), 1);
}

#[actix_web::test]
async fn what_is_no_text_of_a_phone_is_acknowledged_or_refused() {
    let desk = Desk::open().await;
    for from in ["12345", "TOMBOLA", ""] {
        let answer = desk.tell(INBOUND, &parameters("SM1", from, "STOP")).await;
        assert_eq!(
            (answer.status.as_u16(), answer.bytes.as_ref()),
            (200, EMPTY.as_bytes())
        );
    }
    let whole = parameters("SM1", &phone(1), "STOP");
    for missing in ["MessageSid", "From"] {
        let mut call = whole.clone();
        call.retain(|(name, _)| name != missing);
        assert_eq!(desk.tell(INBOUND, &call).await.error(), "400 malformed");
    }
    let large = parameters("SM1", &phone(1), &"x".repeat(65 * 1024));
    assert_eq!(desk.tell(INBOUND, &large).await.error(), "413 too_large");
    assert!(!has_opted_out(&desk, 1));
    // None of these took the name of the text that counts.
    assert_eq!(desk.tell(INBOUND, &whole).await.bytes, EMPTY);
    assert!(has_opted_out(&desk, 1));
}

#[actix_web::test]
async fn only_the_provider_is_heard() {
    let desk = Desk::open().await;
    let stop = parameters("SM1", &phone(1), "STOP");
    let own = "https://example.org/api/twilio/inbound";
    let signed = |token: &str, url: &str| Desk::call(INBOUND, &stop, token, url);
    let other_number = parameters("SM1", &phone(2), "STOP");
    let signature = fakes::FakeSms::sign(ENVIRONMENT_TOKEN, own, &stop);
    let with_signature =
        |request: TestRequest, signature: &str| request.insert_header(("X-Twilio-Signature", signature));
    let added = [stop.clone(), parameters("SM1", "", "")[3..].to_vec()].concat();
    let forged = [
        unsigned_call(INBOUND, &stop),
        with_signature(unsigned_call(INBOUND, &stop), ""),
        with_signature(unsigned_call(INBOUND, &stop), "nonsense"),
        signed("ffffffffffffffffffffffffffffffff", own),
        signed(ENVIRONMENT_TOKEN, "https://example.org/api/twilio/status"),
        signed(ENVIRONMENT_TOKEN, "http://example.org/api/twilio/inbound"),
        with_signature(unsigned_call(INBOUND, &other_number), &signature),
        with_signature(unsigned_call(INBOUND, &added), &signature),
        with_signature(unsigned_call(INBOUND, &stop[..3]), &signature),
        with_signature(unsigned_call(&format!("{INBOUND}?x=1"), &stop), &signature),
        signed(ENVIRONMENT_TOKEN, "https://evil.example/api/twilio/inbound")
            .insert_header(("Host", "evil.example"))
            .insert_header(("X-Forwarded-Host", "evil.example")),
    ];
    for request in forged {
        assert_eq!(desk.ask(request).await.error(), "403 bad_signature");
        assert!(!has_opted_out(&desk, 1) && !has_opted_out(&desk, 2));
    }
    let by_a_proxy = signed(ENVIRONMENT_TOKEN, own).insert_header(("Host", "10.0.0.7:8080"));
    assert_eq!(desk.ask(by_a_proxy).await.status, 200);
    assert!(has_opted_out(&desk, 1));
}

#[actix_web::test]
async fn without_an_account_nobody_is_heard() {
    let desk = Desk::open().await;
    let stop = parameters("SM1", &phone(1), "STOP");
    for path in [INBOUND, "/api/twilio/status?text=1"] {
        let request = Desk::call(path, &stop, "", &format!("https://example.org{path}"));
        let answer = ask(&desk.store, request).await;
        assert_eq!(answer.error(), "503 sms_not_configured", "{path}");
        assert_eq!(answer.json()["error"], "Texts are not configured");
    }
    assert!(!has_opted_out(&desk, 1));
    assert!(a_site().sms.environment.is_none());
}

/// How the first of the campaign's texts stands: its status, and the figures.
async fn standing(desk: &Desk, id: MessageId) -> (Value, Value, Value, Value) {
    let text = desk.read(&format!("/api/admin/sms/texts/{id}")).await.json();
    let campaign = campaign(desk).await;
    (
        text["status"].clone(),
        campaign["sentCount"].clone(),
        campaign["deliveredCount"].clone(),
        campaign["errorCount"].clone(),
    )
}

#[actix_web::test]
async fn callbacks_in_any_order_and_a_hundred_times_come_to_the_same() {
    let desk = a_sent_campaign().await;
    let unreachable = || {
        Some(Failure {
            code: Some(30003),
            sentence: "Unreachable".to_owned(),
        })
    };
    let (arrived, lost) = (desk.sent_to(1), desk.sent_to(2));
    let call = |text: &fakes::SentMessage, status, failure| {
        let (path, told) = (status_path(text), desk.sms.tell(&text.text.id, status, failure));
        move || {
            let url = format!("https://example.org{path}");
            Desk::call(&path, &told, ENVIRONMENT_TOKEN, &url)
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
    for answer in ask_all(&desk.store, desk.state(), requests).await {
        assert_eq!(
            (answer.status.as_u16(), answer.bytes.as_ref()),
            (200, EMPTY.as_bytes())
        );
    }
    let figures = (json!(3), json!(1), json!(1));
    let (status, sent, delivered, failed) = standing(&desk, text_id(&arrived)).await;
    assert_eq!(
        (status, (sent, delivered, failed)),
        (json!("delivered"), figures.clone())
    );
    let (status, sent, delivered, failed) = standing(&desk, text_id(&lost)).await;
    assert_eq!(
        (status, (sent, delivered, failed)),
        (json!("undelivered"), figures)
    );
}

#[actix_web::test]
async fn a_text_never_goes_back_from_an_end() {
    let desk = a_sent_campaign().await;
    let sent = desk.sent_to(1);
    let tell = async |status| {
        let told = desk.sms.tell(&sent.text.id, status, None);
        assert_eq!(desk.tell(&status_path(&sent), &told).await.status, 200);
        standing(&desk, text_id(&sent)).await
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
    let desk = Desk::open().await;
    let first = Phone::from_e164(&phone(1)).unwrap();
    desk.sms.answer_next(&first, SmsAnswer::Lost { sent: true });
    let plan = json!({"templateId": desk.template().await, "campaignName": "Summer",
                      "scheduledDate": "2025-08-01T12:00:00Z", "targetAudience": "custom",
                      "customPhoneNumbers": [phone(1)]});
    desk.schedule(&plan).await;
    desk.deliver().await;
    let sent = desk.sent_to(1);
    let unknown = standing(&desk, text_id(&sent)).await;
    assert_eq!(unknown, (json!("unknown"), json!(0), json!(0), json!(0)));
    let told = desk.sms.tell(&sent.text.id, ProviderStatus::Delivered, None);
    desk.tell(&status_path(&sent), &told).await;
    let delivered = standing(&desk, text_id(&sent)).await;
    assert_eq!(delivered, (json!("delivered"), json!(1), json!(1), json!(0)));
    desk.deliver().await;
    assert_eq!(desk.sent().len(), 1, "it is not sent again");
    assert_eq!(campaign(&desk).await["status"], "sent");
}

#[actix_web::test]
async fn what_is_told_of_no_text_of_ours_is_acknowledged() {
    let desk = a_sent_campaign().await;
    let (first, second) = (desk.sent_to(1), desk.sent_to(2));
    let told = desk.sms.tell(&first.text.id, ProviderStatus::Failed, None);
    let before = standing(&desk, text_id(&first)).await;
    for path in [
        "/api/twilio/status",
        "/api/twilio/status?text=",
        "/api/twilio/status?text=x",
        "/api/twilio/status?text=-1",
        "/api/twilio/status?text=999",
        "/api/twilio/status?text=1&text=2",
        // This text has another name at the provider.
        &status_path(&second),
    ] {
        let answer = desk.tell(path, &told).await;
        assert_eq!(
            (answer.status.as_u16(), answer.bytes.as_ref()),
            (200, EMPTY.as_bytes()),
            "{path}"
        );
    }
    let nothing = parameters("SM1", &phone(1), "STOP");
    assert_eq!(desk.tell(&status_path(&first), &nothing).await.status, 200);
    assert_eq!(standing(&desk, text_id(&first)).await, before);
    assert_eq!(standing(&desk, text_id(&second)).await, before);
}

#[actix_web::test]
async fn a_forged_callback_changes_nothing() {
    let desk = a_sent_campaign().await;
    let (first, second) = (desk.sent_to(1), desk.sent_to(2));
    let told = desk.sms.tell(&first.text.id, ProviderStatus::Failed, None);
    let path = status_path(&first);
    let of_another = format!("https://example.org{}", status_path(&second));
    let mut changed = told.clone();
    changed[1].1 = "delivered".to_owned();
    let own = format!("https://example.org{path}");
    let signature = fakes::FakeSms::sign(ENVIRONMENT_TOKEN, &own, &told);
    for request in [
        unsigned_call(&path, &told),
        Desk::call(
            &path,
            &told,
            ENVIRONMENT_TOKEN,
            "https://example.org/api/twilio/status",
        ),
        Desk::call(&path, &told, ENVIRONMENT_TOKEN, &of_another),
        unsigned_call(&path, &changed).insert_header(("X-Twilio-Signature", signature)),
    ] {
        assert_eq!(desk.ask(request).await.error(), "403 bad_signature");
    }
    let (status, ..) = standing(&desk, text_id(&first)).await;
    assert_eq!(status, "sent");
}

#[actix_web::test]
async fn no_public_answer_holds_a_phone_number() {
    let desk = a_sent_campaign().await;
    let first = desk.sent_to(1);
    let told = desk.sms.tell(&first.text.id, ProviderStatus::Delivered, None);
    let answers = [
        desk.ask(click(&tracking_id(&first), true)).await,
        desk.ask(click("garden-2345678923456", false)).await,
        desk.tell(INBOUND, &parameters("SM1", &phone(1), "HELP")).await,
        desk.tell(INBOUND, &parameters("SM2", &phone(1), "STOP")).await,
        desk.tell(&status_path(&first), &told).await,
        desk.ask(unsigned_call(INBOUND, &parameters("SM3", &phone(1), "STOP")))
            .await,
    ];
    for answer in answers {
        let text = String::from_utf8(answer.bytes.to_vec()).unwrap();
        assert!(!text.contains("5551230001"), "{text}");
        assert!(!text.contains("0001111"), "{text}");
    }
}

#[actix_web::test]
async fn clicks_are_limited_by_address_and_the_providers_calls_are_not() {
    let desk = Desk::open().await;
    // Five a second become free again meanwhile, so on a slow machine the first refusal comes a little later.
    let clicks = (0..600).map(|_| post(CLICK, "{}")).collect();
    let answers = ask_all(&desk.store, with_limits(desk.state()), clicks).await;
    assert!(answers.iter().take(300).all(|answer| answer.status == 400));
    let refused = answers.iter().find(|answer| answer.status != 400).unwrap();
    assert_eq!(refused.error(), "429 rate_limited");
    let calls = (0..700).map(|_| unsigned_call(INBOUND, &[])).collect();
    for answer in ask_all(&desk.store, with_limits(desk.state()), calls).await {
        assert_eq!(answer.error(), "403 bad_signature");
    }
}

#[actix_web::test]
async fn while_the_store_is_away_nothing_is_acknowledged() {
    let desk = a_sent_campaign().await;
    let first = desk.sent_to(1);
    let stop = parameters("SM1", &phone(1), "STOP");
    let told = desk.sms.tell(&first.text.id, ProviderStatus::Delivered, None);
    let away = || {
        desk.store
            .fail_next(StoreError::Unavailable("secret host".into()))
    };
    away();
    let clicked = desk.ask(click(&tracking_id(&first), false)).await;
    away();
    let heard = desk.tell(INBOUND, &stop).await;
    away();
    let called = desk.tell(&status_path(&first), &told).await;
    for answer in [clicked, heard, called] {
        assert_eq!(answer.error(), "503 unavailable");
        assert_eq!(answer.header("retry-after"), "5");
    }
    assert!(!has_opted_out(&desk, 1));
    // So the provider comes again.
    assert_eq!(desk.tell(INBOUND, &stop).await.status, 200);
    assert_eq!(desk.tell(&status_path(&first), &told).await.status, 200);
    assert!(has_opted_out(&desk, 1));
    let (status, ..) = standing(&desk, text_id(&first)).await;
    assert_eq!(status, "delivered");
}
