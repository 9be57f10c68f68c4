//! Storing the events of visits.

use analytics::{Collection, Event, NewView};
use kernel::{StoreError, UnitOfWork};
use std::borrow::Borrow;

/// Stores events, all or nothing. Events are committed when this returns.
///
/// # Errors
/// [`StoreError`]. Nothing is stored then, except perhaps if the connection was lost during the commit.
pub fn collect<S>(store: &S, events: &[impl Borrow<Event>]) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: Collection>,
{
    if let Some(views) = first_views(events) {
        match store.statement(|tx| tx.add_views(&views)) {
            Err(StoreError::Conflict) => {}
            stored => return stored,
        }
    }
    store.transaction(|tx| tx.collect(events))
}

/// The events as views, if each is probably the first one of its session. During a rush most of them are.
fn first_views(events: &[impl Borrow<Event>]) -> Option<Vec<&NewView>> {
    let views = events.iter().map(|event| match event.borrow() {
        Event::View(view) if view.is_probably_first() => Some(view),
        _ => None,
    });
    views.collect()
}
