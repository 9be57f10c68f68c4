//! Checks and carries out what was proposed, with the same flows as for one person.

use super::deciding::Rehearsing;
use super::request::is_as_before;
use super::{Decider, Request};
use crate::accounts::{self, AccountError, InvitationLink};
use crate::claims::ClaimTools;
use crate::claims::review::{self, ClaimFile, ReviewError, Reviewer, Step};
use crate::clearing::{self, StartedJob};
use crate::credentials;
use crate::drawings::{self, DrawingTools, PerformError, Performed};
use crate::packages::{self, SaleNeeds, ShowPricingError};
use crate::privacy::requests::{self, By, RequestError, RequestTools, SeenRequest};
use crate::second_factor::StaffTools;
use crate::store::Store;
use ::privacy::{Erasure, RequestType};
use kernel::{EntrantId, Sealer, StoreError};
use sms::Credentials;
use staff::{APPROVAL_LIFE, Account, Actor, Approval, ApprovalKind, Approvals, Proposal};

/// What the calls need that two people make.
pub struct ApprovalTools<'a> {
    /// For accounts, with the clock of all of them.
    pub staff: StaffTools<'a>,
    /// For claims.
    pub claims: ClaimTools<'a>,
    /// For drawings.
    pub drawings: DrawingTools<'a>,
    /// For erasures.
    pub requests: RequestTools<'a>,
    /// Encrypts the credentials of the SMS provider.
    pub credentials: &'a dyn Sealer<Credentials>,
    /// What must be there before packages are shown.
    pub sale_needs: SaleNeeds,
}

