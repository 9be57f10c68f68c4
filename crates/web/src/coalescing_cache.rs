//! A cache that computes a value once for all concurrent readers.

use crate::ApiError;
use actix_web::web::Bytes;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// The maximum age of a value.
const FRESH: Duration = Duration::from_secs(1);

/// The latest value. It is computed by one reader at a time and at most once a second.
#[derive(Default)]
pub struct CoalescingCache(Mutex<Option<(Instant, Bytes)>>);

impl CoalescingCache {
    /// The latest value if it is fresh, or else the result of `compute`. An error is not cached.
    pub(crate) async fn get(
        &self,
        compute: impl AsyncFnOnce() -> Result<Bytes, ApiError>,
    ) -> Result<Bytes, ApiError> {
        let mut latest = self.0.lock().await;
        if let Some((since, answer)) = &*latest
            && since.elapsed() < FRESH
        {
            return Ok(answer.clone());
        }
        // The age of a value counts from the beginning of its computation.
        let since = Instant::now();
        let answer = compute().await?;
        *latest = Some((since, answer.clone()));
        Ok(answer)
    }

    /// Drops the value after a change, so that the next reader sees the change.
    pub(crate) async fn invalidate(&self) {
        *self.0.lock().await = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::future::join_all;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[actix_web::test]
    async fn a_hundred_readers_share_one_computation() {
        let (latest, computed) = (CoalescingCache::default(), AtomicU32::new(0));
        let compute = async || {
            computed.fetch_add(1, Ordering::Relaxed);
            tokio::task::yield_now().await;
            Ok(Bytes::from_static(b"answer"))
        };
        let answers = join_all((0..100).map(|_| latest.get(compute))).await;
        assert!(answers.iter().all(|answer| answer.as_deref() == Ok(b"answer")));
        assert_eq!(computed.load(Ordering::Relaxed), 1);
        latest.invalidate().await;
        latest.get(compute).await.unwrap();
        assert_eq!(computed.load(Ordering::Relaxed), 2);
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
}
