//! Scheduling and canceling campaigns.

use crate::campaign_audiences::{ESTIMATE, to_numbers};
use crate::sms_console::{SCHEDULE, SmsConsole, TEMPLATES, phone};
use crate::support::{Response, authorized, post, send_all, send_concurrently};
use actix_web::test::TestRequest;
use chrono::TimeDelta;
use fakes::FixedClock;
use kernel::Clock;
use serde_json::{Value, json};
use sms::LinkBase;
use std::sync::Arc;
use web::{AppState, TrackingOrigins};

pub(crate) const CAMPAIGNS: &str = "/api/admin/sms/campaigns";
pub(crate) const MISSING: &str = "Please fill in all required fields";

/// The body of a request for a campaign to all entrants, due now.
pub(crate) fn campaign_body(template: &Value) -> Value {
    json!({"templateId": template, "campaignName": "Summer", "scheduledDate": "2025-08-01T12:00:00Z",
           "targetAudience": "all"})
}

pub(crate) fn with(body: &Value, name: &str, value: Value) -> Value {
    let mut body = body.clone();
    body[name] = value;
    body
}

#[actix_web::test]
async fn a_scheduled_campaign_has_the_requested_values() {
    let console = SmsConsole::new().await;
    let template = console.create_template().await;
    let scheduled = console.post(SCHEDULE, &campaign_body(&template)).await;
    assert_eq!(scheduled.status, 201);
    let expected = json!({
        "id": 1, "campaignName": "Summer", "templateId": template, "templateName": "June",
        "scheduledDate": "2025-08-01T12:00:00Z", "targetAudience": "all", "landingPageFilter": null,
        "customPhoneNumbers": null, "customPhoneNumberCount": 0, "consentBasis": null, "trackingUrlBase": "https://example.org",
        "status": "pending", "recipientCount": 0, "sentCount": 0, "deliveredCount": 0, "errorCount": 0,
        "skippedCount": 0, "clickedCount": 0, "ctaClickedCount": 0, "startedAt": null, "sentAt": null,
        "createdBy": "anna", "createdAt": "2025-08-01T12:00:00Z",
    });
    assert_eq!(scheduled.json(), expected);
    let details = json!({"name": "Summer", "templateId": template, "scheduledDate": "2025-08-01T12:00:00Z",
                         "targetAudience": "all", "trackingUrlBase": "https://example.org"});
    assert_eq!(
        console.last_audit_entry().await,
        (json!("schedule_campaign"), json!("1"), details)
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
    let (_, _, details) = console.last_audit_entry().await;
    assert_eq!(
        (&details["landingPageFilter"], &details["trackingUrlBase"]),
        (&json!("kitchen-garden"), &json!("https://go.example.org/x"))
    );
    assert_eq!(console.campaigns().await, [second.clone(), expected]);
    let page = console.get(&format!("{CAMPAIGNS}?limit=1&offset=0")).await;
    assert_eq!(page.header("x-total-count"), "2");
    assert_eq!(page.json(), json!({"campaigns": [second]}));
    let invalid = console.get(&format!("{CAMPAIGNS}?limit=501")).await;
    assert_eq!(invalid.error(), "400 validation limit");
}

#[actix_web::test]
async fn every_invalid_field_has_its_message() {
    let console = SmsConsole::new().await;
    let body = campaign_body(&console.create_template().await);
    let empty = console.post(SCHEDULE, &json!({})).await;
    assert_eq!(
        empty.json()["fields"],
        json!({"templateId": [MISSING], "campaignName": [MISSING], "scheduledDate": [MISSING],
               "targetAudience": [MISSING]})
    );
    let shared_fields = [
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
    for (name, value, sentence) in &shared_fields {
        for path in [SCHEDULE, ESTIMATE] {
            let response = console.post(path, &with(&body, name, value.clone())).await;
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
        let response = console.post(SCHEDULE, &with(&body, name, value.clone())).await;
        assert_eq!(response.json()["fields"], json!({ name: [sentence] }), "{value}");
    }
    for (name, value) in [
        ("templateId", json!("1")),
        ("campaignName", json!(7)),
        ("customPhoneNumbers", json!("+15551234567")),
        ("customPhoneNumbers", json!([15_551_234_567_u64])),
    ] {
        let response = console.post(SCHEDULE, &with(&body, name, value.clone())).await;
        assert_eq!(response.error(), format!("400 validation {name}"), "{value}");
    }
    assert_eq!(console.campaigns().await, [] as [Value; 0]);
}

#[actix_web::test]
async fn a_campaign_starts_now_or_later_and_never_by_a_wrong_date() {
    let console = SmsConsole::new().await;
    let body = campaign_body(&console.create_template().await);
    let sentence = "That time is in the past. Choose a later one, or Now.";
    for past in ["2025-08-01T11:59:00Z", "2024-08-01T12:00:00Z"] {
        let body = with(&body, "scheduledDate", json!(past));
        for path in [SCHEDULE, ESTIMATE] {
            let refused = console.post(path, &body).await;
            assert_eq!(refused.status, 400, "{path}");
            assert_eq!(refused.json()["fields"], json!({"scheduledDate": [sentence]}));
        }
    }
    assert_eq!(console.campaigns().await, [] as [Value; 0]);
    let this_minute = with(&body, "scheduledDate", json!("2025-08-01T11:59:01Z"));
    console.schedule_campaign(&this_minute).await;
    let now = with(&body, "startNow", json!(true));
    for date in [json!(null), json!(""), json!("2020-01-01T00:00:00Z")] {
        let now = with(&now, "scheduledDate", date);
        let scheduled = console.schedule_campaign(&now).await;
        assert_eq!(scheduled["scheduledDate"], "2025-08-01T12:00:00Z");
        assert_eq!(console.post(ESTIMATE, &now).await.status, 200);
    }
    let later = with(&body, "startNow", json!(false));
    assert_eq!(
        console.schedule_campaign(&later).await["scheduledDate"],
        "2025-08-01T12:00:00Z"
    );
}

#[actix_web::test]
async fn the_same_key_schedules_one_campaign_when_its_time_is_over() {
    let console = SmsConsole::new().await;
    let body = campaign_body(&console.create_template().await);
    let later = with(&body, "scheduledDate", json!("2025-08-01T12:00:01Z"));
    for (key, body) in [("a", later), ("b", with(&body, "startNow", json!(true)))] {
        let first = console.send(schedule_request(&console, &body, key)).await;
        assert_eq!(first.status, 201);
        let state = AppState {
            clock: Arc::new(FixedClock::at(
                FixedClock::default().now() + TimeDelta::minutes(2),
            )),
            ..console.state()
        };
        let request = schedule_request(&console, &body, key);
        let again = send_all(&console.store, state, vec![request]).await.remove(0);
        assert_eq!(
            (again.status.as_u16(), again.json()),
            (201, first.json()),
            "{key}"
        );
    }
}

#[actix_web::test]
async fn a_campaign_needs_an_active_template() {
    let console = SmsConsole::new().await;
    let id = console.create_template().await;
    for unknown in [json!(99), json!(0), json!(-1)] {
        let body = with(&campaign_body(&id), "templateId", unknown);
        for path in [SCHEDULE, ESTIMATE] {
            assert_eq!(console.post(path, &body).await.error(), "404 unknown_template");
        }
    }
    let inactive = json!({"name": "June", "messageTemplate": "Look: {LINK}", "isActive": false});
    console.put(&format!("{TEMPLATES}/{id}"), &inactive).await;
    for path in [SCHEDULE, ESTIMATE] {
        let response = console.post(path, &campaign_body(&id)).await;
        assert_eq!(response.error(), "404 unknown_template");
    }
    assert_eq!(console.campaigns().await, [] as [Value; 0]);
}

fn schedule_request(console: &SmsConsole, body: &Value, key: &str) -> TestRequest {
    authorized(post(SCHEDULE, &body.to_string()), &console.token).insert_header(("Idempotency-Key", key))
}

async fn count_audit_entries(console: &SmsConsole) -> usize {
    let path = "/api/admin/audit-log?action=schedule_campaign";
    console.get(path).await.json()["entries"]
        .as_array()
        .unwrap()
        .len()
}

#[actix_web::test]
async fn the_same_key_schedules_one_campaign() {
    let console = SmsConsole::new().await;
    let body = campaign_body(&console.create_template().await);
    let first = console.send(schedule_request(&console, &body, "a")).await;
    let again = console.send(schedule_request(&console, &body, "a")).await;
    assert_eq!((first.status.as_u16(), again.status.as_u16()), (201, 201));
    assert_eq!(first.json(), again.json());
    for (name, value) in [
        ("campaignName", json!("Other")),
        ("scheduledDate", json!("2025-08-01T12:00:01Z")),
        ("trackingUrlBase", json!("https://go.example.org")),
    ] {
        let changed = with(&body, name, value);
        let refused = console.send(schedule_request(&console, &changed, "a")).await;
        assert_eq!(refused.error(), "409 idempotency_mismatch", "{name}");
    }
    let other = console.send(schedule_request(&console, &body, "b")).await;
    assert_ne!(other.json()["id"], first.json()["id"]);
    for invalid in ["", "a b", &"x".repeat(256)] {
        let response = console.send(schedule_request(&console, &body, invalid)).await;
        assert_eq!(response.error(), "400 malformed", "{invalid}");
    }
    assert_eq!(
        (
            console.campaigns().await.len(),
            count_audit_entries(&console).await
        ),
        (2, 2)
    );
}

#[actix_web::test]
async fn the_same_key_from_eight_threads_schedules_one_campaign() {
    let console = SmsConsole::new().await;
    let body = campaign_body(&console.create_template().await);
    let state = console.state();
    let requests = (0..8).map(|_| schedule_request(&console, &body, "a")).collect();
    let responses = send_concurrently(&console.store, state, requests, |_| ()).await;
    for response in &responses {
        assert_eq!(
            (response.status.as_u16(), response.json()),
            (201, responses[0].json())
        );
    }
    assert_eq!(
        (
            console.campaigns().await.len(),
            count_audit_entries(&console).await
        ),
        (1, 1)
    );
}

async fn cancel(console: &SmsConsole, id: &Value) -> Response {
    console.put(&format!("{CAMPAIGNS}/{id}/cancel"), &json!({})).await
}

#[actix_web::test]
async fn only_a_pending_campaign_can_be_canceled() {
    let console = SmsConsole::new().await;
    let body = campaign_body(&console.create_template().await);
    let later = with(&body, "scheduledDate", json!("2025-08-01T12:00:01Z"));
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
    let started = console.schedule_campaign(&body).await["id"].clone();
    console.start_campaigns();
    assert_eq!(cancel(&console, &started).await.error(), "409 not_pending");
    let states: Vec<_> = console
        .campaigns()
        .await
        .iter()
        .map(|campaign| campaign["status"].clone())
        .collect();
    assert_eq!(states, ["sending", "cancelled"]);
    console.deliver_messages().await;
    assert_eq!(cancel(&console, &started).await.error(), "409 not_pending");
    assert_eq!(console.sent_messages().len(), 1);
}

#[actix_web::test]
async fn campaigns_need_a_session() {
    let console = SmsConsole::new().await;
    let body = campaign_body(&console.create_template().await);
    let id = console.schedule_campaign(&body).await["id"].clone();
    let requests = vec![
        post(SCHEDULE, &body.to_string()),
        TestRequest::put().uri(&format!("{CAMPAIGNS}/{id}/cancel")),
        TestRequest::get().uri(&format!("{CAMPAIGNS}/{id}/export")),
        post("/api/admin/clear-sms", "{}"),
    ];
    for response in send_all(&console.store, console.state(), requests).await {
        assert_eq!(response.error(), "401 unauthorized");
    }
    let all = console.campaigns().await;
    assert_eq!((all.len(), &all[0]["status"]), (1, &json!("pending")));
}

#[actix_web::test]
async fn the_audit_log_counts_listed_numbers_and_holds_none() {
    let console = SmsConsole::new().await;
    let body = campaign_body(&console.create_template().await);
    let body = with(&body, "targetAudience", json!("custom"));
    let numbers = json!(["555-123-4567", "555-123-4568"]);
    console
        .schedule_campaign(&with(&body, "customPhoneNumbers", numbers))
        .await;
    let (_, _, details) = console.last_audit_entry().await;
    assert_eq!(
        (&details["targetAudience"], &details["customPhoneNumberCount"]),
        (&json!("custom"), &json!(2))
    );
    assert!(!details.to_string().contains("4567"), "{details}");
}

#[actix_web::test]
async fn links_begin_with_an_allowed_origin_in_production() {
    let console = SmsConsole::new().await;
    let body = campaign_body(&console.create_template().await);
    let allowed = ["https://example.org", "https://go.example.org"];
    let send = async |path: &str, base: &str| {
        let body = with(&body, "trackingUrlBase", json!(base));
        let request = authorized(post(path, &body.to_string()), &console.token);
        let mut state = console.state();
        state.sms.tracking_origins =
            TrackingOrigins::Only(allowed.map(|origin| LinkBase::parse(origin).unwrap()).to_vec());
        send_all(&console.store, state, vec![request]).await.remove(0)
    };
    for path in [SCHEDULE, ESTIMATE] {
        for base in ["", "https://example.org/", "https://go.example.org"] {
            assert!(send(path, base).await.status.is_success(), "{path} {base}");
        }
        for base in [
            "https://evil.example",
            "http://example.org",
            "https://example.org.evil.example",
            "https://go.example.org/x",
        ] {
            let refused = send(path, base).await;
            assert_eq!(refused.error(), "400 validation trackingUrlBase", "{path} {base}");
            let message = "Must be one of https://example.org, https://go.example.org";
            assert_eq!(refused.json()["fields"]["trackingUrlBase"], json!([message]));
        }
    }
}

#[actix_web::test]
async fn only_a_pending_campaign_can_be_changed() {
    let console = SmsConsole::new().await;
    let body = campaign_body(&console.create_template().await);
    let later = with(&body, "scheduledDate", json!("2025-08-02T12:00:00Z"));
    let first = console.schedule_campaign(&later).await;
    let path = format!("{CAMPAIGNS}/{}", first["id"]);
    let mut changed = to_numbers(&later, &[phone(1), phone(2)]);
    changed["campaignName"] = json!("Autumn");
    changed["consentBasis"] = json!("They signed up at our booth.");
    let answer = console.put(&path, &changed).await;
    assert_eq!(answer.status, 200);
    let mut expected = first.clone();
    expected["campaignName"] = json!("Autumn");
    expected["targetAudience"] = json!("custom");
    expected["customPhoneNumbers"] = json!([phone(1), phone(2)]);
    expected["customPhoneNumberCount"] = json!(2);
    expected["consentBasis"] = json!("They signed up at our booth.");
    assert_eq!(answer.json(), expected);
    let (action, target, details) = console.last_audit_entry().await;
    assert_eq!(
        (action, target),
        (json!("update_campaign"), json!(first["id"].to_string()))
    );
    assert_eq!(
        (&details["name"], &details["customPhoneNumberCount"]),
        (&json!("Autumn"), &json!(2))
    );
    assert!(!details.to_string().contains("1230001"), "{details}");
    for (name, value, error) in [
        (
            "scheduledDate",
            json!("2025-07-01T12:00:00Z"),
            "400 validation scheduledDate",
        ),
        ("campaignName", json!(" "), "400 validation campaignName"),
        ("templateId", json!(99), "404 unknown_template"),
    ] {
        let refused = console.put(&path, &with(&changed, name, value)).await;
        assert_eq!(refused.error(), error);
    }
    assert_eq!(
        console.put(&format!("{CAMPAIGNS}/99"), &changed).await.error(),
        "404 not_found"
    );
    assert_eq!(console.campaigns().await, [expected]);
    let now = with(&changed, "startNow", json!(true));
    assert_eq!(console.put(&path, &now).await.status, 200);
    console.start_campaigns();
    let refused = console.put(&path, &changed).await;
    assert_eq!(refused.error(), "409 not_pending");
    assert_eq!(refused.json()["error"], "Only a pending campaign can be changed");
}
