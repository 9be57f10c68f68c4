//! Adding raffles, writing what they say, and ordering and deleting them (D59). Nothing of it is public.

use super::reading::{RaffleFile, file_in};
use chrono::{DateTime, Utc};
use kernel::{DatabaseClock, StaffName, StoreError, UniqueKey, UnitOfWork};
use raffle::pictures::Pictures;
use raffle::{Content, ContentFault, Deleted, Draft, Drafts, RaffleKey, Raffles, Versions};
use staff::{Accounts, Action, Actor, AuditLog, NewAuditEntry};

/// Why nothing of a raffle was changed.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    /// There is no such raffle.
    #[error("unknown raffle")]
    UnknownRaffle,
    /// There is a raffle with this key.
    #[error("the key is taken")]
    KeyTaken,
    /// Somebody else changed it meanwhile.
    #[error("it was changed meanwhile")]
    ChangedMeanwhile,
    /// It was open, or something names it.
    #[error("the raffle is in use")]
    InUse,
    /// It says what it must not say.
    #[error("the content is refused")]
    Refused(Vec<ContentFault>),
    /// Its picture is not there, or was withdrawn.
    #[error("unknown picture")]
    UnknownPicture,
    /// The store failed.
    #[error(transparent)]
    Store(StoreError),
}

impl From<StoreError> for EditError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Duplicate(UniqueKey::RaffleKey) => Self::KeyTaken,
            error => Self::Store(error),
        }
    }
}

/// Adds a raffle whose draft is empty.
///
/// # Errors
/// [`EditError::KeyTaken`].
pub fn create<S>(store: &S, actor: Actor, key: RaffleKey) -> Result<RaffleFile, EditError>
where
    S: UnitOfWork<Tx: Raffles + Versions + Drafts + Accounts + AuditLog + DatabaseClock>,
{
    store.transaction(|tx| add(tx, actor, key, Content::default(), None))
}

/// Adds a raffle with what the draft of another one says.
///
/// # Errors
/// [`EditError::UnknownRaffle`], [`EditError::KeyTaken`].
pub fn copy<S>(store: &S, actor: Actor, from: RaffleKey, key: RaffleKey) -> Result<RaffleFile, EditError>
where
    S: UnitOfWork<Tx: Raffles + Versions + Drafts + Accounts + AuditLog + DatabaseClock>,
{
    store.transaction(|tx| {
        let draft = tx.find_draft(from)?.ok_or(EditError::UnknownRaffle)?;
        add(tx, actor, key, draft.content, Some(from))
    })
}

fn add<T>(
    tx: &mut T,
    actor: Actor,
    key: RaffleKey,
    content: Content,
    from: Option<RaffleKey>,
) -> Result<RaffleFile, EditError>
where
    T: Raffles + Versions + Drafts + Accounts + AuditLog + DatabaseClock,
{
    tx.add_raffle(key)?;
    let now = tx.database_time()?;
    tx.save_draft(&Draft {
        raffle: key,
        revision: 1,
        content,
        saved_at: now,
        saved_by: name_of(tx, actor)?,
    })?;
    let entry = NewAuditEntry::new(actor, Action::CreateRaffle, now).target(key);
    tx.record_audit(&match from {
        Some(from) => entry.text("copyOf", from.as_str()),
        None => entry,
    })?;
    file_in(tx, key)?.ok_or(EditError::UnknownRaffle)
}

/// To change the draft of a raffle.
#[derive(Debug, Clone, PartialEq)]
pub struct SaveDraft {
    /// Who does it.
    pub actor: Actor,
    /// The raffle.
    pub raffle: RaffleKey,
    /// The revision that was changed.
    pub revision: i64,
    /// What the raffle is to say.
    pub content: Content,
}

