//! What staff see and note about entrants.

mod import;

pub use import::{ImportError, ImportTools, Imported, import, try_import};

use chrono::{DateTime, Utc};
use fraud::{AppealCase, Appeals, FlagOutcome, FlaggedEntrant, Flags, NewFlag, PublicReason};
use kernel::{Clock, EntrantId, PageRequest, StoreError, UnitOfWork};
use people::{
    MarkOutcome, NewMark, Notes, People, PeopleFilter, Person, PersonEdit, PersonRow, UnmarkOutcome,
};
use raffle::{Entrants, RaffleMove};
use staff::{Action, Actor, AuditLog, NewAuditEntry};

/// Matches are counted up to this number. Nobody waits for a count of millions.
pub const MOST_COUNTED: u32 = 1_000;

/// A page of the entrants who match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PeopleList {
    /// The entrants of the page.
    pub people: Vec<PersonRow>,
    /// The number of all who match, at most [`MOST_COUNTED`].
    pub total: i64,
    /// Whether there are no more than `total`.
    pub is_total_exact: bool,
}

/// Everything about an entrant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonFile {
    /// Who they are, and what they did.
    pub person: Person,
    /// The flag that they have now.
    pub flag: Option<FlaggedEntrant>,
    /// Their appeals, with the flags that these are about, the newest first.
    pub appeals: Vec<AppealCase>,
    /// Their moves from one raffle to another, the oldest first.
    pub moves: Vec<RaffleMove>,
}

