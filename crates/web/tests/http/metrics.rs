//! The number of time series, and the limit of everything that is not in the table of routes (D33).

use crate::support::{app_state, get, send_all};
use actix_web::http::{Method, StatusCode};
use actix_web::test::TestRequest;
use fakes::MemStore;
use futures_util::future::BoxFuture;
use metrics::{Counter, Gauge, Histogram, Key, KeyName, Metadata, Recorder, SharedString, Unit};
use std::collections::BTreeSet;
use std::future::ready;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use web::{AppState, Limit, RateLimiter};

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
