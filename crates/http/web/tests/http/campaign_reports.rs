//! What happened to a campaign's messages: reports, figures and exports; and clearing campaigns.

use crate::campaign_audiences::to_numbers;
use crate::campaigns::{CAMPAIGNS, campaign_body, with};
use crate::sms_console::{SmsConsole, TEMPLATES, phone, tracking_id};
use crate::support::{Response, csv_text, post};
use fakes::SmsAnswer;
use kernel::Phone;
use serde_json::{Value, json};
use sms::{Failure, ProviderStatus};
use std::collections::HashSet;
use usecases::send_messages::steps::claim_next_messages;

#[actix_web::test]
async fn editing_a_template_does_not_change_a_started_campaign() {
    let console = SmsConsole::new().await;
    let template = console.create_template().await;
    console.register_entrant(1, "garden-bag").await;
    console.register_entrant(2, "kitchen-garden").await;
    console.schedule_campaign(&campaign_body(&template)).await;
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
    assert_eq!(console.campaigns().await[0]["templateName"], "July");
}

/// A finished campaign with five recipients: the first message was delivered, the second was clicked, the third entrant
/// was flagged after the start, the fourth opted out after the start, and the fifth number is invalid.
async fn a_campaign_with_mixed_results() -> (SmsConsole, Value) {
    let console = SmsConsole::new().await;
    let mut ids = Vec::new();
    for n in 1..=5 {
        let page = if n == 2 { "garden-bag" } else { "fresh-sips" };
        ids.push(console.register_entrant(n, page).await);
    }
    console.deliver_messages().await;
    let id = console
        .schedule_campaign(&campaign_body(&console.create_template().await))
        .await["id"]
        .clone();
    console.start_campaigns();
    let flag = json!({"userId": ids[2], "reason": "twice", "publicReason": "several_accounts"});
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
    console.report_status(&first, ProviderStatus::Delivered).await;
    let click = json!({"trackingId": tracking_id(&console.message_to(2)), "cta": true});
    let clicked = console
        .send(post("/api/sms/track-click", &click.to_string()))
        .await;
    assert_eq!(clicked.status, 200);
    (console, id)
}

