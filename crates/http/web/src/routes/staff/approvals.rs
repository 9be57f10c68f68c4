//! What members of staff proposed, and deciding it.

use super::Store;
use super::claims::views::{CallCodeView, ClaimDetailView};
use super::clearing::{job_view, work_on};
use super::drawing::performed_drawing;
use super::members::{InvitationLinkView, StaffMemberView};
use super::raffles::{PublishedView, RaffleOpeningView};
use super::settings::SettingsView;
use super::two_people::approval_tools;
use crate::ApiError;
use crate::callers::admin::{Admin, Call, may};
use crate::http::field::{Field, ReadByName, optional};
use crate::http::names::{Name, Named};
use crate::http::path_id::PathId;
use crate::http::query::{PageQuery, Params, QueryType};
use crate::http::responses::{Listed, page_of};
use crate::http::views::SuccessView;
use crate::identity::limits::Limit;
use crate::routes::beacon_rounds::DRAWING_DEADLINE;
use crate::routes::data_requests::DataRequestView;
use crate::routes::route_table::{Routes, staff_routes};
use actix_web::http::StatusCode;
use actix_web::web::Json;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use staff::{
    Account, Approval, ApprovalId, ApprovalKind, ApprovalRefusal, ApprovalStatus, Argument, MemberId,
};
use usecases::approvals::{self, ApprovalError, ApprovalList, Decider, Outcome, Secret};
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); list::<S>, approve::<S>, reject::<S>, show_secret::<S>]
}

impl From<ApprovalRefusal> for ApiError {
    fn from(refusal: ApprovalRefusal) -> Self {
        let (status, code, sentence) = match refusal {
            ApprovalRefusal::Forbidden => (
                StatusCode::FORBIDDEN,
                "forbidden",
                "Your role does not allow this. Ask an owner of this site.",
            ),
            ApprovalRefusal::ConcernsOneself => (
                StatusCode::FORBIDDEN,
                "concerns_you",
                "This is about your own account. Somebody else must decide it.",
            ),
            ApprovalRefusal::OwnProposal => (
                StatusCode::FORBIDDEN,
                "own_proposal",
                "You proposed this yourself. Somebody else must approve it.",
            ),
            ApprovalRefusal::AccountTooYoung => (
                StatusCode::FORBIDDEN,
                "account_too_young",
                "Your account must be at least 7 days old before you can approve.",
            ),
            ApprovalRefusal::Decided => (
                StatusCode::CONFLICT,
                "approval_decided",
                "Somebody else has decided this already.",
            ),
            ApprovalRefusal::NothingToShow => (
                StatusCode::CONFLICT,
                "nothing_to_show",
                "This was shown before, or it is not yours to see. Please reload the page.",
            ),
            ApprovalRefusal::ProposerDisabled => (
                StatusCode::CONFLICT,
                "proposer_disabled",
                "Whoever proposed this may not do it any more, so it cannot be approved.",
            ),
            ApprovalRefusal::Expired => (
                StatusCode::GONE,
                "approval_expired",
                "The time for this is over. It has to be proposed again.",
            ),
        };
        Self::new(status, code, sentence)
    }
}

impl From<ApprovalError> for ApiError {
    fn from(error: ApprovalError) -> Self {
        match error {
            ApprovalError::Unknown => Self::not_found(),
            ApprovalError::Refused(refusal) => refusal.into(),
            ApprovalError::Failed(error) => error.into(),
            ApprovalError::Store(error) => error.into(),
        }
    }
}

pub(crate) type ApprovalKindView = Name<ApprovalKind>;

impl Named for ApprovalKind {
    const VIEW: &'static str = "ApprovalKindView";
    const ABOUT: Option<&'static str> = Some("What is proposed.");
}

pub(crate) type ApprovalStatusView = Name<ApprovalStatus>;

impl Named for ApprovalStatus {
    const VIEW: &'static str = "ApprovalStatusView";
    const ABOUT: Option<&'static str> =
        Some("How far a proposal is. `failed`: it was approved, and could not be carried out.");
}

