//! A background thread that finds out whether the database can be written, for `/readyz`.

use std::io;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;
use store_postgres::PgStore;
use web::Readiness;

/// How often it writes: a proxy learns of an outage within about three seconds, and of its end within one.
const INTERVAL: Duration = Duration::from_secs(1);

/// The running thread. It ends soon after this is dropped, unless a commit hangs.
pub(crate) struct WriteProbe {
    _stop: Sender<()>,
}

impl WriteProbe {
    /// `store` has a connection that nothing else uses.
    pub(crate) fn start(store: PgStore, readiness: Readiness) -> io::Result<Self> {
        let (stop, stopped) = channel::<()>();
        thread::Builder::new()
            .name("write-probe".to_owned())
            .spawn(move || {
                let mut could_write = true;
                loop {
                    could_write = probe(&store, &readiness, could_write);
                    if stopped.recv_timeout(INTERVAL) != Err(RecvTimeoutError::Timeout) {
                        return;
                    }
                }
            })?;
        Ok(Self { _stop: stop })
    }
}

/// Probes once, and logs a change.
fn probe(store: &PgStore, readiness: &Readiness, could_write: bool) -> bool {
    let outcome = usecases::health::probe_write(store);
    readiness.record_probe(outcome.is_ok());
    match &outcome {
        Err(error) if could_write => tracing::warn!(%error, "the database cannot be written"),
        Ok(()) if !could_write => tracing::info!("the database can be written again"),
        _ => {}
    }
    outcome.is_ok()
}
