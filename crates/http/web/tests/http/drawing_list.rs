//! The published list of a drawing over HTTP: encodings, ETags, ranges, and the limit of whole lists.

use crate::drawing::{draw, store_with_entrants};
use crate::support::{Response, app_state, authorized, get, post, send, send_all, sign_in};
use actix_web::test::TestRequest;
use fakes::MemStore;
use flate2::read::GzDecoder;
use futures_util::future::BoxFuture;
use kernel::{EntrantId, Origin, PersonSalt, Phone, ReferralCode, StoreError, UnitOfWork};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use raffle::fixtures::FRESH_SIPS;
use raffle::{Entrants, NewEntrant};
use serde_json::{Value, json};
use std::io::Read;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use web::{AppState, Limit, RateLimiter};

const IMMUTABLE: &str = "public, max-age=31536000, immutable";

fn publish(store: &MemStore) {
    usecases::published_lists::publish(store, || true).unwrap();
}

fn list_path(id: &Value) -> String {
    format!("/api/drawings/{id}/entrants")
}

fn list(id: &Value, headers: &[(&str, &str)]) -> TestRequest {
    let request = get(&list_path(id));
    headers
        .iter()
        .fold(request, |request, header| request.insert_header(*header))
}

fn gunzip(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    GzDecoder::new(bytes).read_to_end(&mut plain).unwrap();
    plain
}

/// A store with a drawing of three entrants whose list is stored, and the number of the drawing.
async fn published_drawing() -> (MemStore, Value) {
    let (store, token, _) = store_with_entrants().await;
    let id = draw(&store, &token).await["id"].clone();
    publish(&store);
    (store, id)
}

/// The same with two parts.
async fn published_drawing_of_two_parts() -> (MemStore, Value) {
    let store = MemStore::with_rules();
    let code = |n: u32| {
        let digit = |place: u32| usize::try_from(n / 10u32.pow(place) % 10).unwrap();
        let letters = (0..8).map(|place| char::from(b"CDFGHJKMNP"[digit(place)]));
        ReferralCode::parse(&letters.collect::<String>()).unwrap()
    };
    let entrant = |n: u32| NewEntrant {
        id: EntrantId::new(i64::from(n) + 1),
        phone: Phone::from_e164(&format!("+1555{n:07}")).unwrap(),
        person_salt: PersonSalt::new([7; 32]),
        referral_code: code(n),
        raffle: FRESH_SIPS,
        event_id: None,
        origin: Origin::default(),
        fingerprint: None,
        created_at: chrono::DateTime::UNIX_EPOCH,
    };
    store
        .transaction::<_, StoreError>(|tx| (0..4_200).try_for_each(|n| tx.add_entrant(&entrant(n)).map(drop)))
        .unwrap();
    let token = sign_in(&store).await;
    let body = json!({"landingPage": "fresh-sips"}).to_string();
    let drawn = send(
        &store,
        authorized(post("/api/admin/drawing/perform", &body), &token),
    )
    .await;
    publish(&store);
    (store, drawn.json()["id"].clone())
}

#[actix_web::test]
async fn the_list_is_the_same_before_and_after_it_is_stored() {
    let (store, token, _) = store_with_entrants().await;
    let id = draw(&store, &token).await["id"].clone();
    let before = send(&store, list(&id, &[("Accept-Encoding", "gzip")])).await;
    publish(&store);
    let after = send(&store, list(&id, &[])).await;
    for (name, response) in [("before", &before), ("after", &after)] {
        assert_eq!(response.status, 200, "{name}");
        assert_eq!(
            response.header("content-type"),
            "text/csv; charset=utf-8",
            "{name}"
        );
        let disposition = format!("attachment; filename=\"drawing-{id}-entrants.csv\"");
        assert_eq!(response.header("content-disposition"), disposition, "{name}");
        assert_eq!(response.header("cache-control"), IMMUTABLE, "{name}");
        assert_eq!(response.header("vary"), "Accept-Encoding", "{name}");
        assert_eq!(response.header("content-encoding"), "", "{name}");
    }
    assert_eq!(before.bytes, after.bytes);
    assert_eq!(before.header("etag"), after.header("etag"));
    assert!(
        before.header("etag").starts_with('"'),
        "{}",
        before.header("etag")
    );
    assert_eq!(
        (before.header("accept-ranges"), after.header("accept-ranges")),
        ("", "bytes")
    );
}

#[actix_web::test]
async fn a_client_that_accepts_gzip_gets_the_stored_bytes() {
    let (store, id) = published_drawing_of_two_parts().await;
    let plain = send(&store, list(&id, &[])).await;
    let zipped = send(&store, list(&id, &[("Accept-Encoding", "br, gzip;q=0.5")])).await;
    assert_eq!(zipped.header("content-encoding"), "gzip");
    assert_eq!(gunzip(&zipped.bytes), plain.bytes);
    assert!(
        zipped.bytes.len() * 3 < plain.bytes.len() * 2,
        "it is much smaller"
    );
    assert_ne!(zipped.header("etag"), plain.header("etag"));
    assert_eq!(
        (zipped.header("vary"), zipped.header("cache-control")),
        ("Accept-Encoding", IMMUTABLE)
    );
    let refused = send(&store, list(&id, &[("Accept-Encoding", "gzip;q=0")])).await;
    assert_eq!(
        (refused.header("content-encoding"), &refused.bytes),
        ("", &plain.bytes)
    );
}

