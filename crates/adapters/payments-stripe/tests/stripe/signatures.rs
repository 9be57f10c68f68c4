use chrono::{DateTime, TimeDelta, Utc};
use hmac::{Hmac, KeyInit, Mac};
use payments_stripe::StripeWebhooks;
use pricing::{EventKind, WebhookError, Webhooks};
use secrecy::SecretString;
use serde_json::{Value, json};
use sha2::Sha256;

const SECRET: &str = "whsec_1";

fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(seconds, 0).unwrap()
}

fn webhooks(secret: &str) -> StripeWebhooks {
    StripeWebhooks::new(SecretString::from(secret))
}

fn sign(secret: &str, seconds: i64, body: &str) -> String {
    let mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    let mac = mac.chain_update(format!("{seconds}.{body}"));
    format!("t={seconds},v1={}", hex::encode(mac.finalize().into_bytes()))
}

fn canceled() -> String {
    json!({"id": "evt_1", "object": "event", "type": "payment_intent.canceled", "data": {"object": {"id": "pi_1"}}})
        .to_string()
}

#[test]
fn a_signature_is_valid_for_five_minutes_before_and_after() {
    let body = canceled();
    let signature = sign(SECRET, 1_700_000_000, &body);
    let read = |now| webhooks(SECRET).read_event(body.as_bytes(), &signature, now);
    for seconds in [-300, -299, 0, 299, 300] {
        let event = read(at(1_700_000_000 + seconds)).unwrap();
        assert!(matches!(event.kind, EventKind::Canceled(_)), "{seconds}");
    }
    for seconds in [-100_000, -301, 301, 100_000] {
        assert_eq!(
            read(at(1_700_000_000 + seconds)),
            Err(WebhookError::Signature),
            "{seconds}"
        );
    }
    let almost = at(1_700_000_000) + TimeDelta::seconds(301) - TimeDelta::milliseconds(1);
    assert!(
        read(almost).is_ok(),
        "times are compared in whole seconds, as in Stripe's clients"
    );
}

#[test]
fn forged_missing_and_altered_signatures_are_rejected() {
    let body = canceled();
    let now = at(1_700_000_000);
    let right = sign(SECRET, now.timestamp(), &body);
    let hash = right.split_once("v1=").unwrap().1.to_owned();
    let spaced = serde_json::to_string_pretty(&serde_json::from_str::<Value>(&body).unwrap()).unwrap();
    let t = now.timestamp();
    for (case, text, signature) in [
        ("another secret", &body, sign("whsec_2", t, &body)),
        ("another body", &body.replace("pi_1", "pi_2"), right.clone()),
        ("the same JSON in other bytes", &spaced, right.clone()),
        ("another time", &body, format!("t={},v1={hash}", t + 1)),
        ("no header", &body, String::new()),
        ("no time", &body, format!("v1={hash}")),
        ("no signature", &body, format!("t={t}")),
        ("an old scheme", &body, format!("t={t},v0={hash}")),
        (
            "a truncated signature",
            &body,
            format!("t={t},v1={}", &hash[..62]),
        ),
        ("an empty signature", &body, format!("t={t},v1=")),
        ("a time that is not a number", &body, format!("t=now,v1={hash}")),
        ("a time out of range", &body, format!("t={},v1={hash}", i64::MIN)),
    ] {
        let read = webhooks(SECRET).read_event(text.as_bytes(), &signature, now);
        assert_eq!(read, Err(WebhookError::Signature), "{case}");
    }
    let rotated = format!("t={t},v1={},v0=x,v1={hash}", "0".repeat(64));
    assert!(
        webhooks(SECRET)
            .read_event(body.as_bytes(), &rotated, now)
            .is_ok()
    );
}

