//! Failures on demand.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// `POST /control/failures`: what happens to the next calls.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Failure {
    /// Only calls with this method.
    method: Option<String>,
    /// Only calls whose path has this in it.
    path: Option<String>,
    pub(crate) kind: FailureKind,
    /// With which status; for [`FailureKind::Status`].
    #[serde(default = "internal_error")]
    pub(crate) status: u16,
    /// Headers of that answer.
    #[serde(default)]
    pub(crate) headers: BTreeMap<String, String>,
    /// How many calls.
    #[serde(default = "once")]
    times: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum FailureKind {
    /// The call is answered with an error, and nothing is done.
    Status,
    /// What was asked is done, and no answer comes.
    Hang,
    /// What was asked is done, and the connection breaks in the middle of the answer.
    Drop,
}

fn internal_error() -> u16 {
    500
}

fn once() -> u32 {
    1
}

#[derive(Default)]
pub(crate) struct Failures(Mutex<Vec<Failure>>);

impl Failures {
    pub(crate) fn add(&self, failure: Failure) {
        self.pending().push(failure);
    }

    /// What is to happen to this call.
    pub(crate) fn take(&self, method: &str, path: &str) -> Option<Failure> {
        let mut pending = self.pending();
        let failure = pending.iter_mut().find(|failure| {
            failure.times > 0
                && failure.method.as_deref().is_none_or(|wanted| wanted == method)
                && failure.path.as_deref().is_none_or(|wanted| path.contains(wanted))
        })?;
        failure.times -= 1;
        Some(failure.clone())
    }

    fn pending(&self) -> MutexGuard<'_, Vec<Failure>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
