//! An answer that many want, worked out once for all of them.

use crate::ApiError;
use actix_web::web::Bytes;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// How old an answer may be.
const FRESH: Duration = Duration::from_secs(1);

/// The latest answer. However many ask, it is worked out once at a time and once a second at most.
#[derive(Default)]
pub struct CoalescingCache(Mutex<Option<(Instant, Bytes)>>);

impl CoalescingCache {
    /// The latest answer, if it is fresh, else what `work_out` gives. An error is nobody else's.
    pub(crate) async fn get(
        &self,
        work_out: impl AsyncFnOnce() -> Result<Bytes, ApiError>,
    ) -> Result<Bytes, ApiError> {
        let mut latest = self.0.lock().await;
        if let Some((since, answer)) = &*latest
            && since.elapsed() < FRESH
        {
            return Ok(answer.clone());
        }
        // From before the work began: what happens meanwhile is not in it.
        let since = Instant::now();
        let answer = work_out().await?;
        *latest = Some((since, answer.clone()));
        Ok(answer)
    }

    /// Something has changed that its reader has just done.
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
    async fn a_hundred_readers_cost_one_answer() {
        let (latest, worked) = (CoalescingCache::default(), AtomicU32::new(0));
        let work_out = async || {
            worked.fetch_add(1, Ordering::Relaxed);
            tokio::task::yield_now().await;
            Ok(Bytes::from_static(b"answer"))
        };
        let answers = join_all((0..100).map(|_| latest.get(work_out))).await;
        assert!(answers.iter().all(|answer| answer.as_deref() == Ok(b"answer")));
        assert_eq!(worked.load(Ordering::Relaxed), 1);
        latest.invalidate().await;
        latest.get(work_out).await.unwrap();
        assert_eq!(worked.load(Ordering::Relaxed), 2);
    }

    #[actix_web::test]
    async fn an_error_is_not_kept() {
        let latest = CoalescingCache::default();
        assert_eq!(
            latest.get(async || Err(ApiError::unavailable())).await,
            Err(ApiError::unavailable())
        );
        assert!(latest.get(async || Ok(Bytes::new())).await.is_ok());
    }
}
