//! Sealing a drawing: its list is frozen, and published with the seed, before the round of the beacon exists.

use super::announce::{announce_again, append_to_log, unseal};
use super::draw::draw_in;
use super::freeze::{SealError, freeze};
use super::{DrawingTools, FlowTx, find_state};
use chrono::{DateTime, Utc};
use drawing::steps::DrawingSteps;
use drawing::steps::{DrawingState, DrawingStatus, Logged, RefusalDetails, Sealed, VoidDetails, Voided};
use drawing::{
    BeaconChoice, CutOffs, DrawingId, Drawings, FreezeError, LogAction, LogEntry, NewLogEntry, SaltKey,
    SealDetails, Secrets,
};
use kernel::{DatabaseClock, StoreError, UnitOfWork};

/// How often a seal that came too late is tried again in one call, each time for a later round.
const TRIES: u32 = 3;

/// Seals a drawing that is due: freezes its list, reveals its seed and publishes both; without a beacon it also draws the
/// winner. A drawing without entrants becomes void, and lends its commitment to the next. A seal that comes too late is
/// refused in public, and the drawing is announced again with a later round.
///
/// A drawing that is not due, or is not announced any more, is returned as it is.
///
/// # Errors
/// [`SealError`]; the drawing stays announced.
pub fn seal<S>(store: &S, tools: DrawingTools, id: DrawingId) -> Result<DrawingState, SealError>
where
    S: UnitOfWork<Tx: FlowTx>,
{
    for _ in 0..TRIES {
        match seal_or_refuse(store, tools, id)? {
            Tried::Refused(state) if !state.is_scheduled() => {}
            Tried::Refused(state) | Tried::Ended(state) => return Ok(state),
        }
    }
    find_state(store, id)?.ok_or(SealError::UnknownDrawing)
}

enum Tried {
    Ended(DrawingState),
    Refused(DrawingState),
}

fn seal_or_refuse<S>(store: &S, tools: DrawingTools, id: DrawingId) -> Result<Tried, SealError>
where
    S: UnitOfWork<Tx: FlowTx>,
{
    let state = find_state(store, id)?.ok_or(SealError::UnknownDrawing)?;
    let now = store.read::<_, StoreError>(|tx| tx.database_time())?;
    if !is_due(&state, now) {
        return Ok(Tried::Ended(state));
    }
    let cut_off = state.plan.cut_off.unwrap_or(now);
    store.read::<_, StoreError>(|tx| tx.wait_for_earlier_transactions(cut_off))?;
    match store.transaction(|tx| seal_if_due(tx, tools, id, cut_off)) {
        Err(SealError::Store(StoreError::TooLate)) => refuse(store, tools, id).map(Tried::Refused),
        sealed => sealed.map(Tried::Ended),
    }
}

fn is_due(state: &DrawingState, now: DateTime<Utc>) -> bool {
    state.status == DrawingStatus::Announced && state.announcement.step.seal_due_at <= now
}

fn is_late(state: &DrawingState, now: DateTime<Utc>) -> bool {
    let seal_before = state.announcement.step.seal_before;
    state.status == DrawingStatus::Announced && seal_before.is_some_and(|before| before < now)
}

/// Looks at the drawing again under the lock, so that of several servers one seals it.
fn seal_if_due<T: FlowTx>(
    tx: &mut T,
    tools: DrawingTools,
    id: DrawingId,
    cut_off: DateTime<Utc>,
) -> Result<DrawingState, SealError> {
    tx.begin_drawing()?;
    let state = tx.find_state(id)?.ok_or(SealError::UnknownDrawing)?;
    let now = tx.database_time()?;
    if !is_due(&state, now) {
        return Ok(state);
    }
    if is_late(&state, now) {
        return Err(StoreError::TooLate.into());
    }
    if tx.has_unfinished_referral_clearing()? {
        return Err(SealError::ClearingUnfinished);
    }
    match seal_in(tx, tools, state.clone(), cut_off) {
        Err(SealError::Unlistable(FreezeError::Empty)) => Ok(void_empty(tx, state)?),
        sealed => sealed,
    }
}

/// Seals an announced drawing, and draws it if the beacon is off. The caller holds the lock of drawings.
pub(super) fn seal_in<T: FlowTx>(
    tx: &mut T,
    tools: DrawingTools,
    state: DrawingState,
    cut_off: DateTime<Utc>,
) -> Result<DrawingState, SealError> {
    let secrets = unseal(tools.sealer, &state.plan).ok_or(SealError::Secrets)?;
    let state = add_seal(tx, state, &secrets, cut_off)?;
    match state.plan.beacon {
        BeaconChoice::Chain(_) => Ok(state),
        BeaconChoice::Off => Ok(draw_in(tx, tools, state, None)?),
    }
}

