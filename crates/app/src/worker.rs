//! A thread of the background that works again and again until it is stopped.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The running thread. It also ends when this is dropped, which does not wait for it.
pub(crate) struct Worker {
    stop: Sender<()>,
    thread: JoinHandle<()>,
}

/// Tells a worker whether it shall stop.
pub(crate) struct Stopped(Receiver<()>);

impl Stopped {
    /// Whether the work goes on.
    pub(crate) fn goes_on(&self) -> bool {
        self.0.try_recv() == Err(TryRecvError::Empty)
    }
}

impl Worker {
    /// Works for the first time after `first`. `work` returns how long to wait before the next time.
    pub(crate) fn start(
        name: &str,
        first: Duration,
        work: impl FnMut(&Stopped) -> Duration + Send + 'static,
    ) -> io::Result<Self> {
        Self::spawn(name, first, || {}, work)
    }

    /// The same on a thread that lets requests go first.
    pub(crate) fn start_idle(
        name: &str,
        first: Duration,
        work: impl FnMut(&Stopped) -> Duration + Send + 'static,
    ) -> io::Result<Self> {
        Self::spawn(name, first, web::set_idle_priority, work)
    }

    fn spawn(
        name: &str,
        first: Duration,
        prepare: fn(),
        mut work: impl FnMut(&Stopped) -> Duration + Send + 'static,
    ) -> io::Result<Self> {
        let (stop, stopped) = channel::<()>();
        let stopped = Stopped(stopped);
        let thread = thread::Builder::new().name(name.to_owned()).spawn(move || {
            prepare();
            let mut interval = first;
            while stopped.0.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                interval = work(&stopped);
            }
        })?;
        Ok(Self { stop, thread })
    }

    /// Stops after the current step; another server, or the next start, continues from there.
    pub(crate) fn stop(self) {
        drop(self.stop);
        let name = self.thread.thread().name().unwrap_or_default().to_owned();
        if self.thread.join().is_err() {
            tracing::error!("the {name} panicked");
        }
    }
}
