//! One use case on a thread that may wait, bounded in time.

use crate::ApiError;
use actix_web::web;
use std::time::{Duration, Instant};
use tokio::time::timeout;
use tracing::Span;

/// How long a request waits for the store in all. Whatever hangs there, its 503 is out within 3 s.
pub const DEADLINE: Duration = Duration::from_millis(2_500);

/// Runs a use case and turns its error into an answer.
///
/// The server has as many threads for this as the store has connections; further ones wait in its queue. There is no
/// other queue on purpose: a thread that is done takes the next one without waking anybody.
pub(crate) async fn blocking<T, E>(
    work: impl FnOnce() -> Result<T, E> + Send + 'static,
) -> Result<T, ApiError>
where
    T: Send + 'static,
    E: Into<ApiError> + Send + 'static,
{
    let deadline = Instant::now() + DEADLINE;
    let span = Span::current();
    let task = web::block(move || {
        // Who asked has been told that it failed, so it must not be done after all.
        if Instant::now() >= deadline {
            return Err(ApiError::Unavailable);
        }
        span.in_scope(|| work().map_err(Into::into))
    });
    match timeout(DEADLINE, task).await {
        Ok(Ok(result)) => result,
        Ok(Err(_panicked_or_stopping)) => Err(ApiError::Internal),
        Err(_elapsed) => {
            tracing::warn!("the store did not answer in time");
            Err(ApiError::Unavailable)
        }
    }
}
