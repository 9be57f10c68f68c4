//! The import of people from a CSV file. All lines are imported, or none.
//!
//! An imported person has one entry, as somebody who entered on the site. They get no welcome text, and no campaign texts
//! either, because they have not agreed to any; staff can list their numbers for a campaign, with the basis that the file
//! names. Numbers that have entered before are left as they are. The number of an erased person cannot be imported: only its
//! owner may enter it again.

use crate::approvals::SHA256;
use chrono::{DateTime, Utc};
use kernel::{
    Clock, DatabaseClock, EntrantId, Entropy, PageRequest, PersonSalt, Phone, StoreError, UnitOfWork,
};
use people::{ImportFile, ImportLine, NewPerson, People};
use raffle::{HeldRaffles, NotOpen, Raffles};
use staff::{
    Action, Actor, Approval, ApprovalId, ApprovalStatus, Approvals, AuditLog, MemberId, NeedsApproval,
    NewAuditEntry, SecondPerson,
};
use std::collections::{HashMap, HashSet};

/// How often ids and referral codes that are taken are drawn again.
const TRIES: usize = 5;
/// How many people one statement adds.
const BATCH: usize = 5_000;

/// More proposals than a site approves in the time that an approval can be used.
const NEWEST: PageRequest = PageRequest {
    limit: 500,
    offset: 0,
};

/// What an import did, or what it would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// The id of the file's import, which its people have; `None` for a dry run, and when nobody is new.
    pub batch: Option<String>,
    /// The number of people who are new.
    pub imported: usize,
    /// The number of lines whose number has entered before.
    pub known: usize,
}

/// What an import needs.
#[derive(Clone, Copy)]
pub struct ImportTools<'a> {
    /// The time.
    pub clock: &'a dyn Clock,
    /// Random values.
    pub entropy: &'a dyn Entropy,
    /// What somebody who imports alone lacks: [`SecondPerson::Missing`] where two people must agree (`TWO_PERSON`).
    pub alone: SecondPerson,
}

