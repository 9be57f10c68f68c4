//! Campaigns, as staff plan and follow them (D20, D25).

use crate::sms_console::{SCHEDULE, SmsConsole, TEMPLATES, phone, status_callback_path, tracking_id};
use crate::support::{Response, authorized, post, send_all, send_concurrently};
use actix_web::test::TestRequest;
use fakes::SmsAnswer;
use kernel::Phone;
use serde_json::{Value, json};
use sms::{Failure, ProviderStatus};
use std::collections::HashSet;
use web::{AppState, BlockingPool};

const CAMPAIGNS: &str = "/api/admin/sms/campaigns";
const ESTIMATE: &str = "/api/admin/sms/campaigns/estimate";
const MISSING: &str = "Please fill in all required fields";

/// A campaign for everybody, due now.
fn a_plan(template: &Value) -> Value {
    json!({"templateId": template, "campaignName": "Summer", "scheduledDate": "2025-08-01T12:00:00Z",
           "targetAudience": "all"})
}

fn with(plan: &Value, name: &str, value: Value) -> Value {
    let mut plan = plan.clone();
    plan[name] = value;
    plan
}

fn to_numbers(plan: &Value, numbers: &[String]) -> Value {
    let plan = with(plan, "targetAudience", json!("custom"));
    with(&plan, "customPhoneNumbers", json!(numbers))
}

async fn campaigns(console: &SmsConsole) -> Vec<Value> {
    let list = console.get(CAMPAIGNS).await.json();
    list["campaigns"].as_array().unwrap().clone()
}

#[actix_web::test]
async fn a_campaign_is_scheduled_as_it_was_wanted() {
    let console = SmsConsole::new().await;
    let template = console.create_template().await;
    let scheduled = console.post(SCHEDULE, &a_plan(&template)).await;
    assert_eq!(scheduled.status, 201);
    let expected = json!({
        "id": 1, "campaignName": "Summer", "templateId": template, "templateName": "June",
        "scheduledDate": "2025-08-01T12:00:00Z", "targetAudience": "all", "landingPageFilter": null,
        "customPhoneNumbers": null, "customPhoneNumberCount": 0, "trackingUrlBase": "https://example.org",
        "status": "pending", "recipientCount": 0, "sentCount": 0, "deliveredCount": 0, "errorCount": 0,
        "skippedCount": 0, "clickedCount": 0, "ctaClickedCount": 0, "startedAt": null, "sentAt": null,
        "createdAt": "2025-08-01T12:00:00Z",
    });
    assert_eq!(scheduled.json(), expected);
    assert_eq!(
        console.last_audit_entry().await,
        (json!("schedule_campaign"), json!("1"), json!({"name": "Summer"}))
    );
    let raffle = json!({"templateId": template, "campaignName": " Autumn ",
                        "scheduledDate": "2025-09-01T09:00:00+02:00", "targetAudience": "landing_page",
                        "landingPageFilter": "kitchen-garden", "trackingUrlBase": "https://go.example.org/x/"});
    let second = console.schedule_campaign(&raffle).await;
    assert_eq!(
        (
            &second["campaignName"],
            &second["scheduledDate"],
            &second["targetAudience"]
        ),
        (
            &json!("Autumn"),
            &json!("2025-09-01T07:00:00Z"),
            &json!("landing_page")
        )
    );
    assert_eq!(
        (&second["landingPageFilter"], &second["trackingUrlBase"]),
        (&json!("kitchen-garden"), &json!("https://go.example.org/x"))
    );
    assert_eq!(campaigns(&console).await, [second.clone(), expected]);
    let page = console.get(&format!("{CAMPAIGNS}?limit=1&offset=0")).await;
    assert_eq!(page.header("x-total-count"), "2");
    assert_eq!(page.json(), json!({"campaigns": [second]}));
    let wrong = console.get(&format!("{CAMPAIGNS}?limit=501")).await;
    assert_eq!(wrong.error(), "400 validation limit");
}

