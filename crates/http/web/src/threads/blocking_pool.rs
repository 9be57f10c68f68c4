//! Threads that run blocking use cases, each with a deadline.

use crate::ApiError;
use crossbeam_channel::{Sender, bounded};
use kernel::run_until;
use metrics::{Gauge, Histogram};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use tokio::time::timeout;
use tracing::Span;
use usecases::RunError;

/// How long a request waits for one step that uses the store before it gets 503. A request with several steps may take
/// this long for each, and a call to the payment provider may take up to 20 s more.
pub const DEADLINE: Duration = Duration::from_millis(2_500);
/// The status of a job that waits in the queue, that runs, and that was given up before it ran.
const WAITING: u8 = 0;
const RUNNING: u8 = 1;
const GIVEN_UP: u8 = 2;

type Job = Box<dyn FnOnce() + Send>;

/// Threads with a bounded queue, first in, first out.
///
/// Not actix-web's own pool of blocking threads: handing work to that pool takes a lock that the woken thread waits for,
/// and under load requests queued at this lock.
pub(crate) struct BlockingPool {
    jobs: Sender<Job>,
    name: &'static str,
    queue_length: Gauge,
    queue_wait: Histogram,
}

impl BlockingPool {
    /// Starts `threads` threads for at most `queue` waiting jobs. They end after this is dropped and the queue is empty.
    /// `name` is the label of the pool's metrics, which are recorded if the recorder is installed by now.
    ///
    /// # Errors
    /// When the system cannot start a thread.
    pub(crate) fn start(name: &'static str, threads: u32, queue: usize) -> io::Result<Self> {
        Self::spawn(name, threads, queue, || ())
    }

    /// One thread with idle priority, for work that keeps a core busy for seconds.
    ///
    /// # Errors
    /// When the system cannot start a thread.
    pub(crate) fn in_background(name: &'static str, queue: usize) -> io::Result<Self> {
        Self::spawn(name, 1, queue, set_idle_priority)
    }

    fn spawn(name: &'static str, threads: u32, queue: usize, before_work: fn()) -> io::Result<Self> {
        let (jobs, queue) = bounded::<Job>(queue);
        for n in 0..threads {
            let queue = queue.clone();
            let work = move || {
                before_work();
                queue.iter().for_each(|job| job());
            };
            thread::Builder::new().name(format!("{name}-{n}")).spawn(work)?;
        }
        Ok(Self {
            jobs,
            name,
            queue_length: metrics::gauge!("request_queue_length", "pool" => name),
            queue_wait: metrics::histogram!("request_queue_wait_seconds", "pool" => name),
        })
    }

    /// Runs a use case and turns its error into a response. After `limit`, the response is a 503.
    pub(crate) async fn run<T, E>(
        &self,
        limit: Duration,
        work: impl FnOnce() -> Result<T, E> + Send + 'static,
    ) -> Result<T, ApiError>
    where
        T: Send + 'static,
        E: Into<ApiError> + Send + 'static,
    {
        let answer = self.run_step(limit, move || work().map_err(Into::into)).await;
        answer.unwrap_or_else(|error| Err(not_run(error)))
    }

    /// Starts work that continues when nobody waits for it any more. The receiver fails when the work has ended, and at
    /// once when it cannot be started.
    pub(crate) fn start_work(&self, work: impl FnOnce() + Send + 'static) -> oneshot::Receiver<()> {
        let (running, ended) = oneshot::channel::<()>();
        let job = move || {
            if catch_unwind(AssertUnwindSafe(work)).is_err() {
                tracing::error!("work in the background panicked");
            }
            drop(running);
        };
        if self.jobs.try_send(Box::new(job)).is_err() {
            tracing::warn!("work in the background could not be started");
        }
        ended
    }

    /// Runs a step. Its deadline bounds the statements of the store too: see [`kernel::run_until`].
    ///
    /// # Errors
    /// [`RunError`] when there is no result within `limit`.
    pub(crate) async fn run_step<T: Send + 'static>(
        &self,
        limit: Duration,
        step: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, RunError> {
        let queued = Instant::now();
        let deadline = queued + limit;
        let span = Span::current();
        let status = Arc::new(AtomicU8::new(WAITING));
        let (answer, result) = oneshot::channel();
        let (own_status, length, wait) = (status.clone(), self.queue_length.clone(), self.queue_wait.clone());
        let job = move || {
            length.decrement(1);
            wait.record(queued.elapsed().as_secs_f64());
            // After the deadline the request has got its response, so the work must not run.
            if Instant::now() >= deadline || !begin(&own_status) {
                return;
            }
            let step = || span.in_scope(|| run_until(deadline, step));
            let outcome = catch_unwind(AssertUnwindSafe(step));
            // The send fails if the deadline has passed meanwhile.
            let _ = answer.send(outcome.map_err(|_| RunError::Panicked));
        };
        self.queue_length.increment(1);
        if self.jobs.try_send(Box::new(job)).is_err() {
            self.queue_length.decrement(1);
            tracing::warn!(pool = self.name, "the queue is full");
            return Err(RunError::Busy);
        }
        match timeout(limit, result).await {
            Ok(Ok(result)) => result,
            Ok(Err(_)) | Err(_) => Err(self.give_up(&status)),
        }
    }

