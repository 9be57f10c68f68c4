//! A cache that computes a value once for all concurrent readers.

use crate::ApiError;
use actix_web::web::Bytes;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::Instant;

/// The maximum age of a value, unless another is given.
const FRESH: Duration = Duration::from_secs(1);

type Answer = Result<Bytes, ApiError>;

/// The latest value. One reader computes it, at most once a second or as rarely as was asked for, and everybody who comes
/// meanwhile gets its outcome, a value or an error. Nobody waits for more than one computation that began before the reader
/// came.
pub struct CoalescingCache {
    fresh: Duration,
    state: Mutex<State>,
}

impl Default for CoalescingCache {
    fn default() -> Self {
        Self::lasting(FRESH)
    }
}

#[derive(Default)]
struct State {
    latest: Option<(Instant, Bytes)>,
    /// The outcome of the computation that runs, once it has ended.
    running: Option<watch::Receiver<Option<Answer>>>,
    /// How often the value was invalidated.
    changes: u64,
}

/// What a reader has to do.
enum Turn {
    Answer(Bytes),
    Wait(watch::Receiver<Option<Answer>>),
    /// Compute; the number of changes by now.
    Compute(watch::Sender<Option<Answer>>, u64),
}

impl CoalescingCache {
    /// A cache whose values are at most this old.
    pub fn lasting(fresh: Duration) -> Self {
        Self {
            fresh,
            state: Mutex::default(),
        }
    }

    /// The latest value if it is fresh, or else the result of `compute`. An error is not cached.
    pub(crate) async fn get(&self, compute: impl AsyncFnOnce() -> Answer) -> Answer {
        loop {
            match self.take_turn() {
                Turn::Answer(value) => return Ok(value),
                Turn::Wait(mut running) => {
                    let answer = running.wait_for(Option::is_some).await;
                    if let Ok(Some(answer)) = answer.map(|answer| answer.clone()) {
                        return answer;
                    }
                    // The request that computed was dropped, so somebody else has to.
                }
                Turn::Compute(outcome, changes) => {
                    // The age of a value counts from the beginning of its computation.
                    let since = Instant::now();
                    let answer = compute().await;
                    self.finish(since, changes, &answer);
                    outcome.send_replace(Some(answer.clone()));
                    return answer;
                }
            }
        }
    }

    /// Drops the value after a change, so that the next reader sees the change. A computation that runs may have missed
    /// it, so its value is neither kept nor shared with later readers.
    pub(crate) async fn invalidate(&self) {
        let mut state = self.lock();
        state.latest = None;
        state.running = None;
        state.changes += 1;
    }

    fn take_turn(&self) -> Turn {
        let mut state = self.lock();
        if let Some((since, value)) = &state.latest
            && since.elapsed() < self.fresh
        {
            return Turn::Answer(value.clone());
        }
        // Without a sender, the computation was dropped.
        if let Some(running) = &state.running
            && (running.borrow().is_some() || running.has_changed().is_ok())
        {
            return Turn::Wait(running.clone());
        }
        let (outcome, running) = watch::channel(None);
        state.running = Some(running);
        Turn::Compute(outcome, state.changes)
    }

    fn finish(&self, since: Instant, changes: u64, answer: &Answer) {
        let mut state = self.lock();
        if state.changes != changes {
            return;
        }
        state.running = None;
        if let Ok(value) = answer {
            state.latest = Some((since, value.clone()));
        }
    }

    /// Held for a moment, never while something is computed.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::future::{join, join_all};
    use std::sync::atomic::{AtomicU32, Ordering};
    use tokio::time::{advance, pause, sleep, timeout};

    const ANSWER: Bytes = Bytes::from_static(b"answer");

    #[actix_web::test]
    async fn a_hundred_readers_share_one_computation() {
        pause();
        let (latest, computed) = (CoalescingCache::default(), AtomicU32::new(0));
        let compute = async || {
            computed.fetch_add(1, Ordering::Relaxed);
            tokio::task::yield_now().await;
            Ok(ANSWER)
        };
        let answers = join_all((0..100).map(|_| latest.get(compute))).await;
        assert!(answers.iter().all(|answer| answer.as_deref() == Ok(b"answer")));
        assert_eq!(computed.load(Ordering::Relaxed), 1);
        latest.invalidate().await;
        latest.get(compute).await.unwrap();
        assert_eq!(computed.load(Ordering::Relaxed), 2);
    }

    #[actix_web::test]
    async fn a_hundred_readers_wait_for_one_computation_that_fails() {
        pause();
        let latest = CoalescingCache::default();
        let compute = async || {
            sleep(Duration::from_millis(2_500)).await;
            Err(ApiError::unavailable())
        };
        let started = Instant::now();
        let answers = join_all((0..100).map(|_| latest.get(compute))).await;
        assert!(
            answers
                .iter()
                .all(|answer| *answer == Err(ApiError::unavailable()))
        );
        let waited = started.elapsed();
        assert!(waited < Duration::from_secs(3), "{waited:?}");
    }

    #[actix_web::test]
    async fn an_error_is_not_cached() {
        let latest = CoalescingCache::default();
        assert_eq!(
            latest.get(async || Err(ApiError::unavailable())).await,
            Err(ApiError::unavailable())
        );
        assert!(latest.get(async || Ok(Bytes::new())).await.is_ok());
    }

    #[actix_web::test]
    async fn a_value_is_computed_again_after_a_second() {
        pause();
        let latest = CoalescingCache::default();
        latest.get(async || Ok(ANSWER)).await.unwrap();
        assert_eq!(latest.get(async || Ok(Bytes::new())).await, Ok(ANSWER));
        advance(FRESH).await;
        assert_eq!(latest.get(async || Ok(Bytes::new())).await, Ok(Bytes::new()));
    }

    #[actix_web::test]
    async fn somebody_else_computes_when_the_first_reader_leaves() {
        pause();
        let latest = CoalescingCache::default();
        let leaves = timeout(Duration::from_secs(1), latest.get(std::future::pending));
        let stays = latest.get(async || Ok(ANSWER));
        let (left, stayed) = join(leaves, stays).await;
        assert!(left.is_err());
        assert_eq!(stayed, Ok(ANSWER));
    }

    #[actix_web::test]
    async fn a_value_from_before_a_change_is_not_kept() {
        pause();
        let latest = CoalescingCache::default();
        let old = latest.get(async || {
            sleep(Duration::from_millis(100)).await;
            Ok(ANSWER)
        });
        let change = async {
            sleep(Duration::from_millis(50)).await;
            latest.invalidate().await;
            latest.get(async || Ok(Bytes::new())).await
        };
        let (old, new) = join(old, change).await;
        assert_eq!((old, new), (Ok(ANSWER), Ok(Bytes::new())));
        assert_eq!(latest.get(async || Ok(ANSWER)).await, Ok(Bytes::new()));
    }
}
