//! Calls that become proposals where two people decide (`TWO_PERSON`).

use super::Store;
use crate::callers::admin::{Admin, Call, Needs};
use crate::routes::data_requests::tools;
use crate::{ApiError, AppState};
use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use chrono::{DateTime, Utc};
use serde::Serialize;
use usecases::approvals::{self, ApprovalTools, ProposalError, Request};
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

impl From<ProposalError> for ApiError {
    fn from(error: ProposalError) -> Self {
        match error {
            ProposalError::Account(error) => error.into(),
            ProposalError::Packages(error) => error.into(),
            ProposalError::Claim(error) => error.into(),
            ProposalError::Erasure(error) => error.into(),
            ProposalError::Drawing(error) => error.into(),
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
    })
}

/// Proposes a call and answers 202, if two people must make it. `None`: one person is enough.
pub(super) async fn proposed<S: Store, P: Needs>(
    admin: &Admin<S, P>,
    request: Request,
) -> Result<Option<HttpResponse>, ApiError> {
    if !admin.state().staff.two_person {
        return Ok(None);
    }
    let propose = move |call: Call<'_, S>| {
        let tools = approval_tools(call.state, call.store)?;
        if !approvals::needs_approval(call.store, &tools, call.actor, &request)? {
            return Ok::<_, ApiError>(None);
        }
        let proposer = (call.member.id, call.actor);
        Ok(Some(approvals::propose(call.store, &tools, proposer, &request)?))
    };
    let approval = admin.run(propose).await?;
    Ok(approval.map(|approval| {
        HttpResponse::Accepted().json(ProposedView {
            approval_id: approval.id.get(),
            expires_at: approval.expires_at,
        })
    }))
}