#[actix_web::test]
async fn every_wrong_field_is_named_in_the_products_words() {
    let console = SmsConsole::new().await;
    let plan = a_plan(&console.create_template().await);
    let empty = console.post(SCHEDULE, &json!({})).await;
    assert_eq!(
        empty.json()["fields"],
        json!({"templateId": [MISSING], "campaignName": [MISSING], "scheduledDate": [MISSING],
               "targetAudience": [MISSING]})
    );
    let in_estimates = [
        ("templateId", json!(null), MISSING),
        ("targetAudience", json!(null), MISSING),
        (
            "targetAudience",
            json!("everybody"),
            "Must be all, landing_page or custom",
        ),
        (
            "trackingUrlBase",
            json!("ftp://example.org"),
            "Must be an http or https address of at most 60 characters",
        ),
        (
            "trackingUrlBase",
            json!("https://example.org?x"),
            "Must be an http or https address of at most 60 characters",
        ),
    ];
    for (name, value, sentence) in &in_estimates {
        for path in [SCHEDULE, ESTIMATE] {
            let response = console.post(path, &with(&plan, name, value.clone())).await;
            assert_eq!(
                response.error(),
                format!("400 validation {name}"),
                "{path} {value}"
            );
            assert_eq!(response.json()["fields"], json!({ *name: [sentence] }), "{path}");
        }
    }
    for (name, value, sentence) in [
        ("campaignName", json!(" "), MISSING),
        (
            "campaignName",
            json!("x".repeat(81)),
            "Must be one line of at most 80 characters",
        ),
        ("scheduledDate", json!(""), MISSING),
        (
            "scheduledDate",
            json!("tomorrow"),
            "Must be a time such as 2025-08-01T16:00:00Z",
        ),
        (
            "scheduledDate",
            json!("2025-08-01"),
            "Must be a time such as 2025-08-01T16:00:00Z",
        ),
    ] {
        let response = console.post(SCHEDULE, &with(&plan, name, value.clone())).await;
        assert_eq!(response.json()["fields"], json!({ name: [sentence] }), "{value}");
    }
    for (name, value) in [
        ("templateId", json!("1")),
        ("campaignName", json!(7)),
        ("customPhoneNumbers", json!("+15551234567")),
        ("customPhoneNumbers", json!([15_551_234_567_u64])),
    ] {
        let response = console.post(SCHEDULE, &with(&plan, name, value.clone())).await;
        assert_eq!(response.error(), format!("400 validation {name}"), "{value}");
    }
    assert_eq!(campaigns(&console).await, [] as [Value; 0]);
}

#[actix_web::test]
async fn an_audience_is_whole_or_named() {
    let console = SmsConsole::new().await;
    let plan = a_plan(&console.create_template().await);
    let raffle = with(&plan, "targetAudience", json!("landing_page"));
    for (filter, sentence) in [
        (json!(null), MISSING),
        (json!(""), MISSING),
        (json!("garden"), "There is no such raffle"),
    ] {
        let response = console
            .post(SCHEDULE, &with(&raffle, "landingPageFilter", filter))
            .await;
        assert_eq!(
            response.json()["fields"],
            json!({"landingPageFilter": [sentence]})
        );
    }
    let without = with(&plan, "targetAudience", json!("custom"));
    for numbers in [json!(null), json!([]), json!(["", "  "])] {
        let response = console
            .post(SCHEDULE, &with(&without, "customPhoneNumbers", numbers))
            .await;
        assert_eq!(
            response.json()["fields"],
            json!({"customPhoneNumbers": [MISSING]})
        );
    }
    // The list of another audience is passed over.
    let all = with(&plan, "customPhoneNumbers", json!(["12345"]));
    assert_eq!(console.schedule_campaign(&all).await["customPhoneNumberCount"], 0);
}