    /// Makes sure that a job that still waits will not run.
    fn give_up(&self, status: &AtomicU8) -> RunError {
        let pool = self.name;
        match status.swap(GIVEN_UP, Ordering::SeqCst) {
            RUNNING => {
                tracing::warn!(pool, "a use case did not end before its deadline");
                RunError::TimedOut
            }
            _ => {
                tracing::warn!(pool, "no thread was free before the deadline");
                RunError::Busy
            }
        }
    }
}

/// Marks a job as running. Returns `false` when it was given up.
fn begin(status: &AtomicU8) -> bool {
    status
        .compare_exchange(WAITING, RUNNING, Ordering::SeqCst, Ordering::SeqCst)
        .is_ok()
}

/// The response when too many requests wait.
pub(crate) fn too_many_wait() -> ApiError {
    ApiError::busy("We are very busy right now. Please try again in a moment.")
}

/// The response to a request with a step that did not run or did not end.
pub(crate) fn not_run(error: RunError) -> ApiError {
    match error {
        RunError::Busy => too_many_wait(),
        RunError::TimedOut => ApiError::unavailable(),
        RunError::Panicked => ApiError::internal(),
    }
}

/// Gives this thread idle priority. Threads that it starts inherit it. Without permission, the priority stays as it was.
pub fn set_idle_priority() {
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
    use std::sync::mpsc::channel;

    const LONG: Duration = Duration::from_secs(60);

    fn waits_for<T: Send + 'static>(
        blocked: std::sync::mpsc::Receiver<T>,
    ) -> impl FnOnce() -> Result<T, StoreError> {
        move || {
            blocked
                .recv()
                .map_err(|error| StoreError::Unavailable(error.into()))
        }
    }

    #[actix_web::test]
    async fn a_panic_is_an_error_and_the_thread_continues() {
        let pool = BlockingPool::start("test", 1, 8).unwrap();
        let broken = pool
            .run(LONG, || -> Result<(), StoreError> { panic!("on purpose") })
            .await;
        assert_eq!(broken, Err(ApiError::internal()));
        assert_eq!(pool.run(LONG, || Ok::<_, StoreError>(7)).await, Ok(7));
    }

    #[actix_web::test]
    async fn work_whose_deadline_has_passed_is_not_done() {
        tokio::time::pause();
        let pool = BlockingPool::start("test", 1, 8).unwrap();
        let (begun, begin) = channel();
        let (release, blocked) = channel::<()>();
        let (did, done) = channel::<&str>();
        let hang = pool.run(LONG, move || {
            begun.send(()).unwrap();
            waits_for(blocked)()
        });
        let late = pool.run(LONG, move || {
            did.send("done")
                .map_err(|error| StoreError::Unavailable(error.into()))
        });
        // No time passes while this yields; then all of it does.
        let until_it_hangs = async {
            while begin.try_recv().is_err() {
                tokio::task::yield_now().await;
            }
        };
        let (hang, late, ()) = futures_util::future::join3(hang, late, until_it_hangs).await;
        assert_eq!(
            (hang, late),
            (Err(ApiError::unavailable()), Err(too_many_wait())),
            "the first one was running, the second one had not begun"
        );
        release.send(()).unwrap();
        assert!(done.recv().is_err(), "it was dropped, not run");
    }

    #[actix_web::test]
    async fn a_job_too_many_is_refused_at_once() {
        let pool = BlockingPool::start("test", 1, 1).unwrap();
        let (begun, begin) = channel();
        let (release, blocked) = channel::<()>();
        let running = pool.run(LONG, move || {
            begun.send(()).unwrap();
            waits_for(blocked)()
        });
        let others = async {
            tokio::task::spawn_blocking(move || begin.recv())
                .await
                .unwrap()
                .unwrap();
            let waiting = pool.run(LONG, || Ok::<_, StoreError>(1));
            let refused = async {
                let refused = pool.run(LONG, || Ok::<_, StoreError>(2)).await;
                release.send(()).unwrap();
                refused
            };
            futures_util::future::join(waiting, refused).await
        };
        let (_, (waiting, refused)) = futures_util::future::join(running, others).await;
        assert_eq!((waiting, refused), (Ok(1), Err(too_many_wait())));
    }

    #[actix_web::test]
    async fn the_work_knows_its_deadline() {
        let pool = BlockingPool::start("test", 1, 1).unwrap();
        let left = pool.run(LONG, || Ok::<_, StoreError>(kernel::time_left()));
        let left = left.await.unwrap().unwrap();
        assert!(left <= LONG && left > LONG / 2, "{left:?}");
    }
}
