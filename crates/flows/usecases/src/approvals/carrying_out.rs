//! Checks and carries out what was proposed, with the same flows as for one person.

use super::deciding::Rehearsing;
use super::request::is_as_before;
use super::{Decider, Request};
use crate::accounts::{self, AccountError, InvitationLink};
use crate::claims::ClaimTools;
use crate::claims::review::{self, ClaimFile, ReviewError, Reviewer, Step};
use crate::clearing::{self, StartedJob};
use crate::credentials;
use crate::drawings::{self, DrawingTools, PerformError, Performed, VoidError};
use crate::packages::{self, SaleNeeds, ShowPricingError};
use crate::privacy::requests::{self, By, RequestError, RequestTools, SeenRequest};
use crate::raffles::{self, ChangedOpening, OpeningError, PublishError};
use crate::second_factor::StaffTools;
use crate::store::Store;
use ::claims::ClaimId;
use ::privacy::RequestType;
use kernel::{Sealer, StoreError};
use raffle::Version;
use sms::Credentials;
use staff::{Account, Actor, Approval, NeedsApproval, Proposal, SecondPerson};

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
    /// What somebody who makes a call alone lacks: [`SecondPerson::Missing`] where two people must agree (`TWO_PERSON`).
    pub alone: SecondPerson,
}

/// Who makes a call.
#[derive(Debug, Clone, Copy)]
pub(super) struct Maker {
    /// For the audit log.
    pub(super) actor: Actor,
    /// Whether somebody else has agreed.
    pub(super) second: SecondPerson,
    /// Whether the answer has the details of a winner.
    pub(super) sees_details: bool,
}

/// Why a call is not proposed, or fails after its approval.
#[derive(Debug, thiserror::Error)]
pub enum ProposalError {
    /// Of an account.
    #[error(transparent)]
    Account(AccountError),
    /// Of packages.
    #[error(transparent)]
    Packages(#[from] ShowPricingError),
    /// Of a claim.
    #[error(transparent)]
    Claim(ReviewError),
    /// Of an erasure.
    #[error(transparent)]
    Erasure(RequestError),
    /// Of a drawing.
    #[error(transparent)]
    Drawing(PerformError),
    /// Of making a drawing void.
    #[error(transparent)]
    Void(VoidError),
    /// Of publishing what a raffle says.
    #[error(transparent)]
    Publishing(PublishError),
    /// Of opening or closing a raffle.
    #[error(transparent)]
    Opening(OpeningError),
    /// Somebody else must approve it.
    #[error(transparent)]
    NeedsApproval(#[from] NeedsApproval),
    /// What it changes was changed since it was proposed.
    #[error("it was changed since")]
    Outdated,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<AccountError> for ProposalError {
    fn from(error: AccountError) -> Self {
        match error {
            AccountError::NeedsApproval(needed) => needed.into(),
            error => Self::Account(error),
        }
    }
}

impl From<ReviewError> for ProposalError {
    fn from(error: ReviewError) -> Self {
        match error {
            ReviewError::NeedsApproval(needed) => needed.into(),
            error => Self::Claim(error),
        }
    }
}

impl From<RequestError> for ProposalError {
    fn from(error: RequestError) -> Self {
        match error {
            RequestError::NeedsApproval(needed) => needed.into(),
            error => Self::Erasure(error),
        }
    }
}

impl From<PerformError> for ProposalError {
    fn from(error: PerformError) -> Self {
        match error {
            PerformError::NeedsApproval(needed) => needed.into(),
            error => Self::Drawing(error),
        }
    }
}

impl From<VoidError> for ProposalError {
    fn from(error: VoidError) -> Self {
        match error {
            VoidError::NeedsApproval(needed) => needed.into(),
            error => Self::Void(error),
        }
    }
}

impl From<PublishError> for ProposalError {
    fn from(error: PublishError) -> Self {
        match error {
            PublishError::NeedsApproval(needed) => needed.into(),
            error => Self::Publishing(error),
        }
    }
}

impl From<OpeningError> for ProposalError {
    fn from(error: OpeningError) -> Self {
        match error {
            OpeningError::NeedsApproval(needed) => needed.into(),
            error => Self::Opening(error),
        }
    }
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
                    | PerformError::RaffleClosed
                    | PerformError::NothingToDraw { .. }
            ),
            Self::Void(error) => !matches!(error, VoidError::Store(_)),
            Self::Publishing(error) => !matches!(error, PublishError::Store(_)),
            Self::Opening(error) => !matches!(error, OpeningError::Store(_)),
            Self::NeedsApproval(_) | Self::Store(_) => false,
        }
    }
}

