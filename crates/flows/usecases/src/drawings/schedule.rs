//! What the server does by itself: it announces the drawings of the month, seals what is due, and says which rounds of the
//! beacon it waits for (D40).

use super::announce::{FreshSecrets, Intent, Timing, announce};
use super::ended::has_regular_drawing;
use super::freeze::SealError;
use super::prizes::prize_of_month;
use super::seal::seal;
use super::{DrawingTools, FlowTx, Schedule, calendar};
use chrono::{DateTime, Utc};
use drawing::beacon::{ChainHash, Round};
use drawing::steps::DrawingState;
use drawing::steps::DrawingSteps;
use drawing::{BeaconChoice, DrawingId, DrawingKind, Period};
use kernel::{StoreError, UnitOfWork};
use raffle::{Raffle, RaffleKey, Raffles};

/// A sealed drawing whose round is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueRound {
    /// The drawing.
    pub drawing: DrawingId,
    /// The chain that it was announced with.
    pub chain: ChainHash,
    /// The round that was announced.
    pub round: Round,
    /// When the round was due.
    pub since: DateTime<Utc>,
}

/// What one look at all drawings led to.
#[derive(Debug, Default)]
pub struct Advanced {
    /// The drawings that wait for the beacon now.
    pub due: Vec<DueRound>,
    /// The drawings that could not be sealed. The next look tries them again.
    pub failures: Vec<(DrawingId, SealError)>,
}

/// Takes every step that is due. Several servers may call it at once: each step happens once.
///
/// A drawing that cannot be sealed does not hold up the others.
///
/// # Errors
/// When the store fails before any drawing is looked at.
pub fn advance<S>(store: &S, tools: DrawingTools) -> Result<Advanced, StoreError>
where
    S: UnitOfWork<Tx: FlowTx>,
{
    let mut advanced = Advanced::default();
    for id in store.read::<_, StoreError>(|tx| tx.list_due())?.to_seal {
        if let Err(error) = seal(store, tools, id) {
            advanced.failures.push((id, error));
        }
    }
    // After the seals: a drawing that was empty lends its commitment to the next.
    if tools.schedule == Schedule::Monthly {
        announce_month(store, tools)?;
    }
    advanced.due = store.read(list_due_rounds)?;
    Ok(advanced)
}

/// Announces the regular drawings of this month that are missing.
fn announce_month<S>(store: &S, tools: DrawingTools) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: FlowTx>,
{
    let missing = store.read::<_, StoreError>(|tx| {
        let mut missing = Vec::new();
        for raffle in tx.list_raffles()?.iter() {
            if missing_period(tx, tools, raffle)?.is_some() {
                missing.push(raffle.key);
            }
        }
        Ok(missing)
    })?;
    for raffle in missing {
        let fresh = FreshSecrets::new(tools, raffle);
        store.transaction(|tx| announce_regular(tx, tools, raffle, fresh.clone()))?;
    }
    Ok(())
}

/// This month, if the raffle takes part in it and has no regular drawing of it. One that is void is done again when staff ask
/// for it.
fn missing_period<T: FlowTx>(
    tx: &T,
    tools: DrawingTools,
    raffle: &Raffle,
) -> Result<Option<Period>, StoreError> {
    // A clock beyond the calendar is a clock to wait for.
    let now = tx.database_time()?;
    let month = calendar::period_at(now, tools.time_zone).ok_or(StoreError::Conflict)?;
    let (begin, end) = calendar::bounds_of(month, tools.time_zone).ok_or(StoreError::Conflict)?;
    if raffle.openings.part_of(begin, end, now).is_none() {
        return Ok(None);
    }
    let is_missing = !has_regular_drawing(tx, raffle.key, month)?;
    Ok(is_missing.then_some(month))
}

/// Looks again under the lock, so that of several servers one announces it.
fn announce_regular<T: FlowTx>(
    tx: &mut T,
    tools: DrawingTools,
    raffle: RaffleKey,
    fresh: FreshSecrets,
) -> Result<(), StoreError> {
    tx.begin_drawing()?;
    let raffles = tx.list_raffles()?;
    let Some(found) = raffles.find(raffle) else {
        return Ok(());
    };
    let Some(period) = missing_period(tx, tools, found)? else {
        return Ok(());
    };
    let timing = Timing::monthly(tools, period).ok_or(StoreError::Conflict)?;
    let prize = prize_of_month(tx, tools.time_zone, found, period, tx.database_time()?)?;
    let intent = Intent {
        raffle,
        period,
        kind: DrawingKind::Regular,
        reason: None,
        prize,
        cut_off: Some(timing.seal_due_at),
        timing,
        request: None,
        replaces: None,
        actor: None,
    };
    announce(tx, tools, intent, fresh).map(drop)
}

fn list_due_rounds<T: FlowTx>(tx: &T) -> Result<Vec<DueRound>, StoreError> {
    let mut due = Vec::new();
    for id in tx.list_due()?.to_draw {
        due.extend(tx.find_state(id)?.as_ref().and_then(due_round));
    }
    Ok(due)
}

fn due_round(state: &DrawingState) -> Option<DueRound> {
    let BeaconChoice::Chain(chain) = state.plan.beacon else {
        return None;
    };
    let announced = &state.announcement.step;
    Some(DueRound {
        drawing: state.id,
        chain,
        round: announced.round?,
        since: announced.round_at?,
    })
}
