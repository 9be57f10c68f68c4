//! A background thread that folds new events into the roll-ups.

use chrono_tz::Tz;
use std::io;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use store_postgres::PgStore;

/// How often it folds: screens show new events within two seconds.
const INTERVAL: Duration = Duration::from_millis(500);
/// How long it waits after an error.
const INTERVAL_AFTER_ERROR: Duration = Duration::from_secs(2);

/// The running thread. Every server has one; they take turns.
pub(crate) struct Folder {
    stop: Sender<()>,
    thread: JoinHandle<()>,
}

impl Folder {
    pub(crate) fn start(store: PgStore, zone: Tz) -> io::Result<Self> {
        let (stop, stopped) = channel::<()>();
        let thread = thread::Builder::new().name("folder".to_owned()).spawn(move || {
            let mut interval = INTERVAL;
            while stopped.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                interval = if fold(&store, zone) {
                    INTERVAL
                } else {
                    INTERVAL_AFTER_ERROR
                };
            }
        })?;
        Ok(Self { stop, thread })
    }

    /// Stops after the current fold; the next server continues from there.
    pub(crate) fn stop(self) {
        drop(self.stop);
        if self.thread.join().is_err() {
            tracing::error!("the folder panicked");
        }
    }
}

fn fold(store: &PgStore, zone: Tz) -> bool {
    let started = Instant::now();
    let outcome = usecases::rollups::fold_often(store, zone);
    metrics::histogram!("fold_duration_seconds").record(started.elapsed().as_secs_f64());
    match outcome {
        Ok(_) => true,
        Err(error) => {
            tracing::warn!(%error, "cannot fold the roll-ups");
            false
        }
    }
}
