//! Performing drawings and publishing their proofs.

use crate::support::{
    app_state, authorized, csv_text, get, get_with_session, post, register, register_referred, send,
    send_all, sign_in,
};
use actix_web::test::TestRequest;
use beacon_drand::BlsVerifier;
use drawing::{Foreknowledge, KnownChains, ListCheck, ListRow, Proof};
use fakes::{MemStore, PlainSealer};
use kernel::StoreError;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use web::{AppState, proof_from_json};

const STATS: &str = "/api/admin/drawing/stats";
const HISTORY: &str = "/api/admin/drawing/history";
pub(crate) const PERFORM: &str = "/api/admin/drawing/perform";

/// [`with_entrants`] on a store that has official rules.
pub(crate) async fn store_with_entrants() -> (MemStore, String, Value) {
    with_entrants(MemStore::with_rules()).await
}

/// This store with an entrant of fresh-sips who referred two friends, the token of a session, and the entrant.
pub(crate) async fn with_entrants(store: MemStore) -> (MemStore, String, Value) {
    let body = json!({"phoneNumber": "5551230000", "landingPage": "fresh-sips"});
    let referrer = send(&store, register(&body.to_string())).await.json()["user"].clone();
    for phone in ["5551230001", "5551230002"] {
        let friend = json!({
            "phoneNumber": phone, "landingPage": "fresh-sips", "referralCode": referrer["referralCode"]
        });
        send(&store, register_referred(&friend.to_string())).await;
    }
    let token = sign_in(&store).await;
    (store, token, referrer)
}

fn perform_request(token: &str, landing_page: &str) -> TestRequest {
    let body = json!({"landingPage": landing_page});
    authorized(post(PERFORM, &body.to_string()), token)
}

pub(crate) async fn draw(store: &MemStore, token: &str) -> Value {
    let response = send(store, perform_request(token, "fresh-sips")).await;
    assert_eq!(response.status, 201, "{:?}", response.bytes);
    response.json()
}

async fn proof_of(store: &MemStore, id: &Value) -> Proof {
    let response = send(store, get(&format!("/api/drawings/{id}/proof"))).await;
    assert_eq!(response.status, 200, "{:?}", response.bytes);
    let text = String::from_utf8(response.bytes.to_vec()).unwrap();
    proof_from_json(&text).unwrap()
}

#[actix_web::test]
async fn statistics_count_eligible_entrants() {
    let (store, token, referrer) = store_with_entrants().await;
    let stats = get_with_session(&store, &token, STATS).await.json()["landingPageStats"].clone();
    assert_eq!(
        stats[1],
        json!({"landingPage": "fresh-sips", "users": 3, "totalEntries": 5, "averageEntries": 5.0 / 3.0})
    );
    assert_eq!(
        stats[0],
        json!({"landingPage": "garden-bag", "users": 0, "totalEntries": 0, "averageEntries": 0.0})
    );
    assert_eq!(stats.as_array().unwrap().len(), 4);
    let flag = json!({"userId": referrer["id"], "reason": "Test", "publicReason": "several_accounts"});
    send(
        &store,
        authorized(post("/api/admin/flag-user", &flag.to_string()), &token),
    )
    .await;
    let stats = get_with_session(&store, &token, STATS).await.json()["landingPageStats"].clone();
    assert_eq!(
        (&stats[1]["users"], &stats[1]["totalEntries"]),
        (&json!(2), &json!(2))
    );
}

#[actix_web::test]
async fn a_drawing_is_returned_and_is_in_the_history_and_the_audit_log() {
    let (store, token, _) = store_with_entrants().await;
    let drawing = draw(&store, &token).await;
    assert_eq!(drawing["landingPage"], "fresh-sips");
    assert_eq!(drawing["drawingMethod"], "random");
    assert_eq!(
        (&drawing["totalParticipants"], &drawing["totalEntries"]),
        (&json!(3), &json!(5))
    );
    assert!((1..=5).contains(&drawing["winningEntryNumber"].as_u64().unwrap()));
    assert!(
        drawing["winnerPhoneNumber"]
            .as_str()
            .unwrap()
            .starts_with("+1555123000")
    );
    assert_eq!(drawing["verificationHash"].as_str().unwrap().len(), 64);
    let history = get_with_session(&store, &token, HISTORY).await;
    assert_eq!(
        (history.json(), history.header("x-total-count")),
        (json!([drawing]), "1")
    );
    let audit = get_with_session(&store, &token, "/api/admin/audit-log?action=perform_drawing")
        .await
        .json();
    assert_eq!(audit["entries"][0]["target"], drawing["id"].to_string());
    assert_eq!(
        audit["entries"][0]["details"],
        json!({"landingPage": "fresh-sips", "winningEntryNumber": drawing["winningEntryNumber"],
               "totalParticipants": 3, "totalEntries": 5})
    );
}

