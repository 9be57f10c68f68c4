//! Publishing what a raffle says.

use super::writing::{keep_picture, name_of};
use crate::drawings::calendar;
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use drawing::Hash;
use kernel::{StoreError, UnitOfWork};
use raffle::pictures::Pictures;
use raffle::{Draft, Drafts, Raffle, RaffleKey, RaffleStatus, Raffles, Version, Versions};
use staff::{Accounts, Action, Actor, AuditLog, NeedsApproval, NewAuditEntry, SecondPerson};

/// To publish the draft of a raffle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Publish {
    /// Who does it.
    pub actor: Actor,
    /// Whether somebody else has agreed.
    pub second: SecondPerson,
    /// The raffle.
    pub raffle: RaffleKey,
    /// The revision of the draft that was looked at.
    pub revision: i64,
    /// The SHA-256 of its content.
    pub hash: Hash,
}

/// Why nothing was published.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// There is no such raffle.
    #[error("unknown raffle")]
    UnknownRaffle,
    /// The draft is not the one that was looked at.
    #[error("the draft was changed meanwhile")]
    ChangedMeanwhile,
    /// The draft lacks something, or says what it must not say.
    #[error("the draft is incomplete")]
    Incomplete,
    /// Its picture was withdrawn.
    #[error("the picture was withdrawn")]
    PictureGone,
    /// Somebody else must approve it.
    #[error(transparent)]
    NeedsApproval(#[from] NeedsApproval),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Publishes the draft of a raffle as its next version. If the newest version says the same already, nothing changes.
///
/// # Errors
/// [`PublishError`]; nothing has changed then.
pub fn publish<S>(store: &S, zone: Tz, command: &Publish) -> Result<Version, PublishError>
where
    S: UnitOfWork<Tx: Raffles + Versions + Drafts + Pictures + Accounts + AuditLog>,
{
    store.transaction(|tx| {
        let held = tx.hold_raffles()?;
        let raffle = held
            .raffles
            .find(command.raffle)
            .ok_or(PublishError::UnknownRaffle)?;
        let draft = locked_draft(tx, command)?;
        let newest = tx.list_versions(command.raffle)?.into_iter().next();
        match newest {
            Some(newest) if newest.content == draft.content => return Ok(newest),
            _ => {}
        }
        if !draft.content.faults().is_empty() || !draft.content.missing().is_empty() {
            return Err(PublishError::Incomplete);
        }
        if !keep_picture(tx, &draft.content, held.since)? {
            return Err(PublishError::PictureGone);
        }
        if is_public(raffle, held.since) {
            command.second.check()?;
        }
        let in_force = tx.version_in_force(command.raffle, held.since)?;
        let version = Version {
            raffle: command.raffle,
            number: newest.as_ref().map_or(1, |newest| newest.number + 1),
            takes_effect_at: takes_effect_at(zone, raffle, &draft, in_force.as_ref(), held.since)?,
            content: draft.content,
            published_at: held.since,
            published_by: name_of(tx, command.actor)?,
        };
        tx.add_version(&version)?;
        tx.record_audit(&audit_entry(command.actor, &version, newest.as_ref()))?;
        Ok(version)
    })
}

/// The draft that was looked at.
fn locked_draft<T: Drafts>(tx: &mut T, command: &Publish) -> Result<Draft, PublishError> {
    let draft = tx
        .lock_draft(command.raffle)?
        .ok_or(PublishError::UnknownRaffle)?;
    match (draft.revision, Hash::new(draft.content.hash())) == (command.revision, command.hash) {
        true => Ok(draft),
        false => Err(PublishError::ChangedMeanwhile),
    }
}

/// Whether a version is public at once, or when the raffle opens as two people have decided.
fn is_public(raffle: &Raffle, now: DateTime<Utc>) -> bool {
    let next = raffle.openings.next_change(now);
    raffle.is_open_at(now) || matches!(next, Some((RaffleStatus::Open, _)))
}

fn takes_effect_at(
    zone: Tz,
    raffle: &Raffle,
    draft: &Draft,
    in_force: Option<&Version>,
    now: DateTime<Utc>,
) -> Result<DateTime<Utc>, StoreError> {
    let months = calendar::months_from(now, zone);
    let in_force = in_force.map(|version| &version.content);
    // A clock beyond the calendar is a clock to wait for.
    Version::takes_effect_at(&draft.content, in_force, &raffle.openings, &months, now)
        .ok_or(StoreError::Conflict)
}

fn audit_entry(actor: Actor, version: &Version, before: Option<&Version>) -> NewAuditEntry {
    let changed = before.map(|before| version.content.changes_since(&before.content));
    NewAuditEntry::new(actor, Action::PublishRaffle, version.published_at)
        .target(version.raffle)
        .text("version", version.number.to_string())
        .text("hash", version.content.hash_in_hex())
        .text("takesEffectAt", version.takes_effect_at.to_rfc3339())
        .text(
            "changed",
            changed.map_or("everything".to_owned(), |fields| fields.join(", ")),
        )
}
