//! What a start writes down of the settings that decide who may do what alone, and how winners are drawn (D65).

use crate::sessions::NOBODY;
use kernel::{Clock, StoreError, UnitOfWork};
use staff::{Action, AuditLog, NewAuditEntry, StartSettings};

/// Stores the settings of this start, and records those that are not as before in the audit log. Of servers that start at
/// once with the same settings, one records them.
pub fn record<S>(store: &S, clock: &dyn Clock, settings: &[(&str, String)]) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: StartSettings + AuditLog>,
{
    let at = clock.now();
    store.transaction(|tx| {
        for (name, value) in settings {
            let before = tx.replace_start_setting(name, value)?;
            let Some(before) = before.filter(|before| before != value) else {
                continue;
            };
            let entry = NewAuditEntry::new(NOBODY, Action::ChangeStartSetting, at)
                .target(name)
                .text("before", before)
                .text("after", value);
            tx.record_audit(&entry)?;
        }
        Ok(())
    })
}
