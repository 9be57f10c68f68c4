//! Whether the server can write, as a probe has found out in the background.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a successful probe counts: longer than the time between two probes.
const FRESH: Duration = Duration::from_secs(3);

/// The outcome of the latest probe. Cheap to clone: all clones share it.
///
/// Health checks only read it, so they get their response at once, however busy or stuck everything else is.
#[derive(Debug, Clone, Default)]
pub struct Readiness(Arc<Mutex<Option<Instant>>>);

impl Readiness {
    /// Records that a probe has just ended, and whether it could write.
    pub fn record_probe(&self, wrote: bool) {
        let mut last_success = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *last_success = wrote.then(Instant::now);
    }

    /// Whether the latest probe could write, and no later one has been waiting for more than a moment.
    pub(crate) fn can_write(&self) -> bool {
        let last_success = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        last_success.is_some_and(|at| at.elapsed() < FRESH)
    }
}
