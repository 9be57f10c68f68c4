//! Reading the audit log of the console (D15). Each flow of staff writes its own entry, in its own transaction.

use kernel::{PageRequest, StoreError, UnitOfWork};
use staff::{AuditEntry, AuditFilter, AuditLog};

/// A page of the audit log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditList {
    /// The entries of the page, newest first.
    pub entries: Vec<AuditEntry>,
    /// The number of all matching entries.
    pub total: i64,
}

/// A page of the audit log, with the number of all matching entries.
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

/// The newest entries, at most `count`. To read the whole log in parts, set `filter.before`.
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