#[actix_web::test]
async fn a_report_counts_messages_by_status() {
    let (console, id) = a_campaign_with_mixed_results().await;
    let found = console.get(&format!("{CAMPAIGNS}/{id}")).await;
    let expected = json!({
        "waiting": 0, "unknown": 0, "sent": 2, "delivered": 1,
        "failed": [{"reason": "21211 Invalid number", "count": 1}],
        "skipped": [{"reason": "flagged", "count": 1}, {"reason": "opted_out", "count": 1}],
        "clicked": 1, "ctaClicked": 1,
    });
    assert_eq!(found.json()["report"], expected);
    let campaign = found.json()["campaign"].clone();
    assert_eq!(console.campaigns().await, std::slice::from_ref(&campaign));
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
async fn a_second_campaign_in_a_month_skips_recipients_over_the_monthly_cap() {
    let (console, _) = a_campaign_with_mixed_results().await;
    let template = console.create_template().await;
    let id = console.schedule_campaign(&campaign_body(&template)).await["id"].clone();
    console.start_campaigns();
    let report = console.get(&format!("{CAMPAIGNS}/{id}")).await.json()["report"].clone();
    assert_eq!(report["waiting"], 3);
    console.deliver_messages().await;
    let found = console.get(&format!("{CAMPAIGNS}/{id}")).await.json();
    assert_eq!(
        (&found["campaign"]["status"], &found["report"]["skipped"]),
        (&json!("sent"), &json!([{"reason": "monthly_cap", "count": 3}]))
    );
    // The monthly cap holds for a list of numbers too.
    let list = to_numbers(&campaign_body(&template), &[phone(1), phone(4), phone(9)]);
    let id = console.schedule_campaign(&list).await["id"].clone();
    console.deliver_messages().await;
    let found = console.get(&format!("{CAMPAIGNS}/{id}")).await.json();
    assert_eq!(
        (&found["report"]["sent"], &found["report"]["skipped"]),
        (
            &json!(1),
            &json!([{"reason": "monthly_cap", "count": 1}, {"reason": "opted_out", "count": 1}])
        )
    );
}

#[actix_web::test]
async fn sms_analytics_are_zero_without_campaigns() {
    let console = SmsConsole::new().await;
    let zero = json!({"analytics": {"totalSent": 0, "delivered": 0, "failed": 0, "clicked": 0, "ctaClicked": 0,
                                    "deliveryRate": 0.0, "clickRate": 0.0, "ctaConversionRate": 0.0}});
    console.register_entrant(1, "garden-bag").await;
    console.deliver_messages().await;
    assert_eq!(
        console.get("/api/admin/sms/analytics").await.json(),
        zero,
        "a welcome text does not count"
    );
}

fn lines(export: &Response) -> Vec<String> {
    csv_text(export).lines().map(str::to_owned).collect()
}

const HEADER: &str = "phoneNumber,status,reason,sentAt,clickedAt,ctaClickedAt,trackingId";

#[actix_web::test]
async fn an_export_has_a_row_for_every_message() {
    let (console, id) = a_campaign_with_mixed_results().await;
    let export = console.get(&format!("{CAMPAIGNS}/{id}/export")).await;
    assert_eq!(
        export.header("content-disposition"),
        format!("attachment; filename=\"campaign-{id}.csv\"")
    );
    let rows = lines(&export);
    let noon = "2025-08-01T12:00:00Z";
    let tracking_id_of = |n| tracking_id(&console.message_to(n));
    assert_eq!(rows[0], HEADER);
    assert_eq!(
        rows[1],
        format!("'{},delivered,,{noon},,,{}", phone(1), tracking_id_of(1))
    );
    assert_eq!(
        rows[2],
        format!("'{},sent,,{noon},{noon},{noon},{}", phone(2), tracking_id_of(2))
    );
    assert_eq!(rows[3], format!("'{},skipped,flagged,,,,", phone(3)));
    assert_eq!(rows[4], format!("'{},skipped,opted_out,,,,", phone(4)));
    let failed = format!("'{},failed,21211 Invalid number,,,,fresh-", phone(5));
    assert!(rows[5].starts_with(&failed), "{}", rows[5]);
    assert_eq!(rows.len(), 6);
    let log = console.get("/api/admin/audit-log?action=export_numbers").await;
    let entry = &log.json()["entries"][0];
    assert_eq!(entry["target"], id.to_string());
    assert_eq!(entry["details"], json!({"list": "campaign", "rows": 5}));
    let unknown = console.get(&format!("{CAMPAIGNS}/99/export")).await;
    assert_eq!(unknown.error(), "404 not_found");
}

#[actix_web::test]
async fn a_large_export_has_every_message_once() {
    let console = SmsConsole::new().await;
    let body = campaign_body(&console.create_template().await);
    let numbers: Vec<_> = (0..4_500).map(phone).collect();
    let id = console.schedule_campaign(&to_numbers(&body, &numbers)).await["id"].clone();
    let path = format!("{CAMPAIGNS}/{id}/export");
    assert_eq!(
        lines(&console.get(&path).await),
        [HEADER],
        "no message exists before the start"
    );
    let fence = console.start_campaigns();
    let rules = console.state().sms.rules;
    let clock = fakes::FixedClock::default();
    let messages = claim_next_messages(
        &console.store,
        &clock,
        &rules,
        &fakes::PlainSealer::default(),
        fence,
        5_000,
    )
    .unwrap();
    assert_eq!(messages.len(), 4_500);
    let rows = lines(&console.get(&path).await);
    let listed: HashSet<_> = rows[1..].iter().map(|row| &row[1..13]).collect();
    assert_eq!((rows.len(), listed.len()), (4_501, 4_500));
    assert!(rows[1..].iter().all(|row| row[13..].starts_with(",sending,")));
}

#[actix_web::test]
async fn clearing_deletes_campaigns_and_keeps_opt_outs() {
    let (console, _) = a_campaign_with_mixed_results().await;
    let stored = json!({"campaigns": 1, "messages": 5, "clicks": 1, "templates": 1, "replies": 0});
    let counts = async || console.get("/api/admin/stored-data").await.json()["sms"].clone();
    assert_eq!(counts().await, stored);
    let cleared = console
        .post("/api/admin/clear-campaigns", &json!({}))
        .await
        .json();
    let campaigns_only = with(&with(&stored, "templates", json!(0)), "replies", json!(0));
    assert_eq!(cleared, json!({"success": true, "deleted": campaigns_only}));
    let (action, target, details) = console.last_audit_entry().await;
    assert_eq!((action, target), (json!("clear_campaigns"), Value::Null));
    assert_eq!(details, json!({"campaigns": 1, "messages": 5, "clicks": 1}));
    assert_eq!(
        counts().await,
        json!({"campaigns": 0, "messages": 0, "clicks": 0, "templates": 1, "replies": 0})
    );
    assert_eq!(console.campaigns().await, [] as [Value; 0]);
    let list = to_numbers(&campaign_body(&json!(1)), &[phone(9), phone(4)]);
    console.schedule_campaign(&list).await;
    console.deliver_messages().await;
    let skipped = console.campaigns().await[0]["skippedCount"].clone();
    assert_eq!(skipped, 1, "opt-outs stay");
    let cleared = console.post("/api/admin/clear-sms", &json!({})).await.json();
    let deleted = json!({"campaigns": 1, "messages": 2, "clicks": 0, "templates": 1, "replies": 0});
    assert_eq!(cleared, json!({"success": true, "deleted": deleted}));
    assert_eq!(
        console.last_audit_entry().await,
        (json!("clear_sms"), Value::Null, deleted)
    );
    assert_eq!(console.get(TEMPLATES).await.json(), json!({"templates": []}));
}

#[actix_web::test]
async fn results_are_a_funnel_with_the_text_and_its_cost() {
    let (console, id) = a_campaign_with_mixed_results().await;
    let results = console.get(&format!("{CAMPAIGNS}/{id}/results")).await.json();
    let step = |step: &str, count: i64, rate: Value| json!({"step": step, "count": count, "rate": rate});
    let expected = json!([
        step("recipients", 5, json!(null)),
        step("sent", 2, json!(40.0)),
        step("delivered", 1, json!(50.0)),
        step("clicked", 1, json!(50.0)),
        step("shared", 0, json!(0.0)),
        step("referred", 0, json!(0.0)),
        step("bought", 0, json!(0.0)),
    ]);
    assert_eq!(results["funnel"], expected);
    assert_eq!(results["clicks"], json!([{"hour": 0, "clicked": 1}]));
    let text = results["text"].as_str().unwrap();
    assert!(
        text.starts_with("Look: https://example.org/planter/fresh-"),
        "{text}"
    );
    assert!(text.ends_with(" Reply STOP to opt out."), "{text}");
    assert_eq!(
        (&results["segments"], &results["totalSegments"], &results["days"]),
        (&json!(1), &json!(2), &json!(7))
    );
    for unknown in ["99", "0", "x"] {
        let response = console.get(&format!("{CAMPAIGNS}/{unknown}/results")).await;
        assert_eq!(response.error(), "404 not_found", "{unknown}");
    }
}
