//! A thread with a runtime of its own that sends until the server stops.

use anyhow::Context;
use std::thread::{self, JoinHandle};
use tokio::task::spawn_blocking;
use usecases::{RunError, Runner};

/// The running thread.
pub(crate) struct SendingThread {
    name: &'static str,
    thread: JoinHandle<()>,
}

impl SendingThread {
    /// Runs `send`, whose steps on the store have this many threads.
    pub(crate) fn start<F: Future<Output = ()>>(
        name: &'static str,
        blocking_threads: usize,
        send: impl FnOnce() -> F + Send + 'static,
    ) -> anyhow::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(blocking_threads)
            .build()?;
        let thread = thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || runtime.block_on(send()))
            .context("cannot start a thread")?;
        Ok(Self { name, thread })
    }

    /// Waits until what has begun to be sent is recorded.
    pub(crate) fn join(self) {
        if self.thread.join().is_err() {
            tracing::error!("the {} panicked", self.name);
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
