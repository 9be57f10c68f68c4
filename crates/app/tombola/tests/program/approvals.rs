//! Two people, and the command for one who is alone.

use crate::drawings::{ADMIN, login, text};
use crate::server::{Server, tombola};
use crate::support::TestDatabase;
use serde_json::Value;
use std::process::Output;

/// The server's variables, for a command on the same machine.
fn approve(database: &TestDatabase, id: &str) -> Output {
    let variables = [("DATABASE_URL", database.url.as_str()), ("TWO_PERSON", "on")];
    tombola("admin", &variables)
        .args(["approve", id])
        .output()
        .unwrap()
}

#[test]
fn the_operator_approves_on_the_server_and_the_log_says_so() {
    let database = TestDatabase::new();
    let server = Server::start(&database.url, &[&ADMIN[..], &[("TWO_PERSON", "on")]].concat());
    let token = login(&server);
    let session = [("X-Session-Token", token.as_str())];
    let json = |(status, body): (u16, String)| -> Value {
        assert!((200..300).contains(&status), "{body}");
        serde_json::from_str(&body).unwrap()
    };
    let propose = |path: &str, body: &str| {
        let proposed = json(server.send("POST", path, &session, body));
        proposed["approvalId"].as_i64().unwrap().to_string()
    };
    let invited = propose("/api/admin/staff", r#"{"name": "ben", "role": "viewer"}"#);
    let cleared = propose("/api/admin/clear-sms", "{}");
    let own = format!("/api/admin/approvals/{invited}/approve");
    assert_eq!(server.send("POST", &own, &session, "").0, 403);

    let output = approve(&database, &invited);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(
        said.starts_with("approved on the server: Invite ben as viewer.\n"),
        "{said}"
    );
    assert!(!said.contains("/admin#invitation="), "{said}");
    let secret = format!("/api/admin/approvals/{invited}/secret");
    let (status, shown) = server.send("POST", &secret, &session, "");
    assert!(status == 200 && shown.contains("/admin#invitation="), "{shown}");
    let again = approve(&database, &invited);
    assert!(!again.status.success());
    assert!(
        text(&again.stderr).contains("decided already"),
        "{}",
        text(&again.stderr)
    );
    let output = approve(&database, &cleared);
    assert!(
        text(&output.stdout).ends_with("the data is deleted\n"),
        "{}",
        text(&output.stderr)
    );
    assert!(!approve(&database, "999").status.success());

    let list = json(server.get_with("/api/admin/approvals", &session));
    for row in list["approvals"].as_array().unwrap() {
        assert_eq!(
            (&row["status"], &row["decidedBy"]),
            (&"approved".into(), &Value::Null)
        );
    }
    let log = json(server.get_with("/api/admin/audit-log?action=approve_proposal", &session));
    let entries = log["entries"].as_array().unwrap();
    assert_eq!(entries.len(), 2, "{log}");
    assert!(entries.iter().all(|entry| entry["member"].is_null()), "{log}");
    let verified = tombola("audit", &[("DATABASE_URL", &database.url)])
        .arg("verify")
        .output()
        .unwrap();
    assert!(verified.status.success(), "{}", text(&verified.stderr));
}

#[test]
fn a_start_with_another_setting_is_in_the_audit_log() {
    let database = TestDatabase::new();
    for two in ["on", "on", "off"] {
        let server = Server::start(&database.url, &[&ADMIN[..], &[("TWO_PERSON", two)]].concat());
        let token = login(&server);
        let session = [("X-Session-Token", token.as_str())];
        let (_, log) = server.get_with("/api/admin/audit-log?action=change_start_setting", &session);
        let log: Value = serde_json::from_str(&log).unwrap();
        let entries = log["entries"].as_array().unwrap();
        assert_eq!(entries.len(), usize::from(two == "off"), "{log}");
        if let Some(entry) = entries.first() {
            assert_eq!(
                (
                    &entry["target"],
                    &entry["details"]["before"],
                    &entry["details"]["after"]
                ),
                (&"TWO_PERSON".into(), &"on".into(), &"off".into())
            );
        }
    }
}
