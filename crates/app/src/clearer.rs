//! A background thread that continues the clearings of servers that have stopped, and those that had to wait.

use crate::SystemClock;
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use store_postgres::PgStore;
use usecases::clearing::UNATTENDED_AFTER;

/// How often it looks for clearings without progress.
const INTERVAL: Duration = Duration::from_secs(2);

/// The running thread. Every server has one; each step of a clearing is taken by one of them.
pub(crate) struct Clearer {
    stop: Sender<()>,
    thread: JoinHandle<()>,
}

impl Clearer {
    pub(crate) fn start(store: PgStore) -> io::Result<Self> {
        let (stop, stopped) = channel::<()>();
        let thread = thread::Builder::new().name("clearer".to_owned()).spawn(move || {
            while stopped.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                work(&store, &stopped);
            }
        })?;
        Ok(Self { stop, thread })
    }

    /// Stops after the current batch; another server, or the next start, continues from there.
    pub(crate) fn stop(self) {
        drop(self.stop);
        if self.thread.join().is_err() {
            tracing::error!("the clearer panicked");
        }
    }
}

fn work(store: &PgStore, stopped: &Receiver<()>) {
    let goes_on = || stopped.try_recv() == Err(TryRecvError::Empty);
    match usecases::clearing::continue_unattended(store, &SystemClock, UNATTENDED_AFTER, goes_on) {
        Ok(0) => {}
        Ok(count) => tracing::info!(count, "continued clearing data"),
        Err(error) => tracing::warn!(%error, "cannot continue clearing data"),
    }
}