#[actix_web::test]
async fn a_proof_and_its_list_are_valid_and_have_no_phone_numbers() {
    let (store, token, _) = store_with_entrants().await;
    let drawing = draw(&store, &token).await;
    let proof = proof_of(&store, &drawing["id"]).await;
    let known = KnownChains {
        chains: &[],
        verifier: &BlsVerifier,
    };
    let verdict = proof.verdict(known);
    assert!(verdict.is_valid(), "{:?}", verdict.failed());
    assert_eq!(verdict.foreknowledge, Some(Foreknowledge::BeaconOff));
    assert_eq!(
        proof.drawn().unwrap().verification_hash.to_string(),
        drawing["verificationHash"].as_str().unwrap()
    );
    let id = &drawing["id"];
    let list = send(&store, get(&format!("/api/drawings/{id}/entrants"))).await;
    assert_eq!(list.header("content-type"), "text/csv; charset=utf-8");
    assert_eq!(
        list.header("content-disposition"),
        format!("attachment; filename=\"drawing-{id}-entrants.csv\"")
    );
    let text = String::from_utf8(list.bytes.to_vec()).unwrap();
    assert!(!text.contains("555123"), "{text}");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some(ListRow::HEADER));
    let mut check = ListCheck::new(&proof);
    lines.for_each(|line| check.push(&ListRow::read(line).unwrap()));
    assert_eq!(check.finish(), Ok(()));

    let response = send(&store, get(&format!("/api/drawings/{id}/proof"))).await;
    let text = String::from_utf8(response.bytes.to_vec()).unwrap();
    assert!(!text.contains("555123"), "{text}");
    assert_eq!(response.json()["scheme"], "tombola-drawing/1");
    assert_eq!(response.json()["status"], "drawn");
    assert_eq!(response.json()["beacon"]["chainHash"], "off");
    assert_eq!(
        response.json()["beacon"]["warning"],
        "The operator could have known the winner of this drawing."
    );
}

#[actix_web::test]
async fn the_public_list_has_the_newest_drawing_first_and_the_winners_last_four_digits() {
    let (store, token, _) = store_with_entrants().await;
    let (first, second) = (draw(&store, &token).await, draw(&store, &token).await);
    let list = send(&store, get("/api/drawings?limit=1")).await;
    assert_eq!(list.header("x-total-count"), "2");
    let phone = second["winnerPhoneNumber"].as_str().unwrap();
    assert_eq!(
        list.json(),
        json!([{
            "id": second["id"], "status": "drawn", "landingPage": "fresh-sips", "period": second["period"],
            "kind": "additional", "prize": second["prize"], "reason": "not stated", "replaces": null, "void": null, "voids": 0,
            "sealedAt": second["sealedAt"], "beacon": null, "createdAt": second["createdAt"],
            "drawnAt": second["drawnAt"], "totalParticipants": 3, "totalEntries": 5,
            "winningEntryNumber": second["winningEntryNumber"], "winnerLast4": phone[phone.len() - 4..],
            "claims": [{
                "rank": 0, "status": "awaiting", "until": null, "reason": null, "decidedBy": null, "verifiedBy": null, "confirmedBy": null,
                "firstName": null, "state": null
            }],
            "isUnclaimed": false
        }])
    );
    let one = send(&store, get(&format!("/api/drawings/{}", second["id"]))).await;
    assert_eq!(one.json(), list.json()[0]);
    assert_eq!(
        send(&store, get("/api/drawings/9")).await.error(),
        "404 not_found"
    );
    let second_page = send(&store, get("/api/drawings?offset=1")).await.json();
    assert_eq!(second_page[0]["id"], first["id"]);
    assert_eq!(
        send(&store, get("/api/drawings?limit=0")).await.error(),
        "400 validation limit"
    );
}

