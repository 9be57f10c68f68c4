//! A thread of the background, which works until it is stopped.

use anyhow::Context;
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tokio::runtime::Builder;
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use usecases::{RunError, Runner};

/// The threads for steps on the store: one for each loop of the sender of texts, so that the lease is renewed whatever the
/// others wait for. They start when they are needed.
const BLOCKING_THREADS: usize = 6;

/// The running thread. It is told to stop when this is dropped, which does not wait for its end.
pub(crate) struct Worker {
    stop: watch::Sender<()>,
    thread: JoinHandle<()>,
}

/// When a worker runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Priority {
    /// As soon as it has something to do.
    Normal,
    /// When no request needs the processor.
    Idle,
}

/// Tells a worker whether it shall stop.
pub(crate) struct Stopped(watch::Receiver<()>);

impl Stopped {
    /// Whether the work goes on.
    pub(crate) fn goes_on(&self) -> bool {
        self.0.has_changed().is_ok()
    }

    /// Does `work` until the stop, which cuts it off where it waits.
    pub(crate) async fn cuts_off(mut self, work: impl Future<Output = ()>) {
        tokio::select! {
            () = self.wait() => {}
            () = work => {}
        }
    }

    /// Nothing is ever sent: dropping the sender is the sign.
    async fn wait(&mut self) {
        let _ = self.0.changed().await;
    }
}

impl Worker {
    /// Takes the first step after `first`. A step returns how long to wait before the next one, and is never cut off.
    pub(crate) fn every(
        name: &'static str,
        priority: Priority,
        first: Duration,
        mut step: impl FnMut(&Stopped) -> Duration + Send + 'static,
    ) -> anyhow::Result<Self> {
        Self::start(name, priority, move |mut stopped| async move {
            let mut interval = first;
            while timeout(interval, stopped.wait()).await.is_err() {
                interval = step(&stopped);
            }
        })
    }

    /// Runs `work`, which ends by itself after it is told to stop.
    pub(crate) fn start<F: Future<Output = ()>>(
        name: &'static str,
        priority: Priority,
        work: impl FnOnce(Stopped) -> F + Send + 'static,
    ) -> anyhow::Result<Self> {
        let runtime = Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(BLOCKING_THREADS)
            .build()?;
        let (stop, stopped) = watch::channel(());
        let run = move || {
            if priority == Priority::Idle {
                web::set_idle_priority();
            }
            runtime.block_on(work(Stopped(stopped)));
        };
        let thread = thread::Builder::new()
            .name(name.to_owned())
            .spawn(run)
            .context("cannot start a thread")?;
        Ok(Self { stop, thread })
    }

    /// Waits until the current step is done; another server, or the next start, continues from there.
    pub(crate) fn stop(self) {
        drop(self.stop);
        let name = self.thread.thread().name().unwrap_or_default().to_owned();
        if self.thread.join().is_err() {
            tracing::error!("the worker {name} panicked");
        }
    }
}

/// Runs steps on the blocking threads of the worker. The store bounds how long a step takes.
pub(crate) struct TokioRunner;

impl Runner for TokioRunner {
    async fn run<T: Send + 'static>(&self, step: impl FnOnce() -> T + Send + 'static) -> Result<T, RunError> {
        spawn_blocking(step).await.map_err(|_| RunError::Panicked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    const LONG: Duration = Duration::from_secs(3600);

    #[test]
    fn a_stop_wakes_a_worker_that_waits_for_its_next_step() {
        let (steps, taken) = channel();
        let worker = Worker::every("test", Priority::Normal, Duration::ZERO, move |_| {
            steps.send(()).unwrap();
            LONG
        });
        taken.recv().unwrap();
        worker.unwrap().stop();
        assert!(taken.recv().is_err(), "it took one step, and ended");
    }

    #[test]
    fn a_stop_waits_for_the_step_which_is_told_of_it() {
        let (steps, taken) = channel();
        let worker = Worker::every("test", Priority::Normal, Duration::ZERO, move |stopped| {
            steps.send("begun").unwrap();
            while stopped.goes_on() {
                thread::yield_now();
            }
            steps.send("done").unwrap();
            Duration::ZERO
        });
        assert_eq!(taken.recv(), Ok("begun"));
        worker.unwrap().stop();
        assert_eq!(taken.iter().collect::<Vec<_>>(), ["done"]);
    }

    #[test]
    fn a_stop_cuts_off_what_waits() {
        let (steps, taken) = channel();
        let worker = Worker::start("test", Priority::Normal, move |stopped| {
            stopped.cuts_off(async move {
                steps.send(()).unwrap();
                std::future::pending().await
            })
        });
        taken.recv().unwrap();
        worker.unwrap().stop();
        assert!(taken.recv().is_err());
    }

    #[test]
    fn a_worker_that_is_dropped_ends_too() {
        let (steps, taken) = channel();
        let worker = Worker::every("test", Priority::Idle, LONG, move |_| {
            steps.send(()).unwrap();
            LONG
        });
        drop(worker.unwrap());
        assert!(taken.recv().is_err(), "it took no step");
    }

    #[test]
    fn a_worker_that_panicked_can_be_stopped() {
        let worker = Worker::start("test", Priority::Normal, |_| async {
            panic!("as this test wants")
        });
        worker.unwrap().stop();
    }
}