/// Why nobody was imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// Somebody else must approve so large a file first.
    #[error(transparent)]
    NeedsApproval(#[from] NeedsApproval),
    /// Erased people had the numbers in these lines of the file.
    #[error("numbers of erased people in {} lines", .0.len())]
    Erased(Vec<u64>),
    /// Nobody can enter the raffles in these lines of the file.
    #[error("raffles that are not open in {} lines", .0.len())]
    NotOpen(Vec<(u64, NotOpen)>),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Says what an import would do.
///
/// # Errors
/// [`ImportError`], but for the approval that the import itself may need.
pub fn try_import<S>(store: &S, lines: &[ImportLine]) -> Result<Imported, ImportError>
where
    S: UnitOfWork<Tx: People + Raffles + DatabaseClock>,
{
    let (known, erased) = store.read::<_, ImportError>(|tx| {
        let (raffles, since) = (tx.list_raffles()?, tx.database_time()?);
        check_open(&HeldRaffles { raffles, since }, lines)?;
        let known = known_of(tx, lines)?;
        let new = lines.iter().filter(|line| !known.contains(&line.phone));
        Ok((known.len(), erased_of(tx, new)?))
    })?;
    check_erased(erased)?;
    Ok(Imported {
        batch: None,
        imported: lines.len() - known,
        known,
    })
}

/// Imports people, and says so in the audit log. A file that is too large for one person is imported when its import was
/// proposed by the same member and approved; that allows it once.
///
/// # Errors
/// [`ImportError`].
pub fn import<S>(
    store: &S,
    tools: ImportTools<'_>,
    (member, actor): (MemberId, Actor),
    file: &ImportFile,
) -> Result<Imported, ImportError>
where
    S: UnitOfWork<Tx: People + Raffles + Approvals + AuditLog>,
{
    let now = tools.clock.now();
    let batch = tools.entropy.hex::<16>();
    store.transaction(|tx| {
        check_open(&tx.hold_raffles()?, &file.lines)?;
        if known_of(tx, &file.lines)?.len() == file.lines.len() {
            return Ok(nobody_new(file));
        }
        let approval = second_person(tx, tools.alone, member, file, now)?;
        let (mut imported, mut erased) = (0, Vec::new());
        for part in file.lines.chunks(BATCH) {
            let added = import_part(tx, tools.entropy, &batch, part, now)?;
            imported += added.len();
            // Looked for after they were added, so that nobody is erased in between.
            erased.extend(erased_of(tx, added)?);
        }
        check_erased(erased)?;
        if imported == 0 {
            return Ok(nobody_new(file));
        }
        let known = file.lines.len() - imported;
        let entry = NewAuditEntry::new(actor, Action::ImportPeople, now)
            .target(&batch)
            .number("imported", count(imported))
            .number("known", count(known));
        tx.record_audit(&match approval {
            Some(id) => entry.number("proposal", id.get()),
            None => entry,
        })?;
        Ok(Imported {
            batch: Some(batch.clone()),
            imported,
            known,
        })
    })
}

/// Everybody in the file must be able to enter the raffle by themselves.
fn check_open(held: &HeldRaffles, lines: &[ImportLine]) -> Result<(), ImportError> {
    let not_open = |line: &ImportLine| Some((line.line, held.open(Some(line.raffle)).err()?));
    let closed: Vec<_> = lines.iter().filter_map(not_open).collect();
    match closed.is_empty() {
        true => Ok(()),
        false => Err(ImportError::NotOpen(closed)),
    }
}

const fn nobody_new(file: &ImportFile) -> Imported {
    Imported {
        batch: None,
        imported: 0,
        known: file.lines.len(),
    }
}

/// Uses up the approval of a file that one member may not import alone, and returns it.
fn second_person<T: Approvals>(
    tx: &mut T,
    alone: SecondPerson,
    member: MemberId,
    file: &ImportFile,
    now: DateTime<Utc>,
) -> Result<Option<ApprovalId>, ImportError> {
    if file.is_for_one() || alone.check().is_ok() {
        return Ok(None);
    }
    let approved = tx.list_approvals(Some(ApprovalStatus::Approved), now, NEWEST)?;
    let is_of_file = |approval: &&Approval| {
        approval.awaits_file_until(member, now).is_some()
            && approval.proposal.argument(SHA256) == Some(&file.sha256)
    };
    let id = approved.iter().find(is_of_file).ok_or(NeedsApproval)?.id;
    match tx.complete_approval(id, now)? {
        true => Ok(Some(id)),
        false => Err(NeedsApproval.into()),
    }
}

fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Returns the lines of those who were new. Whose id or referral code is taken is drawn again.
fn import_part<'a, T: People>(
    tx: &mut T,
    entropy: &dyn Entropy,
    batch: &str,
    lines: &'a [ImportLine],
    now: DateTime<Utc>,
) -> Result<Vec<&'a ImportLine>, StoreError> {
    let mut left: Vec<&ImportLine> = lines.iter().collect();
    let mut imported = Vec::new();
    for _ in 0..TRIES {
        let known = known_of(tx, left.iter().copied())?;
        left.retain(|line| !known.contains(&line.phone));
        if left.is_empty() {
            return Ok(imported);
        }
        let new: Vec<_> = left.iter().map(|line| draw(entropy, line)).collect();
        let added: HashSet<Phone> = tx.add_people(&new, batch, now)?.into_iter().collect();
        imported.extend(left.extract_if(.., |line| added.contains(&line.phone)));
        if left.is_empty() {
            return Ok(imported);
        }
    }
    Err(StoreError::Conflict)
}

fn erased_of<'a>(
    tx: &impl People,
    lines: impl IntoIterator<Item = &'a ImportLine>,
) -> Result<Vec<u64>, StoreError> {
    let by_number: HashMap<Phone, u64> = lines
        .into_iter()
        .map(|line| (line.phone.clone(), line.line))
        .collect();
    let erased = tx.erased_numbers(&by_number.keys().cloned().collect())?;
    Ok(erased
        .iter()
        .filter_map(|phone| by_number.get(phone).copied())
        .collect())
}

fn check_erased(mut lines: Vec<u64>) -> Result<(), ImportError> {
    lines.sort_unstable();
    match lines.is_empty() {
        true => Ok(()),
        false => Err(ImportError::Erased(lines)),
    }
}

fn draw(entropy: &dyn Entropy, line: &ImportLine) -> NewPerson {
    NewPerson {
        id: EntrantId::random(entropy),
        phone: line.phone.clone(),
        referral_code: referral::new_code(entropy),
        raffle: line.raffle,
        consent_basis: line.consent_basis.clone(),
        salt: PersonSalt::random(entropy),
    }
}

fn known_of<'a>(
    tx: &impl People,
    lines: impl IntoIterator<Item = &'a ImportLine>,
) -> Result<HashSet<Phone>, StoreError> {
    let phones: Vec<Phone> = lines.into_iter().map(|line| line.phone.clone()).collect();
    Ok(tx.known_numbers(&phones)?.into_iter().collect())
}