/// Stores a draft in the place of the one that was changed. If the stored one says the same already, nothing changes: somebody
/// may send a change again whose answer was lost.
///
/// # Errors
/// [`EditError::UnknownRaffle`], [`EditError::ChangedMeanwhile`], [`EditError::Refused`], [`EditError::UnknownPicture`].
pub fn save_draft<S>(store: &S, command: &SaveDraft) -> Result<Draft, EditError>
where
    S: UnitOfWork<Tx: Drafts + Pictures + Accounts + AuditLog + DatabaseClock>,
{
    let content = command.content.clone().normalized();
    match content.faults() {
        faults if faults.is_empty() => {}
        faults => return Err(EditError::Refused(faults)),
    }
    store.transaction(|tx| {
        let before = tx.lock_draft(command.raffle)?.ok_or(EditError::UnknownRaffle)?;
        if before.content == content {
            return Ok(before);
        }
        if before.revision != command.revision {
            return Err(EditError::ChangedMeanwhile);
        }
        let now = tx.database_time()?;
        if !keep_picture(tx, &content, now)? {
            return Err(EditError::UnknownPicture);
        }
        let draft = Draft {
            raffle: command.raffle,
            revision: before.revision + 1,
            content: content.clone(),
            saved_at: now,
            saved_by: name_of(tx, command.actor)?,
        };
        tx.save_draft(&draft)?;
        let entry = NewAuditEntry::new(command.actor, Action::SaveRaffleDraft, now)
            .target(command.raffle)
            .text("revision", draft.revision.to_string())
            .text("changed", draft.content.changes_since(&before.content).join(", "));
        tx.record_audit(&entry)?;
        Ok(draft)
    })
}

/// Whether the picture that a content names is there. It stays from then on.
pub(super) fn keep_picture(
    tx: &mut impl Pictures,
    content: &Content,
    now: DateTime<Utc>,
) -> Result<bool, StoreError> {
    match content.picture.upload {
        Some(upload) => tx.keep_picture(upload, now),
        None => Ok(true),
    }
}

/// The name of the member of staff who does something.
pub(super) fn name_of(tx: &impl Accounts, actor: Actor) -> Result<Option<StaffName>, StoreError> {
    let Some(member) = actor.member else {
        return Ok(None);
    };
    let account = tx.find_account(member)?;
    Ok(account.map(|account| account.member.name))
}

/// Sets the order in which raffles are shown.
///
/// # Errors
/// [`EditError::ChangedMeanwhile`] when `keys` are not all raffles, each once.
pub fn order<S>(store: &S, actor: Actor, keys: &[RaffleKey]) -> Result<(), EditError>
where
    S: UnitOfWork<Tx: Raffles + AuditLog>,
{
    store.transaction(|tx| {
        let held = tx.hold_raffles_alone()?;
        let before: Vec<_> = held.raffles.keys().collect();
        if before == keys {
            return Ok(());
        }
        if sorted(&before) != sorted(keys) {
            return Err(EditError::ChangedMeanwhile);
        }
        tx.order_raffles(keys)?;
        let names: Vec<_> = keys.iter().map(|key| key.as_str()).collect();
        let entry =
            NewAuditEntry::new(actor, Action::OrderRaffles, held.since).text("order", names.join(", "));
        tx.record_audit(&entry)?;
        Ok(())
    })
}

fn sorted(keys: &[RaffleKey]) -> Vec<RaffleKey> {
    let mut keys = keys.to_vec();
    keys.sort_unstable();
    keys
}

/// Deletes a raffle that was never open.
///
/// # Errors
/// [`EditError::UnknownRaffle`], [`EditError::InUse`].
pub fn delete<S>(store: &S, actor: Actor, raffle: RaffleKey) -> Result<(), EditError>
where
    S: UnitOfWork<Tx: Raffles + AuditLog>,
{
    store.transaction(|tx| {
        let held = tx.hold_raffles_alone()?;
        held.raffles.find(raffle).ok_or(EditError::UnknownRaffle)?;
        match tx.delete_raffle(raffle)? {
            Deleted::InUse => return Err(EditError::InUse),
            Deleted::Yes => {}
        }
        tx.record_audit(&NewAuditEntry::new(actor, Action::DeleteRaffle, held.since).target(raffle))?;
        Ok(())
    })
}
