//! Clicks on the links in campaign messages.

use crate::provider_callbacks_inbound::{INBOUND, inbound_message};
use crate::sms_console::{ENVIRONMENT_TOKEN, SmsConsole, phone, tracking_id};
use crate::support::{get, post, send_all, with_rate_limits};
use actix_web::test::TestRequest;
use serde_json::{Value, json};

const CLICK: &str = "/api/sms/track-click";

pub(crate) fn click(id: &str, cta: bool) -> TestRequest {
    post(CLICK, &json!({"trackingId": id, "cta": cta}).to_string())
}

#[actix_web::test]
async fn a_click_and_a_cta_click_are_each_counted_once() {
    let console = SmsConsole::with_sent_campaign().await;
    let counts = async || {
        let campaign = console.newest_campaign().await;
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
    // A CTA click is a click too.
    assert_eq!(
        console
            .send(click(&tracking_id(&console.message_to(2)), true))
            .await
            .json(),
        json!({"success": true, "landingPage": "garden-bag", "isEntrant": true})
    );
    assert_eq!(counts().await, (json!(2), json!(2)));
    // For a number that is not an entrant's, the raffle is the template's.
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
async fn a_click_with_an_unknown_or_invalid_tracking_id_is_rejected() {
    let console = SmsConsole::with_sent_campaign().await;
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
    assert_eq!(console.newest_campaign().await["clickedCount"], 0);
}

#[actix_web::test]
async fn a_click_is_a_funnel_step_unless_the_visitor_opted_out_of_tracking() {
    let console = SmsConsole::with_sent_campaign().await;
    let id = tracking_id(&console.message_to(1));
    let click_steps = async || {
        let funnel = console.get("/api/admin/analytics/funnel").await.json();
        funnel["funnel"]["stepBreakdown"]["smsClick"]["count"].clone()
    };
    let opted_out = click(&id, false)
        .insert_header(("X-Analytics-Session", "quiet"))
        .insert_header(("Sec-GPC", "1"));
    let response = console.send(opted_out).await;
    assert_eq!(
        response.json(),
        json!({"success": true, "landingPage": "fresh-sips", "isEntrant": false})
    );
    assert_eq!(click_steps().await, Value::Null);
    assert_eq!(console.newest_campaign().await["clickedCount"], 0);
    let visit = |cta| click(&id, cta).insert_header(("X-Analytics-Session", "one"));
    for cta in [false, false, true] {
        assert_eq!(console.send(visit(cta)).await.status, 200);
    }
    assert_eq!(click_steps().await, 1);
}

#[actix_web::test]
async fn clicks_are_rate_limited_and_signed_callbacks_are_not() {
    let console = SmsConsole::new().await;
    // Five requests a second are allowed again, so on a slow machine the first 429 comes a little later.
    let clicks = (0..600).map(|_| post(CLICK, "{}")).collect();
    let responses = send_all(&console.store, with_rate_limits(console.state()), clicks).await;
    assert!(responses.iter().take(300).all(|response| response.status == 400));
    let limited = responses.iter().find(|response| response.status != 400).unwrap();
    assert_eq!(limited.error(), "429 rate_limited");
    let callbacks = (0..700).map(|_| {
        let url = format!("https://example.org{INBOUND}");
        SmsConsole::signed_callback(
            INBOUND,
            &inbound_message("SM1", &phone(1), "Hello"),
            ENVIRONMENT_TOKEN,
            &url,
        )
    });
    let responses = send_all(
        &console.store,
        with_rate_limits(console.state()),
        callbacks.collect(),
    )
    .await;
    assert!(responses.iter().all(|response| response.status == 200));
}
