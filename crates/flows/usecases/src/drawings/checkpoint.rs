//! Figures of the ledger and the audit log in the public log, so that rows that are added later with an earlier time show.

use super::FlowTx;
use super::announce::append_to_log;
use chrono::{DateTime, Utc};
use drawing::CutOffs;
use drawing::Drawings;
use drawing::steps::CheckpointDetails;
use drawing::{Hash, LogAction, NewLogEntry};
use kernel::{StoreError, UnitOfWork};

/// Writes the checkpoint of the day (UTC), if the log has entries and none of today is a checkpoint. Returns whether it wrote
/// one.
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
        if due_at(tx)?.is_none() {
            return Ok(false);
        }
        write(tx, before)?;
        Ok(true)
    })
}

/// The present moment, if a checkpoint is due.
fn due_at<T: FlowTx>(tx: &T) -> Result<Option<DateTime<Utc>>, StoreError> {
    let now = tx.database_time()?;
    let newest = tx.last_checkpoint_at()?;
    let is_done = newest.is_some_and(|at| at.date_naive() >= now.date_naive());
    let is_due = !is_done && tx.last_log_entry()?.is_some();
    Ok(is_due.then_some(now))
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
