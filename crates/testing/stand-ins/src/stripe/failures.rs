//! Failures of API calls that a test asks for.

use crate::kit::FailureQueue;
use serde::Deserialize;
use std::collections::BTreeMap;

/// `POST /control/failures`: how the next calls fail.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Failure {
    /// Only calls with this method fail.
    method: Option<String>,
    /// Only calls whose path contains this fail.
    path: Option<String>,
    pub(crate) kind: FailureKind,
    /// The status of the response, for [`FailureKind::Status`].
    #[serde(default = "internal_error")]
    pub(crate) status: u16,
    /// Headers of that response.
    #[serde(default)]
    pub(crate) headers: BTreeMap<String, String>,
    /// How many calls fail.
    #[serde(default = "once")]
    times: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum FailureKind {
    /// The call is not processed, and the response is an error.
    Status,
    /// The call is processed, and no response is sent.
    Hang,
    /// The call is processed, and the connection breaks in the middle of the response.
    Drop,
}

fn internal_error() -> u16 {
    500
}

fn once() -> u32 {
    1
}

#[derive(Default)]
pub(crate) struct Failures(FailureQueue<Failure>);

impl Failures {
    pub(crate) fn add(&self, failure: Failure) {
        self.0.add(failure.times, failure);
    }

    /// The failure of this call, if it is to fail.
    pub(crate) fn take(&self, method: &str, path: &str) -> Option<Failure> {
        self.0.take(|failure| {
            failure.method.as_deref().is_none_or(|wanted| wanted == method)
                && failure.path.as_deref().is_none_or(|wanted| path.contains(wanted))
        })
    }
}
