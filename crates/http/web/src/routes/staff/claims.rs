//! Winners' claims, for staff.

mod bodies;
pub(crate) mod views;

use self::bodies::{ClaimNoteBody, RejectionBody, ShipmentBody};
use self::views::{ClaimDetailView, ClaimsView, ParcelView, ShippingListView};
use super::Store;
use super::two_people::{Details, ProposedView, make_in, mismatched, proposed};
use crate::callers::admin::{Admin, Call, Needs, ReadsFiles, may};
use crate::http::body::Body;
use crate::http::field::{Field, optional, text, texts};
use crate::http::fields::message;
use crate::http::path_id::PathId;
use crate::http::query::{PageQuery, Params, QueryType};
use crate::http::responses::{Listed, page_of};
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, staff_routes};
use crate::{ApiError, DEADLINE};
use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::web::Json;
use claims::{ClaimFilter, ClaimId, ClaimRefusal};
use serde::Deserialize;
use staff::Permission;
use usecases::approvals::{Made, Outcome, Request};
use usecases::claims::review::{self, ReviewError, Reviewer, Step};
use utoipa::IntoParams;
use validator::Validate;

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![
        Some(Limit::Reads);
        list::<S>, show::<S>, approve::<S>, reject::<S>, shipped::<S>, delivered::<S>, resend::<S>, called::<S>,
        confirm_number::<S>, unreachable::<S>, shipping_list::<S>
    ]
}

impl From<ReviewError> for ApiError {
    fn from(error: ReviewError) -> Self {
        let (code, sentence) = match error {
            ReviewError::UnknownClaim => return Self::not_found(),
            ReviewError::Store(error) => return error.into(),
            ReviewError::NeedsApproval(needed) => return needed.into(),
            ReviewError::Refused(refusal) => refused(refusal),
            ReviewError::NumberChanged => (
                "number_changed",
                "The entrant's number is not the one that was drawn, so the claim cannot be approved.",
            ),
            ReviewError::CannotText => ("cannot_text", "The number gets no texts. Please call the winner."),
            ReviewError::ResentTooOften => (
                "resent_too_often",
                "The link was texted again five times within a day. Please wait, or call the winner.",
            ),
            ReviewError::CalledTooSeldom => (
                "called_too_seldom",
                "Please call on three days before you give up.",
            ),
        };
        Self::new(StatusCode::CONFLICT, code, sentence)
    }
}

const fn refused(refusal: ClaimRefusal) -> (&'static str, &'static str) {
    match refusal {
        ClaimRefusal::Paused => (
            "claim_paused",
            "A payment is disputed, so the claim is paused until the dispute is decided.",
        ),
        ClaimRefusal::NeedsNoCall => (
            "needs_no_call",
            "The winner can be texted, and proves the number with a code.",
        ),
        ClaimRefusal::Expired
        | ClaimRefusal::WrongStatus
        | ClaimRefusal::AnotherBrowser
        | ClaimRefusal::ObjectedBefore
        | ClaimRefusal::ObjectionWindowOver => (
            "wrong_status",
            "The claim does not allow this now. Please reload the page.",
        ),
    }
}

/// The claims to list.
#[derive(Deserialize, Validate, IntoParams)]
pub(crate) struct ClaimQuery {
    /// Only claims with this status, or `needs_call`.
    #[param(inline)]
    #[validate(nested)]
    status: Option<ClaimFilterField>,
}

type ClaimFilterField = Field<ClaimFilter>;

texts! {
    ClaimFilter: text(), |sent| match sent.as_str() {
        "" | "all" => Ok(Self::All),
        "needs_call" => Ok(Self::NeedsCall),
        name => match name.parse() {
            Ok(status) => Ok(Self::Status(status)),
            Err(_) => Err(message("There is no such status")),
        },
    };
}

impl QueryType for ClaimQuery {
    type Value = ClaimFilter;

    fn value(self) -> Result<ClaimFilter, ApiError> {
        Ok(optional(self.status)?.unwrap_or(ClaimFilter::All))
    }
}

/// Lists claims, newest first.
#[utoipa::path(get, path = "/api/admin/claims", operation_id = "list_claims")]
pub(crate) async fn list<S: Store>(
    admin: Admin<S, may::ViewClaims>,
    Params((filter, page)): Params<(ClaimQuery, PageQuery)>,
) -> Result<Listed<ClaimsView>, ApiError> {
    let list = admin
        .run(move |call| review::list(call.store, filter, page))
        .await?;
    Ok(page_of(list.total, ClaimsView::new(&list, admin.right())))
}

