//! A background thread that writes the published lists of drawings.

use crate::worker::{Priority, Stopped, Worker};
use std::time::Duration;
use store_postgres::PgStore;

/// How often it looks for lists that are not complete. Until then they are made for each request.
const INTERVAL: Duration = Duration::from_secs(1);
/// How long it waits after an error of the database.
const INTERVAL_AFTER_ERROR: Duration = Duration::from_secs(2);
/// How long it waits while a list is left that it cannot write, which it logs each time.
const INTERVAL_WHILE_CORRUPT: Duration = Duration::from_secs(60);

/// Starts the thread. Every server has one; when two write the same list, one of them waits. Compressing keeps a core busy.
pub(crate) fn start(store: PgStore) -> anyhow::Result<Worker> {
    Worker::every("publish-lists", Priority::Idle, Duration::ZERO, move |stopped| {
        publish(&store, stopped)
    })
}

/// Returns how long to wait before the next time.
fn publish(store: &PgStore, stopped: &Stopped) -> Duration {
    match usecases::published_lists::publish(store, || stopped.goes_on()) {
        Ok(published) => {
            if published.completed > 0 {
                tracing::info!(count = published.completed, "published lists of drawings");
            }
            if published.corrupt > 0 {
                INTERVAL_WHILE_CORRUPT
            } else {
                INTERVAL
            }
        }
        Err(error) => {
            tracing::warn!(%error, "cannot publish the lists of drawings");
            INTERVAL_AFTER_ERROR
        }
    }
}