/// An argument of the proposed call.
#[derive(Serialize, ToSchema)]
pub(crate) struct ArgumentView {
    name: String,
    value: String,
}

impl From<Argument> for ArgumentView {
    fn from(argument: Argument) -> Self {
        Self {
            name: argument.name,
            value: argument.value,
        }
    }
}

/// A proposal.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ApprovalView {
    id: i64,
    kind: ApprovalKindView,
    /// What exactly will happen.
    summary: String,
    /// What exactly is proposed, without secrets.
    arguments: Vec<ArgumentView>,
    status: ApprovalStatusView,
    /// The name of whoever proposed it.
    proposed_by: String,
    proposed_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
    /// The name of whoever approved or rejected it. Null also if the operator approved it on the server.
    #[schema(required)]
    decided_by: Option<String>,
    #[schema(required)]
    decided_at: Option<DateTime<Utc>>,
    /// Why the approved call could not be made.
    #[schema(required)]
    error: Option<String>,
    /// Whether whoever asks proposed it.
    own: bool,
    /// Whether whoever asks may approve it now.
    may_approve: bool,
    /// Whether whoever asks may reject it now, or withdraw it.
    may_reject: bool,
    /// Whether it has a link or a code that whoever asks can be shown once.
    has_secret: bool,
    /// Until when whoever asks may send the file of their approved import again; null otherwise.
    #[schema(required)]
    awaits_file_until: Option<DateTime<Utc>>,
}

/// Whoever reads proposals.
struct Reader<'a> {
    member: MemberId,
    accounts: &'a [Account],
    now: DateTime<Utc>,
}

impl Reader<'_> {
    fn account(&self, id: MemberId) -> Option<&Account> {
        self.accounts.iter().find(|account| account.member.id == id)
    }

    fn name(&self, id: MemberId) -> String {
        let account = self.account(id);
        account.map_or_else(String::new, |account| account.member.name.as_str().to_owned())
    }

    /// Whether it can be decided now, and whoever reads it may do so.
    fn may(&self, approval: &Approval, decide: impl FnOnce(&Account) -> Result<(), ApprovalRefusal>) -> bool {
        let own = self.account(self.member);
        approval.check_open(self.now).is_ok() && own.is_some_and(|own| decide(own).is_ok())
    }

    fn view(&self, approval: Approval) -> ApprovalView {
        let decision = approval.decision;
        ApprovalView {
            id: approval.id.get(),
            status: approval.status_at(self.now).into(),
            own: approval.proposed_by == self.member,
            may_approve: self.may(&approval, |own| approval.check_approver(own, self.now)),
            may_reject: self.may(&approval, |own| approval.check_rejecter(own)),
            has_secret: self
                .account(self.member)
                .is_some_and(|own| approval.check_shows_to(own).is_ok()),
            awaits_file_until: approval.awaits_file_until(self.member, self.now),
            proposed_by: self.name(approval.proposed_by),
            proposed_at: approval.proposed_at,
            expires_at: approval.expires_at,
            decided_by: decision.and_then(|decision| decision.by).map(|by| self.name(by)),
            decided_at: decision.map(|decision| decision.at),
            error: approval.error,
            kind: approval.proposal.kind.into(),
            summary: approval.proposal.summary,
            arguments: approval
                .proposal
                .arguments
                .into_iter()
                .chain(approval.proposal.note.map(|note| Argument::new("note", note)))
                .map(ArgumentView::from)
                .collect(),
        }
    }
}

/// Proposals, newest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct ApprovalsView {
    approvals: Vec<ApprovalView>,
}

impl ApprovalsView {
    fn new(list: ApprovalList, member: MemberId, now: DateTime<Utc>) -> Self {
        let accounts = &list.accounts;
        let reader = Reader {
            member,
            accounts,
            now,
        };
        let views = list.approvals.into_iter().map(|approval| reader.view(approval));
        Self {
            approvals: views.collect(),
        }
    }
}

/// The proposals to list.
#[derive(Deserialize, Validate, IntoParams)]
pub(crate) struct ApprovalQuery {
    /// Only proposals with this status.
    #[validate(nested)]
    status: Option<StatusField>,
}

