//! Reading and verifying the audit log of the console. Each flow of staff writes its own entry, in its own
//! transaction. It does so last, because whoever has added an entry holds up all others until the transaction ends.

use kernel::{Clock, PageRequest, StaffName, StoreError, UnitOfWork};
use sms::CampaignId;
use staff::audit_chain::{AuditHash, ChainBreak, ChainCheck};
use staff::{Accounts, Action, Actor, AuditChain, AuditEntry, AuditFilter, AuditLog, NewAuditEntry};
use std::collections::HashMap;

/// An entry of the audit log, with the name of who acted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedEntry {
    /// The entry.
    pub entry: AuditEntry,
    /// The name that the member of staff has now; `None` for the server itself.
    pub member: Option<StaffName>,
}

/// A page of the audit log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditList {
    /// The entries of the page, newest first.
    pub entries: Vec<NamedEntry>,
    /// The number of all matching entries.
    pub total: i64,
}

/// A page of the audit log, with the number of all matching entries.
pub fn list<S>(store: &S, filter: &AuditFilter, page: PageRequest) -> Result<AuditList, StoreError>
where
    S: UnitOfWork<Tx: AuditLog + Accounts>,
{
    store.snapshot(|tx| {
        Ok(AuditList {
            entries: named(tx, tx.list_audit(filter, page)?)?,
            total: tx.count_audit(filter)?,
        })
    })
}

/// The newest entries, at most `count`. To read the whole log in parts, set `filter.before`.
pub fn newest_entries<S>(store: &S, filter: &AuditFilter, count: u32) -> Result<Vec<NamedEntry>, StoreError>
where
    S: UnitOfWork<Tx: AuditLog + Accounts>,
{
    let page = PageRequest {
        limit: count,
        offset: 0,
    };
    store.snapshot(|tx| named(tx, tx.list_audit(filter, page)?))
}

/// Accounts are never deleted, so each member has a name.
fn named(tx: &impl Accounts, entries: Vec<AuditEntry>) -> Result<Vec<NamedEntry>, StoreError> {
    let accounts = tx.list_accounts()?.into_iter();
    let names: HashMap<_, _> = accounts
        .map(|account| (account.member.id, account.member.name))
        .collect();
    let name = |entry: AuditEntry| NamedEntry {
        member: entry.member.and_then(|id| names.get(&id).cloned()),
        entry,
    };
    Ok(entries.into_iter().map(name).collect())
}

/// A list with phone numbers that staff can export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberList {
    /// Flagged entrants.
    FlaggedUsers,
    /// Replies to texts.
    Replies,
    /// The messages of a campaign with their recipients.
    Campaign(CampaignId),
    /// The numbers that staff typed in for a campaign.
    CustomNumbers(CampaignId),
    /// Drawings with their winners.
    Drawings,
    /// Purchases, with the last digits of their buyers' numbers.
    Purchases,
}

impl NumberList {
    const fn name(self) -> &'static str {
        match self {
            Self::FlaggedUsers => "flagged_users",
            Self::Replies => "replies",
            Self::Campaign(_) => "campaign",
            Self::CustomNumbers(_) => "custom_numbers",
            Self::Drawings => "drawings",
            Self::Purchases => "purchases",
        }
    }
}

/// Records that staff export a list, before they get it. `is_searched`: the list has only what they searched for. What they
/// searched for is not recorded, because it may be somebody's number.
pub fn record_export<S>(
    store: &S,
    clock: &dyn Clock,
    actor: Actor,
    list: NumberList,
    rows: i64,
    is_searched: bool,
) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: AuditLog>,
{
    let mut entry = NewAuditEntry::new(actor, Action::ExportNumbers, clock.now())
        .text("list", list.name())
        .number("rows", rows);
    if let NumberList::Campaign(id) | NumberList::CustomNumbers(id) = list {
        entry = entry.target(id);
    }
    if is_searched {
        entry = entry.text("searched", "yes");
    }
    store.transaction(|tx| tx.record_audit(&entry).map(drop))
}

/// What verifying the audit log found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChainReport {
    /// The number of entries.
    pub entries: i64,
    /// How many of them lost what staff wrote, because the person was erased.
    pub erased: i64,
    /// The hash of the last entry.
    pub head: Option<AuditHash>,
}

/// The audit log could not be verified.
#[derive(Debug, thiserror::Error)]
pub enum ChainError {
    /// Somebody tampered with it.
    #[error(transparent)]
    Broken(#[from] ChainBreak),
    /// Something was erased of a person who was not.
    #[error("row {1} of {0} lost what is erased with a person, and that person was not erased")]
    LostWithoutErasure(String, i64),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// How many entries are read at once.
const PART: u32 = 1_000;

/// Verifies the chain of the audit log from its first entry on. Calls `seen` with the hash of each.
///
/// # Errors
/// The first place where somebody tampered with it; or the store's error.
pub fn verify_chain<S>(store: &S, mut seen: impl FnMut(AuditHash)) -> Result<ChainReport, ChainError>
where
    S: UnitOfWork<Tx: AuditChain>,
{
    store.snapshot(|tx| {
        let (mut check, mut after) = (ChainCheck::default(), i64::MIN);
        loop {
            let part = tx.list_chain(after, PART)?;
            let Some(last) = part.last() else { break };
            after = last.id;
            for entry in &part {
                check.push(entry)?;
                seen(check.end().hash);
            }
        }
        check.finish(tx.chain_head()?.as_ref())?;
        if let Some((table, id)) = tx.lost_without_erasure()? {
            return Err(ChainError::LostWithoutErasure(table, id));
        }
        let end = check.end();
        Ok(ChainReport {
            entries: end.position,
            erased: check.erased(),
            head: (end.position > 0).then_some(end.hash),
        })
    })
}
