//! Every GET of the console as viewer and as support (D63): who is shown numbers, addresses and winners.

use crate::drawing::{draw, store_with_entrants};
use crate::staff_accounts::join;
use crate::staff_permissions::{Described, calls};
use crate::support::{authorized, get, post, send};
use fakes::MemStore;
use serde_json::{Value, json};
use staff::Role;
use std::path::Path;

/// What a viewer must not read, and support only where it looks after people.
struct Secrets {
    numbers: Vec<String>,
    addresses: Vec<String>,
    winners: Vec<String>,
}

/// Where support reads numbers in full: of people, of appeals and of claims (D49).
const NUMBERS_FOR_SUPPORT: [&str; 3] = [
    "/api/admin/people",
    "/api/admin/fraud/appeals",
    "/api/admin/claims",
];

fn reads(role: Role) -> Vec<Described> {
    let mut calls = calls();
    calls.retain(|call| call.method == "GET" && call.permission.is_some_and(|needed| role.allows(needed)));
    // One's own sessions have one's own address.
    calls.retain(|call| call.path != "/api/admin/me/sessions");
    calls
}

/// The paths of a call, with the ids of what is stored.
fn paths(call: &Described, entrants: &[String]) -> Vec<String> {
    let of_person = call.path.starts_with("/api/admin/people/");
    let ids = match of_person {
        true => entrants.to_vec(),
        false => vec!["1".to_owned(), "2".to_owned()],
    };
    let filled = |id: &String| {
        ["{id}", "{requestId}", "{jobId}"]
            .iter()
            .fold(call.path.clone(), |path, name| path.replace(name, id))
            .replace("{landingPage}", "fresh-sips")
    };
    ids.iter().map(filled).collect()
}

async fn body(store: &MemStore, token: &str, path: &str) -> Option<String> {
    let response = send(store, authorized(get(path), token)).await;
    assert!(!response.status.is_server_error(), "{path}: {:?}", response.bytes);
    response
        .status
        .is_success()
        .then(|| String::from_utf8_lossy(&response.bytes).into_owned())
}

fn found<'a>(body: &str, secrets: &'a [String]) -> Option<&'a String> {
    secrets.iter().find(|secret| body.contains(secret.as_str()))
}

#[actix_web::test]
async fn viewers_and_support_are_shown_only_what_their_role_is_for() {
    let (store, owner, referrer) = store_with_entrants().await;
    let drawn = draw(&store, &owner).await;
    let flag =
        json!({"userId": referrer["id"], "reason": "Ten accounts", "publicReason": "several_accounts"})
            .to_string();
    send(&store, authorized(post("/api/admin/flag-user", &flag), &owner)).await;
    let list = body(&store, &owner, "/api/admin/people").await.unwrap();
    let list: Value = serde_json::from_str(&list).unwrap();
    let people = list["people"].as_array().unwrap();
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let secrets = Secrets {
        numbers: people.iter().map(|person| text(&person["phoneNumber"])).collect(),
        addresses: vec!["192.0.2.".to_owned(), "2001:db8".to_owned()],
        winners: vec![text(&drawn["winnerId"])],
    };
    let entrants: Vec<String> = people.iter().map(|person| text(&person["id"])).collect();
    assert_eq!(secrets.numbers.len(), 3);
    assert!(secrets.numbers.iter().all(|number| number.starts_with("+1")));

    let history = body(&store, &owner, "/api/admin/drawing/history").await.unwrap();
    assert!(found(&history, &secrets.numbers).is_some() && found(&history, &secrets.winners).is_some());

    let (_, viewer) = join(&store, "vera", "viewer").await;
    let mut read = 0;
    for call in reads(Role::Viewer) {
        for path in paths(&call, &entrants) {
            let Some(body) = body(&store, &viewer, &path).await else {
                continue;
            };
            read += 1;
            for kind in [&secrets.numbers, &secrets.addresses, &secrets.winners] {
                assert_eq!(found(&body, kind), None, "{path} as a viewer");
            }
        }
    }
    assert!(read > 20, "{read}");

    let (_, support) = join(&store, "sam", "support").await;
    for call in reads(Role::Support) {
        let may_show = NUMBERS_FOR_SUPPORT.iter().any(|path| call.path.starts_with(path));
        for path in paths(&call, &entrants) {
            let Some(body) = body(&store, &support, &path).await else {
                continue;
            };
            let shown = found(&body, &secrets.numbers);
            assert!(may_show || shown.is_none(), "{path} as support: {shown:?}");
        }
    }
}

/// What would be written elsewhere would take no right. The list of shared networks names nobody, and `identity/address.rs`
/// reads the caller's own address.
#[test]
fn numbers_and_addresses_are_written_in_one_place() {
    const WAYS: [(&str, &[&str]); 4] = [
        ("as_e164", &["callers/right.rs"]),
        (
            "address.to_string()",
            &["callers/right.rs", "identity/address.rs"],
        ),
        ("network.to_string()", &["routes/staff/shared_networks.rs"]),
        ("of_sender", &["callers/right.rs", "routes/entered.rs"]),
    ];
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![source.clone()];
    let mut read = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let name = path.strip_prefix(&source).unwrap().to_string_lossy().into_owned();
            read += 1;
            for (way, allowed) in WAYS {
                let is_allowed = allowed.contains(&name.as_str());
                assert_eq!(text.contains(way), is_allowed, "{name}: {way}");
            }
        }
    }
    assert!(read > 100);
}
