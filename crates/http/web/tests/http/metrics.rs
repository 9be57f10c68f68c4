//! The number of time series, and the limit of everything that is not in the table of routes.

use crate::drawing::PERFORM;
use crate::support::{app_state, authorized, get, post, register, send_all, sign_in};
use actix_web::http::{Method, StatusCode};
use actix_web::test::TestRequest;
use fakes::MemStore;
use futures_util::future::BoxFuture;
use metrics::{Counter, Gauge, Histogram, Key, KeyName, Metadata, Recorder, SharedString, Unit};
use serde_json::json;
use std::collections::BTreeSet;
use std::future::ready;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use web::{AppState, KnownRaffles, Limit, RateLimiter};

/// Remembers the name and the labels of each series.
#[derive(Default)]
struct Series(Mutex<BTreeSet<String>>);

impl Series {
    fn add(&self, key: &Key) {
        self.0.lock().unwrap().insert(key.to_string());
    }

    fn all(&self) -> BTreeSet<String> {
        self.0.lock().unwrap().clone()
    }
}

impl Recorder for Series {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        self.add(key);
        Counter::noop()
    }

    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        self.add(key);
        Gauge::noop()
    }

    fn register_histogram(&self, key: &Key, _: &Metadata<'_>) -> Histogram {
        self.add(key);
        Histogram::noop()
    }
}

fn with_method(method: &str, path: &str) -> TestRequest {
    let method = Method::from_bytes(method.as_bytes()).unwrap();
    TestRequest::default().method(method).uri(path)
}

#[actix_web::test]
async fn invented_methods_and_paths_add_no_series() {
    let series = Series::default();
    let _guard = metrics::set_default_local_recorder(&series);
    let store = MemStore::default();
    let strange = |name: &str, n: u32| {
        vec![
            with_method(&format!("{name}{n}"), &format!("/{name}{n}")),
            with_method(&format!("{name}{n}"), &format!("/api/{name}{n}")),
            with_method(&format!("{name}{n}"), "/api/users/register"),
            with_method(&format!("{name}{n}"), &format!("/api/users/{name}{n}")),
            with_method(&format!("{name}{n}"), &format!("/api/users/{n}")),
        ]
    };
    let known = ["GET", "POST"].map(|method| with_method(method, "/api/users/1"));
    let first = strange("X", 0).into_iter().chain(known).collect();
    send_all(&store, app_state(), first).await;
    let before = series.all();
    assert!(!before.is_empty());

    let invented = (1..1_000).flat_map(|n| strange("Invented", n)).collect();
    send_all(&store, app_state(), invented).await;
    assert_eq!(series.all(), before);
}

