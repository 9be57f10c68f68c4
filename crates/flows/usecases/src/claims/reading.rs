//! What a claim's steps depend on besides the claim: the drawing, the number, the texts, disputes.

use super::{ClaimTools, ClaimTx};
use crate::drawings::drawn_participant;
use ::claims::{Claim, ClaimFilter, ClaimId, Claims};
use chrono::{DateTime, Utc};
use drawing::steps::{DrawingState, DrawingSteps};
use drawing::{DrawingId, FrozenEntrants};
use kernel::{PersonTag, Phone, StoreError, UnitOfWork};
use raffle::Entrants;

/// How many claims there are, by filter.
pub fn count<S>(store: &S, filter: ClaimFilter) -> Result<i64, StoreError>
where
    S: UnitOfWork<Tx: Claims>,
{
    store.read(|tx| tx.count_claims(filter))
}

/// How the number of a winner can be reached.
pub(super) struct Reach {
    /// The number.
    pub(super) phone: Phone,
    /// It sent STOP.
    pub(super) has_opted_out: bool,
    /// Texts may be sent to it: it is the drawn number, it did not send STOP, and its country gets texts.
    pub(super) may_text: bool,
    /// No text has arrived, and none is expected any more.
    pub(super) is_undeliverable: bool,
    /// A text has arrived.
    pub(super) has_arrived: bool,
}

impl Reach {
    pub(super) fn of(tx: &impl ClaimTx, tools: ClaimTools<'_>, claim: &Claim) -> Result<Self, StoreError> {
        let phone = phone_of(tx, claim)?;
        let has_opted_out = tx.has_opted_out(&phone)?;
        let texts = tx.claim_texts(claim.id)?;
        let is_expected = texts.on_the_way && !claim.is_overdue_for_text(tx.database_time()?);
        Ok(Self {
            may_text: is_drawn_person(tx, claim)? && !has_opted_out && tools.countries.permit(&phone),
            has_opted_out,
            is_undeliverable: !texts.delivered && !is_expected,
            has_arrived: texts.delivered,
            phone,
        })
    }

    /// Whether texts reach the winner, as far as is known. A code may be sent also if none did so far: a number that said
    /// STOP and then START has got none.
    pub(super) const fn is_reached(&self) -> bool {
        self.may_text && !self.is_undeliverable
    }
}

/// The claim, locked, with the present moment. An open dispute pauses it from now on.
pub(super) fn lock<T: ClaimTx>(
    tx: &mut T,
    id: ClaimId,
) -> Result<Option<(Claim, DateTime<Utc>)>, StoreError> {
    let Some(mut claim) = tx.lock_claim(id)? else {
        return Ok(None);
    };
    let now = tx.database_time()?;
    if claim.ended_at.is_none() {
        claim.set_paused(has_open_dispute(tx, &claim)?, now);
    }
    Ok(Some((claim, now)))
}

/// Whether a dispute is open about entries that counted in the drawing. Entries from after its cut-off had no part in it.
pub(super) fn has_open_dispute(tx: &impl ClaimTx, claim: &Claim) -> Result<bool, StoreError> {
    let state = drawing_of(tx, claim.drawing)?;
    let seal = state
        .seal
        .as_ref()
        .ok_or_else(|| corrupt_claim(claim.id, "drawing_id"))?;
    tx.has_open_dispute(claim.entrant, seal.step.cut_off)
}

/// Whether the claim's entrant, with the present number, makes the leaf that its rank drew (D62). It is `false` when somebody
/// has changed the number or moved the claim to another entrant, or when the salt of the number is erased.
pub(super) fn is_drawn_person<T>(tx: &T, claim: &Claim) -> Result<bool, StoreError>
where
    T: Entrants + DrawingSteps + FrozenEntrants,
{
    let state = drawing_of(tx, claim.drawing)?;
    let Some(rank) = state.rank(claim.rank) else {
        return Ok(false);
    };
    let Some(drawn) = drawn_participant(tx, &state, rank)? else {
        return Ok(false);
    };
    let person = tx.find_person(claim.entrant)?;
    let (salt, _) = person.ok_or_else(|| corrupt_claim(claim.id, "winner_id"))?;
    let Some(salt) = salt else {
        return Ok(false);
    };
    let tag = PersonTag::of(&salt, &phone_of(tx, claim)?);
    Ok(drawn.is(claim.entrant, &tag))
}

/// When the drawing of a claim was sealed.
pub(super) fn sealed_at(state: &DrawingState) -> Option<DateTime<Utc>> {
    Some(state.seal.as_ref()?.entry.entry.at)
}

/// The number of the entrant who was drawn.
pub(super) fn phone_of(tx: &impl Entrants, claim: &Claim) -> Result<Phone, StoreError> {
    let entrant = tx.find_entrant(claim.entrant)?;
    Ok(entrant.ok_or_else(|| corrupt_claim(claim.id, "user_id"))?.phone)
}

/// The drawing of a claim.
pub(super) fn drawing_of(tx: &impl DrawingSteps, id: DrawingId) -> Result<DrawingState, StoreError> {
    tx.find_state(id)?
        .ok_or_else(|| corrupt_drawing(id, "drawing_id"))
}

pub(super) fn corrupt_claim(claim: ClaimId, column: &'static str) -> StoreError {
    StoreError::corrupt("winner_verification", column, claim.get())
}

pub(super) fn corrupt_drawing(drawing: DrawingId, column: &'static str) -> StoreError {
    StoreError::corrupt("winner_verification", column, drawing.get())
}