#[actix_web::test]
async fn random_ranges_are_slices_of_the_whole_list() {
    let (store, id) = published_drawing_of_two_parts().await;
    for encoding in ["identity", "gzip"] {
        let whole = send(&store, list(&id, &[("Accept-Encoding", encoding)])).await;
        let length = whole.bytes.len();
        let mut runner = TestRunner::default();
        let ends = (0..length, 0..length * 5 / 4);
        let mut ranges: Vec<(usize, usize)> = (0..40)
            .map(|_| ends.new_tree(&mut runner).unwrap().current())
            .map(|(one, other)| (one.min(other), one.max(other)))
            .collect();
        ranges.extend([(0, 0), (0, length - 1), (length - 1, length - 1), (9, 10)]);
        let requests = ranges.iter().map(|(first, last)| {
            let range = format!("bytes={first}-{last}");
            list(&id, &[("Accept-Encoding", encoding), ("Range", &range)])
        });
        let responses = send_all(&store, app_state(), requests.collect()).await;
        for ((first, last), response) in ranges.iter().zip(&responses) {
            let end = (last + 1).min(length);
            assert_eq!(response.status, 206, "{first}-{last}");
            assert_eq!(response.bytes, whole.bytes[*first..end], "{first}-{last}");
            assert_eq!(
                response.header("content-range"),
                format!("bytes {first}-{}/{length}", end - 1)
            );
            assert_eq!(response.header("etag"), whole.header("etag"));
            assert_eq!(
                response.header("content-encoding"),
                whole.header("content-encoding")
            );
        }
    }
}

#[actix_web::test]
async fn a_download_can_be_continued_if_the_list_is_still_the_same() {
    let (store, id) = published_drawing().await;
    let whole = send(&store, list(&id, &[])).await;
    let etag = whole.header("etag").to_owned();
    let from = async |tag: &str| send(&store, list(&id, &[("Range", "bytes=50-"), ("If-Range", tag)])).await;
    let rest = from(&etag).await;
    assert_eq!((rest.status.as_u16(), &rest.bytes[..]), (206, &whole.bytes[50..]));
    let other = from("\"another\"").await;
    assert_eq!((other.status.as_u16(), &other.bytes), (200, &whole.bytes));
    let several = send(&store, list(&id, &[("Range", "bytes=0-1,5-6")])).await;
    assert_eq!((several.status.as_u16(), &several.bytes), (200, &whole.bytes));
    let beyond = send(&store, list(&id, &[("Range", "bytes=100000-")])).await;
    assert_eq!(beyond.error(), "416 range_not_satisfiable");
    assert_eq!(
        beyond.header("content-range"),
        format!("bytes */{}", whole.bytes.len())
    );
    assert_eq!(beyond.header("cache-control"), "no-store");
}

#[actix_web::test]
async fn a_client_that_has_the_list_gets_304() {
    let (store, token, _) = store_with_entrants().await;
    let id = draw(&store, &token).await["id"].clone();
    let etag = send(&store, list(&id, &[])).await.header("etag").to_owned();
    let again = || list(&id, &[("If-None-Match", &etag)]);
    let frozen = send(&store, again()).await;
    publish(&store);
    let stored = send(&store, again()).await;
    for response in [frozen, stored] {
        assert_eq!((response.status.as_u16(), response.bytes.len()), (304, 0));
        assert_eq!(response.header("etag"), etag);
        assert_eq!(response.header("cache-control"), IMMUTABLE);
        assert_eq!(response.header("vary"), "Accept-Encoding");
    }
    let other_form = [("If-None-Match", etag.as_str()), ("Accept-Encoding", "gzip")];
    assert_eq!(send(&store, list(&id, &other_form)).await.status, 200);
}

#[actix_web::test]
async fn head_answers_with_the_headers_alone() {
    let (store, id) = published_drawing().await;
    let head = |headers: &[(&'static str, &'static str)]| {
        let request = TestRequest::default()
            .method(actix_web::http::Method::HEAD)
            .uri(&list_path(&id));
        headers
            .iter()
            .fold(request, |request, header| request.insert_header(*header))
    };
    for encoding in ["identity", "gzip"] {
        let whole = send(&store, list(&id, &[("Accept-Encoding", encoding)])).await;
        // A range is for GET alone.
        let response = send(
            &store,
            head(&[("Accept-Encoding", encoding), ("Range", "bytes=0-1")]),
        )
        .await;
        assert_eq!((response.status.as_u16(), response.bytes.len()), (200, 0));
        for name in [
            "etag",
            "content-type",
            "content-encoding",
            "accept-ranges",
            "content-disposition",
        ] {
            assert_eq!(response.header(name), whole.header(name), "{name}");
        }
    }
    let (store, token, _) = store_with_entrants().await;
    draw(&store, &token).await;
    let frozen = send(&store, head(&[])).await;
    assert_eq!((frozen.status.as_u16(), frozen.bytes.len()), (200, 0));
    let wrong = send(&store, post(&list_path(&id), "")).await;
    assert_eq!(
        (wrong.error().as_str(), wrong.header("allow")),
        ("405 method_not_allowed", "GET, HEAD")
    );
}