/// There is no such entrant, or the store failed.
#[derive(Debug, thiserror::Error)]
pub enum PersonError {
    /// There is no such entrant.
    #[error("unknown entrant")]
    Unknown,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a mark was not changed.
#[derive(Debug, thiserror::Error)]
pub enum MarkError {
    /// There is no such entrant.
    #[error("unknown entrant")]
    Unknown,
    /// There is no entry with the id of the one that is to stay.
    #[error("unknown original")]
    UnknownOriginal,
    /// Both are the same entry.
    #[error("oneself")]
    Oneself,
    /// The entry that is to stay is a duplicate itself.
    #[error("the original is a duplicate")]
    OriginalIsDuplicate,
    /// The entry is marked already.
    #[error("already marked")]
    AlreadyMarked,
    /// There is no mark.
    #[error("not marked")]
    NotMarked,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A page of the entrants who match, the newest first. That it was read stands in the audit log.
pub fn list<S>(
    store: &S,
    clock: &dyn Clock,
    actor: Actor,
    filter: &PeopleFilter,
    page: PageRequest,
) -> Result<PeopleList, StoreError>
where
    S: UnitOfWork<Tx: People + AuditLog>,
{
    let list = store.snapshot(|tx| {
        let counted = tx.count_people(filter, MOST_COUNTED + 1)?;
        Ok::<_, StoreError>(PeopleList {
            people: tx.list_people(filter, page)?,
            total: counted.min(i64::from(MOST_COUNTED)),
            is_total_exact: counted <= i64::from(MOST_COUNTED),
        })
    })?;
    if !list.people.is_empty() {
        let entry = reading_entry(actor, filter, page, list.people.len(), clock.now());
        store.transaction::<_, StoreError>(|tx| tx.record_audit(&entry).map(drop))?;
    }
    Ok(list)
}

/// What was searched for may be a number, so it is not kept.
fn reading_entry(
    actor: Actor,
    filter: &PeopleFilter,
    page: PageRequest,
    rows: usize,
    at: DateTime<Utc>,
) -> NewAuditEntry {
    let is_search = filter.query.is_some();
    NewAuditEntry::new(actor, Action::ReadNumbers, at)
        .number("rows", i64::try_from(rows).unwrap_or(i64::MAX))
        .number("offset", page.offset.into())
        .text("search", if is_search { "yes" } else { "no" })
}

/// Everything about an entrant, as it was at one moment.
///
/// # Errors
/// [`PersonError::Unknown`].
pub fn get<S>(store: &S, id: EntrantId) -> Result<PersonFile, PersonError>
where
    S: UnitOfWork<Tx: People + Flags + Appeals + Entrants>,
{
    store.snapshot(|tx| file(tx, id)?.ok_or(PersonError::Unknown))
}

fn file<T: People + Flags + Appeals + Entrants>(
    tx: &T,
    id: EntrantId,
) -> Result<Option<PersonFile>, StoreError> {
    let Some(person) = tx.find_person_file(id)? else {
        return Ok(None);
    };
    Ok(Some(PersonFile {
        flag: tx.find_flagged(id)?,
        appeals: tx.appeals_of(id)?,
        moves: tx.moves_of(id)?,
        person,
    }))
}

/// All tags that entrants have, sorted.
pub fn tags<S>(store: &S) -> Result<Vec<String>, StoreError>
where
    S: UnitOfWork<Tx: People>,
{
    store.read(|tx| tx.list_tags())
}

/// Changes tags or notes. The log names what was changed, and not what it says: notes may hold numbers.
///
/// # Errors
/// [`PersonError::Unknown`].
pub fn edit<S>(store: &S, actor: Actor, edit: &PersonEdit) -> Result<Notes, PersonError>
where
    S: UnitOfWork<Tx: People + AuditLog>,
{
    let mut entry = NewAuditEntry::new(actor, Action::EditPerson, edit.at).target(edit.entrant);
    if let Some(tags) = &edit.tags {
        entry = entry.number("tags", count(tags.len()));
    }
    if let Some(notes) = &edit.notes {
        entry = entry.number("notesCharacters", count(notes.chars().count()));
    }
    store.transaction(|tx| {
        let notes = tx.edit_person(edit)?.ok_or(PersonError::Unknown)?;
        tx.record_audit(&entry)?;
        Ok(notes)
    })
}

fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Marks an entry as the same person's as another one, and flags it unless it is flagged already. Its ledger stays.
///
/// # Errors
/// All of [`MarkError`] but [`MarkError::NotMarked`].
pub fn mark_duplicate<S>(store: &S, actor: Actor, mark: &NewMark) -> Result<PersonFile, MarkError>
where
    S: UnitOfWork<Tx: People + Flags + Appeals + Entrants + AuditLog>,
{
    let entry = audit_entry(
        actor,
        Action::MarkDuplicate,
        mark.duplicate,
        mark.original,
        mark.at,
    );
    let flag = NewFlag {
        entrant: mark.duplicate,
        reason: mark.flag_reason(),
        public_reason: PublicReason::Duplicate,
    };
    store.transaction(|tx| {
        match tx.mark_duplicate(mark)? {
            MarkOutcome::Marked => {}
            MarkOutcome::UnknownDuplicate => return Err(MarkError::Unknown),
            MarkOutcome::UnknownOriginal => return Err(MarkError::UnknownOriginal),
            MarkOutcome::Oneself => return Err(MarkError::Oneself),
            MarkOutcome::OriginalIsDuplicate => return Err(MarkError::OriginalIsDuplicate),
            MarkOutcome::AlreadyMarked => return Err(MarkError::AlreadyMarked),
        }
        // Unchanged when it was flagged before.
        tx.flag(&flag)?;
        tx.record_audit(&entry)?;
        file(tx, mark.duplicate)?.ok_or(MarkError::Unknown)
    })
}

/// Removes such a mark, and the flag if the mark had set it.
///
/// # Errors
/// [`MarkError::NotMarked`].
pub fn unmark_duplicate<S>(
    store: &S,
    clock: &dyn Clock,
    actor: Actor,
    duplicate: EntrantId,
) -> Result<PersonFile, MarkError>
where
    S: UnitOfWork<Tx: People + Flags + Appeals + Entrants + AuditLog>,
{
    let at = clock.now();
    store.transaction(|tx| {
        let UnmarkOutcome::Unmarked {
            must_unflag,
            original,
        } = tx.unmark_duplicate(duplicate, at)?
        else {
            return Err(MarkError::NotMarked);
        };
        if must_unflag {
            let _: FlagOutcome = tx.unflag(duplicate, at)?;
        }
        tx.record_audit(&audit_entry(
            actor,
            Action::UnmarkDuplicate,
            duplicate,
            original,
            at,
        ))?;
        file(tx, duplicate)?.ok_or(MarkError::Unknown)
    })
}

fn audit_entry(
    actor: Actor,
    action: Action,
    duplicate: EntrantId,
    original: EntrantId,
    at: DateTime<Utc>,
) -> NewAuditEntry {
    NewAuditEntry::new(actor, action, at)
        .target(duplicate)
        .number("originalId", original.get())
}
