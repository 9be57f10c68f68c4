//! Verifying the log against everything that is stored.

use super::{FlowTx, drawn_participant};
use super::{LogError, LogReport};
use drawing::steps::{CheckpointDetails, DrawingState, DrawingSteps};
use drawing::{Announcement, DrawingLog, Hash, LogAction, LogEntry, SealDetails};
use kernel::{StoreError, UnitOfWork};
use raffle::LedgerCheckpoint;

/// The number of log entries that are read at once.
const PAGE: u32 = 1_000;

/// Verifies the chain of the log from its first entry on. Then compares it with the stored drawings and with the ledger: a row that was added later with an earlier time differs from a checkpoint.
///
/// # Errors
/// The first fault, as [`LogError`].
pub fn verify_log<S>(store: &S) -> Result<LogReport, LogError>
where
    S: UnitOfWork<Tx: FlowTx>,
{
    store.snapshot(|tx| {
        // First alone, because a drawing whose entry is missing cannot be read, and that would not name the entry.
        let last = verify_chain(tx)?;
        let (mut after, mut drawings, mut lists) = (0, 0, 0);
        loop {
            let page = tx.list_log(after, PAGE)?;
            let Some(end) = page.last() else { break };
            after = end.id;
            for entry in &page {
                let logged = compare(tx, entry)?;
                drawings += i64::from(logged.is_drawn);
                lists += i64::from(logged.has_list);
            }
        }
        let stored = tx.count_drawings(None)?;
        if stored != lists {
            return Err(LogError::Unlogged {
                stored,
                logged: lists,
            });
        }
        Ok(LogReport {
            entries: last.map_or(0, |(id, _)| id),
            drawings,
            head: last.map(|(_, hash)| hash),
        })
    })
}

/// Verifies the chain of hashes, and returns the number and the hash of its last entry.
fn verify_chain<T: FlowTx>(tx: &T) -> Result<Option<(i64, Hash)>, LogError> {
    let mut last = None;
    loop {
        let page = tx.list_log(last.map_or(0, |(id, _)| id), PAGE)?;
        if page.is_empty() {
            return Ok(last);
        }
        for entry in &page {
            last = Some(drawing::verify_log(last, entry)?);
        }
    }
}

/// Whether an entry of the log has this hash.
pub fn log_holds<S>(store: &S, hash: Hash) -> Result<bool, StoreError>
where
    S: UnitOfWork<Tx: FlowTx>,
{
    store.read(|tx| {
        let mut after = 0;
        loop {
            let page = tx.list_log(after, PAGE)?;
            let Some(last) = page.last() else {
                return Ok(false);
            };
            if page.iter().any(|entry| entry.hash == hash) {
                return Ok(true);
            }
            after = last.id;
        }
    })
}

/// What an entry is about.
#[derive(Default)]
struct Logged {
    is_drawn: bool,
    has_list: bool,
}

/// Compares an entry with what is stored. A drawing has its list from its seal on.
fn compare<T: FlowTx>(tx: &T, entry: &LogEntry) -> Result<Logged, LogError> {
    if entry.entry.action == LogAction::Checkpoint {
        return compare_checkpoint(tx, entry).map(|()| Logged::default());
    }
    let Some(id) = entry.entry.drawing else {
        return Ok(Logged::default());
    };
    let state = tx.find_state(id)?.filter(|state| agrees(state, entry));
    let state = state.ok_or(LogError::Drawing(id, entry.id))?;
    let logged = Logged {
        is_drawn: entry.entry.action == LogAction::DrawingPerformed,
        has_list: entry.entry.action == LogAction::DrawingSealed,
    };
    if logged.is_drawn {
        compare_claims(tx, &state)?;
    }
    Ok(logged)
}

