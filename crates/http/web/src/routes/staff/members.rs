//! Staff: inviting, changing and disabling members.

use super::Store;
use super::account::{StaffRoleView, new_password};
use super::two_people::{ProposedView, make, mismatched, proposed};
use crate::callers::admin::{Admin, may};
use crate::callers::origin::RequestOrigin;
use crate::http::body::{Body, JsonBody};
use crate::http::field::{Field, WithExample, optional, text, texts};
use crate::http::fields::message;
use crate::http::names::{Name, Named};
use crate::http::path_id::PathId;
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, routes, staff_routes};
use crate::routes::staff::sessions::NewPasswordField;
use crate::{ApiError, AppState, RequestPools};
use actix_web::HttpResponse;
use actix_web::web::{Data, Json, Path};
use chrono::{DateTime, Utc};
use kernel::StaffName;
use serde::{Deserialize, Serialize};
use staff::{Account, InvitationToken, MemberChange, MemberId, MemberState, Role, TokenHash};
use usecases::accounts::{self, InvitationLink};
use usecases::approvals::{Made, Outcome, Request};
use utoipa::ToSchema;
use validator::Validate;

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); list::<S>, invite::<S>, change::<S>, invite_again::<S>]
        .and(routes![Some(Limit::Reads); find_invitation::<S>, accept_invitation::<S>])
}

pub(crate) type StaffStateView = Name<MemberState>;

impl Named for MemberState {
    const VIEW: &'static str = "StaffStateView";
    const ABOUT: Option<&'static str> = Some("Whether a member can sign in.");
}

/// A member of staff.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StaffMemberView {
    id: i64,
    name: String,
    role: StaffRoleView,
    state: StaffStateView,
    /// Whether the name and the password are set on the server.
    environment: bool,
    /// Whether the member has a second factor.
    totp: bool,
    created_at: DateTime<Utc>,
    #[schema(required)]
    last_sign_in_at: Option<DateTime<Utc>>,
    /// When the link of an open invitation stops working, or stopped.
    #[schema(required)]
    invitation_expires_at: Option<DateTime<Utc>>,
}

impl From<Account> for StaffMemberView {
    fn from(account: Account) -> Self {
        let member = account.member;
        Self {
            id: member.id.get(),
            name: member.name.as_str().to_owned(),
            role: member.role.into(),
            state: member.state.into(),
            environment: member.environment,
            totp: member.has_second_factor,
            created_at: member.created_at,
            last_sign_in_at: account.last_sign_in_at,
            invitation_expires_at: account.invitation.map(|invitation| invitation.expires_at),
        }
    }
}

/// All members of staff, oldest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct StaffView {
    staff: Vec<StaffMemberView>,
}

/// Lists the members of staff.
#[utoipa::path(get, path = "/api/admin/staff", operation_id = "list_staff")]
pub(crate) async fn list<S: Store>(admin: Admin<S, may::ManageStaff>) -> Result<Json<StaffView>, ApiError> {
    let accounts = admin.run(|call| accounts::list(call.store)).await?;
    Ok(Json(StaffView {
        staff: accounts.into_iter().map(StaffMemberView::from).collect(),
    }))
}

/// A new member of staff.
#[derive(Deserialize, Validate, ToSchema)]
pub(crate) struct InviteBody {
    /// The name to sign in with.
    #[schema(inline)]
    #[validate(nested)]
    name: NameField,
    /// `owner`, `manager`, `support` or `viewer`.
    #[schema(inline)]
    #[validate(nested)]
    role: RoleField,
}

impl JsonBody for InviteBody {}

type NameField = Field<StaffName>;
type RoleField = Field<Role>;

texts! {
    StaffName: text().min_length(Some(1)).max_length(Some(256)).with_example("ben"),
        missing "Name is required",
        |sent| Self::parse(&sent).ok_or_else(|| message("Name may have letters a–z, digits, periods, hyphens and underscores, 256 at most"));
}

texts! {
    Role: text().with_example("manager"), missing "Role is required",
        |sent| sent.parse().map_err(|_| message("There is no such role"));
}

/// The link with which a member sets a password. It is shown once.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InvitationLinkView {
    id: i64,
    /// Works once.
    invitation_url: String,
    expires_at: DateTime<Utc>,
}

impl InvitationLinkView {
    pub(super) fn new(link: &InvitationLink, state: &AppState) -> Self {
        Self {
            id: link.member.get(),
            invitation_url: state.invitation_url(&link.token),
            expires_at: link.expires_at,
        }
    }
}

impl AppState {
    /// The link of an invitation. The token stands in the fragment, which browsers do not send, so that it is in no log.
    pub fn invitation_url(&self, token: &InvitationToken) -> String {
        format!("{}/admin#invitation={}", self.public_origin, token.as_str())
    }

    /// The link that makes the first owner, with the token in the fragment too.
    pub fn first_owner_url(&self, token: &InvitationToken) -> String {
        format!("{}/admin/setup#token={}", self.public_origin, token.as_str())
    }
}

/// Invites a member. Hand over the link: it works once within 72 hours.
#[utoipa::path(
    post, path = "/api/admin/staff", operation_id = "invite_member",
    responses(
        (status = 201, body = InvitationLinkView),
        (status = 202, body = ProposedView, description = "Somebody else must approve it"),
        (status = 409, description = "`name_taken`")
    )
)]
pub(crate) async fn invite<S: Store>(
    admin: Admin<S, may::ManageStaff>,
    body: Body<InviteBody>,
) -> Result<HttpResponse, ApiError> {
    let body = body.valid()?;
    let (name, role) = (body.name.value()?, body.role.value()?);
    make_link(&admin, Request::InviteMember { name, role }).await
}

