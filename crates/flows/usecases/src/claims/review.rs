//! What staff do with claims. Each step writes its audit entry in its own transaction, and so does each look at a winner's
//! details.

use super::asking::{notify, pass_on, tell_decision};
use super::reading::{Reach, drawing_of, is_drawn_person, lock};
use super::{ClaimTools, ClaimTx};
use ::claims::{
    CALL_CODE_LIFE, CallCode, Claim, ClaimDetails, ClaimEvent, ClaimFilter, ClaimId, ClaimRefusal, Claims,
    EventKind, NewEvent, PublicWinner, RejectReason, Shipment, TrackingNumber, may_be_unreachable,
    may_resend,
};
use ::staff::{Action, Actor, AuditLog, NeedsApproval, NewAuditEntry, SecondPerson};
use chrono::{DateTime, Utc};
use drawing::Prize;
use kernel::{DatabaseClock, PageRequest, Phone, StoreError, StoredText, UnitOfWork};
use raffle::RaffleKey;
use sms::{claim_approved, claim_rejected};

/// A claim as it stands in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimCase {
    /// The claim.
    pub claim: Claim,
    /// The raffle.
    pub raffle: RaffleKey,
    /// The prize, as the seal has it.
    pub prize: Prize,
    /// The number of the entrant who was drawn, until the person is erased.
    pub phone: Option<Phone>,
    /// The calls that staff noted, oldest first.
    pub calls: Vec<ClaimEvent>,
}

/// A claim with all that staff need to decide it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimFile {
    /// The claim.
    pub case: ClaimCase,
    /// Whether the entrant with this number makes the drawn leaf.
    pub number_matches: bool,
    /// Whether staff called on enough days to give up.
    pub may_be_unreachable: bool,
    /// The winner's details, until they are erased.
    pub details: Option<ClaimDetails>,
    /// What an approval publishes, for whoever decides.
    pub public_winner: Option<PublicWinner>,
    /// The code to read out, if this step made it. It is shown once.
    pub call_code: Option<ShownCallCode>,
}

/// A code that opens a claim in one browser, for whoever reads it out on the call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownCallCode {
    /// The code. Only its hash is stored.
    pub code: CallCode,
    /// When it stops working.
    pub expires_at: DateTime<Utc>,
}

/// A page of claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimList {
    /// The claims of the page, newest first.
    pub cases: Vec<ClaimCase>,
    /// The number of all claims that match.
    pub total: i64,
    /// The number of all claims that wait for staff.
    pub waiting: i64,
}

/// Why staff cannot take a step.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// There is no such claim.
    #[error("unknown claim")]
    UnknownClaim,
    /// The claim does not allow it.
    #[error(transparent)]
    Refused(#[from] ClaimRefusal),
    /// The entrant with this number does not make the drawn leaf.
    #[error("not the person who was drawn")]
    NumberChanged,
    /// The number gets no texts.
    #[error("the number gets no texts")]
    CannotText,
    /// The link was texted again too often today.
    #[error("resent too often")]
    ResentTooOften,
    /// Staff have not called on three days.
    #[error("called too seldom")]
    CalledTooSeldom,
    /// Somebody else must approve it.
    #[error(transparent)]
    NeedsApproval(#[from] NeedsApproval),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Who reviews a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reviewer {
    /// For the audit log.
    pub actor: Actor,
    /// Whether the name and the address of the winner are shown.
    pub sees_details: bool,
    /// Whether the member decides claims, and so sees what an approval publishes.
    pub decides: bool,
    /// Whether somebody else has agreed to the step.
    pub second: SecondPerson,
}

impl Reviewer {
    fn by_two(self) -> bool {
        self.second == SecondPerson::Agreed
    }
}

/// What staff do with a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// The prize is the winner's.
    Approve,
    /// It is not.
    Reject {
        /// Why.
        reason: RejectReason,
        /// What the winner reads about it.
        note: StoredText,
    },
    /// The prize was sent. What was said before is replaced.
    Ship {
        /// Who carries it.
        carrier: StoredText,
        /// The carrier's number of the parcel.
        tracking_number: TrackingNumber,
    },
    /// The prize was delivered.
    Deliver,
    /// The link is texted again.
    Resend,
    /// The winner was called.
    NoteCall(StoredText),
    /// The winner proved the number on the phone.
    ConfirmNumber(StoredText),
    /// Nobody answered, on three days.
    GiveUp,
}

impl Step {
    const fn event(&self) -> EventKind {
        match self {
            Self::Approve => EventKind::Approved,
            Self::Reject { .. } => EventKind::Rejected,
            Self::Ship { .. } => EventKind::Shipped,
            Self::Deliver => EventKind::Delivered,
            Self::Resend => EventKind::Resent,
            Self::NoteCall(_) => EventKind::Called,
            Self::ConfirmNumber(_) => EventKind::NumberConfirmed,
            Self::GiveUp => EventKind::Unreachable,
        }
    }

