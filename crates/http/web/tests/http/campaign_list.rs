//! The list of campaigns: its order, its filters and its export.

use crate::campaigns::{CAMPAIGNS, campaign_body, with};
use crate::sms_console::{SmsConsole, phone};
use crate::support::{Response, csv_text};
use serde_json::{Value, json};
use std::collections::HashSet;

const HEADER: &str = "id,campaignName,templateName,createdAt,scheduledDate,targetAudience,landingPageFilter,\
    customPhoneNumberCount,status,recipientCount,sentCount,deliveredCount,errorCount,skippedCount,clickedCount,\
    ctaClickedCount,startedAt,sentAt";

/// A console with three campaigns, 1 to 3, of which the second is canceled.
async fn console_with_campaigns() -> SmsConsole {
    let console = SmsConsole::new().await;
    let body = campaign_body(&console.create_template().await);
    for (name, date) in [
        ("July 50% off", "2025-09-03"),
        ("=August", "2025-09-01"),
        ("july_2", "2025-09-02"),
    ] {
        let body = with(&body, "campaignName", json!(name));
        let start = json!(format!("{date}T12:00:00Z"));
        console
            .schedule_campaign(&with(&body, "scheduledDate", start))
            .await;
    }
    let canceled = console.put(&format!("{CAMPAIGNS}/2/cancel"), &json!({})).await;
    assert_eq!(canceled.status, 200);
    console
}

fn ids(response: &Response) -> Vec<i64> {
    assert_eq!(response.status, 200, "{:?}", response.bytes);
    let list = response.json()["campaigns"].clone();
    let rows = list.as_array().unwrap().iter();
    rows.map(|row| row["id"].as_i64().unwrap()).collect()
}

fn lines(response: &Response) -> Vec<String> {
    csv_text(response).lines().map(str::to_owned).collect()
}

#[actix_web::test]
async fn the_list_is_sorted_filtered_and_paged() {
    let console = console_with_campaigns().await;
    for (query, expected, total) in [
        ("", vec![3, 2, 1], "3"),
        ("sort=createdAt&order=asc", vec![1, 2, 3], "3"),
        ("sort=scheduledDate", vec![1, 3, 2], "3"),
        ("sort=scheduledDate&order=asc&limit=1&offset=1", vec![3], "3"),
        ("sort=campaignName&order=asc", vec![2, 1, 3], "3"),
        ("status=pending", vec![3, 1], "2"),
        ("status=cancelled", vec![2], "1"),
        ("status=sent", vec![], "0"),
        ("search=JULY", vec![3, 1], "2"),
        ("search=%20july%20", vec![3, 1], "2"),
        ("search=%25", vec![1], "1"),
        ("search=_", vec![3], "1"),
        ("search=", vec![3, 2, 1], "3"),
        ("search=june", vec![], "0"),
        ("search=july&status=pending&order=asc&limit=1", vec![1], "2"),
    ] {
        let response = console.get(&format!("{CAMPAIGNS}?{query}")).await;
        assert_eq!(ids(&response), expected, "{query}");
        assert_eq!(response.header("x-total-count"), total, "{query}");
    }
}

#[actix_web::test]
async fn invalid_parameters_are_named() {
    let console = SmsConsole::new().await;
    let too_long = format!("search={}", "x".repeat(81));
    for (query, fields) in [
        ("status=done", "status"),
        ("status=", "status"),
        (&too_long, "search"),
        ("search=a%00b", "search"),
        ("status=x&search=a%0Ab", "search,status"),
    ] {
        for path in [CAMPAIGNS, "/api/admin/sms/campaigns/export"] {
            let response = console.get(&format!("{path}?{query}")).await;
            assert_eq!(
                response.error(),
                format!("400 validation {fields}"),
                "{path}?{query}"
            );
        }
    }
    for (query, fields) in [
        ("sort=status", "sort"),
        ("order=ascending", "order"),
        (
            "status=x&sort=x&order=x&limit=x&offset=x",
            "limit,offset,order,sort,status",
        ),
    ] {
        let response = console.get(&format!("{CAMPAIGNS}?{query}")).await;
        assert_eq!(response.error(), format!("400 validation {fields}"), "{query}");
    }
}

#[actix_web::test]
async fn an_export_has_a_row_of_figures_for_every_campaign_that_matches() {
    let console = console_with_campaigns().await;
    let numbers = json!([phone(1), phone(2)]);
    let body = with(&campaign_body(&json!(1)), "targetAudience", json!("custom"));
    console
        .schedule_campaign(&with(&body, "customPhoneNumbers", numbers))
        .await;
    console.deliver_messages().await;
    let export = console.get(&format!("{CAMPAIGNS}/export")).await;
    assert_eq!(
        export.header("content-disposition"),
        "attachment; filename=\"campaigns.csv\""
    );
    let (noon, none) = ("2025-08-01T12:00:00Z", "0,0,0,0,0,0,0,,");
    let rows = [
        HEADER.to_owned(),
        format!("4,Summer,June,{noon},{noon},custom,,2,sent,2,2,0,0,0,0,0,{noon},{noon}"),
        format!("3,july_2,June,{noon},2025-09-02T12:00:00Z,all,,0,pending,{none}"),
        format!("2,'=August,June,{noon},2025-09-01T12:00:00Z,all,,0,cancelled,{none}"),
        format!("1,July 50% off,June,{noon},2025-09-03T12:00:00Z,all,,0,pending,{none}"),
    ];
    assert_eq!(lines(&export), rows);
    let filtered = console
        .get(&format!("{CAMPAIGNS}/export?search=july&status=pending"))
        .await;
    assert_eq!(lines(&filtered), [&*rows[0], &rows[2], &rows[4]]);
    let none = console.get(&format!("{CAMPAIGNS}/export?search=june")).await;
    assert_eq!(lines(&none), [HEADER]);
}

#[actix_web::test]
async fn a_large_export_has_every_campaign_once() {
    let console = SmsConsole::new().await;
    let body: Value = campaign_body(&console.create_template().await);
    for _ in 0..520 {
        console.schedule_campaign(&body).await;
    }
    let rows = lines(&console.get(&format!("{CAMPAIGNS}/export")).await);
    let ids: HashSet<_> = rows[1..].iter().map(|row| row.split(',').next()).collect();
    assert_eq!((rows.len(), ids.len()), (521, 520));
}