/// Compares the claims of a drawing with its ranks, and the ranks with the sealed list.
fn compare_claims<T: FlowTx>(tx: &T, state: &DrawingState) -> Result<(), LogError> {
    for claim in tx.claims_of(&[state.id])? {
        let rank = state
            .rank(claim.rank)
            .filter(|rank| rank.entrant == claim.entrant);
        let drawn = match rank {
            Some(rank) => drawn_participant(tx, state, rank)?,
            None => None,
        };
        if drawn.is_none_or(|drawn| drawn.id != claim.entrant) {
            return Err(LogError::Claim(claim.id));
        }
    }
    Ok(())
}

/// Whether an entry is the one of the drawing's step, and the stored step says the same.
fn agrees(state: &DrawingState, entry: &LogEntry) -> bool {
    let details = entry.entry.details.as_str();
    match entry.entry.action {
        LogAction::DrawingAnnounced => Announcement::from_details(details).is_ok_and(|announcement| {
            let is_newest = entry.id == state.announcement.entry.id;
            let round = state.announcement.step.round;
            announcement.commitment == state.plan.commitment
                && announcement.period == state.plan.period
                && (!is_newest || announcement.round == round)
        }),
        LogAction::DrawingSealed => seal_agrees(state, entry).unwrap_or(false),
        LogAction::DrawingPerformed => result_agrees(state, entry).unwrap_or(false),
        LogAction::DrawingVoid => state.void.as_ref().is_some_and(|void| void.entry == *entry),
        LogAction::LateRound => state.late.as_ref().is_some_and(|late| late.entry == *entry),
        LogAction::SealRefused => state.announcement.step.number > 1,
        LogAction::Checkpoint | LogAction::RaffleOpens | LogAction::RaffleCloses => false,
    }
}

fn seal_agrees(state: &DrawingState, entry: &LogEntry) -> Option<bool> {
    let seal = state.seal.as_ref()?;
    let details = SealDetails::from_details(&entry.entry.details).ok()?;
    let step = &seal.step;
    let says_the_same = (
        details.root,
        details.weights_hash,
        details.entries,
        details.cut_off,
    ) == (step.root, step.weights_hash, step.entries, step.cut_off);
    let is_announced = details.opening == state.announcement.entry.hash;
    let reveals = entry.entry.random_seed == Some(step.seed)
        && entry.entry.participant_count == Some(step.participants)
        && step.seed.commitment() == state.plan.commitment;
    Some(seal.entry == *entry && says_the_same && is_announced && reveals)
}

fn result_agrees(state: &DrawingState, entry: &LogEntry) -> Option<bool> {
    let result = state.result.as_ref()?;
    let hash = state.record()?.verification_hash();
    let is_same = entry.entry.verification_hash == Some(hash) && result.step.verification_hash == hash;
    Some(result.entry == *entry && is_same)
}

fn compare_checkpoint<T: FlowTx>(tx: &T, entry: &LogEntry) -> Result<(), LogError> {
    let unreadable = |_| LogError::Checkpoint(entry.id);
    let details = CheckpointDetails::from_details(&entry.entry.details).map_err(unreadable)?;
    let logged = LedgerCheckpoint {
        rows: details.ledger_rows,
        sum: details.ledger_sum,
    };
    if tx.ledger_checkpoint(details.before)? != logged {
        return Err(LogError::Checkpoint(entry.id));
    }
    match audit_log_agrees(tx, &details)? {
        true => Ok(()),
        false => Err(LogError::AuditLog(entry.id)),
    }
}

/// Whether the audit log has the entry that was its last one then.
fn audit_log_agrees<T: FlowTx>(tx: &T, details: &CheckpointDetails) -> Result<bool, StoreError> {
    let Some(hash) = details.audit_log_hash else {
        return Ok(true);
    };
    let found = tx.list_chain(details.audit_log_last_id - 1, 1)?;
    Ok(found.first().is_some_and(|found| {
        let stored = found.hash.map(|stored| *stored.as_bytes());
        found.id == details.audit_log_last_id && stored == Some(*hash.as_bytes())
    }))
}
