//! Every call of the console that changes something leaves a row of the audit log with the member who made it (D65).

use crate::drawing::{draw, store_with_entrants};
use crate::staff_permissions::{Described, calls};
use crate::support::{authorized, get_with_session, send, sign_in};
use actix_web::test::TestRequest;
use fakes::MemStore;
use kernel::{PageRequest, UnitOfWork};
use serde_json::{Value, json};
use staff::{AuditEntry, AuditFilter, AuditLog};
use std::collections::BTreeSet;

/// The calls in an order in which each of them changes something.
const CHANGES: [(&str, &str); 47] = [
    // Chance names the winner, so the texts about the claim go first: a later call stops one person's texts.
    ("POST", "/api/admin/claims/{id}/called"),
    ("POST", "/api/admin/claims/{id}/resend"),
    ("POST", "/api/admin/flag-user"),
    ("POST", "/api/admin/unflag-user"),
    ("POST", "/api/admin/fraud-detection"),
    ("POST", "/api/admin/fraud/networks"),
    ("DELETE", "/api/admin/fraud/networks/{id}"),
    ("PATCH", "/api/admin/people/{id}"),
    ("POST", "/api/admin/people/{id}/opt-out"),
    ("POST", "/api/admin/sms/opt-outs"),
    ("POST", "/api/admin/people/{id}/data-requests"),
    ("POST", "/api/admin/people/{id}/duplicate-of"),
    ("DELETE", "/api/admin/people/{id}/duplicate-of"),
    ("PUT", "/api/admin/raffles/order"),
    ("POST", "/api/admin/raffles"),
    ("DELETE", "/api/admin/raffles/{landingPage}"),
    ("POST", "/api/admin/raffles/{landingPage}/copy"),
    ("PUT", "/api/admin/raffles/{landingPage}/draft"),
    ("POST", "/api/admin/raffles/{landingPage}/close"),
    ("POST", "/api/admin/raffles/{landingPage}/open"),
    ("POST", "/api/admin/entry-packages"),
    ("PUT", "/api/admin/entry-packages/{id}"),
    ("DELETE", "/api/admin/entry-packages/{id}"),
    ("POST", "/api/admin/save-credentials"),
    ("POST", "/api/admin/sms/test-text"),
    ("POST", "/api/admin/settings"),
    ("POST", "/api/admin/sms/templates"),
    ("PUT", "/api/admin/sms/templates/{id}"),
    ("POST", "/api/admin/sms/campaigns/schedule"),
    ("PUT", "/api/admin/sms/campaigns/{id}"),
    ("PUT", "/api/admin/sms/campaigns/{id}/cancel"),
    ("POST", "/api/admin/sms/templates/{id}/test"),
    ("PATCH", "/api/admin/sms/templates/{id}"),
    ("POST", "/api/admin/welcome-sms"),
    ("PUT", "/api/admin/welcome-sms/{landingPage}"),
    ("PATCH", "/api/admin/welcome-sms/{landingPage}"),
    ("DELETE", "/api/admin/welcome-sms/{landingPage}"),
    ("POST", "/api/admin/clear-analytics"),
    ("POST", "/api/admin/clear-campaigns"),
    ("POST", "/api/admin/clear-sms"),
    ("POST", "/api/admin/clear-referrals"),
    ("POST", "/api/admin/staff"),
    ("PATCH", "/api/admin/staff/{id}"),
    ("POST", "/api/admin/staff/{id}/invitation"),
    ("POST", "/api/admin/drawing/perform"),
    ("DELETE", "/api/admin/me/sessions/{id}"),
    ("DELETE", "/api/admin/me/sessions"),
];

/// Calls that need more than this store has, and the test that reads their rows.
const ELSEWHERE: [(&str, &str); 25] = [
    ("/api/admin/approvals/{id}/approve", "http::approvals"),
    ("/api/admin/approvals/{id}/reject", "http::approvals"),
    ("/api/admin/approvals/{id}/secret", "contracts::approvals"),
    ("/api/admin/claims/{id}/approve", "flows::claims::staff"),
    ("/api/admin/sms/replies/{id}/decision", "http::replies"),
    ("/api/admin/claims/{id}/reject", "flows::claims::staff"),
    ("/api/admin/claims/{id}/shipped", "flows::claims::staff"),
    ("/api/admin/claims/{id}/delivered", "flows::claims::staff"),
    (
        "/api/admin/claims/{id}/confirm-number",
        "contracts::approvals::claims",
    ),
    ("/api/admin/claims/{id}/unreachable", "flows::claims::unreached"),
    ("/api/admin/drawing/{id}/beacon", "http::drawing_steps"),
    ("/api/admin/drawing/{id}/void", "http::drawing_steps"),
    ("/api/admin/fraud/appeals/{id}/decide", "http::appeals"),
    // An upload is no JSON.
    ("/api/admin/media", "http::media"),
    ("/api/admin/media/{hash}", "http::media"),
    ("/api/admin/people/import", "contracts::people"),
    (
        "/api/admin/raffles/{landingPage}/publish",
        "http::raffle_contents",
    ),
    (
        "/api/admin/people/{id}/data-requests/{requestId}/confirm",
        "contracts::data_requests",
    ),
    ("/api/admin/login", "http::audit_log"),
    ("/api/admin/logout", "http::audit_log"),
    ("/api/admin/me/password", "http::staff_accounts"),
    // Beginning the set-up changes nothing yet.
    ("/api/admin/me/totp", "http::staff_accounts"),
    ("/api/admin/me/totp/confirm", "http::staff_accounts"),
    ("/api/admin/me/totp/recovery-codes", "http::staff_accounts"),
    ("/api/admin/sms/campaigns/estimate", "changes nothing"),
];

