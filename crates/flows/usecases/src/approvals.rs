//! Two people decide what one of them should not do alone: a call becomes a [`Request`] that somebody proposes, and
//! somebody else approves. Start at [`make_or_propose`], then read [`approve`].
//!
//! Whether a call needs two people is decided in the transaction that makes it. The approval and what it allows are committed
//! in one transaction, so a proposal is carried out once.

mod carrying_out;
mod deciding;
mod request;

pub use carrying_out::{ApprovalTools, Outcome, ProposalError};
pub(crate) use request::SHA256;
pub use request::{AskedDrawing, AskedOpening, AskedPublication, Request};

use crate::accounts::{self, InvitationLink};
use crate::claims::review::{self, ShownCallCode};
use crate::sessions::NOBODY;
use crate::store::{Ports, Store};
use carrying_out::{Maker, carry_out, make, prepare};
use chrono::{DateTime, Utc};
use deciding::Deciding;
use kernel::{Clock, PageRequest, StoreError, UnitOfWork};
use staff::{
    Account, Accounts, Action, Actor, Approval, ApprovalDecision, ApprovalId, ApprovalRefusal,
    ApprovalStatus, Approvals, AuditLog, MemberId, NewApproval, NewAuditEntry, Proposal,
};

/// Who decides a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decider {
    /// A member of staff.
    Member(MemberId, Actor),
    /// The operator, on the server, where nobody else can approve it.
    Operator,
}

impl Decider {
    const fn member(self) -> Option<MemberId> {
        match self {
            Self::Member(id, _) => Some(id),
            Self::Operator => None,
        }
    }

    /// For the audit log.
    const fn actor(self) -> Actor {
        match self {
            Self::Member(_, actor) => actor,
            Self::Operator => NOBODY,
        }
    }

    const fn decision(self, status: ApprovalStatus, at: DateTime<Utc>) -> ApprovalDecision {
        ApprovalDecision {
            status,
            by: self.member(),
            at,
        }
    }
}

