//! The audit log in the console.

use crate::support::{Response, app_state, authorized, csv_text, get_with_session, post, send_all, sign_in};
use chrono::TimeDelta;
use fakes::{FixedClock, MemStore};
use kernel::{Clock, StoreError, UnitOfWork};
use serde_json::{Value, json};
use staff::{Action, Actor, AuditLog, Detail, NewAuditEntry, SessionId};
use std::collections::HashSet;

const LOG: &str = "/api/admin/audit-log";
const EXPORT: &str = "/api/admin/audit-log/export";

fn entry(action: Action, target: &str, hours: i64) -> NewAuditEntry {
    NewAuditEntry {
        actor: Actor {
            member: None,
            session: SessionId::new(7),
            address: None,
        },
        action,
        target: Some(target.to_owned()),
        details: Vec::new(),
        at: FixedClock::default().now() + TimeDelta::hours(hours),
    }
}

fn record(store: &MemStore, entries: &[NewAuditEntry]) {
    let record_all = |tx: &mut fakes::MemTx| {
        entries
            .iter()
            .try_for_each(|entry| tx.record_audit(entry).map(drop))
    };
    store.transaction::<_, StoreError>(record_all).unwrap();
}

fn entries(response: &Response) -> Vec<Value> {
    assert_eq!(response.status, 200, "{:?}", response.bytes);
    response.json()["entries"].as_array().unwrap().clone()
}

#[actix_web::test]
async fn signing_in_and_out_is_in_the_audit_log() {
    let store = MemStore::default();
    let first = sign_in(&store).await;
    let logout = authorized(post("/api/admin/logout", ""), &first).insert_header(("User-Agent", "Test"));
    send_all(&store, app_state(), vec![logout]).await;
    let token = sign_in(&store).await;
    let response = get_with_session(&store, &token, LOG).await;
    let listed = entries(&response);
    let actions: Vec<_> = listed.iter().map(|entry| &entry["action"]).collect();
    assert_eq!(actions, ["login", "logout", "login"]);
    assert_eq!(response.header("x-total-count"), "3");
    assert_eq!(
        listed[1],
        json!({"id": 2, "member": "anna", "action": "logout", "target": null, "details": {}, "ipAddress": "192.0.2.7",
               "createdAt": "2025-08-01T12:00:00Z"})
    );
    assert!(
        !String::from_utf8_lossy(&response.bytes).contains(&token),
        "the log has no token"
    );
}

#[actix_web::test]
async fn the_log_is_paged_and_filtered_by_action() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let detailed = NewAuditEntry {
        details: vec![
            ("reason", Detail::Text("twice".to_owned())),
            ("accounts", Detail::Number(3)),
        ],
        ..entry(Action::FlagUser, "2", 0)
    };
    let flags = [
        entry(Action::FlagUser, "1", 0),
        detailed,
        entry(Action::UnflagUser, "1", 0),
    ];
    record(&store, &flags);
    let page = get_with_session(&store, &token, &format!("{LOG}?action=flag_user&limit=1")).await;
    assert_eq!(page.header("x-total-count"), "2");
    assert_eq!(entries(&page)[0]["target"], "2");
    assert_eq!(
        entries(&page)[0]["details"],
        json!({"reason": "twice", "accounts": 3})
    );
    let next = get_with_session(
        &store,
        &token,
        &format!("{LOG}?action=flag_user&limit=1&offset=1"),
    )
    .await;
    assert_eq!(entries(&next)[0]["target"], "1");
    let after = get_with_session(&store, &token, &format!("{LOG}?offset=4")).await;
    assert_eq!((entries(&after).len(), after.header("x-total-count")), (0, "4"));
}

#[actix_web::test]
async fn dates_are_inclusive_days_in_the_sites_time_zone() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    // Noon in UTC is 8:00 in New York, so that day lasts from -8 hours to 16 hours.
    let hours = [-9, -8, 15, 16];
    let entries_of: Vec<_> = hours
        .iter()
        .map(|hour| entry(Action::FlagUser, &hour.to_string(), *hour))
        .collect();
    record(&store, &entries_of);
    let targets = async |query: &str| {
        let response = get_with_session(&store, &token, &format!("{LOG}?action=flag_user&{query}")).await;
        let listed = entries(&response);
        let target = |entry: &Value| entry["target"].as_str().unwrap().to_owned();
        listed.iter().map(target).collect::<Vec<_>>()
    };
    assert_eq!(
        targets("startDate=2025-08-01&endDate=2025-08-01").await,
        ["15", "-8"]
    );
    assert_eq!(targets("startDate=2025-08-01").await, ["16", "15", "-8"]);
    assert_eq!(targets("endDate=2025-07-31").await, ["-9"]);
}