#[test]
fn every_call_that_changes_something_is_listed() {
    let described: BTreeSet<_> = calls()
        .into_iter()
        .filter(|call| call.method != "GET")
        .map(|call| (call.method, call.path))
        .collect();
    let is_elsewhere = |path: &str| ELSEWHERE.iter().any(|(each, _)| *each == path);
    let listed: BTreeSet<_> = CHANGES
        .iter()
        .map(|(method, path)| ((*method).to_owned(), (*path).to_owned()))
        .chain(described.iter().filter(|(_, path)| is_elsewhere(path)).cloned())
        .collect();
    assert_eq!(listed, described);
    for (path, _) in ELSEWHERE {
        assert!(described.iter().any(|(_, each)| each == path), "{path}");
    }
}

fn log(store: &MemStore) -> Vec<AuditEntry> {
    let page = PageRequest {
        limit: 1_000,
        offset: 0,
    };
    store
        .read(|tx| tx.list_audit(&AuditFilter::default(), page))
        .unwrap()
}

fn operation_of(call: &Described) -> String {
    let description: Value = serde_json::from_str(&web::openapi_json::<MemStore>().unwrap()).unwrap();
    let operation = &description["paths"][&call.path][call.method.to_lowercase()];
    operation["operationId"].as_str().unwrap().to_owned()
}

/// A body that the call takes, about what the store has.
fn body_of(call: &Described, person: &Value) -> Value {
    let bodies: Value = serde_json::from_str(include_str!("valid_bodies.json")).unwrap();
    let mut body = bodies[operation_of(call)].clone();
    match call.path.as_str() {
        "/api/admin/flag-user" | "/api/admin/unflag-user" => body["userId"] = person.clone(),
        "/api/admin/people/{id}/duplicate-of" if call.method == "POST" => body["userId"] = person.clone(),
        "/api/admin/drawing/perform" => body["landingPage"] = json!("fresh-sips"),
        "/api/admin/settings" => body = json!({"showPricing": false}),
        "/api/admin/staff/{id}" => body = json!({"role": "support"}),
        "/api/admin/sms/campaigns/schedule" => body["scheduledDate"] = json!("2030-08-01T12:00:00Z"),
        "/api/admin/sms/templates/{id}" if call.method == "PUT" => body["name"] = json!("July"),
        _ => {}
    }
    body
}

#[actix_web::test]
async fn every_change_leaves_a_row_with_its_member() {
    let (store, owner, person) = store_with_entrants().await;
    draw(&store, &owner).await;
    for (entry, action) in log(&store).iter().zip(["perform_drawing", "announce_drawing"]) {
        assert_eq!((entry.action.as_str(), entry.member.is_some()), (action, true));
    }
    let people = get_with_session(&store, &owner, "/api/admin/people").await.json();
    let read = log(&store).remove(0);
    assert_eq!(
        (read.action.as_str(), read.member.is_some()),
        ("read_numbers", true)
    );
    let newest = &people["people"][0]["id"];
    let described = calls();
    for (method, path) in CHANGES {
        let call = described
            .iter()
            .find(|call| call.method == method && call.path == path)
            .unwrap();
        let of_person = path.starts_with("/api/admin/people/");
        let id = match path {
            _ if of_person => newest.to_string(),
            "/api/admin/staff/{id}" | "/api/admin/staff/{id}/invitation" => "2".to_owned(),
            "/api/admin/me/sessions/{id}" => {
                sign_in(&store).await;
                "2".to_owned()
            }
            _ => "1".to_owned(),
        };
        let raffle = match (method, path) {
            ("DELETE", "/api/admin/raffles/{landingPage}") => "summer-box",
            _ => "fresh-sips",
        };
        let filled = path.replace("{id}", &id).replace("{landingPage}", raffle);
        let body = body_of(call, &person["id"]).to_string();
        let request = TestRequest::with_uri(&filled)
            .method(method.parse().unwrap())
            .insert_header(("Content-Type", "application/json"))
            .set_payload(if body == "null" { String::new() } else { body });
        let before = log(&store).len();
        let response = send(&store, authorized(request, &owner)).await;
        assert!(
            response.status.is_success(),
            "{method} {path}: {} {:?}",
            response.status,
            response.bytes
        );
        let after = log(&store);
        let added = &after[..after.len() - before];
        assert!(!added.is_empty(), "{method} {path} leaves no row");
        for entry in added {
            assert!(entry.member.is_some(), "{method} {path}: {entry:?}");
        }
    }
}
