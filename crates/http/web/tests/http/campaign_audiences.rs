//! The audience of a campaign: entrants, a raffle's entrants or a list of numbers, and the estimate for it.

use crate::campaigns::{MISSING, campaign_body, with};
use crate::sms_console::{SCHEDULE, SmsConsole, TEMPLATES, phone};
use crate::support::{authorized, post};
use chrono::{DateTime, TimeDelta, TimeZone};
use chrono_tz::Tz;
use serde_json::{Value, json};

pub(crate) const ESTIMATE: &str = "/api/admin/sms/campaigns/estimate";

pub(crate) fn to_numbers(body: &Value, numbers: &[String]) -> Value {
    let body = with(body, "targetAudience", json!("custom"));
    with(&body, "customPhoneNumbers", json!(numbers))
}

#[actix_web::test]
async fn an_audience_needs_its_raffle_or_numbers() {
    let console = SmsConsole::new().await;
    let body = campaign_body(&console.create_template().await);
    let raffle = with(&body, "targetAudience", json!("landing_page"));
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
    let custom = with(&body, "targetAudience", json!("custom"));
    for numbers in [json!(null), json!([]), json!(["", "  "])] {
        let response = console
            .post(SCHEDULE, &with(&custom, "customPhoneNumbers", numbers))
            .await;
        assert_eq!(
            response.json()["fields"],
            json!({"customPhoneNumbers": [MISSING]})
        );
    }
    // A list of numbers is ignored when the audience is another one.
    let all = with(&body, "customPhoneNumbers", json!(["12345"]));
    assert_eq!(console.schedule_campaign(&all).await["customPhoneNumberCount"], 0);
}

#[actix_web::test]
async fn different_spellings_of_a_number_count_once() {
    let console = SmsConsole::new().await;
    let body = campaign_body(&console.create_template().await);
    let spellings = [
        "(555) 123-0001",
        "555-123-0001",
        " +1 555 123 0001 ",
        "",
        "+15551230002",
        "1-555-123-0002",
    ]
    .map(str::to_owned);
    let campaign = console.schedule_campaign(&to_numbers(&body, &spellings)).await;
    assert_eq!(campaign["customPhoneNumbers"], json!([phone(1), phone(2)]));
    assert_eq!(campaign["customPhoneNumberCount"], 2);
    console.deliver_messages().await;
    let numbers: Vec<_> = console
        .sent_messages()
        .iter()
        .map(|sent| sent.outgoing.to.as_e164().to_owned())
        .collect();
    assert_eq!(numbers, [phone(1), phone(2)]);
    assert_eq!(console.campaigns().await[0]["status"], "sent");
}

#[actix_web::test]
async fn twenty_invalid_numbers_are_named_and_the_rest_counted() {
    let console = SmsConsole::new().await;
    let body = campaign_body(&console.create_template().await);
    let mut numbers: Vec<_> = (0..25).map(|n| format!("123{n:02}")).collect();
    numbers.push(phone(1));
    for path in [SCHEDULE, ESTIMATE] {
        let response = console.post(path, &to_numbers(&body, &numbers)).await;
        assert_eq!(response.error(), "400 validation customPhoneNumbers");
        let mut expected: Vec<_> = (0..20)
            .map(|n| format!("\"123{n:02}\" is not a phone number"))
            .collect();
        expected.push("… and 5 more".to_owned());
        assert_eq!(response.json()["fields"]["customPhoneNumbers"], json!(expected));
    }
    let one = console
        .post(SCHEDULE, &to_numbers(&body, &["12345".to_owned()]))
        .await;
    assert_eq!(
        one.json()["fields"]["customPhoneNumbers"],
        json!(["\"12345\" is not a phone number"])
    );
    assert_eq!(console.campaigns().await, [] as [Value; 0]);
}

#[actix_web::test]
async fn a_list_has_at_most_a_hundred_thousand_numbers() {
    let console = SmsConsole::new().await;
    let body = campaign_body(&console.create_template().await);
    let mut numbers: Vec<_> = (0..100_000).map(|n| format!("+1 (555) {n:07}")).collect();
    numbers.extend((0..1_000).map(|n| format!("1555{n:07}")));
    let campaign = console.schedule_campaign(&to_numbers(&body, &numbers)).await;
    assert_eq!(campaign["customPhoneNumberCount"], 100_000);
    assert_eq!(campaign["customPhoneNumbers"].as_array().unwrap().len(), 100);
    numbers.push("+15559999999".to_owned());
    let one_more = console.post(SCHEDULE, &to_numbers(&body, &numbers)).await;
    assert_eq!(
        one_more.json()["fields"],
        json!({"customPhoneNumbers": ["A list has at most 100,000 numbers"]})
    );
    let too_large = vec!["+1 (555) 123-0001".to_owned(); 220_000];
    for path in [SCHEDULE, ESTIMATE] {
        let response = console.post(path, &to_numbers(&body, &too_large)).await;
        assert_eq!(response.error(), "413 too_large");
    }
    let as_form = post(SCHEDULE, "x=1").insert_header(("Content-Type", "application/x-www-form-urlencoded"));
    let response = console.send(authorized(as_form, &console.token)).await;
    assert_eq!(response.error(), "415 wrong_content_type");
    assert_eq!(console.campaigns().await.len(), 1);
}

