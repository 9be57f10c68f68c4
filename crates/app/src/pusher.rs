//! The thread that runs `usecases::push` while the server runs.

use crate::dispatcher::TokioRunner;
use ::push::PushService;
use anyhow::Context;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use store_postgres::PgStore;
use tokio::sync::watch;

/// The threads for the store: one step at a time.
const BLOCKING_THREADS: usize = 1;

/// A thread that sends push messages. Each server has one, and they share the work.
pub(crate) struct Pusher {
    thread: JoinHandle<()>,
}

impl Pusher {
    /// Sends messages until `stopping` becomes true.
    pub(crate) fn start(
        store: PgStore,
        service: Arc<dyn PushService>,
        stopping: watch::Receiver<bool>,
    ) -> anyhow::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(BLOCKING_THREADS)
            .build()?;
        let thread = thread::Builder::new()
            .name("pusher".to_owned())
            .spawn(move || runtime.block_on(usecases::push::run(store, TokioRunner, service, stopping)))
            .context("cannot start a thread")?;
        Ok(Self { thread })
    }

    /// Waits until the attempts that have begun are recorded.
    pub(crate) fn join(self) {
        if self.thread.join().is_err() {
            tracing::error!("the pusher panicked");
        }
    }
}
