//! What everybody sees of the claims of a drawing.

use ::claims::{Claim, ClaimStatus, Claims, PublicStatus, PublicWinner, RejectReason, VerifiedBy};
use chrono::{DateTime, Utc};
use drawing::DrawingId;
use drawing::steps::DrawingState;
use kernel::{StoreError, UnitOfWork};
use std::collections::BTreeMap;

/// The claim of a rank, as everybody sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicClaim {
    /// The rank; 0 was drawn first.
    pub rank: u32,
    /// How far it is.
    pub status: PublicStatus,
    /// Until when the winner has time, to claim the prize or to object to the rejection.
    pub until: Option<DateTime<Utc>>,
    /// Why it was rejected.
    pub reason: Option<RejectReason>,
    /// How many people decided it.
    pub decided_by: Option<u8>,
    /// How the number was proved.
    pub verified_by: Option<VerifiedBy>,
    /// How many people confirmed the number after a call.
    pub confirmed_by: Option<u8>,
    /// The winner, if they agreed to be named.
    pub winner: Option<PublicWinner>,
}

/// What became of the prize of a drawing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PublicRecord {
    /// The claims so far, by rank.
    pub claims: Vec<PublicClaim>,
    /// All ranks have failed: nobody gets the prize.
    pub is_unclaimed: bool,
}

/// The records of these drawings; those without a claim have none.
pub fn public_records<S>(
    store: &S,
    drawings: &[DrawingState],
) -> Result<BTreeMap<DrawingId, PublicRecord>, StoreError>
where
    S: UnitOfWork<Tx: Claims>,
{
    let ids: Vec<DrawingId> = drawings.iter().map(|drawing| drawing.id).collect();
    let claims = store.read::<_, StoreError>(|tx| tx.claims_of(&ids))?;
    let mut records: BTreeMap<DrawingId, PublicRecord> = BTreeMap::new();
    for claim in claims {
        let drawing = drawings.iter().find(|drawing| drawing.id == claim.drawing);
        let record = records.entry(claim.drawing).or_default();
        record.is_unclaimed =
            claim.is_passed_on() && drawing.is_some_and(|drawing| is_last(drawing, claim.rank));
        record.claims.push(public(claim));
    }
    Ok(records)
}

fn is_last(drawing: &DrawingState, rank: u32) -> bool {
    let last = drawing
        .result
        .as_ref()
        .and_then(|result| result.step.ranks.last());
    last.is_some_and(|last| last.rank == rank)
}

fn public(claim: Claim) -> PublicClaim {
    let status = PublicStatus::from(claim.status);
    let rejection = claim
        .rejection
        .as_ref()
        .filter(|_| claim.status == ClaimStatus::Rejected);
    let by_two = rejection.map_or(claim.approved_by_two, |rejection| rejection.by_two);
    let people = |by_two| if by_two { 2 } else { 1 };
    let is_call = matches!(claim.verified, Some((VerifiedBy::Call, _)));
    let object_until = rejection.map(|rejection| rejection.object_until());
    let is_decided = matches!(
        status,
        PublicStatus::Claimed | PublicStatus::Delivered | PublicStatus::Rejected
    );
    PublicClaim {
        rank: claim.rank,
        status,
        until: object_until
            .filter(|_| claim.ended_at.is_none())
            .or(claim.expires_at()),
        reason: rejection.map(|rejection| rejection.reason),
        decided_by: is_decided.then(|| people(by_two)),
        verified_by: claim.verified.map(|(by, _)| by),
        confirmed_by: is_call.then(|| people(claim.confirmed_by_two)),
        winner: claim.public_winner,
    }
}