/// Why a call is not proposed, or fails after its approval.
#[derive(Debug, thiserror::Error)]
pub enum ProposalError {
    /// Of an account.
    #[error(transparent)]
    Account(#[from] AccountError),
    /// Of packages.
    #[error(transparent)]
    Packages(#[from] ShowPricingError),
    /// Of a claim.
    #[error(transparent)]
    Claim(#[from] ReviewError),
    /// Of an erasure.
    #[error(transparent)]
    Erasure(#[from] RequestError),
    /// Of a drawing.
    #[error(transparent)]
    Drawing(#[from] PerformError),
    /// What it changes was changed since it was proposed.
    #[error("it was changed since")]
    Outdated,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ProposalError {
    /// Whether the same call fails again, unless something else changes.
    pub const fn is_final(&self) -> bool {
        match self {
            Self::Outdated => true,
            Self::Account(error) => !matches!(error, AccountError::Store(_)),
            Self::Packages(error) => !matches!(error, ShowPricingError::Store(_)),
            Self::Claim(error) => !matches!(error, ReviewError::Store(_)),
            Self::Erasure(error) => matches!(
                error,
                RequestError::UnknownEntrant | RequestError::OpenClaim | RequestError::OpenPurchase
            ),
            Self::Drawing(error) => matches!(
                error,
                PerformError::NoParticipants
                    | PerformError::KeyReused
                    | PerformError::AlreadyDrawn
                    | PerformError::NothingToDraw { .. }
            ),
            Self::Store(_) => false,
        }
    }
}

/// What an approved call returned.
#[derive(Debug)]
pub enum Outcome {
    /// The link for a new member, or a new link.
    Invited(InvitationLink),
    /// The changed account.
    Changed(Account),
    /// A clearing that was started; somebody has to work on it.
    Clearing(StartedJob),
    /// The credentials are saved.
    CredentialsSaved,
    /// Packages are shown.
    PackagesShown,
    /// The rejected claim.
    ClaimRejected(Box<ClaimFile>),
    /// The person is erased, or gets a code first.
    Erasure(SeenRequest),
    /// The drawing.
    Drawing(Box<Performed>),
}

/// Whether a second person must approve this call. The rest of these calls are regular drawings, erasures of people who
/// were never drawn, and changes that change nothing.
///
/// # Errors
/// As the call itself would fail.
pub fn needs_approval<S: Store>(
    store: &S,
    tools: &ApprovalTools<'_>,
    actor: Actor,
    request: &Request,
) -> Result<bool, ProposalError> {
    match request {
        Request::PerformDrawing(asked) => {
            let command = asked.command(actor);
            Ok(drawings::is_additional(store, tools.drawings, &command)?)
        }
        Request::Erase(entrant) => Ok(erasure_needs_approval(store, tools, *entrant)?),
        Request::ChangeMember { member, change } => {
            let (before, _) = accounts::find(store, *member)?;
            let mut after = before.clone();
            // What refuses the change also refuses to propose it.
            let refused = after
                .change(*change, usize::MAX, before.member.created_at)
                .is_err();
            Ok(refused || after != before)
        }
        _ => Ok(true),
    }
}

/// A person who was drawn, unless that was approved within a day: then more codes may be sent, and one of them confirms it.
fn erasure_needs_approval<S: Store>(
    store: &S,
    tools: &ApprovalTools<'_>,
    entrant: EntrantId,
) -> Result<bool, StoreError> {
    let now = tools.staff.clock.now();
    let (kind, target) = (ApprovalKind::EraseWinner, entrant.to_string());
    store.read(|tx| Ok(tx.is_winner(entrant)? && !tx.was_approved(kind, &target, now - APPROVAL_LIFE)?))
}

/// Checks that the call could be made now, and makes the proposal.
pub(super) fn prepare<S: Store>(
    store: &S,
    tools: &ApprovalTools<'_>,
    actor: Actor,
    request: &Request,
) -> Result<Proposal, ProposalError> {
    let account = match request.member() {
        Some(member) => Some(accounts::find(store, member)?.0),
        None => None,
    };
    rehearse(store, tools, actor, request)?;
    Ok(request.propose(account.as_ref(), tools.credentials))
}

fn rehearse<S: Store>(
    store: &S,
    tools: &ApprovalTools<'_>,
    actor: Actor,
    request: &Request,
) -> Result<(), ProposalError> {
    match request {
        Request::Clear(_) | Request::SaveCredentials(_) => Ok(()),
        // Erasing begins with the journal, and sealing a drawing reads all entrants: both have checks that only read.
        Request::Erase(entrant) => Ok(requests::check_erasure(store, &tools.requests, *entrant)?),
        Request::PerformDrawing(asked) => {
            let command = asked.command(actor);
            Ok(drawings::is_additional(store, tools.drawings, &command).map(drop)?)
        }
        _ => make(&Rehearsing(store.clone()), tools, actor, false, request).map(drop),
    }
}

/// Carries out what was approved. The store approves it in the same transaction.
pub(super) fn carry_out<S: Store>(
    store: &S,
    tools: &ApprovalTools<'_>,
    decider: Decider,
    approval: &Approval,
    request: &Request,
) -> Result<Outcome, ProposalError> {
    if let Some(member) = request.member() {
        let (account, _) = accounts::find(store, member)?;
        if !is_as_before(&account, &approval.proposal) {
            return Err(ProposalError::Outdated);
        }
    }
    let by_two = decider.member().is_some();
    make(store, tools, decider.actor(), by_two, request)
}

fn make<S: Store>(
    store: &S,
    tools: &ApprovalTools<'_>,
    actor: Actor,
    by_two: bool,
    request: &Request,
) -> Result<Outcome, ProposalError> {
    let clock = tools.staff.clock;
    Ok(match request {
        Request::InviteMember { name, role } => {
            Outcome::Invited(accounts::invite(store, &tools.staff, actor, name, *role)?)
        }
        Request::ChangeMember { member, change } => {
            Outcome::Changed(accounts::change(store, clock, actor, *member, *change)?)
        }
        Request::ReinviteMember(member) => {
            Outcome::Invited(accounts::invite_again(store, &tools.staff, actor, *member)?)
        }
        Request::Clear(kind) => Outcome::Clearing(clearing::start(store, clock, actor, *kind)?),
        Request::SaveCredentials(account) => {
            credentials::save(store, clock, tools.credentials, actor, account)?;
            Outcome::CredentialsSaved
        }
        Request::ShowPackages => {
            packages::set_show_pricing(store, clock, actor, true, tools.sale_needs)?;
            Outcome::PackagesShown
        }
        Request::RejectClaim { claim, reason, note } => {
            let by = Reviewer {
                actor,
                sees_details: false,
                by_two,
            };
            let step = Step::Reject {
                reason: *reason,
                note: note.clone(),
            };
            Outcome::ClaimRejected(Box::new(review::take(store, tools.claims, by, *claim, &step)?))
        }
        Request::Erase(entrant) => Outcome::Erasure(requests::request(
            store,
            &tools.requests,
            By::Staff(actor),
            *entrant,
            RequestType::Erasure,
        )?),
        Request::PerformDrawing(asked) => {
            let command = asked.command(actor);
            Outcome::Drawing(Box::new(drawings::perform(store, tools.drawings, &command)?))
        }
    })
}