    const fn action(&self) -> Action {
        match self {
            Self::Approve => Action::ApproveClaim,
            Self::Reject { .. } => Action::RejectClaim,
            Self::Ship { .. } => Action::ShipPrize,
            Self::Deliver => Action::DeliverPrize,
            Self::Resend => Action::ResendClaim,
            Self::NoteCall(_) => Action::NoteCall,
            Self::ConfirmNumber(_) => Action::ConfirmNumber,
            Self::GiveUp => Action::MarkUnreachable,
        }
    }

    const fn note(&self) -> Option<&StoredText> {
        match self {
            Self::Reject { note, .. } | Self::NoteCall(note) | Self::ConfirmNumber(note) => Some(note),
            Self::Approve | Self::Ship { .. } | Self::Deliver | Self::Resend | Self::GiveUp => None,
        }
    }
}

/// A page of claims.
pub fn list<S>(store: &S, filter: ClaimFilter, page: PageRequest) -> Result<ClaimList, StoreError>
where
    S: UnitOfWork<Tx: ClaimTx>,
{
    store.snapshot(|tx| {
        let claims = tx.list_claims(filter, page)?;
        let cases = claims.into_iter().map(|claim| case(tx, claim));
        Ok(ClaimList {
            cases: cases.collect::<Result<_, StoreError>>()?,
            total: tx.count_claims(filter)?,
            waiting: tx.count_claims(ClaimFilter::WaitsForStaff)?,
        })
    })
}

