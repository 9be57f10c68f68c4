//! Every call of the console as every role, compared with the table in `docs/staff.md`.

use crate::staff_accounts::join;
use crate::support::{authorized, get_with_session, post, send, sign_in};
use actix_web::test::TestRequest;
use fakes::MemStore;
use serde_json::{Value, json};
use staff::{Permission, Role};
use std::fmt::Write;
use strum::IntoEnumIterator;

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/staff.md");
const BEGIN: &str = "<!-- calls: begin -->\n";
const END: &str = "<!-- calls: end -->";

/// A described call of the console.
pub(crate) struct Described {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) permission: Option<Permission>,
}

pub(crate) fn calls() -> Vec<Described> {
    let description: Value = serde_json::from_str(&web::openapi_json::<MemStore>().unwrap()).unwrap();
    let paths = description["paths"].as_object().unwrap();
    let console = paths.iter().filter(|(path, _)| path.starts_with("/api/admin/"));
    console
        .flat_map(|(path, methods)| {
            methods.as_object().unwrap().iter().map(|(method, operation)| {
                let permission = operation["x-permission"].as_str();
                Described {
                    method: method.to_uppercase(),
                    path: path.clone(),
                    permission: permission.map(|name| name.parse().unwrap()),
                }
            })
        })
        .collect()
}

/// The table of calls and roles.
fn table() -> String {
    let mut table = String::from("| call | permission | least role |\n|---|---|---|\n");
    for call in calls() {
        let Some(permission) = call.permission else {
            continue;
        };
        let least = Role::iter().rfind(|role| role.allows(permission)).unwrap();
        let (method, path, name) = (&call.method, &call.path, permission.as_str());
        writeln!(table, "| `{method} {path}` | {name} | {} |", least.as_str()).unwrap();
    }
    table
}

#[test]
fn the_table_in_the_document_is_the_one_in_the_code() {
    let document = std::fs::read_to_string(DOCUMENT).unwrap();
    let (before, rest) = document.split_once(BEGIN).unwrap();
    let (written, after) = rest.split_once(END).unwrap();
    let table = table();
    if written != table && std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(DOCUMENT, format!("{before}{BEGIN}{table}{END}{after}")).unwrap();
        return;
    }
    assert_eq!(
        written, table,
        "run this test with UPDATE_DOCS=1, and read what changes"
    );
}

#[test]
fn every_call_but_signing_in_names_a_permission() {
    let without: Vec<_> = calls()
        .into_iter()
        .filter(|call| call.permission.is_none())
        .map(|call| call.path)
        .collect();
    assert_eq!(without, ["/api/admin/login"]);
}

fn request(call: &Described) -> TestRequest {
    let path = ["{id}", "{requestId}", "{jobId}"]
        .iter()
        .fold(call.path.clone(), |path, name| path.replace(name, "nonsense"));
    TestRequest::with_uri(&path.replace("{landingPage}", "nonsense"))
        .method(call.method.parse().unwrap())
        .insert_header(("Content-Type", "application/json"))
        .set_payload("not JSON")
}

#[actix_web::test]
async fn every_call_answers_403_to_roles_without_the_permission_before_400_and_404() {
    let store = MemStore::default();
    let mut sessions = vec![(Role::Owner, sign_in(&store).await)];
    for (name, role) in [
        ("maria", Role::Manager),
        ("sam", Role::Support),
        ("vera", Role::Viewer),
    ] {
        sessions.push((role, join(&store, name, role.as_str()).await.1));
    }
    let mut refused = 0;
    for call in calls() {
        let Some(permission) = call.permission else {
            continue;
        };
        // These end the sessions of this test.
        if call.path == "/api/admin/logout"
            || (call.method == "DELETE" && call.path == "/api/admin/me/sessions")
        {
            continue;
        }
        for (role, token) in &sessions {
            let response = send(&store, authorized(request(&call), token)).await;
            let is_forbidden = response.status == 403 && response.json()["code"] == "forbidden";
            let (method, path) = (&call.method, &call.path);
            assert_eq!(
                is_forbidden,
                !role.allows(permission),
                "{method} {path} as {}",
                role.as_str()
            );
            refused += usize::from(is_forbidden);
        }
    }
    assert!(refused > 100, "{refused}");
}

#[actix_web::test]
async fn only_owners_and_managers_erase() {
    let store = MemStore::default();
    let entered = send(
        &store,
        post("/api/users/register", r#"{"phoneNumber": "5551234567"}"#),
    )
    .await;
    let path = format!("/api/admin/people/{}/data-requests", entered.json()["user"]["id"]);
    let (_, support) = join(&store, "sam", "support").await;
    let ask = |kind: &str| authorized(post(&path, &json!({"requestType": kind}).to_string()), &support);
    assert_eq!(send(&store, ask("erasure")).await.error(), "403 forbidden");
    assert_eq!(send(&store, ask("export")).await.status, 201);
}

#[actix_web::test]
async fn support_reads_numbers_of_people_and_not_of_flagged_users() {
    let store = MemStore::default();
    let entered = send(
        &store,
        post("/api/users/register", r#"{"phoneNumber": "5551234567"}"#),
    )
    .await;
    let id = entered.json()["user"]["id"].as_i64().unwrap();
    let (_, manager) = join(&store, "maria", "manager").await;
    let (_, support) = join(&store, "sam", "support").await;
    let flag =
        json!({"userId": id, "reason": "three accounts", "publicReason": "several_accounts"}).to_string();
    assert_eq!(
        send(&store, authorized(post("/api/admin/flag-user", &flag), &manager))
            .await
            .status,
        200
    );
    let number = async |token: &str| {
        let listed = get_with_session(&store, token, "/api/admin/flagged-users")
            .await
            .json();
        listed["flaggedUsers"][0]["phoneNumber"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert_eq!(number(&manager).await, "+15551234567");
    assert!(number(&support).await.ends_with("4567") && !number(&support).await.contains("555123"));
    let person = get_with_session(&store, &support, &format!("/api/admin/people/{id}"))
        .await
        .json();
    assert!(person.to_string().contains("+15551234567"));
}
