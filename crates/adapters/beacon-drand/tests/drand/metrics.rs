//! The counters of hosts that fail.

use crate::hosts::{DUE, Hosts};
use metrics::{Counter, Gauge, Histogram, Key, KeyName, Metadata, Recorder, SharedString, Unit};
use std::collections::BTreeSet;
use std::sync::Mutex;

/// Remembers the name and the labels of each series.
#[derive(Default)]
struct Series(Mutex<BTreeSet<String>>);

impl Recorder for Series {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        self.0.lock().unwrap().insert(key.to_string());
        Counter::noop()
    }

    fn register_gauge(&self, _: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::noop()
    }

    fn register_histogram(&self, _: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::noop()
    }
}

// The test runs on one thread, so its recorder sees everything that happens in it.
#[tokio::test]
async fn failures_are_counted_by_host_and_reason() {
    let hosts = Hosts::start(3).await;
    hosts.break_host(0, "wrongSignature").await;
    hosts.break_host(1, "notYet").await;
    let series = Series::default();
    let guard = metrics::set_default_local_recorder(&series);
    assert!(hosts.ask(DUE).await.unwrap().is_some());
    drop(guard);
    let counted = series.0.into_inner().unwrap().into_iter().collect::<Vec<_>>();
    assert_eq!(counted.len(), 1, "{counted:?}");
    assert!(counted[0].contains("beacon_host_failures_total"), "{counted:?}");
    assert!(counted[0].contains(&hosts.authority(0)), "{counted:?}");
    assert!(counted[0].contains("invalid_signature"), "{counted:?}");
    hosts.stop().await;
}