#[actix_web::test]
async fn invalid_parameters_are_named() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    for (query, fields) in [
        ("action=everything", "action"),
        ("action=", "action"),
        ("action=Login", "action"),
        ("startDate=yesterday", "startDate"),
        ("endDate=2025-02-30", "endDate"),
        ("startDate=2025-08-02&endDate=2025-08-01", "startDate"),
        ("action=x&startDate=x&endDate=x", "action,endDate,startDate"),
    ] {
        for path in [LOG, EXPORT] {
            let response = get_with_session(&store, &token, &format!("{path}?{query}")).await;
            assert_eq!(
                response.error(),
                format!("400 validation {fields}"),
                "{path}?{query}"
            );
        }
    }
    let response = get_with_session(&store, &token, &format!("{LOG}?limit=501")).await;
    assert_eq!(response.error(), "400 validation limit");
}

#[actix_web::test]
async fn an_export_is_a_csv_file_with_escaped_formulas() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let dangerous = NewAuditEntry {
        actor: Actor {
            member: None,
            session: SessionId::new(7),
            address: Some("2001:db8::1".parse().unwrap()),
        },
        details: vec![("reason", Detail::Text("=1+1, \"really\"".to_owned()))],
        ..entry(Action::FlagUser, "=HYPERLINK(\"http://example.org\")", 1)
    };
    record(&store, &[dangerous, entry(Action::UnflagUser, "-2", 2)]);
    let response = get_with_session(&store, &token, EXPORT).await;
    assert_eq!(
        response.header("content-disposition"),
        "attachment; filename=\"audit-log.csv\""
    );
    assert_eq!(response.header("cache-control"), "no-store");
    let expected = r#"id,createdAt,action,target,details,ipAddress,session,member
3,2025-08-01T14:00:00Z,unflag_user,'-2,{},,7,
2,2025-08-01T13:00:00Z,flag_user,"'=HYPERLINK(""http://example.org"")","{""reason"":""=1+1, \""really\""""}",2001:db8::1,7,
1,2025-08-01T12:00:00Z,login,,{},'192.0.2.7,1,anna
"#;
    assert_eq!(csv_text(&response), expected);
    let filtered = get_with_session(
        &store,
        &token,
        &format!("{EXPORT}?action=login&startDate=2025-08-02"),
    )
    .await;
    assert_eq!(
        csv_text(&filtered),
        "id,createdAt,action,target,details,ipAddress,session,member\n"
    );
}

#[actix_web::test]
async fn a_large_export_has_every_entry_once() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let many: Vec<_> = (0..12_000)
        .map(|n| entry(Action::FlagUser, &n.to_string(), 0))
        .collect();
    record(&store, &many);
    let csv = csv_text(&get_with_session(&store, &token, EXPORT).await);
    let ids: Vec<u32> = csv
        .lines()
        .skip(1)
        .map(|line| line.split(',').next().unwrap().parse().unwrap())
        .collect();
    assert_eq!((ids.first(), ids.last()), (Some(&12_001), Some(&1)));
    assert_eq!(ids.len(), 12_001);
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), 12_001);
}

#[actix_web::test]
async fn exports_of_numbers_are_in_the_audit_log() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    for (path, details) in [
        (
            "/api/admin/flagged-users/export?search=555",
            json!({"list": "flagged_users", "rows": 0, "searched": "yes"}),
        ),
        (
            "/api/admin/sms/replies/export",
            json!({"list": "replies", "rows": 0}),
        ),
        (
            "/api/admin/drawing/history/export",
            json!({"list": "drawings", "rows": 0}),
        ),
    ] {
        csv_text(&get_with_session(&store, &token, path).await);
        let newest = get_with_session(&store, &token, &format!("{LOG}?limit=1")).await;
        let entry = &entries(&newest)[0];
        assert_eq!(entry["action"], "export_numbers", "{path}");
        assert_eq!(
            (&entry["details"], &entry["target"]),
            (&details, &Value::Null),
            "{path}"
        );
    }
    let exports = get_with_session(&store, &token, &format!("{LOG}?action=export_numbers")).await;
    assert_eq!(entries(&exports).len(), 3);
    // These have no numbers.
    for path in ["/api/admin/sms/campaigns/export", EXPORT] {
        csv_text(&get_with_session(&store, &token, path).await);
    }
    let exports = get_with_session(&store, &token, &format!("{LOG}?action=export_numbers")).await;
    assert_eq!(exports.header("x-total-count"), "3");
}
