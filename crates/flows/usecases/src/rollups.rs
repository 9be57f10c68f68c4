//! Folding events into the roll-ups, and verifying them.

use analytics::{Folded, Rollups, Settling};
use chrono_tz::Tz;
use kernel::{StoreError, UnitOfWork};

/// The maximum number of passes in one call, so that it ends even if views keep arriving.
const PASSES: usize = 50;
/// The maximum number of passes while a request waits. The second pass folds the steps that views added.
const REQUEST_PASSES: usize = 2;
/// How often writers may take too long to pause for a fold that must not be skipped.
const TRIES: usize = 5;

/// What to do while another server folds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WhileBusy {
    Wait,
    Skip,
}

/// Folds all events that exist now into the roll-ups, also while other servers fold. Hours begin in the time zone `zone`.
///
/// # Errors
/// [`StoreError`], such as [`StoreError::Conflict`] when writers do not pause, or too much is left; earlier passes stay folded.
pub fn fold<S>(store: &S, zone: Tz) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: Rollups>,
{
    for _ in 0..TRIES {
        let folded = run_passes(store, zone, PASSES, WhileBusy::Wait, |folded| {
            matches!(folded, Folded::Part | Folded::AllButSteps)
        });
        if matches!(folded?, Folded::All | Folded::AllButSteps) {
            return Ok(());
        }
    }
    Err(StoreError::Conflict)
}

/// Folds new events, unless another server does, for a caller that calls again soon: steps that views added are left for the
/// next call, to save a pass.
///
/// # Errors
/// [`StoreError`]; earlier passes stay folded.
pub fn fold_often<S>(store: &S, zone: Tz) -> Result<Folded, StoreError>
where
    S: UnitOfWork<Tx: Rollups>,
{
    run_passes(store, zone, PASSES, WhileBusy::Skip, |folded| {
        folded == Folded::Part
    })
}

/// Folds the newest events, so that a screen shows them. The background worker folds the rest.
///
/// # Errors
/// As [`fold_often`].
pub(crate) fn catch_up<S>(store: &S, zone: Tz) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: Rollups>,
{
    run_passes(store, zone, REQUEST_PASSES, WhileBusy::Skip, |folded| {
        folded == Folded::AllButSteps
    })
    .map(drop)
}

fn run_passes<S>(
    store: &S,
    zone: Tz,
    max_passes: usize,
    while_busy: WhileBusy,
    again: fn(Folded) -> bool,
) -> Result<Folded, StoreError>
where
    S: UnitOfWork<Tx: Rollups>,
{
    let take_turn = |tx: &mut S::Tx| match while_busy {
        WhileBusy::Wait => tx.wait_for_turn(),
        WhileBusy::Skip => Ok(()),
    };
    let mut folded = Folded::Busy;
    let mut rest = None;
    for _ in 0..max_passes {
        // Two transactions: writers wait while the first one settles, and must not wait while the second one folds.
        let settling = match rest {
            Some(settled) => Settling::Settled(settled),
            None => store.transaction(|tx| take_turn(tx).and_then(|()| tx.settle_new()))?,
        };
        let settled = match settling {
            Settling::Settled(settled) => settled,
            Settling::UpToDate => return Ok(Folded::All),
            Settling::Busy => return Ok(Folded::Busy),
        };
        folded = store.transaction(|tx| take_turn(tx).and_then(|()| tx.fold(&settled, zone)))?;
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
