//! A background thread that erases and drops what is too old, once a day, makes places for the views of coming months, and
//! deletes pictures that nothing names.

use crate::SystemClock;
use crate::worker::{Priority, Stopped, Worker};
use kernel::Clock;
use privacy::retention::Terms;
use std::time::Duration;
use store_postgres::PgStore;
use usecases::pictures;
use usecases::privacy::requests;
use usecases::retention::{make_months, run_if_due};

/// How often it looks whether a run is due. The first look is a little after the start.
const INTERVAL: Duration = Duration::from_secs(600);
/// How long after the start it looks first, so that a start is not slowed down.
const FIRST: Duration = Duration::from_secs(30);

/// Makes the months that are missing, before any view is accepted, and starts the thread. Every server has one; each day's
/// run is made by one of them.
pub(crate) fn start(store: PgStore, terms: Terms) -> anyhow::Result<Worker> {
    make(&store);
    Worker::every("apply-retention", Priority::Idle, FIRST, move |stopped| {
        make(&store);
        clean(&store, terms, stopped);
        expire(&store);
        delete_pictures(&store);
        INTERVAL
    })
}

/// Without its month a view is stored too, and is moved when the month is made.
fn make(store: &PgStore) {
    match make_months(store, SystemClock.now()) {
        Ok(0) => {}
        Ok(count) => tracing::info!(count, "made places for the views of coming months"),
        Err(error) => tracing::warn!(%error, "a month of views has no place yet"),
    }
}

/// Requests for data whose code nobody entered.
fn expire(store: &PgStore) {
    if let Err(error) = requests::expire(store, &SystemClock) {
        tracing::warn!(%error, "cannot note which requests for data have expired");
    }
}

/// Uploads that became part of nothing.
fn delete_pictures(store: &PgStore) {
    match pictures::delete_unnamed(store, &SystemClock) {
        Ok(0) => {}
        Ok(count) => tracing::info!(count, "deleted pictures that nothing named for a week"),
        Err(error) => tracing::warn!(%error, "cannot delete pictures that nothing names"),
    }
}

fn clean(store: &PgStore, terms: Terms, stopped: &Stopped) {
    match run_if_due(store, &SystemClock, terms, || stopped.goes_on()) {
        Ok(None) => {}
        Ok(Some(cleaned)) => {
            let rows: i64 = cleaned.rows.iter().map(|(_, rows)| rows).sum();
            let views = cleaned.dropped_views;
            tracing::info!(
                rows,
                views,
                complete = cleaned.is_complete,
                "erased what was too old"
            );
        }
        Err(error) => tracing::warn!(%error, "cannot erase what is too old"),
    }
}