#[actix_web::test]
async fn a_template_has_to_be_there_and_active() {
    let console = SmsConsole::new().await;
    let id = console.create_template().await;
    for unknown in [json!(99), json!(0), json!(-1)] {
        let plan = with(&a_plan(&id), "templateId", unknown);
        for path in [SCHEDULE, ESTIMATE] {
            assert_eq!(console.post(path, &plan).await.error(), "404 unknown_template");
        }
    }
    let inactive = json!({"name": "June", "messageTemplate": "Look: {LINK}", "isActive": false});
    console.put(&format!("{TEMPLATES}/{id}"), &inactive).await;
    for path in [SCHEDULE, ESTIMATE] {
        let response = console.post(path, &a_plan(&id)).await;
        assert_eq!(response.error(), "404 unknown_template");
    }
    assert_eq!(campaigns(&console).await, [] as [Value; 0]);
}

#[actix_web::test]
async fn a_number_is_taken_once_however_it_is_written() {
    let console = SmsConsole::new().await;
    let plan = a_plan(&console.create_template().await);
    let spellings = [
        "(555) 123-0001",
        "555-123-0001",
        " +1 555 123 0001 ",
        "",
        "+15551230002",
        "1-555-123-0002",
    ]
    .map(str::to_owned);
    let campaign = console.schedule_campaign(&to_numbers(&plan, &spellings)).await;
    assert_eq!(campaign["customPhoneNumbers"], json!([phone(1), phone(2)]));
    assert_eq!(campaign["customPhoneNumberCount"], 2);
    console.deliver_messages().await;
    let numbers: Vec<_> = console
        .sent_messages()
        .iter()
        .map(|sent| sent.outgoing.to.as_e164().to_owned())
        .collect();
    assert_eq!(numbers, [phone(1), phone(2)]);
    assert_eq!(campaigns(&console).await[0]["status"], "sent");
}

#[actix_web::test]
async fn twenty_wrong_numbers_are_named_and_the_others_counted() {
    let console = SmsConsole::new().await;
    let plan = a_plan(&console.create_template().await);
    let mut numbers: Vec<_> = (0..25).map(|n| format!("123{n:02}")).collect();
    numbers.push(phone(1));
    for path in [SCHEDULE, ESTIMATE] {
        let response = console.post(path, &to_numbers(&plan, &numbers)).await;
        assert_eq!(response.error(), "400 validation customPhoneNumbers");
        let mut expected: Vec<_> = (0..20)
            .map(|n| format!("\"123{n:02}\" is not a phone number"))
            .collect();
        expected.push("… and 5 more".to_owned());
        assert_eq!(response.json()["fields"]["customPhoneNumbers"], json!(expected));
    }
    let one = console
        .post(SCHEDULE, &to_numbers(&plan, &["12345".to_owned()]))
        .await;
    assert_eq!(
        one.json()["fields"]["customPhoneNumbers"],
        json!(["\"12345\" is not a phone number"])
    );
    assert_eq!(campaigns(&console).await, [] as [Value; 0]);
}

#[actix_web::test]
async fn a_list_has_a_hundred_thousand_numbers_and_not_one_more() {
    let console = SmsConsole::new().await;
    let plan = a_plan(&console.create_template().await);
    let mut numbers: Vec<_> = (0..100_000).map(|n| format!("+1 (555) {n:07}")).collect();
    numbers.extend((0..1_000).map(|n| format!("1555{n:07}")));
    let campaign = console.schedule_campaign(&to_numbers(&plan, &numbers)).await;
    assert_eq!(campaign["customPhoneNumberCount"], 100_000);
    assert_eq!(campaign["customPhoneNumbers"], Value::Null, "too many to show");
    numbers.push("+15559999999".to_owned());
    let one_more = console.post(SCHEDULE, &to_numbers(&plan, &numbers)).await;
    assert_eq!(
        one_more.json()["fields"],
        json!({"customPhoneNumbers": ["A list has at most 100,000 numbers"]})
    );
    let too_large = vec!["+1 (555) 123-0001".to_owned(); 220_000];
    for path in [SCHEDULE, ESTIMATE] {
        let response = console.post(path, &to_numbers(&plan, &too_large)).await;
        assert_eq!(response.error(), "413 too_large");
    }
    let as_form = post(SCHEDULE, "x=1").insert_header(("Content-Type", "application/x-www-form-urlencoded"));
    let response = console.send(authorized(as_form, &console.token)).await;
    assert_eq!(response.error(), "415 wrong_content_type");
    assert_eq!(campaigns(&console).await.len(), 1);
}

