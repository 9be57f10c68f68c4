//! Staff give up a sealed drawing whose round never came.

use super::FlowTx;
use super::seal::add_void;
use chrono::{DateTime, TimeDelta, Utc};
use drawing::DrawingId;
use drawing::Drawings;
use drawing::steps::DrawingSteps;
use drawing::steps::{DrawingState, DrawingStatus};
use kernel::{DatabaseClock, StoreError, UnitOfWork};
use staff::AuditLog;
use staff::{Action, Actor, NewAuditEntry};

/// How long after its round was due a drawing may be made void.
const WAIT: TimeDelta = TimeDelta::hours(24);

/// Why a drawing is not void.
#[derive(Debug, thiserror::Error)]
pub enum VoidError {
    /// There is no such drawing.
    #[error("unknown drawing")]
    UnknownDrawing,
    /// It is not sealed, or its round was due less than 24 hours ago.
    #[error("the drawing cannot be made void")]
    NotVoidable(Box<DrawingState>),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Makes a sealed drawing void, 24 hours after its round was due. The reason is public forever.
///
/// # Errors
/// [`VoidError`].
pub fn void<S>(store: &S, actor: Actor, id: DrawingId, reason: &str) -> Result<DrawingState, VoidError>
where
    S: UnitOfWork<Tx: FlowTx>,
{
    store.transaction(|tx| {
        tx.begin_drawing()?;
        let state = tx.find_state(id)?.ok_or(VoidError::UnknownDrawing)?;
        let at = tx.database_time()?;
        if !is_voidable(&state, at) {
            return Err(VoidError::NotVoidable(Box::new(state)));
        }
        let entry = NewAuditEntry::new(actor, Action::VoidDrawing, at)
            .target(id)
            .text("reason", reason);
        let state = add_void(tx, state, reason, Some(actor.session.get()), at)?;
        tx.record_audit(&entry)?;
        Ok(state)
    })
}

fn is_voidable(state: &DrawingState, now: DateTime<Utc>) -> bool {
    let round_at = state.announcement.step.round_at;
    state.status == DrawingStatus::Sealed && round_at.is_some_and(|due| due + WAIT <= now)
}
