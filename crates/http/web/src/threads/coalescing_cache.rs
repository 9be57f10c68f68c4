//! A cache that computes a value once for all concurrent readers.

use crate::ApiError;
use actix_web::web::Bytes;
use moka::future::Cache;
use moka::policy::EvictionPolicy;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How long a value is kept, unless another time is given.
const FRESH: Duration = Duration::from_secs(1);

type Answer = Result<Bytes, ApiError>;

/// The latest value. One reader computes it, at most once a second or as rarely as was asked for, and everybody who comes
/// meanwhile gets its outcome, a value or an error.
pub struct CoalescingCache {
    /// By the number of changes before its computation began. So a value that may have missed a change is not found after it,
    /// neither when it is there nor while it is computed.
    values: Cache<u64, Bytes>,
    changes: AtomicU64,
}

impl Default for CoalescingCache {
    fn default() -> Self {
        Self::lasting(FRESH)
    }
}

impl CoalescingCache {
    /// A cache that keeps a value for so long.
    pub fn lasting(fresh: Duration) -> Self {
        let values = Cache::builder()
            .time_to_live(fresh)
            .max_capacity(2)
            .eviction_policy(EvictionPolicy::lru());
        Self {
            values: values.build(),
            changes: AtomicU64::default(),
        }
    }

    /// The latest value if it is fresh, or else the result of `compute`. An error is not cached.
    pub(crate) async fn get(&self, compute: impl AsyncFnOnce() -> Answer) -> Answer {
        let changes = self.changes.load(Ordering::Acquire);
        let answer = self.values.try_get_with(changes, compute()).await;
        answer.map_err(|error| ApiError::clone(&error))
    }

    /// Drops the value after a change, so that the next reader sees the change.
    pub(crate) fn invalidate(&self) {
        self.changes.fetch_add(1, Ordering::AcqRel);
    }
}

/// The latest dashboard: one for those who are shown addresses, and one for viewers.
#[derive(Default)]
pub struct DashboardCache {
    whole: CoalescingCache,
    for_viewers: CoalescingCache,
}

impl DashboardCache {
    /// The one without addresses unless the reader is shown them.
    pub(crate) const fn shown_to(&self, sees_addresses: bool) -> &CoalescingCache {
        match sees_addresses {
            true => &self.whole,
            false => &self.for_viewers,
        }
    }

    /// Drops both, as [`CoalescingCache::invalidate`].
    pub(crate) fn invalidate(&self) {
        self.whole.invalidate();
        self.for_viewers.invalidate();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::future::{join, join_all};
    use std::sync::atomic::{AtomicU32, Ordering};
    use tokio::time::{Instant, pause, sleep, timeout};

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
        latest.invalidate();
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
    async fn a_value_is_kept_until_it_is_old() {
        let latest = CoalescingCache::lasting(Duration::from_secs(3_600));
        latest.get(async || Ok(ANSWER)).await.unwrap();
        assert_eq!(latest.get(async || Ok(Bytes::new())).await, Ok(ANSWER));
        // moka's clock cannot be paused.
        let latest = CoalescingCache::lasting(Duration::from_millis(1));
        latest.get(async || Ok(ANSWER)).await.unwrap();
        while latest.get(async || Ok(Bytes::new())).await == Ok(ANSWER) {}
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
            latest.invalidate();
            latest.get(async || Ok(Bytes::new())).await
        };
        let (old, new) = join(old, change).await;
        assert_eq!((old, new), (Ok(ANSWER), Ok(Bytes::new())));
        assert_eq!(latest.get(async || Ok(ANSWER)).await, Ok(Bytes::new()));
    }
}
