//! Drawings that wait for a beacon: what staff and everybody see of each step.

use crate::drawing::store_with_entrants;
use crate::support::{
    Response, SIGNATURE, app_state, authorized, drawing_settings, get, get_with_session, post, send_all,
};
use actix_web::test::TestRequest;
use chrono::{DateTime, TimeDelta, Utc};
use drawing::beacon::{Chain, Round};
use fakes::{FakeBeacon, MemStore};
use serde_json::{Value, json};
use std::sync::Arc;
use usecases::drawings::Schedule;
use web::{AppState, DrawingSettings, MemoryLimiter};

const PERFORM: &str = "/api/admin/drawing/perform";

fn noon() -> DateTime<Utc> {
    "2026-11-21T12:00:00Z".parse().unwrap()
}

/// Later than the entries, which have the time of the machine.
fn after_entering() -> DateTime<Utc> {
    "2100-01-01T12:00:00Z".parse().unwrap()
}

/// The application with quicknet as its beacon.
fn state() -> AppState {
    state_with(DrawingSettings {
        beacon: Some(Chain::quicknet()),
        ..drawing_settings()
    })
}

fn state_with(drawings: DrawingSettings) -> AppState {
    AppState {
        drawings,
        ..app_state()
    }
}

async fn send(store: &MemStore, request: TestRequest) -> Response {
    send_all(store, state(), vec![request]).await.remove(0)
}

fn perform(token: &str, body: &Value) -> TestRequest {
    authorized(post(PERFORM, &body.to_string()), token)
}

fn bring(token: &str, id: &Value, round: &Value, signature: &str) -> TestRequest {
    let body = json!({"round": round, "signature": signature});
    let path = format!("/api/admin/drawing/{id}/beacon");
    authorized(post(&path, &body.to_string()), token)
}

fn bring_as_anybody(id: &Value, round: &Value, signature: &str) -> TestRequest {
    let body = json!({"round": round, "signature": signature});
    post(&format!("/api/drawings/{id}/beacon"), &body.to_string())
}

/// The application with this beacon as the hosts of quicknet.
fn state_asking(beacon: &FakeBeacon) -> AppState {
    state_with(DrawingSettings {
        beacon: Some(Chain::quicknet()),
        verifier: Arc::new(beacon.clone()),
        hosts: Some(Arc::new(beacon.clone())),
        ..drawing_settings()
    })
}

fn time(text: &Value) -> DateTime<Utc> {
    text.as_str().unwrap().parse().unwrap()
}

fn signature() -> String {
    hex::encode(SIGNATURE)
}

/// A store with three entrants whose drawing is sealed, the token of a session, and the answer.
async fn sealed() -> (MemStore, String, Value) {
    let (store, token, _) = store_with_entrants().await;
    store.set_time(after_entering());
    let response = send(&store, perform(&token, &json!({"landingPage": "fresh-sips"}))).await;
    assert_eq!(response.status, 202, "{:?}", response.bytes);
    let drawing = response.json();
    (store, token, drawing)
}

#[actix_web::test]
async fn a_sealed_drawing_is_202_and_is_drawn_by_a_valid_signature() {
    let (store, token, drawing) = sealed().await;
    let (id, round) = (&drawing["id"], &drawing["beacon"]["round"]);
    assert_eq!(drawing["status"], "sealed");
    assert_eq!(drawing["winnerId"], Value::Null);
    assert_eq!(drawing["root"].as_str().unwrap().len(), 64);
    let wrong = send(&store, bring(&token, id, round, &"00".repeat(48))).await;
    assert_eq!(wrong.error(), "400 beacon_invalid");
    let other = json!(round.as_u64().unwrap() + 1);
    let other = send(&store, bring(&token, id, &other, &signature())).await;
    assert_eq!(other.error(), "409 another_round");
    for (round, signature, fields) in [
        (json!(0), signature(), "round"),
        (round.clone(), "AB".repeat(48), "signature"),
        (round.clone(), "ab".repeat(47), "signature"),
    ] {
        let refused = send(&store, bring(&token, id, &round, &signature)).await;
        assert_eq!(refused.error(), format!("400 validation {fields}"));
    }
    let drawn = send(&store, bring(&token, id, round, &signature())).await;
    assert_eq!(drawn.status, 200, "{:?}", drawn.bytes);
    assert_eq!(drawn.json()["status"], "drawn");
    let found = get_with_session(&store, &token, &format!("/api/admin/drawing/{id}")).await;
    assert_eq!(found.json(), drawn.json());
    let log = get_with_session(&store, &token, "/api/admin/audit-log?action=bring_beacon").await;
    let entries = log.json()["entries"].clone();
    assert_eq!(
        (&entries[0]["member"], &entries[0]["target"]),
        (&json!("anna"), &json!(id.to_string()))
    );
    assert_eq!(entries.as_array().unwrap().len(), 1, "only an accepted one");
    let again = send(&store, bring(&token, id, round, &signature())).await;
    assert_eq!(
        again.json()["winningEntryNumber"],
        drawn.json()["winningEntryNumber"]
    );
}

