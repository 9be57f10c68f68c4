//! The limit of provider callbacks whose signature is not valid.

use crate::provider_callbacks_inbound::{INBOUND, inbound_message};
use crate::purchases::{WEBHOOK, checkout};
use crate::sms_console::{ENVIRONMENT_TOKEN, SmsConsole, phone, unsigned_callback};
use crate::support::{Response, authorized, post, send_all};
use actix_web::test::TestRequest;
use fakes::FakePayments;
use futures_util::future::BoxFuture;
use kernel::StoreError;
use serde_json::json;
use std::future::ready;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use web::{AppState, Limit, RateLimiter};

/// Counts failed signatures without a clock: its minute never ends.
struct OneMinute {
    failures: AtomicU32,
    on_refusal: Box<dyn Fn() + Send + Sync>,
}

impl RateLimiter for OneMinute {
    fn check<'a>(&'a self, limit: Limit, _: IpAddr) -> BoxFuture<'a, Result<(), Duration>> {
        let passes = limit != Limit::FailedSignatures
            || self.failures.fetch_add(1, Ordering::SeqCst) < limit.per_minute().get();
        if !passes {
            (self.on_refusal)();
        }
        let result = if passes {
            Ok(())
        } else {
            Err(Duration::from_secs(1))
        };
        Box::pin(ready(result))
    }
}

fn limited(state: AppState, on_refusal: impl Fn() + Send + Sync + 'static) -> AppState {
    let limiter = OneMinute {
        failures: AtomicU32::new(0),
        on_refusal: Box::new(on_refusal),
    };
    AppState {
        limiter: Arc::new(limiter),
        ..state
    }
}

fn signed(sid: &str, token: &str) -> TestRequest {
    let message = inbound_message(sid, &phone(1), "Hello");
    let url = format!("https://example.org{INBOUND}");
    SmsConsole::signed_callback(INBOUND, &message, token, &url)
}

fn forged() -> TestRequest {
    signed("SMforged", "00000000000000000000000000000000")
}

fn errors(responses: &[Response]) -> Vec<String> {
    responses.iter().map(Response::error).collect()
}

#[actix_web::test]
async fn the_sixty_first_forged_text_is_rate_limited_and_signed_ones_still_pass() {
    let console = SmsConsole::new().await;
    let requests = (0..61)
        .map(|_| forged())
        .chain([
            signed("SM1", ENVIRONMENT_TOKEN),
            unsigned_callback("/api/twilio/status?text=1", &[]),
        ])
        .collect();
    let responses = send_all(&console.store, limited(console.state(), || ()), requests).await;
    assert!(
        errors(&responses[..60])
            .iter()
            .all(|error| error == "403 bad_signature")
    );
    for refused in [&responses[60], &responses[62]] {
        assert_eq!(refused.error(), "429 rate_limited");
        assert_eq!(refused.header("Retry-After"), "1");
    }
    assert_eq!(responses[61].status, 200);
}

#[actix_web::test]
async fn forged_texts_over_the_limit_do_not_read_the_store() {
    let console = SmsConsole::new().await;
    let store = console.store.clone();
    // From the first refusal on, the next use of the store fails.
    let state = limited(console.state(), move || store.fail_next(StoreError::Conflict));
    let requests = [signed("SM1", ENVIRONMENT_TOKEN)]
        .into_iter()
        .chain((0..70).map(|_| forged()))
        .chain([signed("SM2", ENVIRONMENT_TOKEN)])
        .collect();
    let responses = send_all(&console.store, state, requests).await;
    assert_eq!(responses[0].status, 200);
    assert!(
        errors(&responses[61..71])
            .iter()
            .all(|error| error == "429 rate_limited")
    );
    // Its signature was checked with the known account; recording it used the store.
    assert_eq!(responses[71].error(), "503 unavailable");
}

#[actix_web::test]
async fn a_callback_without_a_signature_does_not_read_the_store() {
    let console = SmsConsole::new().await;
    console.store.fail_next(StoreError::Conflict);
    let requests = vec![unsigned_callback(INBOUND, &[]), signed("SM1", ENVIRONMENT_TOKEN)];
    let responses = send_all(&console.store, console.state(), requests).await;
    assert_eq!(errors(&responses), ["403 bad_signature", "503 unavailable"]);
}

#[actix_web::test]
async fn an_account_that_staff_save_counts_at_once() {
    let console = SmsConsole::new().await;
    let new_token = "fedcba9876543210fedcba9876543210";
    let account = json!({"TWILIO_ACCOUNT_SID": "AC00000000000000000000000000000001",
                         "TWILIO_AUTH_TOKEN": new_token, "TWILIO_PHONE_NUMBER": "+15005550007"});
    let requests = vec![
        signed("SM1", ENVIRONMENT_TOKEN),
        signed("SM2", new_token),
        authorized(
            post("/api/admin/save-credentials", &account.to_string()),
            &console.token,
        ),
        signed("SM3", ENVIRONMENT_TOKEN),
        signed("SM4", new_token),
    ];
    let responses = send_all(&console.store, limited(console.state(), || ()), requests).await;
    let statuses: Vec<u16> = responses
        .iter()
        .map(|response| response.status.as_u16())
        .collect();
    assert_eq!(statuses, [200, 403, 200, 403, 200]);
}

#[actix_web::test]
async fn the_sixty_first_forged_event_is_rate_limited_and_signed_ones_still_pass() {
    let checkout = checkout().await;
    let body = checkout.succeed(&checkout.created_intent().await);
    let event = |signature: &str| post(WEBHOOK, &body).insert_header(("Stripe-Signature", signature));
    let requests = (0..61)
        .map(|_| event("t=1,v1=00"))
        .chain([event(FakePayments::SIGNATURE)])
        .collect();
    let responses = send_all(&checkout.store, limited(checkout.state(), || ()), requests).await;
    assert!(
        errors(&responses[..60])
            .iter()
            .all(|error| error == "400 bad_signature")
    );
    assert_eq!(responses[60].error(), "429 rate_limited");
    assert_eq!(responses[60].header("Retry-After"), "1");
    assert_eq!(responses[61].status, 200);
    assert_eq!(checkout.paid_entries().await, 10);
}
