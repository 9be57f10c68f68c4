//! Requests for data that staff make for people who ask by phone or by post.

use super::Store;
use super::two_people::{ProposedView, make, mismatched, propose, proposed};
use crate::callers::admin::{Admin, Call, Needs, may};
use crate::http::body::{Body, JsonBody};
use crate::http::path_id::PathId;
use crate::identity::limits::Limit;
use crate::routes::codes::{CodeField, count_try};
use crate::routes::data_requests::{DataRequestBody, DataRequestView, DataRequestsView, tools};
use crate::routes::route_table::{Routes, staff_routes};
use crate::{ApiError, DEADLINE};
use actix_web::HttpResponse;
use actix_web::web::{Json, Path};
use codes::Holder;
use kernel::EntrantId;
use privacy::{DataRequestId, RequestType};
use serde::Deserialize;
use staff::{Permission, SecondPerson};
use usecases::approvals::{Made, Outcome, Request};
use usecases::privacy::requests::{self, By, ConfirmError, RequestError, SeenRequest};
use utoipa::ToSchema;
use validator::Validate;

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); create::<S>, list::<S>, confirm::<S>]
}

/// Asks for a copy of an entrant's data, or for its deletion. It stands in the audit log when it is carried out.
///
/// A copy needs no code. A deletion needs one where numbers are proved with codes and a text can be sent to the number: the
/// person reads it to staff. The same request again has another code sent.
#[utoipa::path(
    post, path = "/api/admin/people/{id}/data-requests", operation_id = "create_person_data_request",
    responses(
        (status = 201, body = DataRequestView),
        (
            status = 202,
            body = ProposedView,
            description = "Somebody else must approve that a person who was drawn is deleted"
        ),
        (status = 401, description = "There is no session, or it has ended"),
        (status = 403, description = "`forbidden`; `step_up_required`: deleting a person who was drawn needs a code"),
        (status = 409, description = "`open_claim`, `open_purchase`: nothing can be deleted yet")
    )
)]
pub(crate) async fn create<S: Store>(
    admin: Admin<S, may::EditPeople>,
    PathId(entrant): PathId<EntrantId>,
    body: Body<DataRequestBody>,
) -> Result<HttpResponse, ApiError> {
    let kind = body.valid()?.request_type.value()?;
    if kind == RequestType::Export {
        let copy = export(&admin, entrant).await?;
        return Ok(HttpResponse::Created().json(DataRequestView::from(copy)));
    }
    admin.require(Permission::ErasePeople)?;
    require_step_up_for_winner(&admin, entrant).await?;
    match make(&admin, Request::Erase(entrant)).await? {
        Made::Proposed(approval) => Ok(proposed(&approval)),
        Made::Done(Outcome::Erasure(request)) => {
            Ok(HttpResponse::Created().json(DataRequestView::from(request)))
        }
        Made::Done(_) => Err(mismatched()),
    }
}

async fn export<S: Store, P: Needs>(
    admin: &Admin<S, P>,
    entrant: EntrantId,
) -> Result<SeenRequest, ApiError> {
    let export = move |call: Call<'_, S>| {
        let tools = tools(call.state, call.store)?;
        let by = By::Staff(call.actor, SecondPerson::NotNeeded);
        Ok::<_, ApiError>(requests::request(
            call.store,
            &tools,
            by,
            entrant,
            RequestType::Export,
        )?)
    };
    admin.run(export).await
}

/// A person who was drawn is deleted only after a code of the member.
async fn require_step_up_for_winner<S: Store, P: Needs>(
    admin: &Admin<S, P>,
    entrant: EntrantId,
) -> Result<(), ApiError> {
    let find = move |call: Call<'_, S>| requests::is_winner(call.store, entrant);
    match admin.run_in(&admin.pools().console, DEADLINE, find).await? {
        true => admin.require_step_up(),
        false => Ok(()),
    }
}

/// Lists an entrant's requests for data.
#[utoipa::path(
    get,
    path = "/api/admin/people/{id}/data-requests",
    operation_id = "list_person_data_requests"
)]
pub(crate) async fn list<S: Store>(
    admin: Admin<S, may::ViewPeople>,
    PathId(entrant): PathId<EntrantId>,
) -> Result<Json<DataRequestsView>, ApiError> {
    let listed = admin
        .run(move |call| {
            let tools = tools(call.state, call.store)?;
            Ok::<_, ApiError>(requests::list(call.store, &tools, Holder::Staff, entrant)?)
        })
        .await?;
    Ok(Json(listed.into()))
}

/// The code that the person reads to staff.
#[derive(Deserialize, Validate, ToSchema)]
pub(crate) struct DataCodeBody {
    /// The six digits, as people type them.
    #[schema(inline)]
    #[validate(nested)]
    code: CodeField,
}

impl JsonBody for DataCodeBody {}

/// Carries out a deletion with the code that was texted to the number.
#[utoipa::path(
    post,
    path = "/api/admin/people/{id}/data-requests/{requestId}/confirm",
    operation_id = "confirm_person_data_request",
    params(
        ("id" = i64, Path, description = "The entrant."),
        ("requestId" = i64, Path, description = "The request.")
    ),
    responses(
        (status = 200, body = DataRequestView),
        (
            status = 202,
            body = ProposedView,
            description = "Somebody else must approve that a person who was drawn is deleted"
        ),
        (status = 401, description = "There is no session, or it has ended"),
        (status = 403, description = "`forbidden`; `step_up_required`: deleting a person who was drawn needs a code"),
        (status = 409, description = "`verification_used`: it was carried out before; `open_claim`, `open_purchase`"),
        (status = 410, description = "`verification_expired`: there is no valid code")
    )
)]
pub(crate) async fn confirm<S: Store>(
    admin: Admin<S, may::ErasePeople>,
    path: Path<(i64, i64)>,
    body: Body<DataCodeBody>,
) -> Result<HttpResponse, ApiError> {
    let entrant = EntrantId::new(path.0);
    let id = DataRequestId::new(path.1);
    let code = body.valid()?.code.value()?;
    require_step_up_for_winner(&admin, entrant).await?;
    let confirm = move |call: Call<'_, S>| {
        let tools = tools(call.state, call.store)?;
        let by = By::Staff(call.actor, call.state.staff.second_person());
        match requests::confirm(call.store, &tools, by, entrant, id, &code) {
            Err(ConfirmError::Failed(RequestError::NeedsApproval(_))) => Ok(None),
            confirmed => Ok::<_, ApiError>(Some(confirmed?)),
        }
    };
    let confirmed = admin.run(confirm).await;
    count_try(&confirmed);
    match confirmed? {
        Some(request) => Ok(HttpResponse::Ok().json(DataRequestView::from(request))),
        None => propose(&admin, Request::Erase(entrant)).await,
    }
}