#[actix_web::test]
async fn a_list_of_a_hundred_is_shown_and_a_longer_one_counted() {
    let console = SmsConsole::new().await;
    let plan = a_plan(&console.create_template().await);
    let numbers: Vec<_> = (0..101).map(phone).collect();
    let whole = console
        .schedule_campaign(&to_numbers(&plan, &numbers[..100]))
        .await;
    assert_eq!(whole["customPhoneNumbers"], json!(numbers[..100]));
    let longer = console.schedule_campaign(&to_numbers(&plan, &numbers)).await;
    assert_eq!(
        (&longer["customPhoneNumbers"], &longer["customPhoneNumberCount"]),
        (&Value::Null, &json!(101))
    );
}

fn scheduling(console: &SmsConsole, plan: &Value, key: &str) -> TestRequest {
    authorized(post(SCHEDULE, &plan.to_string()), &console.token).insert_header(("Idempotency-Key", key))
}

async fn times_scheduled(console: &SmsConsole) -> usize {
    let path = "/api/admin/audit-log?action=schedule_campaign";
    console.get(path).await.json()["entries"]
        .as_array()
        .unwrap()
        .len()
}

#[actix_web::test]
async fn the_same_key_schedules_one_campaign() {
    let console = SmsConsole::new().await;
    let plan = a_plan(&console.create_template().await);
    let first = console.send(scheduling(&console, &plan, "a")).await;
    let renamed = with(&plan, "campaignName", json!("Other"));
    let again = console.send(scheduling(&console, &renamed, "a")).await;
    assert_eq!((first.status.as_u16(), again.status.as_u16()), (201, 201));
    assert_eq!(first.json(), again.json());
    let other = console.send(scheduling(&console, &plan, "b")).await;
    assert_ne!(other.json()["id"], first.json()["id"]);
    for wrong in ["", "a b", &"x".repeat(256)] {
        let response = console.send(scheduling(&console, &plan, wrong)).await;
        assert_eq!(response.error(), "400 malformed", "{wrong}");
    }
    assert_eq!(
        (campaigns(&console).await.len(), times_scheduled(&console).await),
        (2, 2)
    );
}

#[actix_web::test]
async fn the_same_key_from_eight_threads_schedules_one_campaign() {
    let console = SmsConsole::new().await;
    let plan = a_plan(&console.create_template().await);
    let state = AppState {
        flows: BlockingPool::start(8).unwrap(),
        ..console.state()
    };
    let requests = (0..8).map(|_| scheduling(&console, &plan, "a")).collect();
    let responses = send_concurrently(&console.store, state, requests, |_| ()).await;
    for response in &responses {
        assert_eq!(
            (response.status.as_u16(), response.json()),
            (201, responses[0].json())
        );
    }
    assert_eq!(
        (campaigns(&console).await.len(), times_scheduled(&console).await),
        (1, 1)
    );
}

async fn cancel(console: &SmsConsole, id: &Value) -> Response {
    console.put(&format!("{CAMPAIGNS}/{id}/cancel"), &json!({})).await
}

