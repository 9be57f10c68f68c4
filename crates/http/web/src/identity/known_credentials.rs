use sms::Credentials;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a callback may be checked with credentials that were read before: if staff change the account on another
/// server, this server still accepts the old one for this long.
const FRESH: Duration = Duration::from_secs(10);

/// The credentials that were last read from the store, so that a forged callback needs no read.
#[derive(Default)]
pub struct KnownCredentials(Mutex<Option<Known>>);

struct Known {
    since: Instant,
    credentials: Option<Credentials>,
}

impl KnownCredentials {
    /// The credentials, or that there are none, if they were read lately.
    pub(crate) fn get(&self) -> Option<Option<Credentials>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = known.as_ref().filter(|known| known.since.elapsed() < FRESH)?;
        Some(fresh.credentials.clone())
    }

    /// The credentials, if they were read after this time.
    pub(crate) fn read_after(&self, time: Instant) -> Option<Credentials> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known
            .as_ref()
            .filter(|known| known.since > time)?
            .credentials
            .clone()
    }

    /// Remembers credentials. `since` is the time before they were read.
    pub(crate) fn remember(&self, since: Instant, credentials: Option<Credentials>) {
        let known = Known { since, credentials };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(known);
    }

    /// Drops what is known, because it was changed.
    pub(crate) fn forget(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
