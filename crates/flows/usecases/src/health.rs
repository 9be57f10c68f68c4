//! Health checks for operators.

use kernel::{StoreError, UnitOfWork, WriteProbe};

/// Commits a write that stores nothing. It waits for whatever the commit of a visitor's write waits for.
///
/// # Errors
/// [`StoreError`] when the store cannot be written.
pub fn probe_write<S>(store: &S) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: WriteProbe>,
{
    store.transaction(|tx| tx.probe_write())
}
