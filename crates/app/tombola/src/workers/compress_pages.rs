//! A background thread that compresses pages after the start, and those that changed since.

use crate::worker::{Priority, Worker};
use actix_web::web::Data;
use std::time::Duration;
use web::AppState;

/// How often it looks for pages that changed.
const INTERVAL: Duration = Duration::from_secs(1);

/// Starts the thread.
pub(crate) fn start(state: Data<AppState>) -> anyhow::Result<Worker> {
    Worker::every("compress-pages", Priority::Idle, Duration::ZERO, move |stopped| {
        state.client.compress_pages(|| stopped.goes_on());
        INTERVAL
    })
}