#[actix_web::test]
async fn the_same_key_answers_202_and_then_201() {
    let (store, token, _) = store_with_entrants().await;
    store.set_time(after_entering());
    let ask = || {
        let body = json!({"landingPage": "fresh-sips"});
        perform(&token, &body).insert_header(("Idempotency-Key", "one"))
    };
    let first = send(&store, ask()).await;
    let second = send(&store, ask()).await;
    assert_eq!((first.status.as_u16(), second.status.as_u16()), (202, 202));
    let drawing = first.json();
    assert_eq!(second.json()["id"], drawing["id"]);
    let round = &drawing["beacon"]["round"];
    send(&store, bring(&token, &drawing["id"], round, &signature())).await;
    let third = send(&store, ask()).await;
    assert_eq!(third.status, 201);
    assert_eq!(third.json()["status"], "drawn");
}

#[actix_web::test]
async fn a_sealed_drawing_is_public_with_its_list() {
    let (store, _, drawing) = sealed().await;
    let id = &drawing["id"];
    let proof = send(&store, get(&format!("/api/drawings/{id}/proof"))).await;
    assert_eq!(proof.json()["status"], "sealed");
    assert_eq!(proof.header("cache-control"), "public, no-cache");
    assert!(proof.json().get("winner").is_none());
    let list = send(&store, get(&format!("/api/drawings/{id}/entrants"))).await;
    assert_eq!(list.status, 200);
    let row = send(&store, get("/api/drawings")).await.json()[0].clone();
    assert_eq!((&row["id"], &row["status"]), (id, &json!("sealed")));
    assert_eq!(row["winnerLast4"], Value::Null);
}

#[actix_web::test]
async fn the_log_and_the_feed_tell_each_step_and_no_phone_number() {
    let (store, token, drawing) = sealed().await;
    let (id, round) = (&drawing["id"], &drawing["beacon"]["round"]);
    send(&store, bring(&token, id, round, &signature())).await;
    let log = send(&store, get("/api/drawings/log")).await;
    assert_eq!(log.header("content-type"), "application/x-ndjson");
    let text = String::from_utf8(log.bytes.to_vec()).unwrap();
    assert!(!text.contains("555123"), "{text}");
    let entries: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let actions: Vec<&Value> = entries.iter().map(|entry| &entry["action"]).collect();
    assert_eq!(
        actions,
        ["drawing_announced", "drawing_sealed", "drawing_performed"]
    );
    let later = send(&store, get("/api/drawings/log?after=2")).await;
    assert_eq!(
        String::from_utf8(later.bytes.to_vec()).unwrap().lines().count(),
        1
    );
    let etag = log.header("etag").to_owned();
    let unchanged = send(
        &store,
        get("/api/drawings/log").insert_header(("If-None-Match", etag)),
    )
    .await;
    assert_eq!(unchanged.status, 304);
    for wrong in ["-1", "x"] {
        let refused = send(&store, get(&format!("/api/drawings/log?after={wrong}"))).await;
        assert_eq!(refused.error(), "400 validation after");
    }

    let feed = send(&store, get("/api/drawings/feed")).await;
    assert_eq!(feed.header("content-type"), "application/atom+xml; charset=utf-8");
    let feed = String::from_utf8(feed.bytes.to_vec()).unwrap();
    for title in ["is announced", "is sealed", "is drawn"] {
        assert!(feed.contains(&format!("Drawing {id} {title}")), "{feed}");
    }
    assert!(
        feed.contains(&format!("https://example.org/drawings/{id}")),
        "{feed}"
    );
    for name in [
        "<title>Bees &amp; Co.: drawings</title>",
        "<name>Bees &amp; Co.</name>",
    ] {
        assert!(feed.contains(name), "{feed}");
    }
    assert!(!feed.contains("555123"), "{feed}");
}

