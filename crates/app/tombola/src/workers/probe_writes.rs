//! A background thread that finds out whether the database can be written, for `/readyz`.

use crate::worker::{Priority, Worker};
use std::time::Duration;
use store_postgres::PgStore;
use web::Readiness;

/// How often it writes: a proxy learns of an outage within about three seconds, and of its end within one.
const INTERVAL: Duration = Duration::from_secs(1);

/// Starts the thread. `store` has a connection that nothing else uses. A commit may hang, so nobody waits for its end.
pub(crate) fn start(store: PgStore, readiness: Readiness) -> anyhow::Result<Worker> {
    let mut could_write = true;
    Worker::every("probe-writes", Priority::Normal, Duration::ZERO, move |_| {
        could_write = probe(&store, &readiness, could_write);
        INTERVAL
    })
}

/// Probes once, and logs a change.
fn probe(store: &PgStore, readiness: &Readiness, could_write: bool) -> bool {
    let outcome = usecases::health::probe_write(store);
    readiness.record_probe(outcome.is_ok());
    match &outcome {
        Err(error) if could_write => tracing::warn!(%error, "the database cannot be written"),
        Ok(()) if !could_write => tracing::info!("the database can be written again"),
        _ => {}
    }
    outcome.is_ok()
}
