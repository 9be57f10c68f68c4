use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A value that requests share, behind a mutex. A panic while it is locked does not make it unusable.
#[derive(Default)]
pub struct Shared<T>(Mutex<T>);

impl<T> Shared<T> {
    /// Puts a value behind a mutex.
    pub fn new(value: T) -> Self {
        Self(Mutex::new(value))
    }

    /// Locks the value.
    pub fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Shared")
    }
}