#[actix_web::test]
async fn a_campaign_is_read_with_its_whole_list_and_listed_with_up_to_a_hundred_numbers() {
    let console = SmsConsole::new().await;
    let body = campaign_body(&console.create_template().await);
    let numbers: Vec<_> = (0..101).map(phone).collect();
    let whole = console
        .schedule_campaign(&to_numbers(&body, &numbers[..100]))
        .await;
    assert_eq!(whole["customPhoneNumbers"], json!(numbers[..100]));
    let longer = console.schedule_campaign(&to_numbers(&body, &numbers)).await;
    assert_eq!(
        (&longer["customPhoneNumbers"], &longer["customPhoneNumberCount"]),
        (&json!(numbers[..100]), &json!(101))
    );
    assert_eq!(
        console.newest_campaign().await["customPhoneNumbers"],
        json!(numbers[..100])
    );
    let read = async |query: &str| {
        let path = format!("/api/admin/sms/campaigns/{}{query}", longer["id"]);
        console.get(&path).await
    };
    for whole in ["", "?customPhoneNumbers=whole"] {
        let campaign = read(whole).await.json();
        assert_eq!(campaign["campaign"]["customPhoneNumbers"], json!(numbers));
    }
    let short = read("?customPhoneNumbers=short").await.json();
    assert_eq!(short["campaign"]["customPhoneNumbers"], json!(numbers[..100]));
    let wrong = read("?customPhoneNumbers=all").await;
    assert_eq!(wrong.error(), "400 validation customPhoneNumbers");
}

#[actix_web::test]
async fn an_estimate_counts_recipients_and_segments() {
    let console = SmsConsole::new().await;
    let template = console.create_template().await;
    console.register_entrant(1, "fresh-sips").await;
    console.register_entrant(2, "garden-bag").await;
    let estimate = async |body: Value| console.post(ESTIMATE, &body).await.json();
    let everyone = json!({"templateId": template, "targetAudience": "all"});
    let all = estimate(everyone.clone()).await;
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
    let custom = estimate(to_numbers(&everyone, &[phone(1), phone(7), phone(7)])).await;
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
    assert_eq!(console.campaigns().await, [] as [Value; 0], "nothing is stored");

    console
        .schedule_campaign(&with(&campaign_body(&template), "targetAudience", json!("all")))
        .await;
    console.deliver_messages().await;
    console.register_entrant(3, "garden-bag").await;
    let after = estimate(everyone).await;
    assert_eq!(
        (&after["recipients"], &after["overCap"], &after["totalSegments"]),
        (&json!(3), &json!(2), &json!(1))
    );
}

/// The months are those of the site's time zone.
#[actix_web::test]
async fn an_estimate_counts_the_texts_of_the_month_in_which_the_campaign_starts() {
    let console = SmsConsole::new().await;
    let template = console.create_template().await;
    console.register_entrant(1, "fresh-sips").await;
    console.schedule_campaign(&campaign_body(&template)).await;
    console.deliver_messages().await;
    let body = json!({"templateId": template, "targetAudience": "all"});
    let zone = console.state().sms.rules.time_zone;
    let over_cap = async |start: DateTime<Tz>| {
        let start = json!(start.to_utc().to_rfc3339());
        let estimate = console.post(ESTIMATE, &with(&body, "scheduledDate", start)).await;
        estimate.json()["overCap"].clone()
    };
    let next_month = zone.with_ymd_and_hms(2025, 9, 1, 0, 0, 0).unwrap();
    assert_eq!(over_cap(next_month - TimeDelta::minutes(1)).await, 1);
    assert_eq!(over_cap(next_month).await, 0);
    let now = console
        .post(ESTIMATE, &with(&body, "startNow", json!(true)))
        .await;
    assert_eq!(now.json()["overCap"], 1);
}
