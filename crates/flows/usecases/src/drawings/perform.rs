//! Staff ask for a drawing.

use super::announce::{FreshSecrets, Intent, NOTICE, Timing, announce};
use super::prizes::prize_of_month;
use super::seal::{seal, seal_in};
use super::{DrawingTools, FlowTx, Schedule, SealError, calendar};
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use drawing::steps::{DrawingState, DrawingStatus, KeyedRequest};
use drawing::{
    BeaconChoice, CutOffs, DrawingKind, DrawingPrize, Drawings, FreezeError, Period, Prize, Replaced,
};
use kernel::{DatabaseClock, IdempotencyKey, StoreError, UnitOfWork};
use raffle::{Openings, RaffleKey, RaffleStatus};
use staff::{Actor, NeedsApproval, SecondPerson};

/// A request for a drawing.
#[derive(Debug, Clone)]
pub struct PerformDrawing {
    /// The staff session that asks.
    pub actor: Actor,
    /// Whether somebody else has agreed, which an additional drawing needs.
    pub second: SecondPerson,
    /// The raffle to draw from.
    pub raffle: RaffleKey,
    /// Why there is an additional drawing, 3 to 500 characters. A regular drawing has none.
    pub reason: Option<String>,
    /// The prize of an additional drawing; without it, that of the month, which a regular drawing always has.
    pub prize: Option<Prize>,
    /// The client's key for this request: sent again, it returns the same drawing.
    pub idempotency_key: Option<IdempotencyKey>,
}

/// What became of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Performed {
    /// The drawing has a winner.
    Drawn(DrawingState),
    /// The drawing is announced or sealed and waits for its time; or it is void, and was asked for before.
    Waiting(DrawingState),
}