/// Lets so many whole lists pass, and every other request.
struct WholeListsLeft(AtomicI64);

impl RateLimiter for WholeListsLeft {
    fn check<'a>(&'a self, limit: Limit, _: IpAddr) -> BoxFuture<'a, Result<(), Duration>> {
        let passes = limit != Limit::WholeLists || self.0.fetch_sub(1, Ordering::SeqCst) > 0;
        Box::pin(std::future::ready(
            passes.then_some(()).ok_or(Duration::from_secs(3)),
        ))
    }
}

async fn statuses(store: &MemStore, left: i64, requests: Vec<TestRequest>) -> Vec<u16> {
    let state = AppState {
        limiter: Arc::new(WholeListsLeft(AtomicI64::new(left))),
        ..app_state()
    };
    let responses = send_all(store, state, requests).await;
    let limited: Vec<&Response> = responses
        .iter()
        .filter(|response| response.status == 429)
        .collect();
    for response in limited {
        assert_eq!(
            (response.error().as_str(), response.header("retry-after")),
            ("429 rate_limited", "3")
        );
    }
    responses
        .iter()
        .map(|response| response.status.as_u16())
        .collect()
}

#[actix_web::test]
async fn an_address_can_have_sixty_whole_lists_a_minute() {
    assert_eq!(Limit::WholeLists.per_minute().get(), 60);
    assert!(Limit::WholeLists.is_shared());
    let (store, id) = published_drawing().await;
    let whole = send(&store, list(&id, &[])).await;
    let (etag, length) = (whole.header("etag").to_owned(), whole.bytes.len());
    let range = |last: usize| list(&id, &[("Range", &format!("bytes=0-{last}"))]);
    let head = || {
        TestRequest::default()
            .method(actix_web::http::Method::HEAD)
            .uri(&list_path(&id))
    };
    let free = || {
        vec![
            range(length / 2 - 1),
            list(&id, &[("If-None-Match", &etag)]),
            list(&id, &[("Range", "bytes=100000-")]),
            head(),
        ]
    };
    assert_eq!(statuses(&store, 0, free()).await, [206, 304, 416, 200]);
    let counted = [
        vec![list(&id, &[]), list(&id, &[("Accept-Encoding", "gzip")])],
        vec![range(length / 2), range(length - 1)],
        vec![list(&id, &[("Range", "bytes=0-0,2-2")]), list(&id, &[])],
    ];
    for requests in counted {
        let statuses = statuses(&store, 1, requests).await;
        assert!(matches!(statuses[..], [200 | 206, 429]), "{statuses:?}");
    }
    let (frozen, token, _) = store_with_entrants().await;
    let id = draw(&frozen, &token).await["id"].clone();
    let twice = vec![list(&id, &[]), list(&id, &[])];
    assert_eq!(statuses(&frozen, 1, twice).await, [200, 429]);
}

#[actix_web::test]
async fn a_proof_never_changes() {
    let (store, token, _) = store_with_entrants().await;
    let id = draw(&store, &token).await["id"].clone();
    let path = format!("/api/drawings/{id}/proof");
    let proof = send(&store, get(&path)).await;
    assert_eq!(proof.header("content-type"), "application/json");
    assert_eq!(proof.header("cache-control"), IMMUTABLE);
    let etag = proof.header("etag").to_owned();
    assert!(etag.starts_with('"') && etag.ends_with('"'), "{etag}");
    let again = send(&store, get(&path).insert_header(("If-None-Match", etag.as_str()))).await;
    assert_eq!((again.status.as_u16(), again.bytes.len()), (304, 0));
    assert_eq!(
        (again.header("etag"), again.header("cache-control")),
        (etag.as_str(), IMMUTABLE)
    );
    let other = draw(&store, &token).await["id"].clone();
    let other = get(&format!("/api/drawings/{other}/proof")).insert_header(("If-None-Match", etag));
    assert_eq!(send(&store, other).await.status, 200);
}

#[actix_web::test]
async fn a_store_that_fails_is_no_half_list() {
    let (store, id) = published_drawing().await;
    store.fail_next(StoreError::Conflict);
    let response = send(&store, list(&id, &[])).await;
    assert_eq!(response.error(), "503 unavailable");
    assert_eq!(response.header("cache-control"), "no-store");
}
