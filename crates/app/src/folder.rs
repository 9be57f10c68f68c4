//! Keeps the roll-ups up to date while the server runs.

use chrono_tz::Tz;
use std::io;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use store_postgres::PgStore;

/// How long events wait to be folded: screens show them within two seconds.
const TICK: Duration = Duration::from_millis(500);
/// The same when the database is away.
const TICK_AWAY: Duration = Duration::from_secs(2);

/// A thread that folds. Several servers may have one each; they take turns.
pub(crate) struct Folder {
    stop: Sender<()>,
    thread: JoinHandle<()>,
}

impl Folder {
    pub(crate) fn start(store: PgStore, zone: Tz) -> io::Result<Self> {
        let (stop, stopped) = channel::<()>();
        let thread = thread::Builder::new().name("folder".to_owned()).spawn(move || {
            let mut tick = TICK;
            while stopped.recv_timeout(tick) == Err(RecvTimeoutError::Timeout) {
                tick = if fold(&store, zone) { TICK } else { TICK_AWAY };
            }
        })?;
        Ok(Self { stop, thread })
    }

    /// Ends after what it is folding now; the next server goes on from there.
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
