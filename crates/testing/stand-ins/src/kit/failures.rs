use crate::kit::Shared;

/// Failures that a test has planned for the next API calls, each for a number of calls.
#[derive(Debug)]
pub struct FailureQueue<F>(Shared<Vec<Planned<F>>>);

struct Planned<F> {
    calls_left: u32,
    failure: F,
}

impl<F> Default for FailureQueue<F> {
    fn default() -> Self {
        Self(Shared::new(Vec::new()))
    }
}

impl<F: Clone> FailureQueue<F> {
    /// Plans a failure for this many calls.
    pub fn add(&self, calls: u32, failure: F) {
        self.0.lock().push(Planned {
            calls_left: calls,
            failure,
        });
    }

    /// Takes the oldest failure that matches a call.
    pub fn take(&self, matches: impl Fn(&F) -> bool) -> Option<F> {
        let mut queue = self.0.lock();
        queue.retain(|planned| planned.calls_left > 0);
        let planned = queue.iter_mut().find(|planned| matches(&planned.failure))?;
        planned.calls_left -= 1;
        Some(planned.failure.clone())
    }

    /// Forgets all planned failures.
    pub fn clear(&self) {
        self.0.lock().clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_happens_to_as_many_matching_calls_as_planned() {
        let queue = FailureQueue::default();
        queue.add(2, "POST");
        queue.add(1, "GET");
        queue.add(0, "PUT");
        assert_eq!(queue.take(|failure| *failure == "PUT"), None);
        assert_eq!(queue.take(|failure| *failure == "GET"), Some("GET"));
        for expected in [Some("POST"), Some("POST"), None] {
            assert_eq!(queue.take(|_| true), expected);
        }
        queue.add(1, "POST");
        queue.clear();
        assert_eq!(queue.take(|_| true), None);
    }
}
