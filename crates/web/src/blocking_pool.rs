//! Threads that run blocking use cases, each with a deadline.

use crate::ApiError;
use crossbeam_channel::{Sender, bounded};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use tokio::time::timeout;
use tracing::Span;
use usecases::{RunError, Runner};

/// How long a request waits for one step that uses the store before it gets 503. A request with several steps may take
/// this long for each, and a call to the payment provider may take up to 20 s more.
pub const DEADLINE: Duration = Duration::from_millis(2_500);
/// How many requests may wait for a thread: more than the threads can serve before the deadline.
const QUEUE: usize = 16 * 1024;

type Job = Box<dyn FnOnce() + Send>;

/// A pool with as many threads as the store has connections, so that no thread waits for a connection.
///
/// Not actix-web's own pool of blocking threads: handing work to that pool takes a lock that the woken thread waits for,
/// and under load requests queued at this lock.
pub struct BlockingPool(Sender<Job>);

impl BlockingPool {
    /// Starts the threads. They end after this is dropped and the queue is empty.
    ///
    /// # Errors
    /// When the system cannot start a thread.
    pub fn start(count: u32) -> io::Result<Self> {
        Self::with_queue("flow", count, QUEUE)
    }

    /// One thread with idle priority, for work that keeps a core busy for seconds.
    ///
    /// # Errors
    /// When the system cannot start a thread.
    pub fn in_background(name: &str, length: usize) -> io::Result<Self> {
        Self::spawn(name, 1, length, set_idle_priority)
    }

    /// Threads for other work, with their own name and queue.
    pub(crate) fn with_queue(name: &str, count: u32, length: usize) -> io::Result<Self> {
        Self::spawn(name, count, length, || ())
    }

    fn spawn(name: &str, count: u32, length: usize, before_work: fn()) -> io::Result<Self> {
        let (jobs, queue) = bounded::<Job>(length);
        for n in 0..count {
            let queue = queue.clone();
            let work = move || {
                before_work();
                queue.iter().for_each(|job| job());
            };
            thread::Builder::new().name(format!("{name}-{n}")).spawn(work)?;
        }
        Ok(Self(jobs))
    }

    /// Runs a use case and turns its error into a response.
    pub(crate) async fn run<T, E>(
        &self,
        work: impl FnOnce() -> Result<T, E> + Send + 'static,
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
        patience: Duration,
        work: impl FnOnce() -> Result<T, E> + Send + 'static,
    ) -> Result<T, ApiError>
    where
        T: Send + 'static,
        E: Into<ApiError> + Send + 'static,
    {
        let answer = self.run_step(patience, move || work().map_err(Into::into)).await;
        answer.unwrap_or_else(|error| Err(not_run(error)))
    }

    async fn run_step<T: Send + 'static>(
        &self,
        limit: Duration,
        step: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, RunError> {
        let deadline = Instant::now() + limit;
        let span = Span::current();
        let (answer, result) = oneshot::channel();
        let job = move || {
            // After the deadline the request has got 503, so the work must not run.
            if Instant::now() >= deadline {
                return;
            }
            let outcome = catch_unwind(AssertUnwindSafe(|| span.in_scope(step)));
            // The send fails if the deadline has passed meanwhile.
            let _ = answer.send(outcome.map_err(|_| RunError::Panicked));
        };
        if self.0.try_send(Box::new(job)).is_err() {
            tracing::warn!("too many requests wait for a thread");
            return Err(RunError::TimedOut);
        }
        match timeout(limit, result).await {
            Ok(Ok(result)) => result,
            Ok(Err(_)) | Err(_) => {
                tracing::warn!("a use case did not end before its deadline");
                Err(RunError::TimedOut)
            }
        }
    }
}

/// Each step has the deadline of a request.
impl Runner for BlockingPool {
    async fn run<T: Send + 'static>(&self, step: impl FnOnce() -> T + Send + 'static) -> Result<T, RunError> {
        self.run_step(DEADLINE, step).await
    }
}

/// The response to a request with a step that did not run.
pub(crate) fn not_run(error: RunError) -> ApiError {
    match error {
        RunError::TimedOut => ApiError::unavailable(),
        RunError::Panicked => ApiError::internal(),
    }
}

/// Gives this thread idle priority. Threads that it starts inherit it. Without permission, the priority stays as it was.
fn set_idle_priority() {
    #[cfg(target_os = "linux")]
    {
        use thread_priority::{NormalThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy};
        let idle = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);
        let this = thread_priority::thread_native_id();
        if let Err(error) = thread_priority::set_thread_priority_and_policy(this, ThreadPriority::Min, idle) {
            tracing::debug!(?error, "cannot set the priority of a thread");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::StoreError;

    #[actix_web::test]
    async fn a_panic_is_an_error_and_the_thread_continues() {
        let threads = BlockingPool::start(1).unwrap();
        let broken = threads
            .run(|| -> Result<(), StoreError> { panic!("on purpose") })
            .await;
        assert_eq!(broken, Err(ApiError::internal()));
        assert_eq!(threads.run(|| Ok::<_, StoreError>(7)).await, Ok(7));
    }

    #[actix_web::test]
    async fn work_whose_deadline_has_passed_is_not_done() {
        let threads = BlockingPool::start(1).unwrap();
        let (release, blocked) = std::sync::mpsc::channel::<()>();
        let (did, done) = std::sync::mpsc::channel::<&str>();
        let hang = threads.run(move || {
            blocked
                .recv()
                .map_err(|error| StoreError::Unavailable(error.into()))
        });
        let late = threads.run(move || {
            did.send("done")
                .map_err(|error| StoreError::Unavailable(error.into()))
        });
        let (hang, late) = futures_util::future::join(hang, late).await;
        assert_eq!(
            (hang, late),
            (Err(ApiError::unavailable()), Err(ApiError::unavailable()))
        );
        release.send(()).unwrap();
        assert!(done.recv().is_err(), "it was dropped, not run");
    }
}