#[actix_web::test]
async fn only_an_entrants_own_browser_gets_their_leaf() {
    let store = MemStore::with_rules();
    let body = json!({"phoneNumber": "5551230000", "landingPage": "fresh-sips"}).to_string();
    let entered = send(&store, register(&body)).await;
    let cookie = entered.header("set-cookie").split(';').next().unwrap().to_owned();
    let token = sign_in(&store).await;
    let id = draw(&store, &token).await["id"].clone();
    let path = format!("/api/drawings/{id}/own-leaf");
    let own = send(&store, get(&path).insert_header(("Cookie", cookie.as_str())))
        .await
        .json();
    assert_eq!(own["entrantId"], entered.json()["user"]["id"]);
    assert_eq!(
        (&own["leaf"]["index"], &own["leaf"]["weight"]),
        (&json!(0), &json!(1))
    );
    assert_eq!(
        (own["salt"].as_str().unwrap().len(), &own["path"]),
        (32, &json!([]))
    );
    assert_eq!(own["phoneNumber"], "+15551230000");
    assert_eq!(own["personSalt"].as_str().unwrap().len(), 64);
    assert_eq!(own["logHead"]["id"], 3);
    assert_eq!(send(&store, get(&path)).await.error(), "404 not_found");
    let late = json!({"phoneNumber": "5551230009", "landingPage": "fresh-sips"}).to_string();
    let late = send(&store, register(&late)).await;
    let late = late.header("set-cookie").split(';').next().unwrap().to_owned();
    let late = send(&store, get(&path).insert_header(("Cookie", late))).await;
    assert_eq!(late.error(), "404 not_found");
}

#[actix_web::test]
async fn an_own_leaf_can_be_computed_from_what_is_sent_with_it() {
    let store = MemStore::with_rules();
    let body = json!({"phoneNumber": "5551230000", "landingPage": "fresh-sips"}).to_string();
    let entered = send(&store, register(&body)).await;
    let cookie = entered.header("set-cookie").split(';').next().unwrap().to_owned();
    let token = sign_in(&store).await;
    let id = draw(&store, &token).await["id"].clone();
    let path = format!("/api/drawings/{id}/own-leaf");
    let own = send(&store, get(&path).insert_header(("Cookie", cookie)))
        .await
        .json();
    let bytes = |name: &str| hex::decode(own[name].as_str().unwrap()).unwrap();
    let number = own["phoneNumber"].as_str().unwrap().as_bytes();
    let tag = Sha256::digest([&[4], bytes("personSalt").as_slice(), number].concat());
    assert_eq!(hex::encode(tag), own["tag"].as_str().unwrap());
    let entrant = own["entrantId"].as_u64().unwrap().to_be_bytes();
    let blinded = Sha256::digest([&[3], bytes("salt").as_slice(), &entrant, &tag].concat());
    assert_eq!(
        hex::encode(&blinded[..24]),
        own["leaf"]["blindedId"].as_str().unwrap()
    );
}

#[actix_web::test]
async fn unknown_drawings_are_not_found() {
    let store = MemStore::default();
    for path in ["proof", "entrants", "own-leaf"] {
        for id in ["1", "0", "-1", "x", "99999999999999999999"] {
            let response = send(&store, get(&format!("/api/drawings/{id}/{path}"))).await;
            assert_eq!(response.error(), "404 not_found", "{id} {path}");
        }
    }
    let none = send(&store, get("/api/drawings")).await;
    assert_eq!((none.json(), none.header("x-total-count")), (json!([]), "0"));
}

#[actix_web::test]
async fn a_drawing_needs_a_raffle_with_entrants() {
    let (store, token, _) = store_with_entrants().await;
    let perform = async |body: &str| send(&store, authorized(post(PERFORM, body), &token)).await;
    for body in [
        "{}",
        r#"{"landingPage": "planter"}"#,
        r#"{"landingPage": 7}"#,
        r#"{"landingPage": null}"#,
    ] {
        assert_eq!(
            perform(body).await.error(),
            "400 validation landingPage",
            "{body}"
        );
    }
    assert_eq!(perform("nonsense").await.error(), "400 malformed");
    let empty = r#"{"landingPage": "garden-bag"}"#;
    assert_eq!(perform(empty).await.error(), "409 no_participants");
    assert_eq!(get_with_session(&store, &token, HISTORY).await.json(), json!([]));
}

