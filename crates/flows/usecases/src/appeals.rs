//! Appeals of flagged entrants.

use fraud::{
    Appeal, AppealCase, AppealId, AppealMessage, AppealOutcome, AppealStatus, Appeals, Decision,
    DecisionOutcome, Flags, Hold, NewAppeal, Verdict,
};
use kernel::{Clock, EntrantId, PageRequest, StoreError, StoredText, UnitOfWork};
use staff::{Action, Actor, AuditLog, NewAuditEntry};

/// What an entrant sees of a flag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// The hold on the entries, if the entrant is flagged.
    pub hold: Option<Hold>,
    /// The newest appeal.
    pub appeal: Option<Appeal>,
}

/// A page of appeals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppealList {
    /// The appeals of the page.
    pub cases: Vec<AppealCase>,
    /// The number of all appeals that match.
    pub total: i64,
    /// The number of all open appeals.
    pub open: i64,
}

/// Why an appeal was not added.
#[derive(Debug, thiserror::Error)]
pub enum AppealError {
    /// The entrant is not flagged.
    #[error("not flagged")]
    NotFlagged,
    /// The entrant has an open appeal.
    #[error("open appeal")]
    AlreadyOpen,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why an appeal was not decided.
#[derive(Debug, thiserror::Error)]
pub enum DecideError {
    /// There is no such appeal.
    #[error("unknown appeal")]
    UnknownAppeal,
    /// It was decided before.
    #[error("decided before")]
    DecidedBefore,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A request of staff to decide an appeal.
#[derive(Debug, Clone)]
pub struct DecideCommand {
    /// The appeal.
    pub appeal: AppealId,
    /// The decision.
    pub decision: Decision,
    /// What the entrant reads about it.
    pub note: Option<StoredText>,
}

/// Whether an entrant's entries are on hold, with the newest appeal. An unknown entrant has neither.
pub fn standing<S>(store: &S, entrant: EntrantId) -> Result<Standing, StoreError>
where
    S: UnitOfWork<Tx: Appeals>,
{
    store.snapshot(|tx| read_standing(tx, entrant))
}

fn read_standing(tx: &impl Appeals, entrant: EntrantId) -> Result<Standing, StoreError> {
    Ok(Standing {
        hold: tx.find_hold(entrant)?,
        appeal: tx.newest_appeal(entrant)?,
    })
}

/// Adds the appeal of a flagged entrant, who has at most one open appeal.
///
/// # Errors
/// [`AppealError::NotFlagged`], [`AppealError::AlreadyOpen`].
pub fn add<S>(
    store: &S,
    clock: &dyn Clock,
    entrant: EntrantId,
    message: &AppealMessage,
) -> Result<Standing, AppealError>
where
    S: UnitOfWork<Tx: Appeals>,
{
    let new = NewAppeal {
        entrant,
        message: message.clone(),
        at: clock.now(),
    };
    store.transaction(|tx| match tx.add_appeal(&new)? {
        AppealOutcome::Added(_) => Ok(read_standing(tx, entrant)?),
        AppealOutcome::NotFlagged => Err(AppealError::NotFlagged),
        AppealOutcome::AlreadyOpen => Err(AppealError::AlreadyOpen),
    })
}

/// A page of the appeals with a status, or of all.
pub fn list<S>(store: &S, status: Option<AppealStatus>, page: PageRequest) -> Result<AppealList, StoreError>
where
    S: UnitOfWork<Tx: Appeals>,
{
    store.snapshot(|tx| {
        Ok(AppealList {
            cases: tx.list_appeals(status, page)?,
            total: tx.count_appeals(status)?,
            open: tx.count_appeals(Some(AppealStatus::Open))?,
        })
    })
}

/// Decides an appeal. Accepting it removes the flag, which gives the referrer's entry back.
///
/// # Errors
/// [`DecideError::UnknownAppeal`], [`DecideError::DecidedBefore`].
pub fn decide<S>(
    store: &S,
    clock: &dyn Clock,
    actor: Actor,
    command: &DecideCommand,
) -> Result<AppealCase, DecideError>
where
    S: UnitOfWork<Tx: Appeals + Flags + AuditLog>,
{
    let id = command.appeal;
    let verdict = Verdict {
        decision: command.decision,
        note: command.note.clone(),
        at: clock.now(),
    };
    store.transaction(|tx| {
        let entrant = match tx.decide_appeal(id, &verdict)? {
            DecisionOutcome::Decided(entrant) => entrant,
            DecisionOutcome::DecidedBefore => return Err(DecideError::DecidedBefore),
            DecisionOutcome::UnknownAppeal => return Err(DecideError::UnknownAppeal),
        };
        if verdict.decision == Decision::Accept {
            tx.unflag(entrant, verdict.at)?;
        }
        tx.record_audit(&audit_entry(actor, id, entrant, &verdict))?;
        tx.find_appeal(id)?.ok_or(DecideError::UnknownAppeal)
    })
}

fn audit_entry(actor: Actor, id: AppealId, entrant: EntrantId, verdict: &Verdict) -> NewAuditEntry {
    let entry = NewAuditEntry::new(actor, Action::DecideAppeal, verdict.at)
        .target(id)
        .number("userId", entrant.get())
        .text("decision", verdict.decision.as_str());
    match &verdict.note {
        Some(note) => entry.text("note", note.as_str()),
        None => entry,
    }
}
