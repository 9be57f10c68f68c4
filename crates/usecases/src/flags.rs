//! Keeping people out of drawings: spec section 2 (Security), D12.

use crate::rollups::fold;
use analytics::{FlagOutcome, FlaggedEntrant, Flags, NewFlag, Rollups};
use chrono_tz::Tz;
use kernel::{Clock, EntrantId, PageRequest, StoreError, UnitOfWork};
use staff::{Action, Actor, AuditLog, Detail, NewAuditEntry};

/// Why a flag was not changed.
#[derive(Debug, thiserror::Error)]
pub enum FlagError {
    /// There is no such entrant.
    #[error("unknown entrant")]
    UnknownEntrant,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Whose flag is to be set or taken, and why.
#[derive(Debug, Clone)]
pub struct FlagCommand {
    /// Whose.
    pub entrant: EntrantId,
    /// In the words of who does it.
    pub reason: String,
}

/// People who are kept out of drawings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlaggedList {
    /// The part that was asked for, newest flag first.
    pub flagged: Vec<FlaggedEntrant>,
    /// How many there are in all.
    pub total: i64,
}

/// Flags an entrant, who can go on using the site but not win.
///
/// # Errors
/// [`FlagError::UnknownEntrant`]; nothing is written down then.
pub fn flag<S>(store: &S, clock: &dyn Clock, actor: Actor, command: &FlagCommand) -> Result<(), FlagError>
where
    S: UnitOfWork<Tx: Flags + AuditLog>,
{
    let at = clock.now();
    let flag = NewFlag {
        entrant: command.entrant,
        reason: command.reason.clone(),
        at,
    };
    let entry = audit_entry(actor, Action::FlagUser, command, at);
    store.transaction(|tx| match tx.flag(&flag)? {
        FlagOutcome::UnknownEntrant => Err(FlagError::UnknownEntrant),
        FlagOutcome::Unchanged => Ok(()),
        FlagOutcome::Changed => Ok(tx.record_audit(&entry).map(drop)?),
    })
}

/// Takes an entrant's flag; detection leaves them alone from then on.
///
/// # Errors
/// As [`flag`].
pub fn unflag<S>(store: &S, clock: &dyn Clock, actor: Actor, command: &FlagCommand) -> Result<(), FlagError>
where
    S: UnitOfWork<Tx: Flags + AuditLog>,
{
    let at = clock.now();
    let entry = audit_entry(actor, Action::UnflagUser, command, at);
    store.transaction(|tx| match tx.unflag(command.entrant, at)? {
        FlagOutcome::UnknownEntrant => Err(FlagError::UnknownEntrant),
        FlagOutcome::Unchanged => Ok(()),
        FlagOutcome::Changed => Ok(tx.record_audit(&entry).map(drop)?),
    })
}

fn audit_entry(
    actor: Actor,
    action: Action,
    command: &FlagCommand,
    at: chrono::DateTime<chrono::Utc>,
) -> NewAuditEntry {
    NewAuditEntry {
        actor,
        action,
        target: Some(command.entrant.to_string()),
        details: vec![("reason", Detail::Text(command.reason.clone()))],
        at,
    }
}

/// Flags every account on addresses with so many accounts, and says how many that were.
pub fn flag_suspicious<S>(
    store: &S,
    clock: &dyn Clock,
    zone: Tz,
    actor: Actor,
    accounts_per_address: u32,
) -> Result<i64, StoreError>
where
    S: UnitOfWork<Tx: Rollups + Flags + AuditLog>,
{
    // Who entered just now counts too.
    fold(store, zone)?;
    let at = clock.now();
    store.transaction(|tx| {
        let flagged = tx.flag_suspicious(accounts_per_address, at)?;
        tx.record_audit(&NewAuditEntry {
            actor,
            action: Action::FraudDetection,
            target: None,
            details: vec![("flagged", Detail::Number(flagged))],
            at,
        })?;
        Ok(flagged)
    })
}

/// Who is flagged, newest flag first.
pub fn list<S>(store: &S, page: PageRequest) -> Result<FlaggedList, StoreError>
where
    S: UnitOfWork<Tx: Flags>,
{
    store.snapshot(|tx| {
        Ok(FlaggedList {
            flagged: tx.list_flagged(page)?,
            total: tx.count_flagged()?,
        })
    })
}