#[actix_web::test]
async fn a_repeated_idempotency_key_returns_the_first_drawing() {
    let (store, token, _) = store_with_entrants().await;
    let keyed =
        |key: &str| perform_request(&token, "fresh-sips").insert_header(("Idempotency-Key", key.to_owned()));
    let first = send(&store, keyed("one")).await;
    let again = send(&store, keyed("one")).await;
    assert_eq!((first.status, again.status), (first.status, first.status));
    assert_eq!((first.status.as_u16(), first.json()), (201, again.json()));
    let other = send(&store, keyed("two")).await;
    assert_ne!(other.json()["id"], first.json()["id"]);
    let other_raffle = perform_request(&token, "garden-bag").insert_header(("Idempotency-Key", "one"));
    assert_eq!(
        send(&store, other_raffle).await.error(),
        "409 idempotency_mismatch"
    );
    for invalid in ["", "a b", &"x".repeat(256)] {
        assert_eq!(
            send(&store, keyed(invalid)).await.error(),
            "400 malformed",
            "{invalid:?}"
        );
    }
    assert_eq!(
        get_with_session(&store, &token, HISTORY)
            .await
            .header("x-total-count"),
        "2"
    );
}

#[actix_web::test]
async fn the_history_can_be_sorted_and_exported() {
    let (store, token, _) = store_with_entrants().await;
    let first = draw(&store, &token).await;
    let more = json!({"phoneNumber": "5551230005", "landingPage": "fresh-sips"});
    send(&store, register(&more.to_string())).await;
    let second = draw(&store, &token).await;
    let ids = async |query: &str| {
        let list = get_with_session(&store, &token, &format!("{HISTORY}?{query}"))
            .await
            .json();
        let ids = list
            .as_array()
            .unwrap()
            .iter()
            .map(|drawing| drawing["id"].clone());
        ids.collect::<Vec<_>>()
    };
    let (first_id, second_id) = (first["id"].clone(), second["id"].clone());
    let newest_first = [second_id.clone(), first_id.clone()];
    let oldest_first = [first_id, second_id];
    for sort in [
        "",
        "createdAt",
        "totalParticipants",
        "totalEntries",
        "landingPage",
    ] {
        let sort = if sort.is_empty() {
            String::new()
        } else {
            format!("sort={sort}&")
        };
        assert_eq!(ids(&sort).await, newest_first, "{sort}");
        assert_eq!(ids(&format!("{sort}order=asc")).await, oldest_first, "{sort}");
    }
    assert_eq!(ids("order=asc&limit=1&offset=1").await, newest_first[..1]);
    let wrong = get_with_session(&store, &token, &format!("{HISTORY}?sort=phone&order=up")).await;
    assert_eq!(wrong.error(), "400 validation order,sort");

    let export = get_with_session(&store, &token, &format!("{HISTORY}/export")).await;
    assert_eq!(
        export.header("content-disposition"),
        "attachment; filename=\"drawings.csv\""
    );
    let text = csv_text(&export);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(
        lines[0].starts_with("id,createdAt,landingPage,winnerId,"),
        "{text}"
    );
    let phone = second["winnerPhoneNumber"].as_str().unwrap();
    assert!(
        lines[1].contains(&format!(",'{phone},")),
        "the phone number is not escaped: {text}"
    );
}

#[actix_web::test]
async fn errors_do_not_reveal_their_cause() {
    let (store, token, _) = store_with_entrants().await;
    store.fail_next(StoreError::Conflict);
    assert_eq!(
        send(&store, get("/api/drawings")).await.error(),
        "503 unavailable"
    );
    // This application cannot open the secrets that it has sealed.
    let state = AppState {
        seed_sealer: Arc::new(BrokenSealer(PlainSealer::default())),
        ..app_state()
    };
    let response = send_all(&store, state, vec![perform_request(&token, "fresh-sips")])
        .await
        .remove(0);
    assert_eq!(response.error(), "500 internal");
    assert!(!String::from_utf8_lossy(&response.bytes).contains("seal"));
    draw(&store, &token).await;
}

/// A sealer that cannot open anything.
struct BrokenSealer(PlainSealer);

impl<T> kernel::Sealer<T> for BrokenSealer {
    fn seal(&self, context: &str, secret: &[u8]) -> Vec<u8> {
        kernel::Sealer::<T>::seal(&self.0, context, secret)
    }

    fn open(&self, _: &str, _: &[u8]) -> Option<Vec<u8>> {
        None
    }
}
