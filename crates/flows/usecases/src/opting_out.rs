//! Stopping texts to a number, and what staff do about it (D66). Only the number's own START lifts it.

use chrono::{DateTime, Utc};
use kernel::{Clock, EntrantId, Phone, StoreError, StoredText, UnitOfWork};
use raffle::Entrants;
use sms::{Consents, Keyword, OptOuts, Replies, Reply, ReplyId};
use staff::{Action, Actor, AuditLog, NewAuditEntry};

/// Why texts to a number were not stopped.
#[derive(Debug, thiserror::Error)]
pub enum OptOutError {
    /// There is no such entrant or reply.
    #[error("unknown")]
    Unknown,
    /// The number has opted out already.
    #[error("opted out before")]
    OptedOut,
    /// Somebody has decided about the reply already, or it was clear.
    #[error("decided before")]
    Decided,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Opts a number out and revokes its consents. Returns whether it had not opted out before.
pub(crate) fn stop_texts(
    tx: &mut (impl OptOuts + Consents),
    phone: &Phone,
    at: DateTime<Utc>,
) -> Result<bool, StoreError> {
    let is_change = !tx.has_opted_out(phone)?;
    tx.opt_out(phone, at)?;
    tx.revoke_consents(phone, at)?;
    Ok(is_change)
}

/// Stops texts to a number for somebody who called or wrote, also if the number never entered.
///
/// # Errors
/// [`OptOutError::OptedOut`].
pub fn stop_number<S>(
    store: &S,
    clock: &dyn Clock,
    actor: Actor,
    phone: &Phone,
    reason: &StoredText,
) -> Result<(), OptOutError>
where
    S: UnitOfWork<Tx: OptOuts + Consents + AuditLog>,
{
    let at = clock.now();
    let entry = NewAuditEntry::new(actor, Action::StopTexts, at).text("phoneNumber", phone.masked());
    store.transaction(|tx| stop_for(tx, phone, entry.clone(), reason, at))
}

/// Stops texts to the number of an entrant.
///
/// # Errors
/// [`OptOutError::Unknown`], [`OptOutError::OptedOut`].
pub fn stop_person<S>(
    store: &S,
    clock: &dyn Clock,
    actor: Actor,
    entrant: EntrantId,
    reason: &StoredText,
) -> Result<(), OptOutError>
where
    S: UnitOfWork<Tx: Entrants + OptOuts + Consents + AuditLog>,
{
    let at = clock.now();
    let entry = NewAuditEntry::new(actor, Action::StopTexts, at).target(entrant);
    store.transaction(|tx| {
        let found = tx.find_entrant(entrant)?.ok_or(OptOutError::Unknown)?;
        stop_for(tx, &found.phone, entry.clone(), reason, at)
    })
}

fn stop_for(
    tx: &mut (impl OptOuts + Consents + AuditLog),
    phone: &Phone,
    entry: NewAuditEntry,
    reason: &StoredText,
    at: DateTime<Utc>,
) -> Result<(), OptOutError> {
    if !stop_texts(tx, phone, at)? {
        return Err(OptOutError::OptedOut);
    }
    tx.record_audit(&entry.text("reason", reason.as_str()))?;
    Ok(())
}

/// Decides about a reply that holds a word for STOP but does not clearly ask for it. Returns the reply.
///
/// # Errors
/// [`OptOutError::Unknown`], [`OptOutError::Decided`].
pub fn decide_reply<S>(
    store: &S,
    clock: &dyn Clock,
    actor: Actor,
    id: ReplyId,
    opts_out: bool,
) -> Result<Reply, OptOutError>
where
    S: UnitOfWork<Tx: OptOuts + Consents + Replies + AuditLog>,
{
    let at = clock.now();
    let keyword = opts_out.then_some(Keyword::Stop);
    store.transaction(|tx| {
        let reply = tx.lock_reply(id)?.ok_or(OptOutError::Unknown)?;
        if !reply.is_unclear {
            return Err(OptOutError::Decided);
        }
        if opts_out {
            stop_texts(tx, &reply.phone, at)?;
        }
        tx.decide_reply(id, keyword)?;
        let decision = if opts_out { "stop_texts" } else { "leave" };
        let entry = NewAuditEntry::new(actor, Action::DecideReply, at).target(id);
        tx.record_audit(&entry.text("decision", decision))?;
        Ok(Reply {
            keyword,
            is_unclear: false,
            ..reply
        })
    })
}
