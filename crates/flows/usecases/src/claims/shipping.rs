//! What has to be sent to winners.

use super::{ClaimTools, ClaimTx, open_details, reading::drawing_of};
use ::claims::{Claim, ClaimDetails, ClaimFilter, ClaimId, ClaimStatus, Claims};
use ::staff::{Action, Actor, AuditLog, NewAuditEntry};
use chrono::{DateTime, Utc};
use drawing::{DrawingId, Prize};
use kernel::{DatabaseClock, PageRequest, StoreError, UnitOfWork};
use raffle::RaffleKey;

/// A prize that is to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parcel {
    /// The approved claim.
    pub claim: ClaimId,
    /// Its drawing.
    pub drawing: DrawingId,
    /// The raffle.
    pub raffle: RaffleKey,
    /// The prize, as the seal has it.
    pub prize: Prize,
    /// When the claim was approved.
    pub approved_at: Option<DateTime<Utc>>,
    /// To whom it goes.
    pub details: ClaimDetails,
}

/// More parcels than anybody packs at once.
const MOST: PageRequest = PageRequest {
    limit: 500,
    offset: 0,
};

/// The prizes of approved claims that are not sent yet, the oldest claim first. Each is a look at a winner's details, and
/// stands in the audit log as one.
///
/// # Errors
/// When the store fails.
pub fn shipping_list<S>(store: &S, tools: ClaimTools<'_>, actor: Actor) -> Result<Vec<Parcel>, StoreError>
where
    S: UnitOfWork<Tx: ClaimTx>,
{
    store.transaction(|tx| {
        let now = tx.database_time()?;
        let mut claims = tx.list_claims(ClaimFilter::Status(ClaimStatus::Verified), MOST)?;
        claims.reverse();
        let mut parcels = Vec::new();
        for claim in claims {
            let Some(parcel) = parcel(tx, tools, &claim)? else {
                continue;
            };
            let look = NewAuditEntry::new(actor, Action::ViewClaimDetails, now).target(claim.id);
            tx.record_audit(&look)?;
            parcels.push(parcel);
        }
        Ok(parcels)
    })
}

/// `None` once the details are erased.
fn parcel(tx: &impl ClaimTx, tools: ClaimTools<'_>, claim: &Claim) -> Result<Option<Parcel>, StoreError> {
    let Some(details) = open_details(tools, claim) else {
        return Ok(None);
    };
    let state = drawing_of(tx, claim.drawing)?;
    Ok(Some(Parcel {
        claim: claim.id,
        drawing: claim.drawing,
        raffle: state.plan.raffle,
        prize: state.plan.prize.words.clone(),
        approved_at: claim.approved_at,
        details,
    }))
}
