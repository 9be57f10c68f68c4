//! What entrants are told of the newest drawing, in a browser of their own (D77).

use super::reading::sealed_at;
use super::{ClaimNotices, ClaimTx};
use ::claims::{Claim, ClaimId, ClaimStatus, Claims};
use chrono::{DateTime, Utc};
use drawing::DrawingId;
use drawing::steps::{DrawingState, DrawingSteps};
use kernel::{EntrantId, StoreError, UnitOfWork};
use raffle::Entrants;

/// A drawing in which the entrant took part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnDrawing {
    /// The drawing.
    pub id: DrawingId,
    /// When it was drawn.
    pub drawn_at: DateTime<Utc>,
    /// The entrant's claim, if one of their entries was drawn and its turn has come.
    pub claim: Option<OwnClaim>,
}

/// A claim of the entrant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnClaim {
    /// Which one.
    pub id: ClaimId,
    /// The secret link to it, as the text has it.
    pub link: String,
    /// How far it is.
    pub status: ClaimStatus,
    /// Until when the winner has time to claim the prize; `None` before it began and once it is claimed.
    pub claim_by: Option<DateTime<Utc>>,
}

/// The drawing of a claim that has not ended; or else the last drawing of the entrant's raffle, until the next list is frozen.
///
/// # Errors
/// When the store fails.
pub fn own_drawing<S>(
    store: &S,
    notices: ClaimNotices<'_>,
    entrant: EntrantId,
) -> Result<Option<OwnDrawing>, StoreError>
where
    S: UnitOfWork<Tx: ClaimTx>,
{
    store.snapshot(|tx| {
        let Some(entrant) = tx.find_entrant(entrant)? else {
            return Ok(None);
        };
        let claims = tx.claims_of_entrant(entrant.id)?;
        let open = claims.iter().find(|claim| claim.ended_at.is_none());
        let state = match open {
            Some(claim) => tx.find_state(claim.drawing)?,
            None => tx.newest_listed(entrant.raffle)?,
        };
        let Some(state) = state else {
            return Ok(None);
        };
        let claim = claims.iter().find(|claim| claim.drawing == state.id);
        let claim = claim.map(|claim| own_claim(tx, notices, claim)).transpose()?;
        let moves = tx.moves_of(entrant.id)?;
        let since = moves.last().map_or(entrant.created_at, |last| last.at);
        Ok(drawn_at(&state)
            .filter(|_| claim.is_some() || took_part(&state, since))
            .map(|drawn_at| OwnDrawing {
                id: state.id,
                drawn_at,
                claim,
            }))
    })
}

pub(super) fn drawn_at(state: &DrawingState) -> Option<DateTime<Utc>> {
    Some(state.result.as_ref()?.entry.entry.at)
}

/// Whether the entrant was in the raffle when the list was frozen. `since`: when they entered it, or moved to it.
fn took_part(state: &DrawingState, since: DateTime<Utc>) -> bool {
    sealed_at(state).is_some_and(|sealed_at| since < sealed_at)
}

fn own_claim(tx: &impl ClaimTx, notices: ClaimNotices<'_>, claim: &Claim) -> Result<OwnClaim, StoreError> {
    Ok(OwnClaim {
        id: claim.id,
        link: notices.link(tx, claim)?,
        status: claim.status,
        claim_by: claim.expires_at(),
    })
}
