//! A background thread that asks once a second which raffles there are, so that pages and measurements know them.

use crate::worker::{Priority, Worker};
use actix_web::web::Data;
use std::time::Duration;
use store_postgres::PgStore;
use web::AppState;

/// How often it asks.
const INTERVAL: Duration = Duration::from_secs(1);

/// Starts the thread.
pub(crate) fn start(store: PgStore, state: Data<AppState>) -> anyhow::Result<Worker> {
    Worker::every("watch-raffles", Priority::Normal, INTERVAL, move |_| {
        match usecases::raffles::shown(&store, state.clock.now()) {
            Ok(raffles) => {
                state.raffles.set(raffles.list.clone());
                state.client.show(raffles);
            }
            Err(error) => tracing::warn!(%error, "cannot ask for the raffles"),
        }
        INTERVAL
    })
}
