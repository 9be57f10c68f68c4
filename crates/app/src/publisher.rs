//! A background thread that writes the published lists of drawings.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use store_postgres::PgStore;

/// How often it looks for lists that are not complete. Until then they are made for each request.
const INTERVAL: Duration = Duration::from_secs(1);
/// How long it waits after an error of the database.
const INTERVAL_AFTER_ERROR: Duration = Duration::from_secs(2);
/// How long it waits while a list is left that it cannot write, which it logs each time.
const INTERVAL_WHILE_CORRUPT: Duration = Duration::from_secs(60);

/// The running thread. Every server has one; when two write the same list, one of them waits.
pub(crate) struct Publisher {
    stop: Sender<()>,
    thread: JoinHandle<()>,
}

impl Publisher {
    pub(crate) fn start(store: PgStore) -> io::Result<Self> {
        let (stop, stopped) = channel::<()>();
        let thread = thread::Builder::new()
            .name("publisher".to_owned())
            .spawn(move || {
                // Compressing keeps a core busy. Requests go first.
                web::set_idle_priority();
                let mut interval = Duration::ZERO;
                while stopped.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                    interval = publish(&store, &stopped);
                }
            })?;
        Ok(Self { stop, thread })
    }

    /// Stops after the current part; another server, or the next start, continues from there.
    pub(crate) fn stop(self) {
        drop(self.stop);
        if self.thread.join().is_err() {
            tracing::error!("the publisher panicked");
        }
    }
}

/// Returns how long to wait before the next time.
fn publish(store: &PgStore, stopped: &Receiver<()>) -> Duration {
    let goes_on = || stopped.try_recv() == Err(TryRecvError::Empty);
    match usecases::published_lists::publish(store, goes_on) {
        Ok(published) => {
            if published.completed > 0 {
                tracing::info!(count = published.completed, "published lists of drawings");
            }
            if published.corrupt > 0 {
                INTERVAL_WHILE_CORRUPT
            } else {
                INTERVAL
            }
        }
        Err(error) => {
            tracing::warn!(%error, "cannot publish the lists of drawings");
            INTERVAL_AFTER_ERROR
        }
    }
}
