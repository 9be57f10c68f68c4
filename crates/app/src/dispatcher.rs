//! The thread that runs `usecases::send_messages` while the server runs.

use anyhow::Context;
use std::thread::{self, JoinHandle};
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use usecases::send_messages::SendingTools;
use usecases::{RunError, Runner, Store};

/// The threads for the store: one for each loop of the sender, so that the lease is renewed whatever the others wait for.
const BLOCKING_THREADS: usize = 6;

/// A thread that sends messages. Each server has one; one of them sends at a time, and the others stand by.
pub(crate) struct Dispatcher {
    thread: JoinHandle<()>,
}

impl Dispatcher {
    /// Sends messages until `stopping` becomes true.
    pub(crate) fn start<S: Store>(
        store: S,
        tools: SendingTools,
        stopping: watch::Receiver<bool>,
    ) -> anyhow::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(BLOCKING_THREADS)
            .build()?;
        let thread = thread::Builder::new()
            .name("dispatcher".to_owned())
            .spawn(move || {
                runtime.block_on(usecases::send_messages::run(store, TokioRunner, tools, stopping))
            })
            .context("cannot start a thread")?;
        Ok(Self { thread })
    }

    /// Waits until the messages in flight have been handed over and the other claims have been released.
    pub(crate) fn join(self) {
        if self.thread.join().is_err() {
            tracing::error!("the dispatcher panicked");
        }
    }
}

/// Tokio's threads for blocking work. The store bounds how long a step takes.
pub(crate) struct TokioRunner;

impl Runner for TokioRunner {
    async fn run<T: Send + 'static>(&self, step: impl FnOnce() -> T + Send + 'static) -> Result<T, RunError> {
        spawn_blocking(step).await.map_err(|_| RunError::Panicked)
    }
}
