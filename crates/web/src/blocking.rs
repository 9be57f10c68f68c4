//! One use case at a time on a thread that may wait, bounded in number and time.

use crate::ApiError;
use actix_web::web;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout_at};
use tracing::Span;

/// How long a request waits for the store in all. Whatever hangs there, its 503 is out within 3 s.
pub const DEADLINE: Duration = Duration::from_millis(2_500);

/// Lets as many flows at the store as it has connections; the others wait without holding a thread.
#[derive(Clone)]
pub struct Admission(Arc<Semaphore>);

impl Admission {
    /// For a store with this many connections.
    pub fn new(connections: u32) -> Self {
        Self(Arc::new(Semaphore::new(connections as usize)))
    }

    /// Runs a use case and turns its error into an answer.
    pub(crate) async fn run<T, E>(
        &self,
        work: impl FnOnce() -> Result<T, E> + Send + 'static,
    ) -> Result<T, ApiError>
    where
        T: Send + 'static,
        E: Into<ApiError> + Send + 'static,
    {
        let deadline = Instant::now() + DEADLINE;
        let permit = timeout_at(deadline, self.0.clone().acquire_owned()).await;
        let Ok(Ok(permit)) = permit else {
            tracing::warn!("no connection became free in time");
            return Err(ApiError::Unavailable);
        };
        let span = Span::current();
        let task = web::block(move || {
            // Held by the thread, not by the request: a thread that hangs still has its connection.
            let _permit = permit;
            span.in_scope(work)
        });
        match timeout_at(deadline, task).await {
            Ok(Ok(result)) => result.map_err(Into::into),
            Ok(Err(_panicked_or_stopping)) => Err(ApiError::Internal),
            Err(_elapsed) => {
                tracing::warn!("the store did not answer in time");
                Err(ApiError::Unavailable)
            }
        }
    }
}
