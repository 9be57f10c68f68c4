//! Staff make a sealed drawing void whose round never came.

use super::FlowTx;
use super::seal::add_void;
use chrono::{DateTime, Utc};
use drawing::beacon::Round;
use drawing::steps::DrawingSteps;
use drawing::steps::{DrawingState, VoidDetails};
use drawing::{BeaconChoice, DrawingId, Drawings};
use kernel::{DatabaseClock, StoreError, UnitOfWork};
use staff::AuditLog;
use staff::{Action, Actor, NeedsApproval, NewAuditEntry, SecondPerson};

/// A request to make a drawing void.
#[derive(Debug, Clone)]
pub struct VoidDrawing {
    /// The staff session that asks.
    pub actor: Actor,
    /// Whether somebody else has agreed.
    pub second: SecondPerson,
    /// The drawing.
    pub drawing: DrawingId,
    /// Why, and what the hosts of the beacon answered. Public forever.
    pub void: VoidDetails,
}

/// Why a drawing is not void.
#[derive(Debug, thiserror::Error)]
pub enum VoidError {
    /// There is no such drawing.
    #[error("unknown drawing")]
    UnknownDrawing,
    /// It is not sealed, or its round was due less than a week ago.
    #[error("the drawing cannot be made void")]
    NotVoidable,
    /// Somebody else must approve it.
    #[error(transparent)]
    NeedsApproval(#[from] NeedsApproval),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Makes a sealed drawing void, a week after its round was due. Its list stays: the next drawing of its month takes it. Until
/// that one is sealed, the round overturns the void (see [`super::draw()`]).
///
/// # Errors
/// [`VoidError`].
pub fn void<S>(store: &S, command: &VoidDrawing) -> Result<DrawingState, VoidError>
where
    S: UnitOfWork<Tx: FlowTx>,
{
    store.transaction(|tx| {
        tx.begin_drawing()?;
        let id = command.drawing;
        let state = tx.find_state(id)?.ok_or(VoidError::UnknownDrawing)?;
        let at = tx.database_time()?;
        if !is_voidable(&state, at) {
            return Err(VoidError::NotVoidable);
        }
        command.second.check()?;
        let entry = NewAuditEntry::new(command.actor, Action::VoidDrawing, at)
            .target(id)
            .text("reason", &command.void.reason);
        let state = add_void(
            tx,
            state,
            command.void.clone(),
            Some(command.actor.session.get()),
            at,
        )?;
        tx.record_audit(&entry)?;
        Ok(state)
    })
}

/// The round that the hosts of the beacon are asked for before a drawing is made void.
///
/// # Errors
/// As [`void`] would fail.
pub fn missing_round<S>(store: &S, id: DrawingId) -> Result<(BeaconChoice, Option<Round>), VoidError>
where
    S: UnitOfWork<Tx: FlowTx>,
{
    store.read(|tx| {
        let state = tx.find_state(id)?.ok_or(VoidError::UnknownDrawing)?;
        match is_voidable(&state, tx.database_time()?) {
            true => Ok((state.plan.beacon, state.announcement.step.round)),
            false => Err(VoidError::NotVoidable),
        }
    })
}

fn is_voidable(state: &DrawingState, now: DateTime<Utc>) -> bool {
    state.voidable_at().is_some_and(|from| from <= now)
}
