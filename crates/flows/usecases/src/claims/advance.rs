//! What time and reports bring to claims: the deadline begins, reminders, pauses, the end, the erasure of details.

use super::asking::{notify_with, pass_on};
use super::reading::{Reach, drawing_of, has_open_dispute};
use super::{ClaimTools, ClaimTx};
use ::claims::{Claim, ClaimId, ClaimStatus, Claims, EventKind, NewEvent};
use chrono::{DateTime, Utc};
use kernel::{StoreError, UnitOfWork};
use sms::claim_reminder;

/// What one look at all claims led to.
#[derive(Debug, Default)]
pub struct Advanced {
    /// The claims that changed.
    pub changed: usize,
    /// The claims that could not be looked at. The next look tries them again.
    pub failures: Vec<(ClaimId, StoreError)>,
}

/// Takes every step that is due. Several servers may call it at once: each step happens once. A claim that fails does not
/// hold up the others.
///
/// # Errors
/// When the store fails before any claim is looked at.
pub fn advance<S>(store: &S, tools: ClaimTools<'_>) -> Result<Advanced, StoreError>
where
    S: UnitOfWork<Tx: ClaimTx>,
{
    let mut advanced = Advanced::default();
    for claim in store.read::<_, StoreError>(|tx| tx.list_live_claims())? {
        match advance_one(store, tools, &claim) {
            Ok(true) => advanced.changed += 1,
            Ok(false) => {}
            Err(error) => advanced.failures.push((claim.id, error)),
        }
    }
    Ok(advanced)
}

/// Looks without a lock first, because nearly always nothing is due.
fn advance_one<S>(store: &S, tools: ClaimTools<'_>, claim: &Claim) -> Result<bool, StoreError>
where
    S: UnitOfWork<Tx: ClaimTx>,
{
    let is_due = store.read::<_, StoreError>(|tx| {
        let mut copy = claim.clone();
        change(tx, tools, &mut copy)?;
        Ok(copy != *claim)
    })?;
    if !is_due {
        return Ok(false);
    }
    store.transaction(|tx| {
        let Some(mut claim) = tx.lock_claim(claim.id)? else {
            return Ok(false);
        };
        let changes = change(tx, tools, &mut claim)?;
        if changes.has(EventKind::Reminded) {
            remind(tx, tools, &mut claim, changes.at)?;
        }
        tx.save_claim(&claim)?;
        for kind in changes.events {
            tx.add_claim_event(&NewEvent::new(claim.id, kind, changes.at))?;
        }
        if changes.ended {
            pass_on(tx, tools.notices, &claim, changes.at)?;
        }
        Ok(true)
    })
}

/// What a look changed.
struct Changes {
    events: Vec<EventKind>,
    /// The claim has ended without a prize just now.
    ended: bool,
    at: DateTime<Utc>,
}

impl Changes {
    fn has(&self, kind: EventKind) -> bool {
        self.events.contains(&kind)
    }
}

fn change(tx: &impl ClaimTx, tools: ClaimTools<'_>, claim: &mut Claim) -> Result<Changes, StoreError> {
    let at = tx.database_time()?;
    let mut events = Vec::new();
    if claim.ended_at.is_none() {
        claim.set_paused(has_open_dispute(tx, claim)?, at);
    }
    if claim.status.waits_for_winner() {
        let reach = Reach::of(tx, tools, claim)?;
        if reach.has_arrived {
            claim.start_deadline(at);
        }
        claim.needs_call = claim.status == ClaimStatus::Pending && !reach.is_reached();
        if claim.take_reminder(at) && reach.is_reached() {
            events.push(EventKind::Reminded);
        }
    }
    let ended = claim.expire(at);
    if ended && claim.status == ClaimStatus::Expired {
        events.push(EventKind::Expired);
    }
    if claim.erase_details(at) {
        events.push(EventKind::DetailsErased);
    }
    Ok(Changes { events, ended, at })
}

fn remind<T: ClaimTx>(
    tx: &mut T,
    tools: ClaimTools<'_>,
    claim: &mut Claim,
    at: DateTime<Utc>,
) -> Result<(), StoreError> {
    let Some(expires_at) = claim.expires_at() else {
        return Ok(());
    };
    let state = drawing_of(tx, claim.drawing)?;
    let day = expires_at
        .with_timezone(&tools.time_zone)
        .format("%B %-d")
        .to_string();
    let link = tools.notices.link(tx, claim)?;
    let text = claim_reminder(tools.notices.site_name, &state.plan.prize.words.name, &day, &link);
    notify_with(tx, tools.notices, claim, &text, at)
}
