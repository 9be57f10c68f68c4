//! The switch for campaign texts on an entrant's page.

use crate::provider_callbacks_inbound::{INBOUND, inbound_message};
use crate::sms_console::{SmsConsole, phone};
use crate::support::{Response, get, put, register};
use serde_json::{Value, json};

/// An entrant, in the browser that entered.
struct Own {
    console: SmsConsole,
    path: String,
    cookie: String,
}

impl Own {
    async fn entered(consent: Option<bool>) -> Self {
        let console = SmsConsole::new().await;
        let body = json!({"phoneNumber": phone(1), "smsConsent": consent});
        let response = console.send(register(&body.to_string())).await;
        let cookie = response
            .header("set-cookie")
            .split(';')
            .next()
            .unwrap()
            .to_owned();
        let id = response.json()["user"]["id"].clone();
        Self {
            console,
            path: format!("/api/users/{id}/consent"),
            cookie,
        }
    }

    async fn shown(&self) -> Value {
        let request = get(&self.path).insert_header(("Cookie", self.cookie.clone()));
        self.console.send(request).await.json()
    }

    async fn switch(&self, value: &Value) -> Response {
        let request = put(&self.path, &json!({"smsCampaigns": value}));
        self.console
            .send(request.insert_header(("Cookie", self.cookie.clone())))
            .await
    }

    async fn text(&self, id: &str, word: &str) {
        let message = inbound_message(id, &phone(1), word);
        assert_eq!(self.console.post_callback(INBOUND, &message).await.status, 200);
    }
}

fn view(granted: bool, has_opted_out: bool) -> Value {
    json!({"smsCampaigns": granted, "hasOptedOut": has_opted_out, "textsFrom": "+15550001111"})
}

#[actix_web::test]
async fn an_entrant_switches_campaign_texts_on_and_off() {
    let own = Own::entered(None).await;
    assert_eq!(own.shown().await, view(false, false));
    for granted in [true, true, false, false, true] {
        let response = own.switch(&json!(granted)).await;
        assert_eq!(
            (response.status.as_u16(), response.json()),
            (200, view(granted, false))
        );
        assert_eq!(own.shown().await, view(granted, false));
    }
    for (wrong, error) in [
        (json!(null), "400 validation smsCampaigns"),
        (json!("yes"), "400 validation smsCampaigns"),
    ] {
        assert_eq!(own.switch(&wrong).await.error(), error);
    }
    assert_eq!(own.shown().await, view(true, false));
}

#[actix_web::test]
async fn only_the_browser_that_entered_has_the_switch() {
    let own = Own::entered(Some(true)).await;
    let stranger = own.console.send(get(&own.path)).await;
    assert_eq!(stranger.error(), "403 another_browser");
    let stranger = own
        .console
        .send(put(&own.path, &json!({"smsCampaigns": false})))
        .await;
    assert_eq!(stranger.error(), "403 another_browser");
    assert_eq!(own.shown().await, view(true, false));
    let unknown = get("/api/users/77/consent").insert_header(("Cookie", own.cookie.clone()));
    assert_eq!(own.console.send(unknown).await.error(), "403 another_browser");
}

/// STOP revokes the consent, and the switch does not lift it: START does, and restores what STOP revoked.
#[actix_web::test]
async fn the_switch_shows_stop_and_start() {
    let own = Own::entered(Some(true)).await;
    own.text("SM1", "STOP").await;
    assert_eq!(own.shown().await, view(false, true));
    own.text("SM2", "START").await;
    assert_eq!(own.shown().await, view(true, false));
    own.text("SM3", "STOP").await;
    assert_eq!(own.switch(&json!(true)).await.json(), view(true, true));
    own.text("SM4", "START").await;
    assert_eq!(own.shown().await, view(true, false));
}
