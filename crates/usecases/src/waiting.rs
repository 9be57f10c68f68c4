//! What waits for staff, for the counts in the console's menu.

use analytics::{AppealStatus, Appeals};
use claims::{ClaimFilter, Claims};
use kernel::{StoreError, UnitOfWork};

/// How much waits for staff.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waiting {
    /// Open appeals of flagged entrants.
    pub appeals: i64,
    /// Claims that were submitted, have an objection or need a call.
    pub claims: i64,
}

/// Counts what waits for staff, at one moment.
pub fn count<S>(store: &S) -> Result<Waiting, StoreError>
where
    S: UnitOfWork<Tx: Appeals + Claims>,
{
    store.snapshot(|tx| {
        Ok(Waiting {
            appeals: tx.count_appeals(Some(AppealStatus::Open))?,
            claims: tx.count_claims(ClaimFilter::WaitsForStaff)?,
        })
    })
}
