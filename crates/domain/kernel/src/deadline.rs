//! The deadline of the work that the current thread runs.
//!
//! A request gives up at a moment, and what runs for it then must not keep a thread or a connection. The deadline is a
//! property of the thread and not an argument of every flow, because no rule depends on it: the pool of threads sets
//! it, and the store's adapter, which bounds its statements by it, reads it. Stores are synchronous, so one piece of
//! work never moves to another thread.

use std::cell::Cell;
use std::time::{Duration, Instant};

thread_local! {
    static DEADLINE: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Runs work that must end by `deadline`. A nested call cannot extend the deadline.
pub fn run_until<T>(deadline: Instant, work: impl FnOnce() -> T) -> T {
    let outer = DEADLINE.get();
    let _restore = Restore(outer);
    DEADLINE.set(Some(outer.map_or(deadline, |outer| outer.min(deadline))));
    work()
}

/// How much time the current work has left, or `None` if it has no deadline. Zero when the deadline has passed.
pub fn time_left() -> Option<Duration> {
    let deadline = DEADLINE.get()?;
    Some(deadline.saturating_duration_since(Instant::now()))
}

/// Restores the outer deadline, also after a panic.
struct Restore(Option<Instant>);

impl Drop for Restore {
    fn drop(&mut self) {
        DEADLINE.set(self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

    const HOUR: Duration = Duration::from_secs(3600);

    #[test]
    fn work_has_a_deadline_only_while_it_runs() {
        assert_eq!(time_left(), None);
        let left = run_until(Instant::now() + HOUR, time_left).unwrap();
        assert!(left <= HOUR && left > HOUR / 2, "{left:?}");
        assert_eq!(run_until(Instant::now(), time_left), Some(Duration::ZERO));
        let panicked = catch_unwind(|| run_until(Instant::now(), || panic!("on purpose")));
        assert!(panicked.is_err());
        assert_eq!(time_left(), None);
    }

    #[test]
    fn a_nested_call_cannot_extend_the_deadline() {
        let now = Instant::now();
        let extended = || run_until(now + HOUR, time_left);
        assert_eq!(run_until(now, extended), Some(Duration::ZERO));
        let (shortened, outer) = run_until(now + HOUR, || (run_until(now, time_left), time_left()));
        assert_eq!(shortened, Some(Duration::ZERO));
        assert!(outer.unwrap() > HOUR / 2);
    }
}
