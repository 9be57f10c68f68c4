//! What several flows need: a member of staff, and runners.

use staff::{Actor, SessionId};
use usecases::{RunError, Runner};

/// Somebody who is signed in to the console.
pub(crate) const STAFF: Actor = Actor {
    member: None,
    session: SessionId::new(1),
    address: None,
};

/// Runs each step at once.
#[derive(Clone)]
pub(crate) struct InlineRunner;

impl Runner for InlineRunner {
    async fn run<T: Send + 'static>(&self, step: impl FnOnce() -> T + Send + 'static) -> Result<T, RunError> {
        Ok(step())
    }
}

/// Has no thread for any step.
#[derive(Clone)]
pub(crate) struct StuckRunner;

impl Runner for StuckRunner {
    async fn run<T: Send + 'static>(&self, _: impl FnOnce() -> T + Send + 'static) -> Result<T, RunError> {
        Err(RunError::TimedOut)
    }
}
