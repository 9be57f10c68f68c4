//! Storing the events of visits.

use analytics::{Collection, Event};
use kernel::{StoreError, UnitOfWork};

/// Stores events, all or nothing. Events are committed when this returns.
///
/// # Errors
/// [`StoreError`]. Nothing is stored then, except perhaps if the connection was lost during the commit.
pub fn collect<S>(store: &S, events: &[Event]) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: Collection>,
{
    store.transaction(|tx| tx.collect(events))
}
