//! The official rules and their versions.

use crate::support::{Response, app_state, get, send};
use chrono_tz::America::New_York;
use drawing::Period;
use drawing::rules::Rules;
use fakes::MemStore;
use sha2::{Digest, Sha256};
use usecases::rules::publish;

fn published(store: &MemStore, text: &str) -> Rules {
    publish(store, New_York, text).unwrap()
}

async fn rules(store: &MemStore, path: &str) -> Response {
    send(store, get(&format!("/api/rules{path}"))).await
}

#[actix_web::test]
async fn without_rules_there_is_nothing_to_show() {
    let store = MemStore::default();
    for path in ["", "/1", "/2026-11"] {
        assert_eq!(rules(&store, path).await.status, 404, "{path}");
    }
}

#[actix_web::test]
async fn the_rules_of_this_month_are_shown_with_all_versions() {
    let store = MemStore::default();
    let first = published(&store, "# Rules\n\nBe fair.\n");
    let second = published(&store, "# Rules\n\nBe kind.\n");
    let answer = rules(&store, "").await;
    assert_eq!(answer.status, 200);
    let view = answer.json();
    assert_eq!(
        (&view["version"], &view["text"]),
        (&1.into(), &first.text.as_str().into())
    );
    assert_eq!(view["fromPeriod"], first.head.from.to_string());
    let hash = hex::encode(Sha256::digest(first.text.as_bytes()));
    assert_eq!(view["hash"], hash);
    let versions = view["versions"].as_array().unwrap();
    let numbers: Vec<_> = versions.iter().map(|each| each["version"].as_u64()).collect();
    assert_eq!(numbers, [Some(2), Some(1)]);
    assert_eq!(versions[0]["fromPeriod"], second.head.from.to_string());
    assert_eq!(versions[0].get("text"), None);
}

#[actix_web::test]
async fn the_prize_of_each_raffle_is_listed() {
    let store = MemStore::default();
    published(&store, "Be fair.");
    let view = rules(&store, "").await.json();
    let prizes = view["prizes"].as_array().unwrap();
    let keys: Vec<_> = prizes.iter().map(|prize| &prize["landingPage"]).collect();
    assert_eq!(
        keys,
        ["garden-bag", "fresh-sips", "kitchen-garden", "sustainable-living"]
    );
    let first = &prizes[0];
    assert_eq!(
        (&first["name"], &first["value"], &first["version"]),
        (&"Garden Bag Essentials".into(), &"$150+".into(), &1.into())
    );
    assert_eq!(first["period"], view["fromPeriod"]);
    assert!(first["kit"].as_array().unwrap().len() > 3, "{first}");
    for nothing in ["drawing", "cutOff", "next"] {
        assert!(first[nothing].is_null(), "{first}");
    }
}

#[actix_web::test]
async fn each_version_and_each_month_stays_readable() {
    let store = MemStore::default();
    let first = published(&store, "one");
    let second = published(&store, "two");
    let (this_month, next_month) = (first.head.from, second.head.from);
    for (path, text) in [
        ("/1".to_owned(), "one"),
        ("/2".to_owned(), "two"),
        (format!("/{this_month}"), "one"),
        (format!("/{next_month}"), "two"),
        ("/9999-12".to_owned(), "two"),
    ] {
        let answer = rules(&store, &path).await;
        assert_eq!(
            (answer.status.as_u16(), &answer.json()["text"]),
            (200, &text.into()),
            "{path}"
        );
    }
    let before = Period::new(2020, 1).unwrap();
    for path in [
        "/3".to_owned(),
        format!("/{before}"),
        "/0".to_owned(),
        "/-1".to_owned(),
        "/x".to_owned(),
        "/2026-13".to_owned(),
        "/4294967296".to_owned(),
    ] {
        let answer = rules(&store, &path).await;
        assert_eq!(
            (answer.status.as_u16(), &answer.json()["code"]),
            (404, &"not_found".into()),
            "{path}"
        );
    }
}

#[actix_web::test]
async fn a_client_that_has_the_rules_gets_no_second_copy() {
    let store = MemStore::default();
    published(&store, "one");
    for path in ["", "/1"] {
        let first = rules(&store, path).await;
        let etag = first.headers.get("ETag").unwrap().clone();
        let again = get(&format!("/api/rules{path}")).insert_header(("If-None-Match", etag.clone()));
        let answer = send(&store, again).await;
        assert_eq!((answer.status.as_u16(), answer.bytes.len()), (304, 0), "{path}");
        if path.is_empty() {
            published(&store, "two");
            let again = get("/api/rules").insert_header(("If-None-Match", etag));
            assert_eq!(send(&store, again).await.status, 200, "a version was added");
        }
    }
}

#[actix_web::test]
async fn the_settings_make_the_text() {
    let state = app_state();
    let text = state.rules_text();
    for words in [
        "monthly raffles of Bees & Co.",
        "[placeholder: SPONSOR_NAME is not set]",
        "hello@example.org",
        "America/New_York",
        "at most 100 entries in a calendar month",
        "We start each drawing by hand.",
    ] {
        assert!(text.contains(words), "{words}");
    }
}
