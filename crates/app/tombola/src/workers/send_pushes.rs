//! A background thread that sends push messages.

use crate::config::Config;
use crate::worker::{Priority, TokioRunner, Worker};
use push_web::WebPush;
use std::sync::Arc;
use store_postgres::PgStore;
use tokio::sync::watch;
use usecases::push::run;
use web::AppState;

/// Starts the thread, if push messages are configured. Each server has one, and they share the work. It ends when `stopping`
/// is true and what has begun to be sent is recorded.
pub(crate) fn start(
    config: &Config,
    store: PgStore,
    state: &AppState,
    stopping: watch::Receiver<bool>,
) -> anyhow::Result<Option<Worker>> {
    let Some(vapid) = config.push.clone() else {
        tracing::info!("VAPID_PUBLIC_KEY: not set, so no browser is told when a raffle is drawn");
        return Ok(None);
    };
    let service = WebPush::new(vapid, push_web::Timeouts::default(), state.clock.clone())?;
    let worker = Worker::start("send-pushes", Priority::Normal, move |_| {
        run(store, TokioRunner, Arc::new(service), stopping)
    });
    worker.map(Some)
}
