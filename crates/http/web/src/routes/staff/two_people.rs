//! Calls that become proposals where two people decide (`TWO_PERSON`).

use super::Store;
use crate::callers::admin::{Admin, Call, Needs};
use crate::routes::data_requests::tools;
use crate::{ApiError, AppState};
use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use chrono::{DateTime, Utc};
use serde::Serialize;
use staff::{Approval, NeedsApproval};
use usecases::approvals::{self, ApprovalTools, Made, ProposalError, Request};
use utoipa::ToSchema;

/// Nothing is done yet: somebody else must approve it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProposedView {
    /// For `POST /api/admin/approvals/{id}/approve`.
    approval_id: i64,
    /// Until when it can be approved.
    expires_at: DateTime<Utc>,
}

/// 409: what a proposal changes is not as it was.
pub(super) const fn outdated() -> ApiError {
    ApiError::new(
        StatusCode::CONFLICT,
        "outdated",
        "The account was changed since this was proposed. It has to be proposed again.",
    )
}

impl From<NeedsApproval> for ApiError {
    fn from(_: NeedsApproval) -> Self {
        Self::new(
            StatusCode::CONFLICT,
            "needs_approval",
            "Somebody else must approve this.",
        )
    }
}

impl From<ProposalError> for ApiError {
    fn from(error: ProposalError) -> Self {
        match error {
            ProposalError::Account(error) => error.into(),
            ProposalError::Packages(error) => error.into(),
            ProposalError::Claim(error) => error.into(),
            ProposalError::Erasure(error) => error.into(),
            ProposalError::Drawing(error) => error.into(),
            ProposalError::Void(error) => error.into(),
            ProposalError::Publishing(error) => error.into(),
            ProposalError::Opening(error) => error.into(),
            ProposalError::NeedsApproval(needed) => needed.into(),
            ProposalError::Outdated => outdated(),
            ProposalError::Store(error) => error.into(),
        }
    }
}

/// The tools of the calls that two people make.
///
/// # Errors
/// When the store fails.
pub fn approval_tools<'a, S: Store>(state: &'a AppState, store: &S) -> Result<ApprovalTools<'a>, ApiError> {
    Ok(ApprovalTools {
        staff: state.staff_tools(),
        claims: state.claim_tools(),
        drawings: state.drawing_tools(),
        requests: tools(state, store)?,
        credentials: &*state.sms.sealer,
        sale_needs: state.sale_needs(),
        alone: state.staff.second_person(),
    })
}

/// Makes a call, or proposes it if two people must make it.
pub(super) async fn make<S: Store, P: Needs>(
    admin: &Admin<S, P>,
    request: Request,
) -> Result<Made, ApiError> {
    let make = move |call: Call<'_, S>| make_in(&call, &request, Details::Hidden, ApiError::from);
    admin.run(make).await
}

/// Whether the answer may have the details of a winner.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Details {
    Shown,
    Hidden,
}

/// [`make`], on a thread of the caller's choice. `refuse` words the refusal.
pub(super) fn make_in<S: Store>(
    call: &Call<'_, S>,
    request: &Request,
    details: Details,
    refuse: impl FnOnce(ProposalError) -> ApiError,
) -> Result<Made, ApiError> {
    let tools = approval_tools(call.state, call.store)?;
    let caller = approvals::Caller {
        member: call.member.id,
        actor: call.actor,
        sees_details: details == Details::Shown,
    };
    approvals::make_or_propose(call.store, &tools, caller, request).map_err(refuse)
}

/// For the outcome of another request. It does not happen: each request has one kind of outcome.
pub(super) fn mismatched() -> ApiError {
    ApiError::internal()
}

/// Proposes a call that was refused because two people must make it.
pub(super) async fn propose<S: Store, P: Needs>(
    admin: &Admin<S, P>,
    request: Request,
) -> Result<HttpResponse, ApiError> {
    let propose = move |call: Call<'_, S>| {
        let tools = approval_tools(call.state, call.store)?;
        let proposer = (call.member.id, call.actor);
        Ok::<_, ApiError>(approvals::propose(call.store, &tools, proposer, &request)?)
    };
    Ok(proposed(&admin.run(propose).await?))
}

/// 202: somebody else must approve it.
pub(super) fn proposed(approval: &Approval) -> HttpResponse {
    HttpResponse::Accepted().json(ProposedView {
        approval_id: approval.id.get(),
        expires_at: approval.expires_at,
    })
}