/// Gets a claim. Owners also get the winner's details, after a code if they have a second factor; each look stands in the
/// audit log.
#[utoipa::path(get, path = "/api/admin/claims/{id}", operation_id = "get_claim_details")]
pub(crate) async fn show<S: Store>(
    admin: Admin<S, may::ViewClaims>,
    PathId(id): PathId<ClaimId>,
) -> Result<Json<ClaimDetailView>, ApiError> {
    let by = reviewer(&admin);
    if sees_details(&admin) {
        admin.require_step_up()?;
    }
    let open = move |call: Call<'_, S>| review::open(call.store, call.state.claim_tools(), by, id);
    // Whoever looks is recorded.
    let file = admin
        .run_in(&admin.pools().console_writes, DEADLINE, open)
        .await?;
    Ok(Json(ClaimDetailView::new(&file, admin.right(), admin.state())))
}

fn sees_details<S: Store, P: Needs>(admin: &Admin<S, P>) -> bool {
    admin.member().role.allows(Permission::ViewClaimDetails)
}

/// Steps answer without the details when no code was given lately; opening the claim asks for one.
fn reviewer<S: Store, P: Needs>(admin: &Admin<S, P>) -> Reviewer {
    Reviewer {
        actor: admin.actor(),
        sees_details: sees_details(admin) && admin.require_step_up().is_ok(),
        decides: admin.member().role.allows(Permission::DecideClaims),
        second: admin.state().staff.second_person(),
    }
}

/// Makes a call that two people may have to make.
async fn decide<S: Store>(
    admin: &Admin<S, may::DecideClaims>,
    request: Request,
) -> Result<HttpResponse, ApiError> {
    let details = match reviewer(admin).sees_details {
        true => Details::Shown,
        false => Details::Hidden,
    };
    let decide = move |call: Call<'_, S>| make_in(&call, &request, details, ApiError::from);
    match admin.run(decide).await? {
        Made::Proposed(approval) => Ok(proposed(&approval)),
        Made::Done(Outcome::ClaimDecided(file)) => {
            Ok(HttpResponse::Ok().json(ClaimDetailView::new(&file, admin.right(), admin.state())))
        }
        Made::Done(_) => Err(mismatched()),
    }
}

async fn take<S: Store, P: ReadsFiles>(
    admin: &Admin<S, P>,
    id: ClaimId,
    step: Step,
) -> Result<Json<ClaimDetailView>, ApiError> {
    let by = reviewer(admin);
    let file = admin
        .run(move |call| review::take(call.store, call.state.claim_tools(), by, id, &step))
        .await?;
    Ok(Json(ClaimDetailView::new(&file, admin.right(), admin.state())))
}

/// Approves a claim: the prize is the winner's. Also possible after a rejection, while the winner can object; what two people
/// rejected takes two to approve.
#[utoipa::path(
    post, path = "/api/admin/claims/{id}/approve", operation_id = "approve_claim",
    responses(
        (status = 200, body = ClaimDetailView),
        (status = 202, body = ProposedView, description = "Somebody else must approve it"),
        (status = 409, description = "`wrong_status`; `claim_paused`; `number_changed`: the number does not make the drawn leaf")
    )
)]
pub(crate) async fn approve<S: Store>(
    admin: Admin<S, may::DecideClaims>,
    PathId(id): PathId<ClaimId>,
) -> Result<HttpResponse, ApiError> {
    decide(&admin, Request::ApproveClaim(id)).await
}

/// Rejects a claim. The winner reads the reason and the note, and can object for seven days.
#[utoipa::path(
    post, path = "/api/admin/claims/{id}/reject", operation_id = "reject_claim",
    responses(
        (status = 200, body = ClaimDetailView),
        (status = 202, body = ProposedView, description = "Somebody else must approve it"),
        (status = 409, description = "`wrong_status`")
    )
)]
pub(crate) async fn reject<S: Store>(
    admin: Admin<S, may::DecideClaims>,
    PathId(id): PathId<ClaimId>,
    body: Body<RejectionBody>,
) -> Result<HttpResponse, ApiError> {
    let body = body.valid()?;
    let request = Request::RejectClaim {
        claim: id,
        reason: body.reason.value()?,
        note: body.note.value()?.0,
    };
    decide(&admin, request).await
}