/// Why a proposal is not decided.
#[derive(Debug, thiserror::Error)]
pub enum ApprovalError {
    /// There is no such proposal.
    #[error("no such proposal")]
    Unknown,
    /// It may not be decided, or not by this member.
    #[error(transparent)]
    Refused(#[from] ApprovalRefusal),
    /// It was approved, and the call fails.
    #[error(transparent)]
    Failed(ProposalError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Proposals, and the accounts of those who propose and decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovalList {
    /// The proposals of the page, newest first.
    pub approvals: Vec<Approval>,
    /// The number of all that match.
    pub total: i64,
    /// All accounts of staff.
    pub accounts: Vec<Account>,
}

/// A page of the proposals, newest first.
pub fn list<S>(
    store: &S,
    clock: &dyn Clock,
    status: Option<ApprovalStatus>,
    page: PageRequest,
) -> Result<ApprovalList, StoreError>
where
    S: UnitOfWork<Tx: Approvals + Accounts>,
{
    let now = clock.now();
    store.snapshot(|tx| {
        Ok(ApprovalList {
            approvals: tx.list_approvals(status, now, page)?,
            total: tx.count_approvals(status, now)?,
            accounts: tx.list_accounts()?,
        })
    })
}

/// Who makes a call in the console.
#[derive(Debug, Clone, Copy)]
pub struct Caller {
    /// The member of staff.
    pub member: MemberId,
    /// For the audit log.
    pub actor: Actor,
    /// Whether the answer may have the details of a winner.
    pub sees_details: bool,
}

/// What became of a call.
#[derive(Debug)]
pub enum Made {
    /// It was made.
    Done(Outcome),
    /// Somebody else must approve it.
    Proposed(Approval),
}

/// Makes a call, or proposes it if two people must make it.
///
/// # Errors
/// As the call itself would fail.
pub fn make_or_propose<S: Store>(
    store: &S,
    tools: &ApprovalTools<'_>,
    caller: Caller,
    request: &Request,
) -> Result<Made, ProposalError> {
    let by = Maker {
        actor: caller.actor,
        second: tools.alone,
        sees_details: caller.sees_details,
    };
    match make(store, tools, by, request) {
        Err(ProposalError::NeedsApproval(_)) => {
            propose(store, tools, (caller.member, caller.actor), request).map(Made::Proposed)
        }
        made => made.map(Made::Done),
    }
}

/// Proposes a call, after checking that it could be made now. The same proposal of the same member again is the first one.
///
/// # Errors
/// As the call itself would fail.
pub fn propose<S: Store>(
    store: &S,
    tools: &ApprovalTools<'_>,
    (member, actor): (MemberId, Actor),
    request: &Request,
) -> Result<Approval, ProposalError> {
    let proposal = prepare(store, tools, actor, request)?;
    let at = tools.staff.clock.now();
    let new = NewApproval {
        proposal,
        proposed_by: member,
        at,
    };
    let stored = store.transaction(|tx| {
        // A double click waits here, and then finds the first proposal.
        tx.lock_account(member)?;
        if let Some(earlier) = same_open(tx, &new)? {
            return Ok(earlier);
        }
        let id = tx.add_approval(&new)?;
        tx.record_audit(&proposal_entry(actor, id, &new.proposal, at))?;
        Ok::<_, StoreError>(Approval::new(id, new.clone()))
    })?;
    Ok(stored)
}

fn same_open(tx: &impl Approvals, new: &NewApproval) -> Result<Option<Approval>, StoreError> {
    let open = tx.list_approvals(Some(ApprovalStatus::Open), new.at, PageRequest::default())?;
    let mut open = open.into_iter();
    Ok(open.find(|each| each.proposed_by == new.proposed_by && each.proposal.is_same(&new.proposal)))
}

fn proposal_entry(actor: Actor, id: ApprovalId, proposal: &Proposal, at: DateTime<Utc>) -> NewAuditEntry {
    NewAuditEntry::new(actor, Action::Propose, at)
        .target(id)
        .text("kind", proposal.kind.as_str())
        .text("summary", proposal.summary.as_str())
}

/// The entry of a decision.
fn decision_entry(decider: Decider, approval: &Approval, action: Action, at: DateTime<Utc>) -> NewAuditEntry {
    let entry = proposal_entry(decider.actor(), approval.id, &approval.proposal, at);
    let entry = NewAuditEntry { action, ..entry };
    entry.number("proposedBy", approval.proposed_by.get())
}

/// Approves a proposal and carries it out, once. `tools` are those of the call.
///
/// # Errors
/// [`ApprovalError`]. When the call fails for good, call [`record_failure`] with the reason for people.
pub fn approve<S: Store>(
    store: &S,
    tools: &ApprovalTools<'_>,
    decider: Decider,
    id: ApprovalId,
) -> Result<(Approval, Outcome), ApprovalError> {
    let at = tools.staff.clock.now();
    let approval = check(store, decider, id, at)?;
    let request = Request::read(&approval, tools.credentials)?;
    let deciding = Deciding::new(store, decider, &approval, at);
    match carry_out(&deciding, tools, decider, &approval, &request) {
        Ok(outcome) => Ok((find(store, id)?, outcome)),
        Err(error) => {
            // Somebody else may have decided it at the same time: that is the reason then.
            if !deciding.has_decided() {
                find(store, id)?.check_open(at)?;
            }
            Err(ApprovalError::Failed(error))
        }
    }
}

/// What whoever asked for a call is shown once, after somebody else approved it.
#[derive(Debug)]
pub enum Secret {
    /// The link of an invitation.
    Invitation(InvitationLink),
    /// A code to read out to a winner.
    CallCode(ShownCallCode),
}

/// Shows the secret of an approved proposal to whoever proposed it, once. It is made now, so none is stored.
///
/// # Errors
/// [`ApprovalError::Unknown`]; as [`Approval::check_shows_to`]; [`ApprovalError::Failed`] when it is of no use any more.
pub fn show_secret<S: Store>(
    store: &S,
    tools: &ApprovalTools<'_>,
    (member, actor): (MemberId, Actor),
    id: ApprovalId,
) -> Result<(Approval, Secret), ApprovalError> {
    let at = tools.staff.clock.now();
    store.transaction(|tx| {
        let approval = tx.find_approval(id)?.ok_or(ApprovalError::Unknown)?;
        let account = tx.find_account(member)?.ok_or(ApprovalRefusal::Forbidden)?;
        approval.check_shows_to(&account)?;
        if !tx.complete_approval(id, at)? {
            return Err(ApprovalRefusal::NothingToShow.into());
        }
        let request = Request::read(&approval, tools.credentials)?;
        let secret = secret_of(tx, tools, actor, &request).map_err(ApprovalError::Failed)?;
        Ok((tx.find_approval(id)?.ok_or(ApprovalError::Unknown)?, secret))
    })
}

fn secret_of<T: Ports>(
    tx: &mut T,
    tools: &ApprovalTools<'_>,
    actor: Actor,
    request: &Request,
) -> Result<Secret, ProposalError> {
    let link = |tx: &mut T, is_member: &dyn Fn(&Account) -> bool| {
        let link = accounts::show_link(tx, &tools.staff, actor, is_member)?;
        Ok(Secret::Invitation(link))
    };
    match request {
        Request::InviteMember { name, .. } => link(tx, &|account| account.member.name == *name),
        Request::ReinviteMember(id) => link(tx, &|account| account.member.id == *id),
        Request::ConfirmNumber { claim, .. } => {
            let code = review::show_call_code(tx, tools.claims, actor, *claim)?;
            Ok(Secret::CallCode(code))
        }
        _ => Err(StoreError::Conflict.into()),
    }
}

/// The proposal with this id.
///
/// # Errors
/// [`ApprovalError::Unknown`].
pub fn find<S>(store: &S, id: ApprovalId) -> Result<Approval, ApprovalError>
where
    S: UnitOfWork<Tx: Approvals>,
{
    store.read(|tx| tx.find_approval(id)?.ok_or(ApprovalError::Unknown))
}

/// The proposal, if this decider may approve it now.
fn check<S>(
    store: &S,
    decider: Decider,
    id: ApprovalId,
    now: DateTime<Utc>,
) -> Result<Approval, ApprovalError>
where
    S: UnitOfWork<Tx: Approvals + Accounts>,
{
    store.snapshot(|tx| {
        let approval = tx.find_approval(id)?.ok_or(ApprovalError::Unknown)?;
        if let Decider::Member(member, _) = decider {
            let approver = tx.find_account(member)?.ok_or(ApprovalRefusal::Forbidden)?;
            approval.check_approver(&approver, now)?;
        }
        approval.check_open(now)?;
        approval.check_proposer(tx.find_account(approval.proposed_by)?.as_ref())?;
        Ok(approval)
    })
}

/// Records that an approved call failed, and why. Does nothing if the proposal was decided since.
pub fn record_failure<S>(
    store: &S,
    clock: &dyn Clock,
    decider: Decider,
    id: ApprovalId,
    reason: &str,
) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: Approvals + AuditLog>,
{
    let at = clock.now();
    store.transaction(|tx| {
        let open = tx.find_approval(id)?.filter(|found| found.decision.is_none());
        let Some(approval) = open else { return Ok(()) };
        let entry = decision_entry(decider, &approval, Action::ApproveProposal, at).text("error", reason);
        tx.record_audit(&entry)?;
        let failed = decider.decision(ApprovalStatus::Failed, at);
        match tx.decide_approval(id, failed, Some(reason))? {
            true => Ok(()),
            false => Err(StoreError::Conflict),
        }
    })
}

/// Rejects a proposal. Whoever made it withdraws it so.
///
/// # Errors
/// [`ApprovalError::Unknown`]; [`ApprovalRefusal::Decided`] or [`ApprovalRefusal::Expired`]; and as
/// [`Approval::check_rejecter`].
pub fn reject<S>(
    store: &S,
    clock: &dyn Clock,
    (member, actor): (MemberId, Actor),
    id: ApprovalId,
) -> Result<Approval, ApprovalError>
where
    S: UnitOfWork<Tx: Approvals + Accounts + AuditLog>,
{
    let at = clock.now();
    let decider = Decider::Member(member, actor);
    store.transaction(|tx| {
        let approval = tx.find_approval(id)?.ok_or(ApprovalError::Unknown)?;
        let account = tx.find_account(member)?.ok_or(ApprovalRefusal::Forbidden)?;
        approval.check_rejecter(&account)?;
        approval.check_open(at)?;
        tx.record_audit(&decision_entry(decider, &approval, Action::RejectProposal, at))?;
        let rejected = decider.decision(ApprovalStatus::Rejected, at);
        match tx.decide_approval(id, rejected, None)? {
            true => tx.find_approval(id)?.ok_or(ApprovalError::Unknown),
            false => Err(ApprovalRefusal::Decided.into()),
        }
    })
}
