//! Keeping the roll-ups up to date, and proving them.

use analytics::{Folded, Rollups};
use chrono_tz::Tz;
use kernel::{StoreError, UnitOfWork};

/// How many times one call settles and folds at most; a flood of views must not keep it for ever.
const PASSES: usize = 50;
/// The same for who waits for it: views make steps, which the second pass takes.
const HASTY_PASSES: usize = 2;

/// Folds what happened into the roll-ups. Hours begin by the zone's clocks.
///
/// # Errors
/// Only the store's own; what was folded before stays.
pub fn fold<S>(store: &S, zone: Tz) -> Result<Folded, StoreError>
where
    S: UnitOfWork<Tx: Rollups>,
{
    passes(store, zone, PASSES, |folded| {
        matches!(folded, Folded::Part | Folded::AllButSteps)
    })
}

/// The same for who comes again soon: steps that views made can wait until then, since every pass has its price.
///
/// # Errors
/// As [`fold`].
pub fn fold_often<S>(store: &S, zone: Tz) -> Result<Folded, StoreError>
where
    S: UnitOfWork<Tx: Rollups>,
{
    passes(store, zone, PASSES, |folded| folded == Folded::Part)
}

/// Folds what happened just now, so that a screen shows it. Leaves the rest to who folds all the time.
///
/// # Errors
/// As [`fold`].
pub(crate) fn catch_up<S>(store: &S, zone: Tz) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: Rollups>,
{
    passes(store, zone, HASTY_PASSES, |folded| folded == Folded::AllButSteps).map(drop)
}

fn passes<S>(store: &S, zone: Tz, most: usize, again: fn(Folded) -> bool) -> Result<Folded, StoreError>
where
    S: UnitOfWork<Tx: Rollups>,
{
    let mut folded = Folded::Busy;
    for _ in 0..most {
        // Two transactions: writers wait while it is settled, and must not while it is folded.
        let Some(settled) = store.transaction(|tx| tx.settle())? else {
            return Ok(Folded::Busy);
        };
        folded = store.transaction(|tx| tx.fold(&settled, zone))?;
        if !again(folded) {
            break;
        }
    }
    Ok(folded)
}

/// Counts everything again, and says where a roll-up differs from that: nowhere, or something is broken.
pub fn verify<S>(store: &S, zone: Tz) -> Result<Vec<String>, StoreError>
where
    S: UnitOfWork<Tx: Rollups>,
{
    store.transaction(|tx| tx.differences(zone))
}

/// Makes the roll-ups anew, for example because the time zone is another one now.
///
/// # Errors
/// [`StoreError::Conflict`] when writers did not pause within a moment; nothing has changed then.
pub fn rebuild<S>(store: &S, zone: Tz) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: Rollups>,
{
    let settled = store.transaction(|tx| tx.settle())?.ok_or(StoreError::Conflict)?;
    store.transaction(|tx| tx.rebuild(&settled, zone))
}
