//! Threads on which use cases may wait, one use case at a time, bounded in time.

use crate::ApiError;
use crossbeam_channel::{Sender, bounded};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use tokio::time::timeout;
use tracing::Span;

/// How long a request waits for the store in all. Whatever hangs there, its 503 is out within 3 s.
pub const DEADLINE: Duration = Duration::from_millis(2_500);
/// How many requests may wait for a thread; more than could be served before their deadline.
const QUEUE: usize = 16 * 1024;

type Job = Box<dyn FnOnce() + Send>;

/// As many threads as the store has connections, so that none waits for a connection.
///
/// actix-web's own blocking threads would do, but handing work to them takes a lock that the woken thread then waits
/// for, and under load that lock was where requests queued.
pub struct BlockingPool(Sender<Job>);

impl BlockingPool {
    /// Starts the threads. They end when this and all that was handed to them is gone.
    ///
    /// # Errors
    /// When the system refuses a thread.
    pub fn start(count: u32) -> io::Result<Self> {
        Self::with_queue("flow", count, QUEUE)
    }

    /// One thread for work that takes whole seconds of a core, and gives way to everybody else's: it runs while nothing
    /// else wants to.
    ///
    /// # Errors
    /// When the system refuses a thread.
    pub fn in_background(name: &str, length: usize) -> io::Result<Self> {
        Self::spawn(name, 1, length, give_way)
    }

    /// The same for other work, with a name and a queue of its own.
    pub(crate) fn with_queue(name: &str, count: u32, length: usize) -> io::Result<Self> {
        Self::spawn(name, count, length, || ())
    }

    fn spawn(name: &str, count: u32, length: usize, at_first: fn()) -> io::Result<Self> {
        let (jobs, queue) = bounded::<Job>(length);
        for n in 0..count {
            let queue = queue.clone();
            let work = move || {
                at_first();
                queue.iter().for_each(|job| job());
            };
            thread::Builder::new().name(format!("{name}-{n}")).spawn(work)?;
        }
        Ok(Self(jobs))
    }

    /// Runs a use case and turns its error into an answer.
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

    /// The same for one that may take longer.
    pub(crate) async fn run_within<T, E>(
        &self,
        patience: Duration,
        work: impl FnOnce() -> Result<T, E> + Send + 'static,
    ) -> Result<T, ApiError>
    where
        T: Send + 'static,
        E: Into<ApiError> + Send + 'static,
    {
        let deadline = Instant::now() + patience;
        let span = Span::current();
        let (answer, result) = oneshot::channel();
        let job = move || {
            // Who asked has been told that it failed, so it must not be done after all.
            if Instant::now() >= deadline {
                return;
            }
            let outcome = catch_unwind(AssertUnwindSafe(|| span.in_scope(|| work().map_err(Into::into))));
            // Nobody waits any more when the deadline has passed meanwhile.
            let _ = answer.send(outcome.unwrap_or(Err(ApiError::internal())));
        };
        if self.0.try_send(Box::new(job)).is_err() {
            tracing::warn!("too many requests wait for a thread");
            return Err(ApiError::unavailable());
        }
        match timeout(patience, result).await {
            Ok(Ok(result)) => result,
            Ok(Err(_)) | Err(_) => {
                tracing::warn!("a flow did not end in time");
                Err(ApiError::unavailable())
            }
        }
    }
}

/// Threads that this one starts do the same. Where the system does not allow it, all is as it was.
fn give_way() {
    #[cfg(target_os = "linux")]
    {
        use thread_priority::{NormalThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy};
        let idle = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);
        let this = thread_priority::thread_native_id();
        if let Err(error) = thread_priority::set_thread_priority_and_policy(this, ThreadPriority::Min, idle) {
            tracing::debug!(?error, "the system lets no thread give way");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::StoreError;

    #[actix_web::test]
    async fn a_panic_is_an_error_and_the_thread_goes_on() {
        let threads = BlockingPool::start(1).unwrap();
        let broken = threads
            .run(|| -> Result<(), StoreError> { panic!("on purpose") })
            .await;
        assert_eq!(broken, Err(ApiError::internal()));
        assert_eq!(threads.run(|| Ok::<_, StoreError>(7)).await, Ok(7));
    }

    #[actix_web::test]
    async fn what_nobody_waits_for_any_more_is_not_done() {
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
