//! Figures of the ledger and the audit log in the public log, so that rows that are added later with an earlier time show.

use super::FlowTx;
use super::announce::append_to_log;
use chrono::{DateTime, Utc};
use drawing::CutOffs;
use drawing::Drawings;
use drawing::steps::CheckpointDetails;
use drawing::{Hash, LogAction, NewLogEntry};
use kernel::{DatabaseClock, StoreError, UnitOfWork};

/// Writes the checkpoint of the day (UTC), unless it is written or nobody has entered yet. Returns whether it wrote one.
pub fn checkpoint<S>(store: &S) -> Result<bool, StoreError>
where
    S: UnitOfWork<Tx: FlowTx>,
{
    let Some(before) = store.read(due_at)? else {
        return Ok(false);
    };
    store.read::<_, StoreError>(|tx| tx.wait_for_earlier_transactions(before))?;
    store.transaction(|tx| {
        tx.begin_drawing()?;
        if is_written(tx, tx.database_time()?)? {
            return Ok(false);
        }
        write(tx, before)?;
        Ok(true)
    })
}

/// The present moment, if a checkpoint is due.
fn due_at<T: FlowTx>(tx: &T) -> Result<Option<DateTime<Utc>>, StoreError> {
    let now = tx.database_time()?;
    let is_due = !is_written(tx, now)? && tx.ledger_checkpoint(now)?.rows > 0;
    Ok(is_due.then_some(now))
}

/// Whether the checkpoint of this day is written.
fn is_written<T: FlowTx>(tx: &T, now: DateTime<Utc>) -> Result<bool, StoreError> {
    let newest = tx.last_checkpoint_at()?;
    Ok(newest.is_some_and(|at| at.date_naive() >= now.date_naive()))
}

fn write<T: FlowTx>(tx: &mut T, before: DateTime<Utc>) -> Result<(), StoreError> {
    let ledger = tx.ledger_checkpoint(before)?;
    let audit_log = tx.chain_head()?.filter(|head| head.position > 0);
    let details = CheckpointDetails {
        ledger_rows: ledger.rows,
        ledger_sum: ledger.sum,
        before,
        audit_log_last_id: audit_log.map_or(0, |head| head.last_id),
        audit_log_hash: audit_log.map(|head| Hash::new(*head.hash.as_bytes())),
    };
    append_to_log(
        tx,
        NewLogEntry {
            action: LogAction::Checkpoint,
            drawing: None,
            details: details.details(),
            random_seed: None,
            participant_count: None,
            verification_hash: None,
            session: None,
            at: tx.database_time()?,
        },
    )
    .map(drop)
}
