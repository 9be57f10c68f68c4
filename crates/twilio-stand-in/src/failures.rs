//! Failures on demand, and by chance.

use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum FailureKind {
    /// 429, and nothing is done.
    TooMany,
    /// 503 with `Retry-After`, and nothing is done.
    Unavailable,
    /// 500, and nothing is done.
    Error,
    /// 500, and yet what was asked is done.
    ErrorAfter,
    /// What was asked is done, and the connection breaks before an answer.
    Drop,
    /// Nothing is done, and the connection breaks before an answer.
    DropBefore,
    /// What was asked is done, and no answer comes.
    Hang,
}

impl FailureKind {
    /// Whether what was asked is done all the same.
    pub(crate) fn is_done(self) -> bool {
        matches!(self, Self::ErrorAfter | Self::Drop | Self::Hang)
    }

    /// What the caller is given, in the count of calls.
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

/// What happens to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) kind: FailureKind,
    /// In seconds; said with 429 and 503.
    pub(crate) retry_after: u32,
}

/// `POST /control/failures`: what happens to the next calls.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Planned {
    kind: FailureKind,
    /// Only calls with this method.
    method: Option<String>,
    /// Only calls about texts to this number.
    to: Option<String>,
    /// How many calls.
    #[serde(default = "one")]
    times: u32,
    #[serde(default = "one")]
    retry_after: u32,
}

/// `POST /control/random-failures`: what happens to calls by chance. The same seed gives each number the same fate,
/// in whatever order the calls come.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Random {
    /// From 0 to 1.
    rate: f64,
    seed: u64,
    kinds: Vec<FailureKind>,
    /// How many calls about one number fail at most.
    at_most_per_number: u32,
    /// Whether lists fail too, and not only sending.
    #[serde(default)]
    lists: bool,
    #[serde(default = "one")]
    retry_after: u32,
    #[serde(skip)]
    so_far: HashMap<Box<str>, Count>,
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
pub(crate) struct Failures(Mutex<Plan>);

#[derive(Default)]
struct Plan {
    planned: Vec<Planned>,
    random: Option<Random>,
}

impl Failures {
    pub(crate) fn add(&self, planned: Planned) {
        self.plan().planned.push(planned);
    }

    pub(crate) fn set_random(&self, random: Random) {
        self.plan().random = Some(random);
    }

    pub(crate) fn clear(&self) {
        *self.plan() = Plan::default();
    }

    /// What is to happen to this call about texts to that number.
    pub(crate) fn take(&self, method: &str, to: &str) -> Option<Failure> {
        let mut plan = self.plan();
        take_planned(&mut plan.planned, method, to).or_else(|| plan.random.as_mut()?.take(method, to))
    }

    fn plan(&self) -> MutexGuard<'_, Plan> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn take_planned(planned: &mut Vec<Planned>, method: &str, to: &str) -> Option<Failure> {
    let index = planned.iter().position(|planned| {
        planned.method.as_deref().is_none_or(|wanted| wanted == method)
            && planned.to.as_deref().is_none_or(|wanted| wanted == to)
    })?;
    let found = planned.get_mut(index)?;
    let failure = Failure {
        kind: found.kind,
        retry_after: found.retry_after,
    };
    found.times = found.times.saturating_sub(1);
    if found.times == 0 {
        planned.remove(index);
    }
    Some(failure)
}

impl Random {
    fn take(&mut self, method: &str, to: &str) -> Option<Failure> {
        if method != "POST" && !self.lists {
            return None;
        }
        if !self.so_far.contains_key(to) {
            self.so_far.insert(to.into(), Count::default());
        }
        let count = self.so_far.get_mut(to)?;
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

/// A number from 0 to 1, and another to choose with.
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

    fn random(change: serde_json::Value) -> Random {
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
    fn about_as_many_fail_as_asked_for_in_every_way_and_the_same_with_the_same_seed() {
        let numbers: Vec<String> = (0..5000).map(|n| format!("+1555{n:07}")).collect();
        let fates = |seed: u64| -> Vec<Option<Failure>> {
            let mut random = random(json!({ "seed": seed }));
            numbers.iter().map(|to| random.take("POST", to)).collect()
        };
        let first = fates(7);
        let failed = first.iter().flatten().count();
        assert!((1350..1650).contains(&failed), "{failed}");
        for kind in [FailureKind::TooMany, FailureKind::Drop, FailureKind::ErrorAfter] {
            let such = first.iter().flatten().filter(|failure| failure.kind == kind);
            assert!(such.count() > 400, "{kind:?}");
        }
        assert_eq!(first, fates(7));
        assert_ne!(first, fates(8));
    }

    #[test]
    fn a_number_fails_no_more_often_than_asked_for_and_lists_only_if_asked_for() {
        let mut always = random(json!({"rate": 1.1}));
        let failed = (0..9).filter(|_| always.take("POST", "+15551230001").is_some());
        assert_eq!(failed.count(), 2);
        assert_eq!(always.take("GET", "+15551230002"), None);
        let mut lists = random(json!({"rate": 1.1, "lists": true}));
        assert!(lists.take("GET", "+15551230002").is_some());
    }

    #[test]
    fn planned_failures_happen_as_often_as_planned_and_to_whom() {
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
