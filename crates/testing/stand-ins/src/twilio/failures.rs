//! Failures of API calls that a test asks for, planned or random.

use crate::kit::{FailureQueue, Shared};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::HashMap;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum FailureKind {
    /// The call is not processed: 429 with `Retry-After`.
    TooMany,
    /// The call is not processed: 503 with `Retry-After`.
    Unavailable,
    /// The call is not processed: 500.
    Error,
    /// The call is processed, and yet answered with 500.
    ErrorAfter,
    /// The call is processed, and the connection breaks before the response.
    Drop,
    /// The call is not processed, and the connection breaks.
    DropBefore,
    /// The call is processed, and no response is sent.
    Hang,
}

impl FailureKind {
    /// Whether the call is processed all the same.
    pub(crate) fn is_processed(self) -> bool {
        matches!(self, Self::ErrorAfter | Self::Drop | Self::Hang)
    }

    /// The name of this result in `GET /control/calls`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::TooMany => "429",
            Self::Unavailable => "503",
            Self::Error | Self::ErrorAfter => "500",
            Self::Drop | Self::DropBefore => "drop",
            Self::Hang => "hang",
        }
    }
}

/// The failure of one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) kind: FailureKind,
    /// The `Retry-After` of 429 and 503, in seconds.
    pub(crate) retry_after: u32,
}

/// `POST /control/failures`: how the next calls fail.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct PlannedFailure {
    kind: FailureKind,
    /// Only calls with this method fail.
    method: Option<String>,
    /// Only calls about messages to this number fail.
    to: Option<String>,
    /// How many calls fail.
    #[serde(default = "one")]
    times: u32,
    #[serde(default = "one")]
    retry_after: u32,
}

/// `POST /control/random-failures`: calls fail at random. With the same seed, calls about the same number fail in the
/// same way, whatever the order of calls.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct RandomFailures {
    /// The share of calls that fail, from 0 to 1.
    rate: f64,
    seed: u64,
    kinds: Vec<FailureKind>,
    /// The most calls about one number that fail.
    at_most_per_number: u32,
    /// Whether lists fail too, and not only sending.
    #[serde(default)]
    lists: bool,
    #[serde(default = "one")]
    retry_after: u32,
    #[serde(skip)]
    counts: HashMap<Box<str>, Count>,
}

#[derive(Debug, Default)]
struct Count {
    calls: u32,
    failures: u32,
}

fn one() -> u32 {
    1
}

#[derive(Default)]
pub(crate) struct Failures {
    planned: FailureQueue<PlannedFailure>,
    random: Shared<Option<RandomFailures>>,
}

impl Failures {
    pub(crate) fn add(&self, planned: PlannedFailure) {
        self.planned.add(planned.times, planned);
    }

    pub(crate) fn set_random(&self, random: RandomFailures) {
        *self.random.lock() = Some(random);
    }

    pub(crate) fn clear(&self) {
        self.planned.clear();
        *self.random.lock() = None;
    }

    /// The failure of this call about messages to a number, if it is to fail.
    pub(crate) fn take(&self, method: &str, to: &str) -> Option<Failure> {
        let planned = self.planned.take(|planned| {
            planned.method.as_deref().is_none_or(|wanted| wanted == method)
                && planned.to.as_deref().is_none_or(|wanted| wanted == to)
        });
        match planned {
            Some(planned) => Some(Failure {
                kind: planned.kind,
                retry_after: planned.retry_after,
            }),
            None => self.random.lock().as_mut()?.take(method, to),
        }
    }
}

impl RandomFailures {
    fn take(&mut self, method: &str, to: &str) -> Option<Failure> {
        if method != "POST" && !self.lists {
            return None;
        }
        if !self.counts.contains_key(to) {
            self.counts.insert(to.into(), Count::default());
        }
        let count = self.counts.get_mut(to)?;
        count.calls += 1;
        let (chance, choice) = draw(self.seed, to, count.calls);
        if count.failures >= self.at_most_per_number || chance >= self.rate {
            return None;
        }
        count.failures += 1;
        let kind = *self.kinds.get(choice % self.kinds.len().max(1))?;
        Some(Failure {
            kind,
            retry_after: self.retry_after,
        })
    }
}

/// A random number from 0 to 1, and another to choose the kind of failure.
fn draw(seed: u64, to: &str, call: u32) -> (f64, usize) {
    let mut hash = Sha256::new();
    hash.update(seed.to_be_bytes());
    hash.update(call.to_be_bytes());
    hash.update(to);
    let [a, b, c, d, choice, ..]: [u8; 32] = hash.finalize().into();
    let chance = f64::from(u32::from_be_bytes([a, b, c, d])) / f64::from(u32::MAX);
    (chance, choice.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn random_failures(change: serde_json::Value) -> RandomFailures {
        let mut settings = json!({
            "rate": 0.3, "seed": 7, "kinds": ["tooMany", "drop", "errorAfter"], "atMostPerNumber": 2,
        });
        settings
            .as_object_mut()
            .unwrap()
            .extend(change.as_object().unwrap().clone());
        serde_json::from_value(settings).unwrap()
    }

    #[test]
    fn failures_have_the_requested_rate_and_kinds_and_repeat_with_the_same_seed() {
        let numbers: Vec<String> = (0..5000).map(|n| format!("+1555{n:07}")).collect();
        let results = |seed: u64| -> Vec<Option<Failure>> {
            let mut random = random_failures(json!({ "seed": seed }));
            numbers.iter().map(|to| random.take("POST", to)).collect()
        };
        let first = results(7);
        let failed = first.iter().flatten().count();
        assert!((1350..1650).contains(&failed), "{failed}");
        for kind in [FailureKind::TooMany, FailureKind::Drop, FailureKind::ErrorAfter] {
            let of_this_kind = first.iter().flatten().filter(|failure| failure.kind == kind);
            assert!(of_this_kind.count() > 400, "{kind:?}");
        }
        assert_eq!(first, results(7));
        assert_ne!(first, results(8));
    }

    #[test]
    fn a_number_fails_no_more_often_than_allowed_and_lists_fail_only_on_request() {
        let mut always = random_failures(json!({"rate": 1.1}));
        let failed = (0..9).filter(|_| always.take("POST", "+15551230001").is_some());
        assert_eq!(failed.count(), 2);
        assert_eq!(always.take("GET", "+15551230002"), None);
        let mut lists = random_failures(json!({"rate": 1.1, "lists": true}));
        assert!(lists.take("GET", "+15551230002").is_some());
    }

    #[test]
    fn planned_failures_happen_to_as_many_calls_about_the_number_as_planned() {
        let failures = Failures::default();
        let plan = json!({"kind": "drop", "times": 2, "to": "+15551230001", "method": "POST"});
        failures.add(serde_json::from_value(plan).unwrap());
        assert_eq!(failures.take("POST", "+15551230002"), None);
        assert_eq!(failures.take("GET", "+15551230001"), None);
        for expected in [true, true, false] {
            assert_eq!(failures.take("POST", "+15551230001").is_some(), expected);
        }
    }
}