async fn make_link<S: Store>(
    admin: &Admin<S, may::ManageStaff>,
    request: Request,
) -> Result<HttpResponse, ApiError> {
    match make(admin, request).await? {
        Made::Proposed(approval) => Ok(proposed(&approval)),
        Made::Done(Outcome::Invited(link)) => {
            Ok(HttpResponse::Created().json(InvitationLinkView::new(&link, admin.state())))
        }
        Made::Done(_) => Err(mismatched()),
    }
}

/// A change of a member.
#[derive(Deserialize, Validate, ToSchema)]
pub(crate) struct MemberBody {
    /// The new role.
    #[schema(inline)]
    #[validate(nested)]
    role: Option<RoleField>,
    /// Whether the member can sign in no more.
    disabled: Option<bool>,
}

impl JsonBody for MemberBody {}

/// Changes the role of a member, or disables or enables one. The member's sessions end.
#[utoipa::path(
    patch, path = "/api/admin/staff/{id}", operation_id = "change_member",
    responses(
        (status = 200, body = StaffMemberView),
        (status = 202, body = ProposedView, description = "Somebody else must approve it"),
        (status = 409, description = "`last_owner`; `environment_account`")
    )
)]
pub(crate) async fn change<S: Store>(
    admin: Admin<S, may::ManageStaff>,
    PathId(id): PathId<MemberId>,
    body: Body<MemberBody>,
) -> Result<HttpResponse, ApiError> {
    let body = body.valid()?;
    let change = MemberChange {
        role: optional(body.role)?,
        disabled: body.disabled,
    };
    let request = Request::ChangeMember { member: id, change };
    match make(&admin, request).await? {
        Made::Proposed(approval) => Ok(proposed(&approval)),
        Made::Done(Outcome::Changed(account)) => Ok(HttpResponse::Ok().json(StaffMemberView::from(account))),
        Made::Done(_) => Err(mismatched()),
    }
}

/// Makes a new link for a member: the last one was lost or has expired, or the password was forgotten. The old password and
/// the sessions end.
#[utoipa::path(
    post, path = "/api/admin/staff/{id}/invitation", operation_id = "reinvite_member",
    responses(
        (status = 201, body = InvitationLinkView),
        (status = 202, body = ProposedView, description = "Somebody else must approve it"),
        (status = 409, description = "`last_owner`; `environment_account`")
    )
)]
pub(crate) async fn invite_again<S: Store>(
    admin: Admin<S, may::ManageStaff>,
    PathId(id): PathId<MemberId>,
) -> Result<HttpResponse, ApiError> {
    make_link(&admin, Request::ReinviteMember(id)).await
}

/// An open invitation.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InvitationView {
    name: String,
    role: StaffRoleView,
    #[schema(required)]
    expires_at: Option<DateTime<Utc>>,
}

/// Shows whom a link invites.
#[utoipa::path(
    get, path = "/api/staff/invitations/{token}", operation_id = "get_invitation",
    params(("token" = String, Path)),
    responses(
        (status = 404, description = "There is no such invitation, or it was used"),
        (status = 410, description = "`invitation_expired`: it is too old"),
        (status = 429, description = "Too many requests from this address"),
        (status = 503, description = "The database is not available")
    )
)]
pub(crate) async fn find_invitation<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    token: Path<String>,
) -> Result<Json<InvitationView>, ApiError> {
    let account = invited(&pools, &state, InvitationToken::hash_of(&token)).await?;
    Ok(Json(InvitationView {
        name: account.member.name.as_str().to_owned(),
        role: account.member.role.into(),
        expires_at: account.invitation.map(|invitation| invitation.expires_at),
    }))
}

async fn invited<S: Store>(
    pools: &RequestPools<S>,
    state: &Data<AppState>,
    token: TokenHash,
) -> Result<Account, ApiError> {
    let clock = state.clock.clone();
    pools
        .console
        .run(move |store| accounts::find_invitation(store, &*clock, &token))
        .await
}

/// The first password of a member.
#[derive(Deserialize, Validate, ToSchema)]
pub(crate) struct InvitationBody {
    /// 15 characters or more, not a common one.
    #[schema(inline)]
    #[validate(nested)]
    password: NewPasswordField,
}

impl JsonBody for InvitationBody {}

/// The name that an invited member signs in with.
#[derive(Serialize, ToSchema)]
pub(crate) struct AcceptedView {
    name: String,
}

/// Sets the password of an invited member. The link is used up.
#[utoipa::path(
    post, path = "/api/staff/invitations/{token}", operation_id = "accept_invitation",
    params(("token" = String, Path)),
    responses(
        (status = 404, description = "There is no such invitation, or it was used"),
        (status = 410, description = "`invitation_expired`: it is too old")
    )
)]
pub(crate) async fn accept_invitation<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    origin: RequestOrigin,
    token: Path<String>,
    body: Body<InvitationBody>,
) -> Result<Json<AcceptedView>, ApiError> {
    let body = body.valid()?;
    let token = InvitationToken::hash_of(&token);
    let account = invited(&pools, &state, token).await?;
    let password = new_password("password", body.password.value()?.0, account.member.name.as_str())?;
    let phc = state.admin.hash(password, state.entropy.clone()).await?;
    let clock = state.clock.clone();
    let accept = move |store: &S| accounts::accept_invitation(store, &*clock, &origin.0, &token, &phc);
    let account = pools.console_writes.run(accept).await?;
    Ok(Json(AcceptedView {
        name: account.member.name.as_str().to_owned(),
    }))
}