#[actix_web::test]
async fn only_a_late_sealed_drawing_can_be_voided() {
    let (store, token, drawing) = sealed().await;
    let path = format!("/api/admin/drawing/{}/void", drawing["id"]);
    let make_void = |reason: &str| {
        let body = json!({"reason": reason}).to_string();
        authorized(post(&path, &body), &token)
    };
    for short in ["", "no", "  no  "] {
        let refused = send(&store, make_void(short)).await;
        assert_eq!(refused.error(), "400 validation reason");
    }
    assert_eq!(
        send(&store, make_void("No beacon")).await.error(),
        "409 not_voidable"
    );
    let voidable = time(&drawing["voidableAt"]);
    let round_at = time(&drawing["beacon"]["expectedAt"]);
    assert_eq!(voidable - round_at, TimeDelta::days(7));
    store.set_time(voidable);
    let beacon = FakeBeacon::new(Chain::quicknet());
    let voided = send_all(&store, state_asking(&beacon), vec![make_void("No beacon")]).await;
    let voided = voided[0].json();
    assert_eq!(
        (&voided["status"], &voided["voidReason"]),
        (&json!("void"), &json!("No beacon"))
    );
    let log = get_with_session(&store, &token, "/api/admin/audit-log?action=void_drawing").await;
    assert_eq!(log.json()["entries"][0]["member"], "anna");
    let row = send(&store, get("/api/drawings")).await.json()[0].clone();
    let answers = json!([{"host": "beacon.example", "answer": "the round is not published"}]);
    assert_eq!(
        (&row["voids"], &row["void"]["reason"], &row["void"]["hosts"]),
        (&json!(1), &json!("No beacon"), &answers)
    );
    assert_eq!(beacon.asked().len(), 1, "only for a drawing that may be voided");
    let proof = send(&store, get(&format!("/api/drawings/{}/proof", drawing["id"]))).await;
    assert_eq!(
        proof.header("cache-control"),
        "public, no-cache",
        "its round may still come"
    );
    let round = &drawing["beacon"]["round"];
    let drawn = send(&store, bring_as_anybody(&drawing["id"], round, &signature())).await;
    let drawn = drawn.json();
    assert_eq!(
        (&drawn["status"], &drawn["void"]["reason"]),
        (&json!("drawn"), &json!("No beacon"))
    );
    let unknown = authorized(
        post("/api/admin/drawing/99/void", r#"{"reason": "None"}"#),
        &token,
    );
    assert_eq!(send(&store, unknown).await.error(), "404 not_found");
}

#[actix_web::test]
async fn a_drawing_whose_round_a_host_has_is_drawn_and_not_voided() {
    let (store, token, drawing) = sealed().await;
    store.set_time(time(&drawing["voidableAt"]));
    let beacon = FakeBeacon::new(Chain::quicknet());
    beacon.publish(Round::new(drawing["beacon"]["round"].as_u64().unwrap()).unwrap());
    let path = format!("/api/admin/drawing/{}/void", drawing["id"]);
    let void = authorized(post(&path, r#"{"reason": "No beacon"}"#), &token);
    let refused = send_all(&store, state_asking(&beacon), vec![void]).await;
    assert_eq!(refused[0].error(), "409 beacon_came");
    let row = send(&store, get("/api/drawings")).await.json()[0].clone();
    assert_eq!((&row["status"], &row["void"]), (&json!("drawn"), &Value::Null));
}

#[actix_web::test]
async fn anybody_brings_the_round_of_a_drawing_that_is_due() {
    let (store, token, drawing) = sealed().await;
    let (id, round) = (&drawing["id"], &drawing["beacon"]["round"]);
    let bring =
        async |round: &Value, signature: &str| send(&store, bring_as_anybody(id, round, signature)).await;
    assert_eq!(
        bring(&json!(0), &signature()).await.error(),
        "400 validation round"
    );
    assert_eq!(bring(round, "ab").await.error(), "400 validation signature");
    let other = json!(round.as_u64().unwrap() + 1);
    assert_eq!(bring(&other, &signature()).await.error(), "409 another_round");
    assert_eq!(bring(round, &signature()).await.error(), "409 too_early");
    store.set_time(time(&drawing["beacon"]["expectedAt"]));
    let wrong = "00".repeat(48);
    assert_eq!(bring(round, &wrong).await.error(), "400 beacon_invalid");
    let drawn = bring(round, &signature()).await;
    assert_eq!(
        (drawn.status.as_u16(), &drawn.json()["status"]),
        (200, &json!("drawn"))
    );
    assert!(drawn.json()["winnerLast4"].is_string());
    assert_eq!(
        bring(round, &wrong).await.json(),
        drawn.json(),
        "whoever comes later gets the record"
    );
    let unknown = send(&store, bring_as_anybody(&json!(99), round, &signature())).await;
    assert_eq!(unknown.error(), "404 not_found");
    let log = get_with_session(&store, &token, "/api/admin/audit-log?action=bring_beacon").await;
    let entries = log.json()["entries"].clone();
    assert_eq!(entries.as_array().unwrap().len(), 1, "only an accepted one");
    assert_eq!(entries[0]["member"], Value::Null);
}

#[actix_web::test]
async fn a_network_brings_ten_rounds_a_minute() {
    let (store, _, drawing) = sealed().await;
    let (id, round) = (&drawing["id"], &drawing["beacon"]["round"]);
    let invalid = (0..12).map(|_| bring_as_anybody(id, &json!(0), &signature()));
    let valid = (0..11).map(|_| bring_as_anybody(id, round, &signature()));
    let limited = AppState {
        limiter: Arc::new(MemoryLimiter::new()),
        ..state()
    };
    let answers = send_all(&store, limited, invalid.chain(valid).collect()).await;
    let errors: Vec<String> = answers[12..].iter().map(Response::error).collect();
    assert!(
        errors[..10].iter().all(|error| error == "409 too_early"),
        "{errors:?}"
    );
    assert_eq!(errors[10], "429 rate_limited");
    assert!(!answers[22].header("retry-after").is_empty());
}

#[actix_web::test]
async fn an_additional_drawing_needs_a_reason_where_that_is_the_rule() {
    let (store, token, _) = store_with_entrants().await;
    store.set_time(after_entering());
    let production = || {
        state_with(DrawingSettings {
            production: true,
            ..drawing_settings()
        })
    };
    let ask = async |body: Value| {
        let request = perform(&token, &body);
        send_all(&store, production(), vec![request]).await.remove(0)
    };
    let plain = || json!({"landingPage": "fresh-sips"});
    assert_eq!(ask(plain()).await.status, 201);
    assert_eq!(ask(plain()).await.error(), "409 already_drawn");
    let with =
        |reason: &str, prize: Value| json!({"landingPage": "fresh-sips", "reason": reason, "prize": prize});
    let bag = json!({"name": "A second bag", "value": "$49"});
    assert_eq!(
        ask(with("no", bag.clone())).await.error(),
        "400 validation reason"
    );
    let nameless = json!({"name": " ", "value": "$49"});
    assert_eq!(
        ask(with("Our birthday", nameless)).await.error(),
        "400 validation prize"
    );
    let announced = ask(with("Our birthday", bag)).await;
    assert_eq!(announced.status, 202);
    assert_eq!(announced.json()["status"], "announced");
    assert_eq!(announced.json()["kind"], "additional");
}

#[actix_web::test]
async fn raffles_show_what_comes_next() {
    let (store, token, drawing) = sealed().await;
    let raffles = authorized(get("/api/admin/raffles"), &token);
    let raffles = send(&store, raffles).await.json();
    assert_eq!(raffles["schedule"], "manual");
    assert_eq!(raffles["delaySeconds"], 120);
    let fresh = &raffles["raffles"][1];
    assert_eq!(
        (&fresh["name"], &fresh["version"]),
        (&json!("Fresh Sips Mixology Kit"), &json!(1))
    );
    assert_eq!(
        (&fresh["isDrawn"], &fresh["reasonRequired"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(fresh["waiting"][0]["id"], drawing["id"]);
    assert_eq!(raffles["raffles"][0]["waiting"], json!([]));
}

#[actix_web::test]
async fn the_schedule_names_the_next_date() {
    let (store, token, _) = store_with_entrants().await;
    store.set_time(noon());
    let monthly = || {
        state_with(DrawingSettings {
            schedule: Schedule::Monthly,
            beacon: Some(Chain::quicknet()),
            ..drawing_settings()
        })
    };
    let settings = monthly();
    usecases::drawings::advance(&store, settings.drawing_tools()).unwrap();
    let request = perform(&token, &json!({"landingPage": "fresh-sips"}));
    let refused = send_all(&store, monthly(), vec![request]).await.remove(0);
    assert_eq!(refused.error(), "409 nothing_to_draw");
    let sentence = refused.json()["error"].as_str().unwrap().to_owned();
    assert!(sentence.contains("next on December 1, 2026"), "{sentence}");
    let raffles = authorized(get("/api/admin/raffles"), &token);
    let raffles = send_all(&store, monthly(), vec![raffles]).await.remove(0).json();
    assert_eq!(raffles["raffles"][1]["drawsAt"], "2026-12-01T17:00:00Z");
    assert_eq!(raffles["raffles"][1]["waiting"][0]["status"], "announced");
    let public = send(&store, get("/api/drawings")).await;
    assert_eq!(public.json(), json!([]), "announced drawings have no list yet");
}