/// One claim. A look at the winner's details stands in the audit log.
///
/// # Errors
/// [`ReviewError::UnknownClaim`].
pub fn open<S>(store: &S, tools: ClaimTools<'_>, by: Reviewer, id: ClaimId) -> Result<ClaimFile, ReviewError>
where
    S: UnitOfWork<Tx: ClaimTx>,
{
    store.transaction(|tx| {
        let claim = tx.find_claim(id)?.ok_or(ReviewError::UnknownClaim)?;
        let now = tx.database_time()?;
        Ok(file(tx, tools, by, claim, now)?)
    })
}

/// Takes a step of staff. Whatever ends the claim without a prize asks the next rank.
///
/// # Errors
/// [`ReviewError`]; nothing has changed then.
pub fn take<S>(
    store: &S,
    tools: ClaimTools<'_>,
    by: Reviewer,
    id: ClaimId,
    step: &Step,
) -> Result<ClaimFile, ReviewError>
where
    S: UnitOfWork<Tx: ClaimTx>,
{
    store.transaction(|tx| {
        let (mut claim, now) = lock(tx, id)?.ok_or(ReviewError::UnknownClaim)?;
        apply(tx, tools, by, &mut claim, step, now)?;
        let call_code = match step {
            Step::ConfirmNumber(_) => Some(make_call_code(tools, &mut claim, now)?),
            _ => None,
        };
        tx.save_claim(&claim)?;
        match step {
            Step::Approve => tell_decision(tx, tools.notices, &claim, claim_approved, now)?,
            Step::Reject { .. } => tell_decision(tx, tools.notices, &claim, claim_rejected, now)?,
            _ => {}
        }
        tx.add_claim_event(&NewEvent {
            claim: id,
            kind: step.event(),
            note: step.note().map(|note| note.as_str().to_owned()),
            session: Some(by.actor.session.get()),
            at: now,
        })?;
        pass_on(tx, tools.notices, &claim, now)?;
        tx.record_audit(&audit_entry(by.actor, &claim, step, now))?;
        let file = file(tx, tools, by, claim, now)?;
        Ok(ClaimFile { call_code, ..file })
    })
}

fn make_call_code(
    tools: ClaimTools<'_>,
    claim: &mut Claim,
    now: DateTime<Utc>,
) -> Result<ShownCallCode, ClaimRefusal> {
    let code = CallCode::random(tools.entropy);
    claim.make_call_code(tools.notices.key.hash_call_code(&code), now)?;
    Ok(ShownCallCode {
        code,
        expires_at: now + CALL_CODE_LIFE,
    })
}

/// Makes a new code for a claim whose number two people confirmed, for the one of them who reads it out.
pub(crate) fn show_call_code<T: ClaimTx>(
    tx: &mut T,
    tools: ClaimTools<'_>,
    actor: Actor,
    id: ClaimId,
) -> Result<ShownCallCode, ReviewError> {
    let (mut claim, now) = lock(tx, id)?.ok_or(ReviewError::UnknownClaim)?;
    let shown = make_call_code(tools, &mut claim, now)?;
    tx.save_claim(&claim)?;
    tx.record_audit(&NewAuditEntry::new(actor, Action::ShowCallCode, now).target(id))?;
    Ok(shown)
}

fn apply<T: ClaimTx>(
    tx: &mut T,
    tools: ClaimTools<'_>,
    by: Reviewer,
    claim: &mut Claim,
    step: &Step,
    now: DateTime<Utc>,
) -> Result<(), ReviewError> {
    match step {
        Step::Approve => return approve(tx, tools, by, claim, now),
        Step::Resend => return resend(tx, tools, claim, now),
        Step::GiveUp => return give_up(tx, tools, claim, now),
        Step::Reject { reason, note } => claim.reject(*reason, note, by.by_two(), now),
        Step::Ship {
            carrier,
            tracking_number,
        } => claim.ship(Shipment {
            carrier: carrier.clone(),
            tracking_number: tracking_number.clone(),
            at: now,
        }),
        Step::Deliver => claim.deliver(now),
        Step::NoteCall(_) => claim.note_call(now),
        Step::ConfirmNumber(_) => claim.confirm_number(by.by_two(), now),
    }?;
    Ok(())
}

fn approve<T: ClaimTx>(
    tx: &T,
    tools: ClaimTools<'_>,
    by: Reviewer,
    claim: &mut Claim,
    now: DateTime<Utc>,
) -> Result<(), ReviewError> {
    if claim.needs_two_to_approve() {
        by.second.check()?;
    }
    let details = open_details(tools, claim);
    let winner = details.and_then(|details| details.public_winner());
    claim.approve(winner, by.by_two(), now)?;
    match is_drawn_person(tx, claim)? {
        true => Ok(()),
        false => Err(ReviewError::NumberChanged),
    }
}

fn resend<T: ClaimTx>(
    tx: &mut T,
    tools: ClaimTools<'_>,
    claim: &mut Claim,
    now: DateTime<Utc>,
) -> Result<(), ReviewError> {
    claim.check_waiting(now)?;
    if !Reach::of(tx, tools, claim)?.may_text {
        return Err(ReviewError::CannotText);
    }
    if !may_resend(&tx.list_claim_events(claim.id)?, now) {
        return Err(ReviewError::ResentTooOften);
    }
    let state = drawing_of(tx, claim.drawing)?;
    Ok(notify(tx, tools.notices, &state, claim, now)?)
}

fn give_up<T: ClaimTx>(
    tx: &T,
    tools: ClaimTools<'_>,
    claim: &mut Claim,
    now: DateTime<Utc>,
) -> Result<(), ReviewError> {
    claim.give_up(now)?;
    match may_be_unreachable(&tx.list_claim_events(claim.id)?, tools.time_zone) {
        true => Ok(()),
        false => Err(ReviewError::CalledTooSeldom),
    }
}

fn audit_entry(actor: Actor, claim: &Claim, step: &Step, at: DateTime<Utc>) -> NewAuditEntry {
    let entry = NewAuditEntry::new(actor, step.action(), at)
        .target(claim.id)
        .number("drawingId", claim.drawing.get())
        .number("rank", claim.rank.into());
    let entry = match step {
        Step::Reject { reason, .. } => entry.text("reason", reason.as_str()),
        _ => entry,
    };
    match step.note() {
        Some(note) => entry.text("note", note.as_str()),
        None => entry,
    }
}

fn case(tx: &impl ClaimTx, claim: Claim) -> Result<ClaimCase, StoreError> {
    let state = drawing_of(tx, claim.drawing)?;
    let is_call = |event: &ClaimEvent| matches!(event.kind, EventKind::Called | EventKind::NumberConfirmed);
    let events = tx.list_claim_events(claim.id)?;
    Ok(ClaimCase {
        raffle: state.plan.raffle,
        prize: state.plan.prize.words.clone(),
        phone: tx.find_entrant(claim.entrant)?.map(|entrant| entrant.phone),
        calls: events.into_iter().filter(is_call).collect(),
        claim,
    })
}

fn file<T: ClaimTx>(
    tx: &mut T,
    tools: ClaimTools<'_>,
    by: Reviewer,
    claim: Claim,
    now: DateTime<Utc>,
) -> Result<ClaimFile, StoreError> {
    let opened = open_details(tools, &claim);
    let public_winner = opened
        .as_ref()
        .filter(|_| by.decides)
        .and_then(ClaimDetails::public_winner);
    let details = opened.filter(|_| by.sees_details);
    let number_matches = is_drawn_person(tx, &claim)?;
    let case = case(tx, claim)?;
    if details.is_some() {
        let look = NewAuditEntry::new(by.actor, Action::ViewClaimDetails, now).target(case.claim.id);
        tx.record_audit(&look)?;
    }
    Ok(ClaimFile {
        may_be_unreachable: may_be_unreachable(&case.calls, tools.time_zone),
        case,
        number_matches,
        details,
        public_winner,
        call_code: None,
    })
}

/// The details, as long as they are stored and their key is configured.
pub(crate) fn open_details(tools: ClaimTools<'_>, claim: &Claim) -> Option<ClaimDetails> {
    let sealed = claim.sealed_details.as_ref()?;
    let opened = ClaimDetails::open(tools.details, claim.id, sealed);
    opened
        .inspect_err(|error| tracing::error!(claim = %claim.id, %error, "cannot show the details of a claim"))
        .ok()
}
