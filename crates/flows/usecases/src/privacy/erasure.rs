//! Erasing a person, once the request is confirmed.
//!
//! The journal comes first: it is durable before the database changes. A person who is in the journal and was not erased,
//! because the program or the database failed in between, is erased by the next replay: the request was confirmed.

use ::privacy::{Erased, Erasure, Journal, JournalEntry, JournalError};
use chrono::{DateTime, Utc};
use kernel::{EntrantId, StoreError, UnitOfWork};

/// Why nobody was erased.
#[derive(Debug, thiserror::Error)]
pub enum EraseError {
    /// There is no such entrant, or it was erased before.
    #[error("unknown entrant")]
    UnknownEntrant,
    /// A claim of the person has not ended.
    #[error("a claim is open")]
    OpenClaim,
    /// A purchase of the person may still be paid.
    #[error("a purchase is open")]
    OpenPurchase,
    /// The journal cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Erases a person: all of [`Erasure::erase_person`], after the journal has it.
///
/// `record` runs in the same transaction, for the state of the request and the audit entry. It may run more than once.
///
/// # Errors
/// [`EraseError`], or that of `record`. Nothing has changed then, but the journal may name the entrant.
pub fn erase_and<S, E>(
    store: &S,
    journal: &dyn Journal,
    entrant: EntrantId,
    now: DateTime<Utc>,
    mut record: impl FnMut(&mut S::Tx) -> Result<(), E>,
) -> Result<(), E>
where
    S: UnitOfWork<Tx: Erasure>,
    E: From<EraseError> + From<StoreError>,
{
    refuse(store.read::<_, StoreError>(|tx| tx.check_erasure(entrant, now))?)?;
    journal
        .append(JournalEntry { entrant, at: now })
        .map_err(EraseError::from)?;
    store.transaction(|tx| {
        refuse(tx.erase_person(entrant, now)?)?;
        record(tx)
    })
}

/// Erases a person and records nothing else.
///
/// # Errors
/// As [`erase_and`].
pub fn erase<S>(
    store: &S,
    journal: &dyn Journal,
    entrant: EntrantId,
    now: DateTime<Utc>,
) -> Result<(), EraseError>
where
    S: UnitOfWork<Tx: Erasure>,
{
    erase_and(store, journal, entrant, now, |_| Ok(()))
}

const fn refuse(erased: Erased) -> Result<(), EraseError> {
    match erased {
        Erased::Done => Ok(()),
        Erased::Before | Erased::Unknown => Err(EraseError::UnknownEntrant),
        Erased::OpenClaim => Err(EraseError::OpenClaim),
        Erased::OpenPurchase => Err(EraseError::OpenPurchase),
    }
}

/// What a replay did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Replayed {
    /// How many people it erased.
    pub erased: u64,
    /// How many were erased already.
    pub before: u64,
    /// How many are not in the database: they entered after the backup.
    pub unknown: u64,
    /// Who could not be erased, because a claim or a purchase is open in the backup.
    pub open: Vec<EntrantId>,
}

/// Erases everybody in a journal again, such as after a backup was restored. Each person is a transaction of its own, so it
/// can be run again after it was interrupted.
///
/// # Errors
/// When the store fails.
pub fn replay<S>(store: &S, entries: impl IntoIterator<Item = JournalEntry>) -> Result<Replayed, StoreError>
where
    S: UnitOfWork<Tx: Erasure>,
{
    let mut replayed = Replayed::default();
    for entry in entries {
        match store.transaction(|tx| tx.erase_person(entry.entrant, entry.at))? {
            Erased::Done => replayed.erased += 1,
            Erased::Before => replayed.before += 1,
            Erased::Unknown => replayed.unknown += 1,
            Erased::OpenClaim | Erased::OpenPurchase => replayed.open.push(entry.entrant),
        }
    }
    Ok(replayed)
}
