//! Asking a rank, and the next one when a claim has ended without a prize.

use super::reading::{corrupt_drawing, drawing_of, is_drawn_person, phone_of};
use super::{ClaimNotices, ClaimTx};
use ::claims::{Claim, Claims, EventKind, NewClaim, NewEvent};
use chrono::{DateTime, Utc};
use drawing::FrozenEntrants;
use drawing::steps::{DrawingState, DrawingSteps};
use kernel::StoreError;
use raffle::Entrants;
use sms::{MessageBody, MessageKind, NewMessage, Outbox, winner_message};

/// Adds the claim of the winner of a drawing and queues its text.
pub(crate) fn ask_first<T>(
    tx: &mut T,
    notices: ClaimNotices<'_>,
    state: &DrawingState,
    at: DateTime<Utc>,
) -> Result<(), StoreError>
where
    T: Claims + Entrants + Outbox + DrawingSteps + FrozenEntrants,
{
    ask_from(tx, notices, state, 0, at).map(drop)
}

/// Asks the rank after a claim that has just ended without a prize, if there is one.
pub(super) fn pass_on<T: ClaimTx>(
    tx: &mut T,
    notices: ClaimNotices<'_>,
    claim: &Claim,
    at: DateTime<Utc>,
) -> Result<(), StoreError> {
    if !claim.is_passed_on() {
        return Ok(());
    }
    let state = drawing_of(tx, claim.drawing)?;
    if ask_from(tx, notices, &state, claim.rank + 1, at)? {
        tx.add_claim_event(&NewEvent::new(claim.id, EventKind::PassedOn, at))?;
    }
    Ok(())
}

/// What became of asking a rank.
#[derive(PartialEq, Eq)]
enum Asked {
    /// It was asked now.
    Now,
    /// The person was erased since the list was sealed: the claim has ended.
    Erased,
    /// It was asked before, or was not drawn.
    No,
}

/// Asks the first of these ranks whose person was not erased. Whether any rank got a claim.
fn ask_from<T>(
    tx: &mut T,
    notices: ClaimNotices<'_>,
    state: &DrawingState,
    first: u32,
    at: DateTime<Utc>,
) -> Result<bool, StoreError>
where
    T: Claims + Entrants + Outbox + DrawingSteps + FrozenEntrants,
{
    let mut rank = first;
    loop {
        match ask(tx, notices, state, rank, at)? {
            Asked::Now => return Ok(true),
            Asked::Erased => rank += 1,
            Asked::No => return Ok(rank > first),
        }
    }
}

fn ask<T>(
    tx: &mut T,
    notices: ClaimNotices<'_>,
    state: &DrawingState,
    rank: u32,
    at: DateTime<Utc>,
) -> Result<Asked, StoreError>
where
    T: Claims + Entrants + Outbox + DrawingSteps + FrozenEntrants,
{
    let Some(drawn) = state.rank(rank) else {
        return Ok(Asked::No);
    };
    let new = NewClaim {
        drawing: state.id,
        rank,
        entrant: drawn.entrant,
        token: notices.key.token(state.id, rank).hash(),
        at,
    };
    let Some(id) = tx.add_claim(&new)? else {
        return Ok(Asked::No);
    };
    let mut claim = tx
        .lock_claim(id)?
        .ok_or_else(|| corrupt_drawing(state.id, "rank"))?;
    if tx.find_entrant(claim.entrant)?.is_none() {
        claim.end_for_erased(at);
        tx.save_claim(&claim)?;
        tx.add_claim_event(&NewEvent::new(id, EventKind::Unreachable, at))?;
        if state.rank(rank + 1).is_some() {
            tx.add_claim_event(&NewEvent::new(id, EventKind::PassedOn, at))?;
        }
        return Ok(Asked::Erased);
    }
    notify(tx, notices, state, &mut claim, at)?;
    tx.save_claim(&claim)?;
    Ok(Asked::Now)
}

/// Queues the text with the link, and counts it. The caller saves the claim.
pub(super) fn notify<T>(
    tx: &mut T,
    notices: ClaimNotices<'_>,
    state: &DrawingState,
    claim: &mut Claim,
    at: DateTime<Utc>,
) -> Result<(), StoreError>
where
    T: Claims + Entrants + Outbox + DrawingSteps + FrozenEntrants,
{
    let entry = state.rank(claim.rank).map_or(0, |drawn| drawn.entry_number);
    let link = notices.link(tx, claim)?;
    let text = winner_message(notices.site_name, &state.plan.prize.words.name, entry, &link);
    notify_with(tx, notices, claim, &text, at)
}

/// Queues a text about the claim, and counts it. The caller saves the claim. Nothing is sent to somebody who was not drawn:
/// then the claim needs a call.
pub(super) fn notify_with<T>(
    tx: &mut T,
    notices: ClaimNotices<'_>,
    claim: &mut Claim,
    text: &str,
    at: DateTime<Utc>,
) -> Result<(), StoreError>
where
    T: Claims + Entrants + Outbox + DrawingSteps + FrozenEntrants,
{
    if !is_drawn_person(tx, claim)? {
        return Ok(());
    }
    queue(tx, notices, claim, text, at)?;
    claim.count_notification(at);
    Ok(())
}

/// Queues the text that says how staff decided a claim (D77). It does not count among the texts that ask the winner to
/// claim.
pub(super) fn tell_decision<T: ClaimTx>(
    tx: &mut T,
    notices: ClaimNotices<'_>,
    claim: &Claim,
    text_of: fn(&str, &str, &str) -> String,
    at: DateTime<Utc>,
) -> Result<(), StoreError> {
    if !is_drawn_person(tx, claim)? {
        return Ok(());
    }
    let state = drawing_of(tx, claim.drawing)?;
    let link = notices.link(tx, claim)?;
    let text = text_of(notices.site_name, &state.plan.prize.words.name, &link);
    queue(tx, notices, claim, &text, at)
}

/// Queues a text to the drawn entrant, whose body is encrypted, and links it to the claim. The caller has checked that the
/// person was drawn.
fn queue<T>(
    tx: &mut T,
    notices: ClaimNotices<'_>,
    claim: &Claim,
    text: &str,
    at: DateTime<Utc>,
) -> Result<(), StoreError>
where
    T: Claims + Entrants + Outbox + DrawingSteps + FrozenEntrants,
{
    let message = NewMessage {
        kind: MessageKind::Victory,
        entrant: Some(claim.entrant),
        phone: phone_of(tx, claim)?,
        body: Some(MessageBody::seal(notices.sealer, text)),
        at,
    };
    let message = tx.queue_message(&message)?;
    tx.link_claim_text(claim.id, message)
}