type StatusField = Field<ApprovalStatus>;

impl ReadByName for ApprovalStatus {
    const REFUSAL: &'static str = "There is no such status";
}

impl QueryType for ApprovalQuery {
    type Value = Option<ApprovalStatus>;

    fn value(self) -> Result<Option<ApprovalStatus>, ApiError> {
        optional(self.status)
    }
}

/// Lists what was proposed, newest first.
#[utoipa::path(get, path = "/api/admin/approvals", operation_id = "list_approvals")]
pub(crate) async fn list<S: Store>(
    admin: Admin<S, may::ViewApprovals>,
    Params((status, page)): Params<(ApprovalQuery, PageQuery)>,
) -> Result<Listed<ApprovalsView>, ApiError> {
    let list = admin
        .run(move |call| approvals::list(call.store, call.clock, status, page))
        .await?;
    let (total, now) = (list.total, admin.state().clock.now());
    Ok(page_of(total, ApprovalsView::new(list, admin.member().id, now)))
}

/// An approved proposal.
#[derive(Serialize, ToSchema)]
pub(crate) struct ApprovalResultView {
    approval: ApprovalView,
    /// The body of the call's own answer. What is shown once is shown to whoever proposed it.
    #[schema(required, value_type = Option<Object>)]
    result: Option<Value>,
}

/// Approves a proposal of somebody else, and makes the call that was proposed, once.
#[utoipa::path(
    post, path = "/api/admin/approvals/{id}/approve", operation_id = "approve_proposal",
    responses(
        (
            status = 200,
            body = ApprovalResultView,
            description = "The call was made; `result` is what it would have answered, but for what is shown once"
        ),
        (status = 403, description = "`own_proposal`; `concerns_you`: it is about one's own account; `account_too_young`: the account has been active for less than 7 days"),
        (status = 409, description = "`approval_decided`; `proposer_disabled`; `outdated`; or what the call itself refuses"),
        (status = 410, description = "`approval_expired`")
    )
)]
pub(crate) async fn approve<S: Store>(
    admin: Admin<S, may::Approve>,
    PathId(id): PathId<ApprovalId>,
) -> Result<Json<ApprovalResultView>, ApiError> {
    let kind = admin
        .run(move |call| approvals::find(call.store, id))
        .await?
        .proposal
        .kind;
    let approve = move |call: Call<'_, S>| approve_now(&call, id);
    // A drawing may wait for other drawings and reads every entrant.
    let (approval, outcome) = match kind {
        ApprovalKind::PerformDrawing
        | ApprovalKind::VoidDrawing
        | ApprovalKind::OpenRaffle
        | ApprovalKind::CloseRaffle => {
            admin
                .run_in(&admin.pools().drawings, DRAWING_DEADLINE, approve)
                .await?
        }
        _ => admin.run(approve).await?,
    };
    let result = result_of(&admin, outcome).await?;
    Ok(Json(ApprovalResultView {
        approval: view(&admin, approval).await?,
        result: Some(result).filter(|result| !result.is_null()),
    }))
}

/// A call that fails for good is recorded with the sentence that people read.
fn approve_now<S: Store>(call: &Call<'_, S>, id: ApprovalId) -> Result<(Approval, Outcome), ApiError> {
    let tools = approval_tools(call.state, call.store)?;
    let decider = Decider::Member(call.member.id, call.actor);
    match approvals::approve(call.store, &tools, decider, id) {
        Err(ApprovalError::Failed(error)) if error.is_final() => {
            let error = ApiError::from(error);
            approvals::record_failure(call.store, call.clock, decider, id, error.sentence())?;
            Err(error)
        }
        decided => Ok(decided?),
    }
}

