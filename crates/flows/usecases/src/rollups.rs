//! Folding events into the roll-ups, and verifying them.

use analytics::{Folded, Rollups, Settling};
use chrono_tz::Tz;
use kernel::{StoreError, UnitOfWork};

/// The maximum number of passes in one call, so that it ends even if views keep arriving.
const PASSES: usize = 50;
/// The maximum number of passes while a request waits. The second pass folds the steps that views added.
const REQUEST_PASSES: usize = 2;

/// Folds new events into the roll-ups. Hours begin in the time zone `zone`.
///
/// # Errors
/// [`StoreError`]; earlier passes stay folded.
pub fn fold<S>(store: &S, zone: Tz) -> Result<Folded, StoreError>
where
    S: UnitOfWork<Tx: Rollups>,
{
    run_passes(store, zone, PASSES, |folded| {
        matches!(folded, Folded::Part | Folded::AllButSteps)
    })
}

/// Like [`fold`], for a caller that calls again soon: steps that views added are left for the next call, to save a pass.
///
/// # Errors
/// As [`fold`].
pub fn fold_often<S>(store: &S, zone: Tz) -> Result<Folded, StoreError>
where
    S: UnitOfWork<Tx: Rollups>,
{
    run_passes(store, zone, PASSES, |folded| folded == Folded::Part)
}

/// Folds the newest events, so that a screen shows them. The background worker folds the rest.
///
/// # Errors
/// As [`fold`].
pub(crate) fn catch_up<S>(store: &S, zone: Tz) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: Rollups>,
{
    run_passes(store, zone, REQUEST_PASSES, |folded| {
        folded == Folded::AllButSteps
    })
    .map(drop)
}

fn run_passes<S>(
    store: &S,
    zone: Tz,
    max_passes: usize,
    again: fn(Folded) -> bool,
) -> Result<Folded, StoreError>
where
    S: UnitOfWork<Tx: Rollups>,
{
    let mut folded = Folded::Busy;
    let mut rest = None;
    for _ in 0..max_passes {
        // Two transactions: writers wait while the first one settles, and must not wait while the second one folds.
        let settling = match rest {
            Some(settled) => Settling::Settled(settled),
            None => store.transaction(|tx| tx.settle_new())?,
        };
        let settled = match settling {
            Settling::Settled(settled) => settled,
            Settling::UpToDate => return Ok(Folded::All),
            Settling::Busy => return Ok(Folded::Busy),
        };
        folded = store.transaction(|tx| tx.fold(&settled, zone))?;
        if !again(folded) {
            break;
        }
        // The next pass folds more of what is settled, so that writers wait once for all of it.
        rest = (folded == Folded::Part).then_some(settled);
    }
    Ok(folded)
}

/// Counts everything again, and returns the differences. There are none unless there is a bug.
pub fn verify<S>(store: &S, zone: Tz) -> Result<Vec<String>, StoreError>
where
    S: UnitOfWork<Tx: Rollups>,
{
    store.transaction(|tx| tx.differences(zone))
}

/// Rebuilds the roll-ups, such as after a change of the time zone.
///
/// # Errors
/// [`StoreError::Conflict`] when writers did not pause in time; nothing has changed then.
pub fn rebuild<S>(store: &S, zone: Tz) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: Rollups>,
{
    let settled = store.transaction(|tx| tx.settle())?.ok_or(StoreError::Conflict)?;
    store.transaction(|tx| tx.rebuild(&settled, zone))
}
