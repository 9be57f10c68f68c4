//! Storing the events of visits: spec sections 5 and 7, D26 to D28.

use analytics::{Collection, Event};
use kernel::{StoreError, UnitOfWork};

/// Stores events, all or nothing. Events are committed when this returns.
pub fn collect<S>(store: &S, events: &[Event]) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: Collection>,
{
    store.transaction(|tx| tx.collect(events))
}
