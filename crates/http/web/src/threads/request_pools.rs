//! The kinds of requests, each with threads, connections and a bounded queue of its own (docs/adr/0013).

use crate::threads::blocking_pool::{BlockingPool, DEADLINE};
use crate::{ApiError, Store, Turns};
use std::io;
use std::time::Duration;
use tokio::sync::oneshot;
use usecases::{RunError, Runner};

/// The threads and the connections of one kind of request. Requests of other kinds cannot use them up.
pub struct RequestPool<S> {
    threads: BlockingPool,
    store: S,
}

/// The pools of all kinds of requests.
pub struct RequestPools<S> {
    /// What visitors look up.
    pub visitor_reads: RequestPool<S>,
    /// What visitors change. Apart from what they look up, because a commit may wait for a standby that fell silent, and
    /// no time limit of the database ends that.
    pub visitor_writes: RequestPool<S>,
    /// Sign-ups that ask for a code. Each ends by counting its text, and waits for the row of the day's count. So more than a
    /// few at a time are not faster, and would hold what those need who enter their code.
    pub visitor_codes: RequestPool<S>,
    /// The turns of those who enter through the same link.
    pub turns: Turns,
    /// The calls of the payment and the SMS provider.
    pub callbacks: RequestPool<S>,
    /// What staff look up, and whether they are signed in.
    pub console: RequestPool<S>,
    /// What staff change, for the same reason apart from what they look up.
    pub console_writes: RequestPool<S>,
    /// Drawings, one at a time and with idle priority.
    pub drawings: RequestPool<S>,
    /// Clearing data, one job at a time and with idle priority.
    pub clearing: RequestPool<S>,
}

/// The size of a [`RequestPool`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolSize {
    /// The number of threads. Each uses at most one connection at a time.
    pub threads: u32,
    /// How many requests may wait for a thread. More get 503 at once.
    pub queue: usize,
}

impl<S: Store> RequestPool<S> {
    /// Starts the threads. `store` should have as many connections as there are threads, so that no thread waits for one.
    /// `name` is the label of the pool's metrics.
    ///
    /// # Errors
    /// When the system cannot start a thread.
    pub fn start(name: &'static str, size: PoolSize, store: S) -> io::Result<Self> {
        let threads = BlockingPool::start(name, size.threads, size.queue)?;
        Ok(Self { threads, store })
    }

    /// One thread with idle priority, for work that keeps a core busy for seconds.
    ///
    /// # Errors
    /// When the system cannot start a thread.
    pub fn in_background(name: &'static str, queue: usize, store: S) -> io::Result<Self> {
        let threads = BlockingPool::in_background(name, queue)?;
        Ok(Self { threads, store })
    }

    /// The store, for a flow that takes a [`Runner`] too.
    pub(crate) fn store(&self) -> &S {
        &self.store
    }

    /// Starts work that continues when nobody waits for it any more. The receiver fails when the work has ended, and at
    /// once when it cannot be started.
    pub(crate) fn start_work(&self, work: impl FnOnce(&S) + Send + 'static) -> oneshot::Receiver<()> {
        let store = self.store.clone();
        self.threads.start_work(move || work(&store))
    }

    /// Runs a use case and turns its error into a response.
    pub(crate) async fn run<T, E>(
        &self,
        work: impl FnOnce(&S) -> Result<T, E> + Send + 'static,
    ) -> Result<T, ApiError>
    where
        T: Send + 'static,
        E: Into<ApiError> + Send + 'static,
    {
        self.run_within(DEADLINE, work).await
    }

    /// The same with another deadline.
    pub(crate) async fn run_within<T, E>(
        &self,
        limit: Duration,
        work: impl FnOnce(&S) -> Result<T, E> + Send + 'static,
    ) -> Result<T, ApiError>
    where
        T: Send + 'static,
        E: Into<ApiError> + Send + 'static,
    {
        let store = self.store.clone();
        self.threads.run(limit, move || work(&store)).await
    }
}

/// Each step has the deadline of a request.
impl<S: Store> Runner for RequestPool<S> {
    async fn run<T: Send + 'static>(&self, step: impl FnOnce() -> T + Send + 'static) -> Result<T, RunError> {
        self.threads.run_step(DEADLINE, step).await
    }
}
