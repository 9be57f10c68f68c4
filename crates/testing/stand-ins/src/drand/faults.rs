//! Faults of answers that a test asks for.

use crate::kit::FailureQueue;
use serde::Deserialize;
use std::time::Duration;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum FaultKind {
    /// 503.
    Away,
    /// The connection breaks before the body arrives.
    Drop,
    /// No answer comes.
    Hang,
    /// The right answer comes late, after `ms` milliseconds.
    Slow,
    /// 425, although the round is due.
    NotYet,
    /// 404, although the round is due.
    NotFound,
    /// The right round with a signature by another key.
    WrongSignature,
    /// The right round with the signature of the next one.
    SwappedSignature,
    /// The next round, with its own valid signature.
    AnotherRound,
    /// The right signature and a false randomness.
    WrongRandomness,
    /// The right signature in upper case.
    UpperCase,
    /// The right signature twice, as long as a signature on G2.
    Doubled,
    /// 200 with a page instead of JSON.
    Garbage,
    /// 200 with bytes that are no text.
    Binary,
    /// 200 without a body.
    Empty,
    /// The right answer, with 1 MiB of spaces before it.
    Huge,
    /// 302 to the same address, which then answers rightly.
    Redirect,
}

/// `POST /control/faults`: how calls for rounds are answered from now on.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Fault {
    pub(crate) kind: FaultKind,
    /// For how many calls; without it, until `DELETE /control/faults`.
    times: Option<u32>,
    /// How long a slow answer takes.
    #[serde(default)]
    ms: u64,
}

impl Fault {
    pub(crate) fn delay(&self) -> Duration {
        Duration::from_millis(self.ms)
    }
}

#[derive(Default)]
pub(crate) struct Faults(FailureQueue<Fault>);

impl Faults {
    pub(crate) fn add(&self, fault: Fault) {
        self.0.add(fault.times.unwrap_or(u32::MAX), fault);
    }

    pub(crate) fn clear(&self) {
        self.0.clear();
    }

    /// The fault of this call, if it has one.
    pub(crate) fn take(&self) -> Option<Fault> {
        self.0.take(|_| true)
    }
}
