use std::future::Future;

/// Why a step has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// No thread was free in time. The step has not run and will not run.
    #[error("no thread was free in time")]
    Busy,
    /// The step took too long. It may still be running, and may still succeed.
    #[error("the step did not end in time")]
    TimedOut,
    /// The step panicked.
    #[error("the step panicked")]
    Panicked,
}

/// Threads that may block. An asynchronous flow runs each step that uses the store on one of them.
pub trait Runner {
    /// Runs a step and returns its result, within the runner's own deadline.
    ///
    /// # Errors
    /// [`RunError`] when there is no result.
    fn run<T: Send + 'static>(
        &self,
        step: impl FnOnce() -> T + Send + 'static,
    ) -> impl Future<Output = Result<T, RunError>>;
}
