//! A background thread that folds new events into the roll-ups.

use crate::worker::{Priority, Worker};
use chrono_tz::Tz;
use std::time::{Duration, Instant};
use store_postgres::PgStore;

/// How often it folds: screens show new events within two seconds.
const INTERVAL: Duration = Duration::from_millis(500);
/// How long it waits after an error.
const INTERVAL_AFTER_ERROR: Duration = Duration::from_secs(2);

/// Starts the thread. Every server has one; they take turns.
pub(crate) fn start(store: PgStore, zone: Tz) -> anyhow::Result<Worker> {
    Worker::every("fold-rollups", Priority::Normal, INTERVAL, move |_| {
        match fold(&store, zone) {
            true => INTERVAL,
            false => INTERVAL_AFTER_ERROR,
        }
    })
}

fn fold(store: &PgStore, zone: Tz) -> bool {
    let started = Instant::now();
    let outcome = usecases::rollups::fold_often(store, zone);
    metrics::histogram!("fold_duration_seconds").record(started.elapsed().as_secs_f64());
    match outcome {
        Ok(_) => true,
        Err(error) => {
            tracing::warn!(%error, "cannot fold the roll-ups");
            false
        }
    }
}