#[actix_web::test]
async fn only_a_pending_campaign_is_called_off() {
    let console = SmsConsole::new().await;
    let plan = a_plan(&console.create_template().await);
    let later = with(&plan, "scheduledDate", json!("2025-08-01T12:00:01Z"));
    let id = console.schedule_campaign(&later).await["id"].clone();
    console.start_campaigns();
    let cancelled = cancel(&console, &id).await;
    assert_eq!(
        (cancelled.status.as_u16(), &cancelled.json()["status"]),
        (200, &json!("cancelled"))
    );
    assert_eq!(
        console.last_audit_entry().await,
        (
            json!("cancel_campaign"),
            json!(id.to_string()),
            json!({"name": "Summer"})
        )
    );
    let again = cancel(&console, &id).await;
    assert_eq!(again.error(), "409 not_pending");
    assert_eq!(again.json()["error"], "Only a pending campaign can be cancelled");
    for unknown in [json!(99), json!(0), json!(-1), json!(1.5)] {
        assert_eq!(cancel(&console, &unknown).await.error(), "404 not_found");
    }
    console.register_entrant(1, "garden-bag").await;
    // In the past means now.
    let past = with(&plan, "scheduledDate", json!("2020-01-01T00:00:00Z"));
    let begun = console.schedule_campaign(&past).await["id"].clone();
    console.start_campaigns();
    assert_eq!(cancel(&console, &begun).await.error(), "409 not_pending");
    let states: Vec<_> = campaigns(&console)
        .await
        .iter()
        .map(|campaign| campaign["status"].clone())
        .collect();
    assert_eq!(states, ["sending", "cancelled"]);
    console.deliver_messages().await;
    assert_eq!(cancel(&console, &begun).await.error(), "409 not_pending");
    assert_eq!(console.sent_messages().len(), 1);
}

#[actix_web::test]
async fn an_estimate_says_whom_it_reaches_and_what_it_costs() {
    let console = SmsConsole::new().await;
    let template = console.create_template().await;
    console.register_entrant(1, "fresh-sips").await;
    console.register_entrant(2, "garden-bag").await;
    let estimate = async |body: Value| console.post(ESTIMATE, &body).await.json();
    let wish = json!({"templateId": template, "targetAudience": "all"});
    let all = estimate(wish.clone()).await;
    let sample = all["sample"].as_str().unwrap().to_owned();
    assert!(
        sample.starts_with("Look: https://example.org/planter/fresh-"),
        "{sample}"
    );
    assert_eq!(
        all,
        json!({"recipients": 2, "overCap": 0, "sample": sample, "characters": sample.len(),
               "encoding": "GSM-7", "segments": 1, "totalSegments": 2})
    );
    let raffle = json!({"templateId": template, "targetAudience": "landing_page",
                        "landingPageFilter": "garden-bag", "trackingUrlBase": "http://go.example.org"});
    let raffle = estimate(raffle).await;
    assert_eq!(raffle["recipients"], 1);
    let sample = raffle["sample"].as_str().unwrap();
    assert!(
        sample.starts_with("Look: http://go.example.org/planter/fresh-"),
        "{sample}"
    );
    let custom = estimate(to_numbers(&wish, &[phone(1), phone(7), phone(7)])).await;
    assert_eq!(custom["recipients"], 2);

    let long = json!({"name": "Long", "messageTemplate": format!("{}\u{1f331} {{LINK}}", "x".repeat(60))});
    let long = console.post(TEMPLATES, &long).await.json()["id"].clone();
    let long = estimate(json!({"templateId": long, "targetAudience": "all"})).await;
    let units = long["sample"].as_str().unwrap().encode_utf16().count();
    assert_eq!(
        (&long["encoding"], &long["characters"]),
        (&json!("UCS-2"), &json!(units))
    );
    assert_eq!(
        (&long["segments"], &long["totalSegments"]),
        (&json!(2), &json!(4))
    );
    assert_eq!(campaigns(&console).await, [] as [Value; 0], "nothing is stored");

    console
        .schedule_campaign(&with(&a_plan(&template), "targetAudience", json!("all")))
        .await;
    console.deliver_messages().await;
    console.register_entrant(3, "garden-bag").await;
    let after = estimate(wish).await;
    assert_eq!(
        (&after["recipients"], &after["overCap"], &after["totalSegments"]),
        (&json!(3), &json!(2), &json!(1))
    );
}