/// What a call returned.
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
    /// The claim that was decided.
    ClaimDecided(Box<ClaimFile>),
    /// The person is erased, or gets a code first.
    Erasure(SeenRequest),
    /// The drawing.
    Drawing(Box<Performed>),
    /// The version that is published.
    Published(Box<Version>),
    /// The raffle, and what changed.
    Raffle(Box<ChangedOpening>),
    /// Whoever proposed the import sends the file again.
    ImportAgreed,
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
    // Whoever approves it is the second person.
    let by = Maker {
        actor,
        second: SecondPerson::Agreed,
        sees_details: false,
    };
    rehearse(store, tools, by, request)?;
    Ok(request.propose(account.as_ref(), tools.credentials))
}

fn rehearse<S: Store>(
    store: &S,
    tools: &ApprovalTools<'_>,
    by: Maker,
    request: &Request,
) -> Result<(), ProposalError> {
    match request {
        // An import was tried before it was proposed.
        Request::Clear(_) | Request::SaveCredentials(_) | Request::ImportPeople { .. } => Ok(()),
        // Erasing begins with the journal, and sealing a drawing reads all entrants: both have checks that only read.
        Request::Erase(entrant) => Ok(requests::check_erasure(store, &tools.requests, *entrant)?),
        Request::PerformDrawing(asked) => {
            let command = asked.command(by.actor, by.second);
            Ok(drawings::check_perform(store, tools.drawings, &command)?)
        }
        _ => make(&Rehearsing(store.clone()), tools, by, request).map(drop),
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
    let by = Maker {
        actor: decider.actor(),
        second: match decider.member() {
            Some(_) => SecondPerson::Agreed,
            None => SecondPerson::NotNeeded,
        },
        sees_details: false,
    };
    make(store, tools, by, request)
}

/// Makes the call. Whoever makes it alone where two must agree gets [`ProposalError::NeedsApproval`], and nothing has changed.
pub(super) fn make<S: Store>(
    store: &S,
    tools: &ApprovalTools<'_>,
    by: Maker,
    request: &Request,
) -> Result<Outcome, ProposalError> {
    if request.always_needs_two() {
        by.second.check()?;
    }
    let Maker { actor, second, .. } = by;
    let clock = tools.staff.clock;
    Ok(match request {
        Request::InviteMember { name, role } => {
            Outcome::Invited(accounts::invite(store, &tools.staff, actor, name, *role)?)
        }
        Request::ChangeMember { member, change } => {
            Outcome::Changed(accounts::change(store, clock, (actor, second), *member, *change)?)
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
        Request::ApproveClaim(claim) => decide_claim(store, tools, by, *claim, &Step::Approve)?,
        Request::RejectClaim { claim, reason, note } => {
            let step = Step::Reject {
                reason: *reason,
                note: note.clone(),
            };
            decide_claim(store, tools, by, *claim, &step)?
        }
        Request::ConfirmNumber { claim, note } => {
            decide_claim(store, tools, by, *claim, &Step::ConfirmNumber(note.clone()))?
        }
        Request::Erase(entrant) => Outcome::Erasure(requests::request(
            store,
            &tools.requests,
            By::Staff(actor, second),
            *entrant,
            RequestType::Erasure,
        )?),
        Request::PerformDrawing(asked) => {
            let command = asked.command(actor, second);
            Outcome::Drawing(Box::new(drawings::perform(store, tools.drawings, &command)?))
        }
        Request::VoidDrawing { drawing, void } => {
            let command = drawings::VoidDrawing {
                actor,
                second,
                drawing: *drawing,
                void: void.clone(),
            };
            Outcome::Drawing(Box::new(Performed::Waiting(drawings::void(store, &command)?)))
        }
        Request::PublishRaffle(asked) => {
            let command = asked.command(actor, second);
            Outcome::Published(Box::new(raffles::publish(
                store,
                tools.drawings.time_zone,
                &command,
            )?))
        }
        Request::OpenRaffle(asked) => {
            let command = asked.command(actor, second);
            Outcome::Raffle(Box::new(raffles::open(
                store,
                tools.drawings.time_zone,
                &command,
            )?))
        }
        Request::CloseRaffle(asked) => {
            let command = asked.command(actor, second);
            Outcome::Raffle(Box::new(raffles::close(
                store,
                tools.drawings.time_zone,
                &command,
            )?))
        }
        // The approval is all that the transaction stores.
        Request::ImportPeople { .. } => store.transaction(|_| Ok::<_, StoreError>(Outcome::ImportAgreed))?,
    })
}

fn decide_claim<S: Store>(
    store: &S,
    tools: &ApprovalTools<'_>,
    by: Maker,
    claim: ClaimId,
    step: &Step,
) -> Result<Outcome, ProposalError> {
    let by = Reviewer {
        actor: by.actor,
        sees_details: by.sees_details,
        decides: true,
        second: by.second,
    };
    let file = review::take(store, tools.claims, by, claim, step)?;
    Ok(Outcome::ClaimDecided(Box::new(file)))
}
