//! Opening and closing raffles.

use crate::drawings::{FlowTx, calendar, log_opening};
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use drawing::LogAction;
use drawing::steps::OpeningDetails;
use kernel::{StoreError, UnitOfWork};
use raffle::{HeldRaffles, OpeningChange, Raffle, RaffleKey, RaffleStatus};
use staff::{Action, Actor, NeedsApproval, NewAuditEntry, SecondPerson};

/// How many raffles can be open at the same time.
pub const MOST_OPEN: usize = 50;

/// When a raffle opens or closes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum When {
    /// At once.
    Now,
    /// When the month ends in the time zone of the site, and the next one begins.
    Month,
}

impl When {
    /// The name in proposals and bodies.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// To open or close a raffle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeOpening {
    /// Who does it.
    pub actor: Actor,
    /// Whether somebody else has agreed.
    pub second: SecondPerson,
    /// The raffle.
    pub raffle: RaffleKey,
    /// When.
    pub when: When,
    /// Why a raffle closes at once, 3 to 500 characters. Public.
    pub reason: Option<String>,
}

/// A raffle that was opened or closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedOpening {
    /// The raffle.
    pub raffle: Raffle,
    /// What changed.
    pub change: OpeningChange,
    /// When, by the store's clock.
    pub at: DateTime<Utc>,
}

/// Why a raffle neither opens nor closes.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// There is no such raffle.
    #[error("unknown raffle")]
    UnknownRaffle,
    /// Nothing is published that its pages could say.
    #[error("nothing is published")]
    NotPublished,
    /// [`MOST_OPEN`] raffles are open then.
    #[error("too many raffles are open")]
    TooManyOpen,
    /// Somebody else must approve it.
    #[error(transparent)]
    NeedsApproval(#[from] NeedsApproval),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Opens a raffle, or takes back that it closes.
///
/// # Errors
/// [`OpeningError`]; nothing has changed then.
pub fn open<S>(store: &S, zone: Tz, command: &ChangeOpening) -> Result<ChangedOpening, OpeningError>
where
    S: UnitOfWork<Tx: FlowTx>,
{
    store.transaction(|tx| {
        let (held, at) = hold(tx, zone, command.when)?;
        let mut raffle = find(&held, command.raffle)?;
        let change = raffle.openings.open(held.since, at);
        if let OpeningChange::Opens(at) = change {
            check_can_open(tx, &held, &raffle, at)?;
        }
        store_change(tx, command, raffle, change, held.since)
    })
}

/// Closes a raffle, or takes back that it opens. Nobody enters it afterwards.
///
/// # Errors
/// [`OpeningError`]; nothing has changed then.
pub fn close<S>(store: &S, zone: Tz, command: &ChangeOpening) -> Result<ChangedOpening, OpeningError>
where
    S: UnitOfWork<Tx: FlowTx>,
{
    store.transaction(|tx| {
        let (held, at) = hold(tx, zone, command.when)?;
        let mut raffle = find(&held, command.raffle)?;
        let change = raffle.openings.close(held.since, at);
        store_change(tx, command, raffle, change, held.since)
    })
}

/// The raffles, which nobody else opens, closes or enters meanwhile, and the time that is meant.
fn hold<T: FlowTx>(tx: &mut T, zone: Tz, when: When) -> Result<(HeldRaffles, DateTime<Utc>), StoreError> {
    // For the entry in the log. No drawing is announced meanwhile, either.
    tx.begin_drawing()?;
    let held = tx.hold_raffles_alone()?;
    let month = calendar::period_at(held.since, zone);
    let at = match when {
        When::Now => Some(held.since),
        When::Month => month.and_then(|month| calendar::end_of(month, zone)),
    };
    Ok((held, at.ok_or(StoreError::Conflict)?))
}

fn find(held: &HeldRaffles, key: RaffleKey) -> Result<Raffle, OpeningError> {
    held.raffles.find(key).cloned().ok_or(OpeningError::UnknownRaffle)
}

fn check_can_open<T: FlowTx>(
    tx: &T,
    held: &HeldRaffles,
    raffle: &Raffle,
    at: DateTime<Utc>,
) -> Result<(), OpeningError> {
    if tx.version_in_force(raffle.key, at)?.is_none() {
        return Err(OpeningError::NotPublished);
    }
    let others = held.raffles.iter().filter(|other| other.key != raffle.key);
    match others
        .filter(|other| other.status_at(at) == RaffleStatus::Open)
        .count()
        < MOST_OPEN
    {
        true => Ok(()),
        false => Err(OpeningError::TooManyOpen),
    }
}

/// Stores what changed with its entries in both logs. A call that was made before changes nothing.
fn store_change<T: FlowTx>(
    tx: &mut T,
    command: &ChangeOpening,
    raffle: Raffle,
    change: OpeningChange,
    now: DateTime<Utc>,
) -> Result<ChangedOpening, OpeningError> {
    let changed = |raffle| ChangedOpening {
        raffle,
        change,
        at: now,
    };
    let (action, logged, at, taken_back) = match change {
        OpeningChange::None => return Ok(changed(raffle)),
        OpeningChange::Opens(at) => (Action::OpenRaffle, LogAction::RaffleOpens, at, false),
        OpeningChange::OpeningTakenBack(at) => (Action::CloseRaffle, LogAction::RaffleOpens, at, true),
        OpeningChange::Closes(at) => (Action::CloseRaffle, LogAction::RaffleCloses, at, false),
        OpeningChange::ClosingTakenBack(at) => (Action::OpenRaffle, LogAction::RaffleCloses, at, true),
    };
    command.second.check()?;
    tx.save_openings(raffle.key, &raffle.openings)?;
    let details = OpeningDetails {
        landing_page: raffle.key,
        at,
        taken_back,
        reason: command.reason.clone().filter(|_| !taken_back),
    };
    log_opening(tx, logged, &details, command.actor.session.get(), now)?;
    let entry = NewAuditEntry::new(command.actor, action, now)
        .target(raffle.key)
        .text("at", at.to_rfc3339())
        .text("takenBack", if taken_back { "yes" } else { "no" });
    tx.record_audit(&match &details.reason {
        Some(reason) => entry.text("reason", reason),
        None => entry,
    })?;
    Ok(changed(raffle))
}
