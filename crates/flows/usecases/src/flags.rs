//! Flags, which exclude entrants from drawings.

use crate::rollups::fold;
use analytics::Rollups;
use chrono_tz::Tz;
use fraud::{
    FlagOutcome, FlaggedEntrant, FlaggedFilter, FlaggedSort, Flags, FraudRules, NewFlag, reason_of_staff,
};
use kernel::{Clock, EntrantId, PageRequest, SortOrder, StoreError, UnitOfWork};
use staff::{Action, Actor, AuditLog, NewAuditEntry};

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

/// A page of the flagged entrants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlaggedList {
    /// The entrants of the page.
    pub flagged: Vec<FlaggedEntrant>,
    /// The number of all flagged entrants that match.
    pub total: i64,
}

/// Flags an entrant, who can use the site but cannot win.
///
/// # Errors
/// [`FlagError::UnknownEntrant`].
pub fn flag<S>(store: &S, clock: &dyn Clock, actor: Actor, flag: &NewFlag) -> Result<(), FlagError>
where
    S: UnitOfWork<Tx: Flags + AuditLog>,
{
    let stored = NewFlag {
        reason: reason_of_staff(&flag.reason),
        ..flag.clone()
    };
    let entry = NewAuditEntry::new(actor, Action::FlagUser, clock.now())
        .target(flag.entrant)
        .text("reason", flag.reason.clone())
        .text("publicReason", flag.public_reason.as_str());
    store.transaction(|tx| match tx.flag(&stored)? {
        FlagOutcome::UnknownEntrant => Err(FlagError::UnknownEntrant),
        FlagOutcome::Unchanged => Ok(()),
        FlagOutcome::Changed => Ok(tx.record_audit(&entry).map(drop)?),
    })
}

/// Removes an entrant's flag. Detection does not flag that entrant again.
///
/// # Errors
/// As [`flag`].
pub fn unflag<S>(
    store: &S,
    clock: &dyn Clock,
    actor: Actor,
    entrant: EntrantId,
    reason: &str,
) -> Result<(), FlagError>
where
    S: UnitOfWork<Tx: Flags + AuditLog>,
{
    let at = clock.now();
    let entry = NewAuditEntry::new(actor, Action::UnflagUser, at)
        .target(entrant)
        .text("reason", reason);
    store.transaction(|tx| match tx.unflag(entrant, at)? {
        FlagOutcome::UnknownEntrant => Err(FlagError::UnknownEntrant),
        FlagOutcome::Unchanged => Ok(()),
        FlagOutcome::Changed => Ok(tx.record_audit(&entry).map(drop)?),
    })
}

/// Flags the entrants of suspicious networks, and returns how many were flagged. Everybody who exists now is counted.
///
/// Each part of the networks is a transaction of its own, with its entry in the audit log. Parts before the last one that
/// flagged nobody have none.
///
/// # Errors
/// [`StoreError`]; the parts before stay.
pub fn flag_suspicious<S>(
    store: &S,
    clock: &dyn Clock,
    zone: Tz,
    actor: Actor,
    rules: &FraudRules,
) -> Result<i64, StoreError>
where
    S: UnitOfWork<Tx: Rollups + Flags + AuditLog>,
{
    // The networks are counted in the roll-ups.
    fold(store, zone)?;
    let entry = || NewAuditEntry::new(actor, Action::FraudDetection, clock.now());
    let mut total = 0;
    loop {
        let part = store.transaction(|tx| {
            let part = tx.flag_suspicious(rules)?;
            if part.flagged > 0 || part.is_complete {
                tx.record_audit(&entry().number("flagged", part.flagged))?;
            }
            Ok::<_, StoreError>(part)
        })?;
        total += part.flagged;
        if part.is_complete {
            return Ok(total);
        }
    }
}

/// The number of flagged entrants that match.
pub fn count<S>(store: &S, filter: &FlaggedFilter) -> Result<i64, StoreError>
where
    S: UnitOfWork<Tx: Flags>,
{
    store.read(|tx| tx.count_flagged(filter))
}

/// A page of the flagged entrants, with the number of all that match.
pub fn list<S>(
    store: &S,
    filter: &FlaggedFilter,
    sort: FlaggedSort,
    order: SortOrder,
    page: PageRequest,
) -> Result<FlaggedList, StoreError>
where
    S: UnitOfWork<Tx: Flags>,
{
    store.snapshot(|tx| {
        Ok(FlaggedList {
            flagged: tx.list_flagged(filter, sort, order, page)?,
            total: tx.count_flagged(filter)?,
        })
    })
}

/// The entrants with the newest flags, at most `count`. To read the whole list in parts, set `filter.after`.
pub fn newest<S>(store: &S, filter: &FlaggedFilter, count: u32) -> Result<Vec<FlaggedEntrant>, StoreError>
where
    S: UnitOfWork<Tx: Flags>,
{
    let page = PageRequest {
        limit: count,
        offset: 0,
    };
    store.read(|tx| tx.list_flagged(filter, FlaggedSort::FlaggedAt, SortOrder::Descending, page))
}
