//! What a site needs before it opens.

use crate::drawing::with_entrants;
use crate::support::{
    app_state, authorized, drawing_settings, get, post, post_with_session, send_all, site, sms_services,
};
use chrono::{DateTime, TimeDelta};
use chrono_tz::America::New_York;
use drawing::beacon::Chain;
use fakes::{FakePayments, MemStore};
use kernel::{StoreError, UnitOfWork};
use pricing::PricingSettings;
use serde_json::{Value, json};
use sms::{Credentials, Dispatching, Halt};
use std::sync::Arc;
use usecases::drawings::Schedule;
use web::{AppState, DrawingSettings, PaymentGateway, SiteIdentity, SmsServices};

const OPENING: &str = "/api/admin/opening";

/// An application that has everything.
fn complete() -> AppState {
    let account = Credentials::parse(&format!("AC{}", "1".repeat(32)), &"2".repeat(32), "+15550100000");
    let payments = FakePayments::default();
    AppState {
        site: SiteIdentity {
            sponsor_name: Some("Example Gardens, Inc.".to_owned()),
            sponsor_address: Some("12 Elm Street".to_owned()),
            ..site()
        },
        sms: SmsServices {
            environment: Some(account.unwrap()),
            ..sms_services()
        },
        payments: Some(Arc::new(PaymentGateway {
            publishable_key: "pk_test_1".to_owned(),
            payments: Arc::new(payments.clone()),
            webhooks: Arc::new(payments),
        })),
        drawings: DrawingSettings {
            beacon: Some(Chain::quicknet()),
            ..drawing_settings()
        },
        ..app_state()
    }
}

async fn checks(store: &MemStore, token: &str, state: AppState) -> Vec<Value> {
    let response = send_all(store, state, vec![authorized(get(OPENING), token)])
        .await
        .remove(0);
    assert_eq!(response.status, 200, "{:?}", response.bytes);
    response.json()["checks"].as_array().unwrap().clone()
}

/// Names and states, in their order.
async fn states(store: &MemStore, token: &str, state: AppState) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let checks = checks(store, token, state).await;
    let states = checks
        .iter()
        .map(|check| (text(&check["name"]), text(&check["state"])));
    states.collect()
}

fn expected(states: [(&str, &str); 6]) -> Vec<(String, String)> {
    states
        .map(|(name, state)| (name.to_owned(), state.to_owned()))
        .to_vec()
}

#[actix_web::test]
async fn a_new_server_in_development_says_what_it_has_not() {
    let (store, token, _) = with_entrants(MemStore::default()).await;
    let checks = checks(&store, &token, app_state()).await;
    for (n, (name, state, part)) in [
        ("texts", "missing", "no SMS account is set up"),
        ("payments", "warning", "set STRIPE_SECRET_KEY"),
        (
            "sponsor",
            "missing",
            "show placeholders. Set SPONSOR_NAME, SPONSOR_ADDRESS and",
        ),
        ("beacon", "warning", "Set DRAWING_BEACON to quicknet"),
        ("drawing", "warning", "Announce one under Drawing"),
        ("rules", "missing", "No official rules count this month"),
    ]
    .into_iter()
    .enumerate()
    {
        let check = &checks[n];
        assert_eq!((&check["name"], &check["state"]), (&json!(name), &json!(state)));
        assert!(check["message"].as_str().unwrap().contains(part), "{check}");
        assert_eq!(check["at"], Value::Null);
    }
    assert_eq!(checks.len(), 6);
}

