//! What waits for staff, for the counts in the console's menu.

use claims::{ClaimFilter, Claims};
use fraud::{AppealStatus, Appeals};
use kernel::{Clock, StoreError, UnitOfWork};
use staff::{ApprovalStatus, Approvals};

/// How much waits for staff.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waiting {
    /// Open appeals of flagged entrants.
    pub appeals: i64,
    /// Claims that were submitted, have an objection or need a call.
    pub claims: i64,
    /// Proposals that can be approved.
    pub approvals: i64,
}

/// Counts what waits for staff, at one moment.
pub fn count<S>(store: &S, clock: &dyn Clock) -> Result<Waiting, StoreError>
where
    S: UnitOfWork<Tx: Appeals + Claims + Approvals>,
{
    let now = clock.now();
    store.snapshot(|tx| {
        Ok(Waiting {
            appeals: tx.count_appeals(Some(AppealStatus::Open))?,
            claims: tx.count_claims(ClaimFilter::WaitsForStaff)?,
            approvals: tx.count_approvals(Some(ApprovalStatus::Open), now)?,
        })
    })
}