/// A server hears of a new raffle within two seconds. Until then, and when it is deleted, it has no key to count under.
#[actix_web::test]
async fn entrants_and_drawings_are_counted_under_the_keys_of_known_raffles() {
    let series = Series::default();
    let _guard = metrics::set_default_local_recorder(&series);
    let store = MemStore::with_rules();
    let enter = register(r#"{"phoneNumber": "5551234567", "landingPage": "garden-bag"}"#);
    assert_eq!(send_all(&store, app_state(), vec![enter]).await[0].status, 201);
    let token = sign_in(&store).await;
    let draw = || authorized(post(PERFORM, r#"{"landingPage": "garden-bag"}"#), &token);
    let unknowing = AppState {
        raffles: KnownRaffles::default(),
        ..app_state()
    };
    for state in [app_state(), unknowing] {
        let again = register(r#"{"phoneNumber": "5551234567", "landingPage": "garden-bag"}"#);
        let responses = send_all(&store, state, vec![again, draw()]).await;
        let statuses: Vec<_> = responses
            .iter()
            .map(|response| response.status.as_u16())
            .collect();
        assert_eq!(statuses, [200, 201]);
    }
    let counted = |name: &str| -> Vec<_> {
        let all = series.all().into_iter();
        all.filter(|key| key.contains(name)).collect()
    };
    assert_eq!(
        counted("entrants_total"),
        [
            "Key(entrants_total, [raffle = garden-bag, outcome = already_in])",
            "Key(entrants_total, [raffle = garden-bag, outcome = new])",
            "Key(entrants_total, [raffle = other, outcome = already_in])",
        ]
    );
    assert_eq!(
        counted("drawings_total"),
        [
            "Key(drawings_total, [raffle = garden-bag])",
            "Key(drawings_total, [raffle = other])",
        ]
    );
}

fn visitor_event(body: &str) -> TestRequest {
    post("/api/analytics/event", body)
}

#[actix_web::test]
async fn leads_and_custom_events_are_counted_under_a_closed_list_of_names() {
    let series = Series::default();
    let _guard = metrics::set_default_local_recorder(&series);
    let invented =
        (0..20).map(|n| visitor_event(&format!(r#"{{"kind": "custom", "name": "invented {n}\u0000"}}"#)));
    let known = [
        visitor_event(r#"{"kind": "lead_capture", "name": "ignored"}"#),
        visitor_event(r#"{"kind": "custom", "name": "packages_shown"}"#),
    ];
    let requests = known.into_iter().chain(invented).collect();
    for response in send_all(&MemStore::default(), app_state(), requests).await {
        assert_eq!(
            (response.status.as_u16(), response.json()),
            (200, json!({"success": true}))
        );
    }
    let counted = series
        .all()
        .into_iter()
        .filter(|key| key.contains("visitor_events_total"));
    let expected = [
        "Key(visitor_events_total, [kind = custom, name = other])",
        "Key(visitor_events_total, [kind = custom, name = packages_shown])",
        "Key(visitor_events_total, [kind = lead_capture, name = ])",
    ];
    assert_eq!(counted.collect::<Vec<_>>(), expected);
}

#[actix_web::test]
async fn an_event_of_another_kind_is_rejected_and_one_of_a_visitor_who_opted_out_is_not_counted() {
    let series = Series::default();
    let _guard = metrics::set_default_local_recorder(&series);
    let cases = [
        ("{}", "400 validation kind"),
        (r#"{"kind": "sign_up"}"#, "400 validation kind"),
        (r#"{"kind": 1}"#, "400 validation kind"),
        (r#"{"kind": "custom"}"#, "400 validation name"),
        (r#"{"kind": "custom", "name": {}}"#, "400 validation name"),
    ];
    let mut requests: Vec<_> = cases.iter().map(|(body, _)| visitor_event(body)).collect();
    let lead = r#"{"kind": "lead_capture"}"#;
    requests.extend(["Sec-GPC", "DNT"].map(|name| visitor_event(lead).insert_header((name, "1"))));
    let responses = send_all(&MemStore::default(), app_state(), requests).await;
    let (refused, opted_out) = responses.split_at(cases.len());
    for ((body, error), response) in cases.iter().zip(refused) {
        assert_eq!(response.error(), *error, "{body}");
    }
    assert!(opted_out.iter().all(|response| response.status == StatusCode::OK));
    assert!(
        series
            .all()
            .iter()
            .all(|key| !key.contains("visitor_events_total"))
    );
}

/// Refuses every request of one limit.
struct Refusing(Limit);

impl RateLimiter for Refusing {
    fn check<'a>(&'a self, limit: Limit, _: IpAddr) -> BoxFuture<'a, Result<(), Duration>> {
        let refused = limit == self.0;
        let result = if refused {
            Err(Duration::from_millis(20))
        } else {
            Ok(())
        };
        Box::pin(ready(result))
    }
}

#[actix_web::test]
async fn pages_files_and_unknown_paths_share_a_limit() {
    let store = MemStore::default();
    let state = AppState {
        limiter: Arc::new(Refusing(Limit::Pages)),
        ..app_state()
    };
    let paths = ["/garden-bag", "/assets/site.js", "/api/unknown", "/", "/healthz"];
    let responses = send_all(&store, state, paths.map(get).into()).await;
    let (health, limited) = responses.split_last().unwrap();
    for response in limited {
        assert_eq!(response.error(), "429 rate_limited");
        assert_eq!(response.header("Retry-After"), "1");
    }
    assert_eq!(health.status, StatusCode::OK);
}
