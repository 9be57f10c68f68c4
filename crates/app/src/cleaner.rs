//! A background thread that erases and drops what is too old, once a day, and makes places for the views of coming months.

use crate::SystemClock;
use kernel::Clock;
use privacy::retention::Terms;
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use store_postgres::PgStore;
use usecases::retention::{make_months, run_if_due};

/// How often it looks whether a run is due. The first look is a little after the start.
const INTERVAL: Duration = Duration::from_secs(600);
/// How long after the start it looks first, so that a start is not slowed down.
const FIRST: Duration = Duration::from_secs(30);

/// The running thread. Every server has one; each day's run is made by one of them.
pub(crate) struct Cleaner {
    stop: Sender<()>,
    thread: JoinHandle<()>,
}

impl Cleaner {
    /// Makes the months that are missing, before any view is accepted, and starts the thread.
    pub(crate) fn start(store: PgStore, terms: Terms) -> io::Result<Self> {
        make(&store);
        let (stop, stopped) = channel::<()>();
        let thread = thread::Builder::new().name("cleaner".to_owned()).spawn(move || {
            web::set_idle_priority();
            let mut interval = FIRST;
            while stopped.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                interval = INTERVAL;
                make(&store);
                clean(&store, terms, &stopped);
            }
        })?;
        Ok(Self { stop, thread })
    }

    /// Stops after the current batch; the next run goes on from there.
    pub(crate) fn stop(self) {
        drop(self.stop);
        if self.thread.join().is_err() {
            tracing::error!("the cleaner panicked");
        }
    }
}

/// Without its month a view is stored too, and is moved when the month is made.
fn make(store: &PgStore) {
    match make_months(store, SystemClock.now()) {
        Ok(0) => {}
        Ok(count) => tracing::info!(count, "made places for the views of coming months"),
        Err(error) => tracing::warn!(%error, "a month of views has no place yet"),
    }
}

fn clean(store: &PgStore, terms: Terms, stopped: &Receiver<()>) {
    let goes_on = || stopped.try_recv() == Err(TryRecvError::Empty);
    match run_if_due(store, &SystemClock, terms, goes_on) {
        Ok(None) => {}
        Ok(Some(cleaned)) => {
            let rows: i64 = cleaned.rows.iter().map(|(_, rows)| rows).sum();
            let views = cleaned.dropped_views;
            tracing::info!(
                rows,
                views,
                complete = cleaned.is_complete,
                "erased what was too old"
            );
        }
        Err(error) => tracing::warn!(%error, "cannot erase what is too old"),
    }
}