#[test]
fn an_event_that_is_delivered_three_days_late_needs_a_new_signature() {
    let now = at(1_700_000_000);
    let read = |signed: DateTime<Utc>| {
        let mut event: Value = serde_json::from_str(&canceled()).unwrap();
        event["created"] = json!((now - TimeDelta::days(3)).timestamp());
        let body = event.to_string();
        let signature = sign(SECRET, signed.timestamp(), &body);
        webhooks(SECRET).read_event(body.as_bytes(), &signature, now)
    };
    assert!(read(now).is_ok());
    assert_eq!(read(now - TimeDelta::days(3)), Err(WebhookError::Signature));
}

#[test]
fn a_signed_body_that_is_not_an_event_is_malformed() {
    let now = at(1_700_000_000);
    let event = |kind: &str, object: Value| {
        json!({"id": "evt_1", "type": kind, "data": {"object": object}}).to_string()
    };
    for body in [
        String::new(),
        "{}".to_owned(),
        json!({"id": "evt_1"}).to_string(),
        event("payment_intent.succeeded", json!({"id": "pi_1"})),
        event("payment_intent.canceled", json!({"id": "../x"})),
        event("charge.refunded", json!({"payment_intent": "pi_1"})),
    ] {
        let signature = sign(SECRET, now.timestamp(), &body);
        let read = webhooks(SECRET).read_event(body.as_bytes(), &signature, now);
        assert_eq!(read, Err(WebhookError::Malformed), "{body}");
    }
}

#[test]
fn events_of_other_types_or_about_other_charges_are_other_events() {
    let now = at(1_700_000_000);
    for body in [
        json!({"id": "evt_1", "type": "customer.created"}),
        json!({"id": "evt_1", "type": "charge.refunded", "data": {"object": {"amount_refunded": 500, "payment_intent": null}}}),
    ] {
        let body = body.to_string();
        let signature = sign(SECRET, now.timestamp(), &body);
        let event = webhooks(SECRET)
            .read_event(body.as_bytes(), &signature, now)
            .unwrap();
        assert_eq!(event.kind, EventKind::Other, "{body}");
    }
}

#[test]
fn debug_output_does_not_show_the_secret() {
    assert!(!format!("{:?}", webhooks(SECRET)).contains(SECRET));
}

/// Signatures that Stripe's own clients made, accept and reject. The bodies need not be events: only the signature counts.
#[test]
fn signatures_are_checked_as_stripes_clients_do() {
    let Some(vectors) = stand_ins::kit::testing::contract_file("test-vectors.json") else {
        return;
    };
    let is_valid = |case: &Value, header: &str, now: i64| {
        let payload = case["payload"].as_str().unwrap();
        let read = webhooks(case["secret"].as_str().unwrap()).read_event(payload.as_bytes(), header, at(now));
        read != Err(WebhookError::Signature)
    };
    let mut compared = 0;
    let cases = |name: &str| vectors["stripe"][name].as_array().unwrap();
    for case in cases("raw_hmac_sha256") {
        let mac = Hmac::<Sha256>::new_from_slice(case["secret"].as_str().unwrap().as_bytes()).unwrap();
        let mac = mac.chain_update(case["payload"].as_str().unwrap());
        assert_eq!(
            hex::encode(mac.finalize().into_bytes()),
            case["hex"].as_str().unwrap()
        );
        compared += 1;
    }
    for case in cases("header_valid") {
        let header = case["header"].as_str().unwrap();
        for (list, expected) in [("accepted_when_now", true), ("rejected_when_now", false)] {
            for now in case[list].as_array().unwrap() {
                assert_eq!(
                    is_valid(case, header, now.as_i64().unwrap()),
                    expected,
                    "{}",
                    case["name"]
                );
                compared += 1;
            }
        }
    }
    for case in cases("header_cases") {
        // Our tolerance is fixed, so a case with a shorter tolerance is checked that much later.
        let tolerance = case["tolerance"].as_i64().unwrap_or(300);
        let now = case["now"].as_i64().unwrap_or(1_700_000_000) + 300 - tolerance;
        let expected = case["expect"].as_str().unwrap() == "accept";
        let header = case["header"].as_str().unwrap();
        assert_eq!(is_valid(case, header, now), expected, "{}", case["name"]);
        compared += 1;
    }
    assert_eq!(compared, 26, "all cases were compared");
}