fn add_seal<T: FlowTx>(
    tx: &mut T,
    mut state: DrawingState,
    secrets: &Secrets,
    cut_off: DateTime<Utc>,
) -> Result<DrawingState, SealError> {
    let list = match state.plan.replaces {
        Some(void) => take_list(tx, &state, void)?,
        None => freeze_list(tx, &state, secrets.salt_key, cut_off)?,
    };
    let details = SealDetails {
        opening: state.announcement.entry.hash,
        round: state.announcement.step.round,
        ..list.details
    };
    let entry = append_to_log(
        tx,
        NewLogEntry {
            action: LogAction::DrawingSealed,
            drawing: Some(state.id),
            details: details.details(),
            random_seed: Some(secrets.seed),
            participant_count: Some(list.participants),
            verification_hash: None,
            session: None,
            at: tx.database_time()?,
        },
    )?;
    let step = Sealed {
        salt_key: list.salt_key,
        seed: secrets.seed,
        root: details.root,
        weights_hash: details.weights_hash,
        participants: list.participants,
        entries: details.entries,
        cut_off: details.cut_off,
    };
    let sealed = Logged { step, entry };
    tx.add_seal(state.id, &sealed)?;
    state.seal = Some(sealed);
    state.status = DrawingStatus::Sealed;
    Ok(state)
}

/// A stored list.
struct List {
    salt_key: SaltKey,
    participants: u64,
    /// What the seal says about it; announcement and round are those of the drawing that it was frozen for.
    details: SealDetails,
}

fn freeze_list<T: FlowTx>(
    tx: &mut T,
    state: &DrawingState,
    salt_key: SaltKey,
    cut_off: DateTime<Utc>,
) -> Result<List, SealError> {
    let (frozen, entries_by_kind) = freeze(tx, state, salt_key, cut_off)?;
    let details = SealDetails {
        opening: state.announcement.entry.hash,
        round: state.announcement.step.round,
        cut_off,
        root: frozen.root,
        weights_hash: frozen.weights_hash,
        entries: frozen.entries.get(),
        entries_by_kind,
        left_out: tx.left_out(state.plan.raffle, cut_off)?,
    };
    Ok(List {
        salt_key,
        participants: frozen.participants,
        details,
    })
}

/// Takes the list of a void drawing as it stands.
fn take_list<T: FlowTx>(tx: &mut T, state: &DrawingState, void: DrawingId) -> Result<List, SealError> {
    let corrupt = || StoreError::corrupt("drawings", "replaces", state.id.get());
    let seal = tx
        .find_state(void)?
        .and_then(|void| void.seal)
        .ok_or_else(corrupt)?;
    let details = SealDetails::from_details(&seal.entry.entry.details).map_err(|_| corrupt())?;
    tx.copy_chunks(void, state.id)?;
    Ok(List {
        salt_key: seal.step.salt_key,
        participants: seal.step.participants,
        details,
    })
}

fn void_empty<T: FlowTx>(tx: &mut T, state: DrawingState) -> Result<DrawingState, StoreError> {
    let at = tx.database_time()?;
    let details = VoidDetails {
        reason: Voided::EMPTY.to_owned(),
        hosts: Vec::new(),
    };
    add_void(tx, state, details, None, at)
}

/// Makes a drawing void. The caller holds the lock of drawings.
pub(super) fn add_void<T: FlowTx>(
    tx: &mut T,
    mut state: DrawingState,
    details: VoidDetails,
    session: Option<i64>,
    at: DateTime<Utc>,
) -> Result<DrawingState, StoreError> {
    let entry = log_without_figures(
        tx,
        LogAction::DrawingVoid,
        state.id,
        details.details(),
        session,
        at,
    )?;
    let voided = Logged {
        step: Voided {
            reason: details.reason,
        },
        entry,
    };
    tx.add_void(state.id, &voided)?;
    state.void = Some(voided);
    state.status = DrawingStatus::Void;
    Ok(state)
}

/// Says in the log that the seal came too late, and announces a later round.
fn refuse<S>(store: &S, tools: DrawingTools, id: DrawingId) -> Result<DrawingState, SealError>
where
    S: UnitOfWork<Tx: FlowTx>,
{
    let (state, refused) = store.transaction::<_, SealError>(|tx| {
        tx.begin_drawing()?;
        let state = tx.find_state(id)?.ok_or(SealError::UnknownDrawing)?;
        let now = tx.database_time()?;
        if !is_late(&state, now) {
            return Ok((state, false)); // another server refused it
        }
        add_refusal(tx, &state, now)?;
        Ok((announce_again(tx, tools, state, now)?, true))
    })?;
    if refused {
        metrics::counter!("drawing_seals_refused_total").increment(1);
    }
    Ok(state)
}

fn add_refusal<T: FlowTx>(tx: &mut T, state: &DrawingState, now: DateTime<Utc>) -> Result<(), StoreError> {
    let announced = &state.announcement;
    let details = RefusalDetails {
        opening: announced.entry.hash,
        round: announced.step.round,
        seal_before: announced.step.seal_before.unwrap_or(now),
    };
    let details = details.details();
    log_without_figures(tx, LogAction::SealRefused, state.id, details, None, now).map(drop)
}

pub(super) fn log_without_figures<T: FlowTx>(
    tx: &mut T,
    action: LogAction,
    id: DrawingId,
    details: String,
    session: Option<i64>,
    at: DateTime<Utc>,
) -> Result<LogEntry, StoreError> {
    append_to_log(
        tx,
        NewLogEntry {
            action,
            drawing: Some(id),
            details,
            random_seed: None,
            participant_count: None,
            verification_hash: None,
            session,
            at,
        },
    )
}