/// Why no drawing was announced. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
pub enum PerformError {
    /// There is no such raffle.
    #[error("unknown raffle")]
    UnknownRaffle,
    /// The raffle has ended, and so has the time in which its last month can be drawn.
    #[error("the raffle is closed")]
    RaffleClosed,
    /// No entrant of the raffle can win.
    #[error("nobody can be drawn")]
    NoParticipants,
    /// The key was used for another request.
    #[error("the idempotency key belongs to another request")]
    KeyReused,
    /// The raffle has its drawing of this month, and an additional one needs a reason.
    #[error("the raffle has its drawing of this month")]
    AlreadyDrawn,
    /// The server draws by itself, and an additional drawing needs a reason.
    #[error("the next drawing is not due")]
    NothingToDraw {
        /// When the next drawing is due.
        next: DateTime<Utc>,
    },
    /// It would be an additional drawing.
    #[error(transparent)]
    NeedsApproval(#[from] NeedsApproval),
    /// Entries for referrals were taken back from a part of the entrants, so a drawing would not be fair.
    #[error("clearing referrals has not ended")]
    ClearingUnfinished,
    /// The seed was sealed with a key that is not configured any more.
    #[error("the sealed seed cannot be opened")]
    Secrets,
    /// The raffle's entrants cannot be frozen into a list.
    #[error(transparent)]
    Unlistable(FreezeError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<SealError> for PerformError {
    fn from(error: SealError) -> Self {
        match error {
            SealError::Unlistable(FreezeError::Empty) => Self::NoParticipants,
            SealError::Unlistable(error) => Self::Unlistable(error),
            SealError::ClearingUnfinished => Self::ClearingUnfinished,
            SealError::Secrets => Self::Secrets,
            SealError::UnknownDrawing => Self::Store(StoreError::Conflict),
            SealError::Store(error) => Self::Store(error),
        }
    }
}

/// The reason of an additional drawing without one, in development.
const NOT_STATED: &str = "not stated";

/// Announces a drawing, and seals it if it is due. Without a beacon, a drawing that is due is announced, sealed and drawn in
/// one transaction.
///
/// A key that was used before returns its drawing in its present state.
///
/// # Errors
/// [`PerformError`].
pub fn perform<S>(store: &S, tools: DrawingTools, command: &PerformDrawing) -> Result<Performed, PerformError>
where
    S: UnitOfWork<Tx: FlowTx>,
{
    let request = keyed_request(command);
    if let Some(state) = store.read(|tx| asked_before(tx, request.as_ref()))? {
        return go_on(store, tools, state);
    }
    let fresh = FreshSecrets::new(tools, command.raffle);
    let now = store.read::<_, StoreError>(|tx| tx.database_time())?;
    store.read::<_, StoreError>(|tx| tx.wait_for_earlier_transactions(now))?;
    let state = store.transaction(|tx| {
        tx.begin_drawing()?;
        match asked_before(tx, request.as_ref())? {
            Some(state) => Ok(state),
            None => announce_now(tx, tools, command, request.clone(), fresh.clone(), now),
        }
    })?;
    go_on(store, tools, state)
}

/// Checks that [`perform`] would announce a drawing now. Changes nothing.
///
/// # Errors
/// [`PerformError`], as `perform` would fail.
pub fn check_perform<S>(store: &S, tools: DrawingTools, command: &PerformDrawing) -> Result<(), PerformError>
where
    S: UnitOfWork<Tx: FlowTx>,
{
    let request = keyed_request(command);
    store.snapshot(|tx| match asked_before(tx, request.as_ref())? {
        Some(_) => Ok(()),
        None => {
            let now = tx.database_time()?;
            checked_intent(tx, tools, command, request.clone(), now).map(drop)
        }
    })
}

/// The key with a hash of everything that was asked for.
fn keyed_request(command: &PerformDrawing) -> Option<KeyedRequest> {
    let key = command.idempotency_key.clone()?;
    let asked = (command.raffle.as_str(), &command.reason, &command.prize);
    // It quotes the texts, so different requests stay different.
    Some(KeyedRequest::new(key, &format!("{asked:?}")))
}

/// The drawing of the same request.
fn asked_before<T: FlowTx>(
    tx: &T,
    request: Option<&KeyedRequest>,
) -> Result<Option<DrawingState>, PerformError> {
    let Some(request) = request else {
        return Ok(None);
    };
    match tx.find_state_by_key(&request.key)? {
        Some(state) if state.plan.request.as_ref() != Some(request) => Err(PerformError::KeyReused),
        found => Ok(found),
    }
}

/// Announces the drawing. `now` is before the transaction, and everything from before it has ended.
fn announce_now<T: FlowTx>(
    tx: &mut T,
    tools: DrawingTools,
    command: &PerformDrawing,
    request: Option<KeyedRequest>,
    fresh: FreshSecrets,
    now: DateTime<Utc>,
) -> Result<DrawingState, PerformError> {
    let intent = checked_intent(tx, tools, command, request, now)?;
    let cut_off = intent.cut_off.unwrap_or(now);
    let state = announce(tx, tools, intent, fresh)?;
    let is_due = state.announcement.step.seal_due_at <= now;
    match state.plan.beacon {
        BeaconChoice::Off if is_due => Ok(seal_in(tx, tools, state, cut_off)?),
        _ => Ok(state),
    }
}

/// Which drawing is asked for, if it can be announced now.
fn checked_intent<T: FlowTx>(
    tx: &T,
    tools: DrawingTools,
    command: &PerformDrawing,
    request: Option<KeyedRequest>,
    now: DateTime<Utc>,
) -> Result<Intent, PerformError> {
    if tx.has_unfinished_referral_clearing()? {
        return Err(PerformError::ClearingUnfinished);
    }
    let intent = intent(tx, tools, command, request, now)?;
    if intent.replaces.is_some() {
        // Its list is sealed, and whoever had to agree did so before.
        return Ok(intent);
    }
    if !has_participants(tx, command.raffle, intent.cut_off.unwrap_or(now))? {
        return Err(PerformError::NoParticipants);
    }
    if intent.kind == DrawingKind::Additional {
        command.second.check()?;
    }
    Ok(intent)
}

/// Which drawing is asked for: one that is void is done again, with its list; else the regular one of this month, if staff announce
/// them and there is none; else an additional one.
fn intent<T: FlowTx>(
    tx: &T,
    tools: DrawingTools,
    command: &PerformDrawing,
    request: Option<KeyedRequest>,
    now: DateTime<Utc>,
) -> Result<Intent, PerformError> {
    let raffle = command.raffle;
    let raffles = tx.list_raffles()?;
    let found = raffles.find(raffle).ok_or(PerformError::UnknownRaffle)?;
    let regular = |period, cut_off, prize| Intent {
        raffle,
        period,
        kind: DrawingKind::Regular,
        reason: None,
        prize,
        cut_off,
        timing: Timing::prompt(tools, now),
        request: request.clone(),
        replaces: None,
        actor: Some(command.actor),
    };
    if let Some(void) = tx.unreplaced_void(raffle)? {
        return Ok(Intent {
            kind: void.plan.kind,
            replaces: void.list(),
            timing: Timing::prompt(tools, now + Replaced::NOTICE),
            reason: void.plan.reason,
            ..regular(
                void.plan.period,
                void.seal.map(|seal| seal.step.cut_off),
                void.plan.prize,
            )
        });
    }
    let month = month_to_draw(&found.openings, now, tools.time_zone)?;
    let of_month = prize_of_month(tx, tools.time_zone, found, month, now)?;
    let existing = tx.regular_drawing_of(raffle, month)?;
    if tools.schedule == Schedule::Manual && existing.is_none() {
        return Ok(regular(month, None, of_month));
    }
    let Some(reason) = reason_of(tools, command) else {
        return Err(without_reason(tools, existing, now));
    };
    let prize = match &command.prize {
        Some(prize) => DrawingPrize::own(prize.clone()),
        None => of_month,
    };
    let seal_due_at = if tools.production { now + NOTICE } else { now };
    Ok(Intent {
        kind: DrawingKind::Additional,
        reason: Some(reason),
        timing: Timing::prompt(tools, seal_due_at),
        ..regular(month, None, prize)
    })
}

/// This month, or for a raffle that was closed, the month in which that was, until the next one ends.
fn month_to_draw(openings: &Openings, now: DateTime<Utc>, zone: Tz) -> Result<Period, PerformError> {
    let month_at =
        |moment| calendar::period_at(moment, zone).ok_or(PerformError::Store(StoreError::Conflict));
    match openings.status_at(now) {
        RaffleStatus::Draft => return Err(PerformError::UnknownRaffle),
        RaffleStatus::Open => return month_at(now),
        RaffleStatus::Closed => {}
    }
    let closed_at = openings.closed_at(now).unwrap_or(now);
    match calendar::last_month(closed_at, zone) {
        Some(last) if last.can_be_drawn_at(now) => Ok(last.period),
        _ => Err(PerformError::RaffleClosed),
    }
}

/// In development, a manual drawing may go without a reason.
fn reason_of(tools: DrawingTools, command: &PerformDrawing) -> Option<String> {
    let may_go_without = tools.schedule == Schedule::Manual && !tools.production;
    let default = may_go_without.then(|| NOT_STATED.to_owned());
    command.reason.clone().or(default)
}

fn without_reason(tools: DrawingTools, existing: Option<DrawingState>, now: DateTime<Utc>) -> PerformError {
    if tools.schedule == Schedule::Manual {
        return PerformError::AlreadyDrawn;
    }
    let announced = existing.map(|state| state.announcement.step);
    let next = announced.map(|step| step.round_at.unwrap_or(step.seal_due_at));
    let noon = || {
        let month = calendar::period_at(now, tools.time_zone)?;
        calendar::noon_after(month, tools.time_zone)
    };
    PerformError::NothingToDraw {
        next: next.or_else(noon).unwrap_or(now),
    }
}

fn has_participants<T: FlowTx>(
    tx: &T,
    raffle: RaffleKey,
    cut_off: DateTime<Utc>,
) -> Result<bool, StoreError> {
    let mut any = false;
    tx.read_participants(raffle, cut_off, None, 1, &mut |_| any = true)?;
    Ok(any)
}

/// Seals the drawing if it is due and was not sealed yet.
fn go_on<S>(store: &S, tools: DrawingTools, state: DrawingState) -> Result<Performed, PerformError>
where
    S: UnitOfWork<Tx: FlowTx>,
{
    let state = match state.status {
        DrawingStatus::Announced => seal(store, tools, state.id)?,
        _ => state,
    };
    match state.status {
        DrawingStatus::Drawn => Ok(Performed::Drawn(state)),
        DrawingStatus::Void if state.was_empty() => Err(PerformError::NoParticipants),
        _ => Ok(Performed::Waiting(state)),
    }
}