/// What the call itself would have answered.
async fn result_of<S: Store>(admin: &Admin<S, may::Approve>, outcome: Outcome) -> Result<Value, ApiError> {
    let state = admin.state();
    let json = match outcome {
        Outcome::Invited(_) => return Ok(Value::Null),
        Outcome::Changed(account) => serde_json::to_value(StaffMemberView::from(account)),
        Outcome::Clearing(started) => serde_json::to_value(job_view(work_on(admin, started).0)),
        Outcome::CredentialsSaved => {
            state.sms.known.forget();
            serde_json::to_value(SuccessView::new())
        }
        Outcome::PackagesShown => {
            let read = admin.run(|call| SettingsView::read(call.store, call.state));
            serde_json::to_value(read.await?)
        }
        Outcome::ClaimDecided(mut file) => {
            file.call_code = None; // for whoever proposed it
            serde_json::to_value(ClaimDetailView::new(&file, admin.right(), state))
        }
        Outcome::Erasure(request) => serde_json::to_value(DataRequestView::from(request)),
        Outcome::Drawing(performed) => serde_json::to_value(performed_drawing(*performed, admin).1),
        Outcome::Published(version) => serde_json::to_value(PublishedView::from(*version)),
        Outcome::Raffle(changed) => serde_json::to_value(RaffleOpeningView::from(*changed)),
        Outcome::ImportAgreed => return Ok(Value::Null),
    };
    json.map_err(|_| ApiError::internal())
}

async fn view<S: Store, P: crate::callers::admin::Needs>(
    admin: &Admin<S, P>,
    approval: Approval,
) -> Result<ApprovalView, ApiError> {
    let accounts = admin.run(|call| usecases::accounts::list(call.store)).await?;
    let reader = Reader {
        member: admin.member().id,
        accounts: &accounts,
        now: admin.state().clock.now(),
    };
    Ok(reader.view(approval))
}

/// What is shown once. One of the two is not null.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ApprovalSecretView {
    approval: ApprovalView,
    /// The link of an invitation.
    #[schema(required)]
    invitation: Option<InvitationLinkView>,
    /// The code to read out to a winner.
    #[schema(required)]
    call_code: Option<CallCodeView>,
}

/// Shows the link of an invitation, or the code of a call, once: to whoever proposed it, after somebody else approved it.
#[utoipa::path(
    post, path = "/api/admin/approvals/{id}/secret", operation_id = "show_approval_secret",
    responses((status = 409, description = "`nothing_to_show`; `proposer_disabled`; or the claim or the account does not allow it any more"))
)]
pub(crate) async fn show_secret<S: Store>(
    admin: Admin<S, may::ViewApprovals>,
    PathId(id): PathId<ApprovalId>,
) -> Result<Json<ApprovalSecretView>, ApiError> {
    let show = move |call: Call<'_, S>| {
        let tools = approval_tools(call.state, call.store)?;
        let by = (call.member.id, call.actor);
        Ok::<_, ApiError>(approvals::show_secret(call.store, &tools, by, id)?)
    };
    let (approval, secret) = admin.run(show).await?;
    let (invitation, call_code) = match secret {
        Secret::Invitation(link) => (Some(InvitationLinkView::new(&link, admin.state())), None),
        Secret::CallCode(code) => (None, Some(CallCodeView::new(&code, admin.state()))),
    };
    Ok(Json(ApprovalSecretView {
        approval: view(&admin, approval).await?,
        invitation,
        call_code,
    }))
}

/// A rejected proposal.
#[derive(Serialize, ToSchema)]
pub(crate) struct RejectedApprovalView {
    approval: ApprovalView,
}

/// Rejects a proposal. Whoever made it withdraws it so; of others, whoever may approve it can reject it.
#[utoipa::path(
    post, path = "/api/admin/approvals/{id}/reject", operation_id = "reject_proposal",
    responses(
        (status = 403, description = "`forbidden`; `concerns_you`: it is about one's own account"),
        (status = 409, description = "`approval_decided`"),
        (status = 410, description = "`approval_expired`")
    )
)]
pub(crate) async fn reject<S: Store>(
    admin: Admin<S, may::ViewApprovals>,
    PathId(id): PathId<ApprovalId>,
) -> Result<Json<RejectedApprovalView>, ApiError> {
    let rejected = admin
        .run(move |call| approvals::reject(call.store, call.clock, (call.member.id, call.actor), id))
        .await?;
    Ok(Json(RejectedApprovalView {
        approval: view(&admin, rejected).await?,
    }))
}
