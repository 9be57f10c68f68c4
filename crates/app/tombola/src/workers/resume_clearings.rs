//! A background thread that continues the clearings of servers that have stopped, and those that had to wait.

use crate::SystemClock;
use crate::worker::{Priority, Stopped, Worker};
use std::time::Duration;
use store_postgres::PgStore;
use usecases::clearing::UNATTENDED_AFTER;

/// How often it looks for clearings without progress.
const INTERVAL: Duration = Duration::from_secs(2);

/// Starts the thread. Every server has one; each step of a clearing is taken by one of them.
pub(crate) fn start(store: PgStore) -> anyhow::Result<Worker> {
    Worker::every("resume-clearings", Priority::Normal, INTERVAL, move |stopped| {
        work(&store, stopped);
        INTERVAL
    })
}

fn work(store: &PgStore, stopped: &Stopped) {
    let goes_on = || stopped.goes_on();
    match usecases::clearing::continue_unattended(store, &SystemClock, UNATTENDED_AFTER, goes_on) {
        Ok(0) => {}
        Ok(count) => tracing::info!(count, "continued clearing data"),
        Err(error) => tracing::warn!(%error, "cannot continue clearing data"),
    }
}