#[actix_web::test]
async fn a_site_with_everything_is_ready_and_knows_its_next_drawing() {
    let (store, token, _) = with_entrants(MemStore::default()).await;
    store.set_time("2100-01-01T12:00:00Z".parse().unwrap()); // after the entries
    usecases::rules::publish(&store, New_York, &complete().rules_text()).unwrap();
    let announce = authorized(
        post("/api/admin/drawing/perform", r#"{"landingPage": "fresh-sips"}"#),
        &token,
    );
    let announced = send_all(&store, complete(), vec![announce]).await.remove(0);
    assert_eq!(announced.status, 202, "{:?}", announced.bytes);
    let checks = checks(&store, &token, complete()).await;
    assert!(checks.iter().all(|check| check["state"] == "ready"), "{checks:?}");
    assert!(checks[5]["message"].as_str().unwrap().contains("Version 1"));
    assert_eq!(checks[4]["at"], announced.json()["beacon"]["expectedAt"]);
    assert!(checks[1]["message"].as_str().unwrap().contains("hidden"));
    let show = json!({"showPricing": true});
    post_with_session(&store, &token, "/api/admin/settings", &show).await;
    let checks = self::checks(&store, &token, complete()).await;
    assert!(checks[1]["message"].as_str().unwrap().contains("are shown"));
}

#[actix_web::test]
async fn a_server_with_a_schedule_announces_drawings_by_itself() {
    let (store, token, _) = with_entrants(MemStore::default()).await;
    let state = AppState {
        drawings: DrawingSettings {
            schedule: Schedule::Monthly,
            ..drawing_settings()
        },
        ..complete()
    };
    let checks = checks(&store, &token, state).await;
    assert_eq!(checks[4]["state"], "warning");
    assert!(checks[4]["message"].as_str().unwrap().contains("by itself"));
}

#[actix_web::test]
async fn an_account_that_does_not_work_is_missing() {
    let (store, token, _) = with_entrants(MemStore::default()).await;
    let with_codes = AppState {
        phone_verification: true,
        ..app_state()
    };
    let without_account = checks(&store, &token, with_codes).await;
    let message = without_account[0]["message"].as_str().unwrap();
    assert!(message.starts_with("Nobody can enter"), "{message}");

    let lease = store.transaction::<_, StoreError>(|tx| {
        let now = DateTime::UNIX_EPOCH;
        let fence = tx.acquire_lease("sender", now, now + TimeDelta::minutes(1), now)?;
        let fence = fence.unwrap();
        tx.record_halt(fence, Halt::CredentialsRefused)
    });
    assert!(lease.unwrap());
    let refused = checks(&store, &token, complete()).await;
    assert_eq!(refused[0]["state"], "missing");
    let message = refused[0]["message"].as_str().unwrap();
    assert!(
        message.contains("the provider refuses the SMS account"),
        "{message}"
    );
    assert_eq!(
        states(&store, &token, complete()).await[1..],
        expected([
            ("texts", "missing"),
            ("payments", "ready"),
            ("sponsor", "ready"),
            ("beacon", "ready"),
            ("drawing", "warning"),
            ("rules", "missing"),
        ])[1..]
    );
}

#[actix_web::test]
async fn rules_without_a_sponsor_are_missing() {
    let (store, token, _) = with_entrants(MemStore::default()).await;
    usecases::rules::publish(&store, New_York, &app_state().rules_text()).unwrap();
    let checks = checks(&store, &token, app_state()).await;
    assert_eq!(checks[5]["state"], "missing");
    assert!(
        checks[5]["message"]
            .as_str()
            .unwrap()
            .contains("names no sponsor")
    );
}

#[actix_web::test]
async fn in_production_packages_are_shown_only_with_rules_and_a_drawing_of_each_month() {
    let (store, token, _) = with_entrants(MemStore::default()).await;
    let with_schedule = |schedule| AppState {
        drawings: DrawingSettings {
            production: true,
            schedule,
            ..drawing_settings()
        },
        ..complete()
    };
    let production = || with_schedule(Schedule::Monthly);
    let switch = async |state: AppState, show: bool| {
        let body = json!({"showPricing": show}).to_string();
        let request = authorized(post("/api/admin/settings", &body), &token);
        send_all(&store, state, vec![request]).await.remove(0)
    };
    let refused = switch(production(), true).await;
    assert_eq!(
        (refused.status.as_u16(), &refused.json()["code"]),
        (409, &json!("rules_missing"))
    );
    assert!(!store.read(|tx| tx.show_pricing()).unwrap());
    assert_eq!(
        switch(production(), false).await.status,
        200,
        "they can always be hidden"
    );
    assert_eq!(
        switch(complete(), true).await.status,
        200,
        "development needs no rules"
    );
    assert_eq!(switch(production(), false).await.status, 200);

    usecases::rules::publish(&store, New_York, &app_state().rules_text()).unwrap();
    assert_eq!(switch(production(), true).await.status, 409, "no sponsor");
    usecases::rules::publish(&store, New_York, &complete().rules_text()).unwrap();
    let by_hand = switch(with_schedule(Schedule::Manual), true).await;
    assert_eq!(by_hand.error(), "409 drawings_not_scheduled");
    assert_eq!(switch(production(), true).await.status, 200);
}