#[actix_web::test]
async fn all_recipients_read_what_the_template_said_when_the_campaign_began() {
    let console = SmsConsole::new().await;
    let template = console.create_template().await;
    console.register_entrant(1, "garden-bag").await;
    console.register_entrant(2, "kitchen-garden").await;
    console.schedule_campaign(&a_plan(&template)).await;
    console.start_campaigns();
    let edited = json!({"name": "July", "messageTemplate": "Changed: {LINK}"});
    assert_eq!(
        console
            .put(&format!("{TEMPLATES}/{template}"), &edited)
            .await
            .status,
        200
    );
    console.deliver_messages().await;
    let links: Vec<_> = console
        .sent_messages()
        .iter()
        .map(|sent| sent.outgoing.body.strip_prefix("Look: ").unwrap().to_owned())
        .collect();
    assert!(
        links[0].starts_with("https://example.org/planter/garden-"),
        "{links:?}"
    );
    assert!(
        links[1].starts_with("https://example.org/planter/kitchen-"),
        "{links:?}"
    );
    assert_eq!(campaigns(&console).await[0]["templateName"], "July");
}

/// A campaign with five recipients: one text arrived, one link was opened, one entrant was flagged and one opted out in
/// between, and one number is wrong.
async fn a_mixed_campaign() -> (SmsConsole, Value) {
    let console = SmsConsole::new().await;
    let mut ids = Vec::new();
    for n in 1..=5 {
        let page = if n == 2 { "garden-bag" } else { "fresh-sips" };
        ids.push(console.register_entrant(n, page).await);
    }
    console.deliver_messages().await;
    let id = console
        .schedule_campaign(&a_plan(&console.create_template().await))
        .await["id"]
        .clone();
    console.start_campaigns();
    let flag = json!({"userId": ids[2], "reason": "twice"});
    assert_eq!(console.post("/api/admin/flag-user", &flag).await.status, 200);
    let stop = [("MessageSid", "SM1"), ("From", &phone(4)), ("Body", "STOP")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(
        console.post_callback("/api/twilio/inbound", &stop).await.status,
        200
    );
    let wrong_number = Failure {
        code: Some(21211),
        sentence: "Invalid number".to_owned(),
    };
    let fifth = Phone::from_e164(&phone(5)).unwrap();
    console.sms.answer_next(&fifth, SmsAnswer::Refused(wrong_number));
    console.deliver_messages().await;
    let first = console.message_to(1);
    let told = console.sms.tell(&first.text.id, ProviderStatus::Delivered, None);
    assert_eq!(
        console
            .post_callback(&status_callback_path(&first), &told)
            .await
            .status,
        200
    );
    let click = json!({"trackingId": tracking_id(&console.message_to(2)), "cta": true});
    let clicked = console
        .send(post("/api/sms/track-click", &click.to_string()))
        .await;
    assert_eq!(clicked.status, 200);
    (console, id)
}

#[actix_web::test]
async fn a_report_says_what_became_of_every_text() {
    let (console, id) = a_mixed_campaign().await;
    let found = console.get(&format!("{CAMPAIGNS}/{id}")).await;
    let expected = json!({
        "waiting": 0, "unknown": 0, "sent": 2, "delivered": 1,
        "failed": [{"reason": "21211 Invalid number", "count": 1}],
        "skipped": [{"reason": "flagged", "count": 1}, {"reason": "opted_out", "count": 1}],
        "clicked": 1, "ctaClicked": 1,
    });
    assert_eq!(found.json()["report"], expected);
    let campaign = found.json()["campaign"].clone();
    assert_eq!(campaigns(&console).await, std::slice::from_ref(&campaign));
    for (name, count) in [
        ("recipientCount", 5),
        ("sentCount", 2),
        ("deliveredCount", 1),
        ("errorCount", 1),
        ("skippedCount", 2),
        ("clickedCount", 1),
        ("ctaClickedCount", 1),
    ] {
        assert_eq!(campaign[name], count, "{name}");
    }
    assert_eq!(
        (&campaign["status"], &campaign["sentAt"]),
        (&json!("sent"), &json!("2025-08-01T12:00:00Z"))
    );
    let analytics = console.get("/api/admin/sms/analytics").await.json();
    assert_eq!(
        analytics,
        json!({"analytics": {"totalSent": 2, "delivered": 1, "failed": 1, "clicked": 1, "ctaClicked": 1,
                             "deliveryRate": 50.0, "clickRate": 50.0, "ctaConversionRate": 50.0}})
    );
    for unknown in ["99", "0", "x"] {
        let response = console.get(&format!("{CAMPAIGNS}/{unknown}")).await;
        assert_eq!(response.error(), "404 not_found", "{unknown}");
    }
}

#[actix_web::test]
async fn the_second_campaign_of_a_month_says_who_had_enough() {
    let (console, _) = a_mixed_campaign().await;
    let template = console.create_template().await;
    let id = console.schedule_campaign(&a_plan(&template)).await["id"].clone();
    console.start_campaigns();
    let report = console.get(&format!("{CAMPAIGNS}/{id}")).await.json()["report"].clone();
    assert_eq!(report["waiting"], 3);
    console.deliver_messages().await;
    let found = console.get(&format!("{CAMPAIGNS}/{id}")).await.json();
    assert_eq!(
        (&found["campaign"]["status"], &found["report"]["skipped"]),
        (&json!("sent"), &json!([{"reason": "monthly_cap", "count": 3}]))
    );
    // A list of numbers goes to all of them but who opted out.
    let list = to_numbers(&a_plan(&template), &[phone(1), phone(4)]);
    let id = console.schedule_campaign(&list).await["id"].clone();
    console.deliver_messages().await;
    let found = console.get(&format!("{CAMPAIGNS}/{id}")).await.json();
    assert_eq!(
        (&found["report"]["sent"], &found["report"]["skipped"]),
        (&json!(1), &json!([{"reason": "opted_out", "count": 1}]))
    );
}

#[actix_web::test]
async fn figures_of_nothing_are_zero() {
    let console = SmsConsole::new().await;
    let zero = json!({"analytics": {"totalSent": 0, "delivered": 0, "failed": 0, "clicked": 0, "ctaClicked": 0,
                                    "deliveryRate": 0.0, "clickRate": 0.0, "ctaConversionRate": 0.0}});
    console.register_entrant(1, "garden-bag").await;
    console.deliver_messages().await;
    assert_eq!(
        console.get("/api/admin/sms/analytics").await.json(),
        zero,
        "a welcome text is no campaign's"
    );
}

fn lines(export: &Response) -> Vec<String> {
    assert_eq!(export.status, 200, "{:?}", export.bytes);
    let csv = String::from_utf8(export.bytes.to_vec()).unwrap();
    csv.lines().map(str::to_owned).collect()
}

const HEADER: &str = "phoneNumber,status,reason,sentAt,clickedAt,ctaClickedAt,trackingId";

#[actix_web::test]
async fn an_export_has_a_row_for_every_text() {
    let (console, id) = a_mixed_campaign().await;
    let export = console.get(&format!("{CAMPAIGNS}/{id}/export")).await;
    assert_eq!(export.header("content-type"), "text/csv; charset=utf-8");
    assert_eq!(
        export.header("content-disposition"),
        format!("attachment; filename=\"campaign-{id}.csv\"")
    );
    let rows = lines(&export);
    let noon = "2025-08-01T12:00:00Z";
    let of = |n| tracking_id(&console.message_to(n));
    assert_eq!(rows[0], HEADER);
    assert_eq!(rows[1], format!("'{},delivered,,{noon},,,{}", phone(1), of(1)));
    assert_eq!(
        rows[2],
        format!("'{},sent,,{noon},{noon},{noon},{}", phone(2), of(2))
    );
    assert_eq!(rows[3], format!("'{},skipped,flagged,,,,", phone(3)));
    assert_eq!(rows[4], format!("'{},skipped,opted_out,,,,", phone(4)));
    let failed = format!("'{},failed,21211 Invalid number,,,,fresh-", phone(5));
    assert!(rows[5].starts_with(&failed), "{}", rows[5]);
    assert_eq!(rows.len(), 6);
    let unknown = console.get(&format!("{CAMPAIGNS}/99/export")).await;
    assert_eq!(unknown.error(), "404 not_found");
}

#[actix_web::test]
async fn an_export_holds_every_text_once_however_many_there_are() {
    let console = SmsConsole::new().await;
    let plan = a_plan(&console.create_template().await);
    let numbers: Vec<_> = (0..4_500).map(phone).collect();
    let id = console.schedule_campaign(&to_numbers(&plan, &numbers)).await["id"].clone();
    let path = format!("{CAMPAIGNS}/{id}/export");
    assert_eq!(lines(&console.get(&path).await), [HEADER], "nothing was sent yet");
    let fence = console.start_campaigns();
    let rules = console.state().sms.rules;
    let clock = fakes::FixedClock::default();
    let texts = usecases::claim_next_messages(&console.store, &clock, &rules, fence, 5_000).unwrap();
    assert_eq!(texts.len(), 4_500);
    let rows = lines(&console.get(&path).await);
    let listed: HashSet<_> = rows[1..].iter().map(|row| &row[1..13]).collect();
    assert_eq!((rows.len(), listed.len()), (4_501, 4_500));
    assert!(rows[1..].iter().all(|row| row[13..].starts_with(",sending,")));
}

#[actix_web::test]
async fn clearing_deletes_what_it_says_and_keeps_who_opted_out() {
    let (console, _) = a_mixed_campaign().await;
    let stored = json!({"campaigns": 1, "messages": 5, "clicks": 1, "templates": 1});
    let counts = async || console.get("/api/admin/stored-data").await.json()["sms"].clone();
    assert_eq!(counts().await, stored);
    let cleared = console
        .post("/api/admin/clear-campaigns", &json!({}))
        .await
        .json();
    let campaigns_only = with(&stored, "templates", json!(0));
    assert_eq!(cleared, json!({"success": true, "deleted": campaigns_only}));
    let (action, target, details) = console.last_audit_entry().await;
    assert_eq!((action, target), (json!("clear_campaigns"), Value::Null));
    assert_eq!(details, json!({"campaigns": 1, "messages": 5, "clicks": 1}));
    assert_eq!(
        counts().await,
        json!({"campaigns": 0, "messages": 0, "clicks": 0, "templates": 1})
    );
    assert_eq!(campaigns(&console).await, [] as [Value; 0]);
    let list = to_numbers(&a_plan(&json!(1)), &[phone(1), phone(4)]);
    console.schedule_campaign(&list).await;
    console.deliver_messages().await;
    let skipped = campaigns(&console).await[0]["skippedCount"].clone();
    assert_eq!(skipped, 1, "who opted out stays opted out");
    let cleared = console.post("/api/admin/clear-sms", &json!({})).await.json();
    let deleted = json!({"campaigns": 1, "messages": 2, "clicks": 0, "templates": 1});
    assert_eq!(cleared, json!({"success": true, "deleted": deleted}));
    assert_eq!(
        console.last_audit_entry().await,
        (json!("clear_sms"), Value::Null, deleted)
    );
    assert_eq!(console.get(TEMPLATES).await.json(), json!({"templates": []}));
}

#[actix_web::test]
async fn nothing_is_planned_without_a_session() {
    let console = SmsConsole::new().await;
    let plan = a_plan(&console.create_template().await);
    let id = console.schedule_campaign(&plan).await["id"].clone();
    let requests = vec![
        post(SCHEDULE, &plan.to_string()),
        TestRequest::put().uri(&format!("{CAMPAIGNS}/{id}/cancel")),
        TestRequest::get().uri(&format!("{CAMPAIGNS}/{id}/export")),
        post("/api/admin/clear-sms", "{}"),
    ];
    for response in send_all(&console.store, console.state(), requests).await {
        assert_eq!(response.error(), "401 unauthorized");
    }
    let all = campaigns(&console).await;
    assert_eq!((all.len(), &all[0]["status"]), (1, &json!("pending")));
}
