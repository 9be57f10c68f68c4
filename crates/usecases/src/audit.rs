//! Reading what was done in the console (D15). Each flow writes its own entry, in its own transaction.

use kernel::{PageRequest, StoreError, UnitOfWork};
use staff::{AuditEntry, AuditFilter, AuditLog};

/// A part of the audit log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditList {
    /// The part that was asked for, newest first.
    pub entries: Vec<AuditEntry>,
    /// How many there are in all.
    pub total: i64,
}

/// A part of the audit log, and how long it is.
pub fn list<S>(store: &S, filter: &AuditFilter, page: PageRequest) -> Result<AuditList, StoreError>
where
    S: UnitOfWork<Tx: AuditLog>,
{
    store.snapshot(|tx| {
        Ok(AuditList {
            entries: tx.list_audit(filter, page)?,
            total: tx.count_audit(filter)?,
        })
    })
}

/// The newest entries, at most this many. For reading the whole log in parts, by `filter.before`.
pub fn newest_entries<S>(store: &S, filter: &AuditFilter, count: u32) -> Result<Vec<AuditEntry>, StoreError>
where
    S: UnitOfWork<Tx: AuditLog>,
{
    let page = PageRequest {
        limit: count,
        offset: 0,
    };
    store.read(|tx| tx.list_audit(filter, page))
}