/// Notes that the prize was sent, and how: the winner reads it. Another call replaces what was noted before.
#[utoipa::path(
    post, path = "/api/admin/claims/{id}/shipped", operation_id = "mark_prize_shipped",
    responses((status = 409, description = "`wrong_status`"))
)]
pub(crate) async fn shipped<S: Store>(
    admin: Admin<S, may::DecideClaims>,
    PathId(id): PathId<ClaimId>,
    body: Body<ShipmentBody>,
) -> Result<Json<ClaimDetailView>, ApiError> {
    let body = body.valid()?;
    let step = Step::Ship {
        carrier: body.carrier.value()?.0,
        tracking_number: body.tracking_number.value()?,
    };
    take(&admin, id, step).await
}

/// Notes that the prize was delivered.
#[utoipa::path(
    post, path = "/api/admin/claims/{id}/delivered", operation_id = "mark_prize_delivered",
    responses((status = 409, description = "`wrong_status`"))
)]
pub(crate) async fn delivered<S: Store>(
    admin: Admin<S, may::DecideClaims>,
    PathId(id): PathId<ClaimId>,
) -> Result<Json<ClaimDetailView>, ApiError> {
    take(&admin, id, Step::Deliver).await
}

/// Texts the link again, five times a day at most.
#[utoipa::path(
    post, path = "/api/admin/claims/{id}/resend", operation_id = "resend_claim",
    responses((status = 409, description = "`wrong_status`; `cannot_text`: the number gets no texts; `resent_too_often`"))
)]
pub(crate) async fn resend<S: Store>(
    admin: Admin<S, may::FollowUpClaims>,
    PathId(id): PathId<ClaimId>,
) -> Result<Json<ClaimDetailView>, ApiError> {
    take(&admin, id, Step::Resend).await
}

/// Notes a call. The winner has 14 days from the first one, unless a text arrived before.
#[utoipa::path(
    post, path = "/api/admin/claims/{id}/called", operation_id = "note_claim_call",
    responses((status = 409, description = "`wrong_status`"))
)]
pub(crate) async fn called<S: Store>(
    admin: Admin<S, may::FollowUpClaims>,
    PathId(id): PathId<ClaimId>,
    body: Body<ClaimNoteBody>,
) -> Result<Json<ClaimDetailView>, ApiError> {
    let note = body.valid()?.note.value()?.0;
    take(&admin, id, Step::NoteCall(note)).await
}

/// Confirms the number: staff spoke with the winner on it. The answer has a code to read out, which opens the claim in one
/// browser; where two people decide, whoever proposed it is shown the code after the approval.
#[utoipa::path(
    post, path = "/api/admin/claims/{id}/confirm-number", operation_id = "confirm_claim_number",
    responses(
        (status = 200, body = ClaimDetailView),
        (status = 202, body = ProposedView, description = "Somebody else must approve it"),
        (status = 409, description = "`wrong_status`; `needs_no_call`: a code can be sent")
    )
)]
pub(crate) async fn confirm_number<S: Store>(
    admin: Admin<S, may::DecideClaims>,
    PathId(id): PathId<ClaimId>,
    body: Body<ClaimNoteBody>,
) -> Result<HttpResponse, ApiError> {
    let note = body.valid()?.note.value()?.0;
    decide(&admin, Request::ConfirmNumber { claim: id, note }).await
}

/// Gives up a winner who was called in vain on three days, and asks the next rank.
#[utoipa::path(
    post, path = "/api/admin/claims/{id}/unreachable", operation_id = "mark_claim_unreachable",
    responses((status = 409, description = "`wrong_status`; `needs_no_call`; `called_too_seldom`"))
)]
pub(crate) async fn unreachable<S: Store>(
    admin: Admin<S, may::DecideClaims>,
    PathId(id): PathId<ClaimId>,
) -> Result<Json<ClaimDetailView>, ApiError> {
    take(&admin, id, Step::GiveUp).await
}

/// Lists the prizes of approved claims that are not sent yet, with the winners' names and addresses, the oldest claim first.
/// Each line is a look at a winner's details in the audit log.
#[utoipa::path(get, path = "/api/admin/shipping-list", operation_id = "get_shipping_list")]
pub(crate) async fn shipping_list<S: Store>(
    admin: Admin<S, may::ViewClaimDetails>,
) -> Result<Json<ShippingListView>, ApiError> {
    let list =
        |call: Call<'_, S>| usecases::claims::shipping_list(call.store, call.state.claim_tools(), call.actor);
    // Whoever looks is recorded.
    let parcels = admin
        .run_in(&admin.pools().console_writes, DEADLINE, list)
        .await?;
    Ok(Json(ShippingListView {
        parcels: parcels
            .iter()
            .map(|parcel| ParcelView::new(parcel, admin.right()))
            .collect(),
    }))
}
