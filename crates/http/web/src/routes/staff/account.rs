//! A member's own account: second factor, sessions and password.

use super::Store;
use crate::callers::admin::{Admin, Call, may};
use crate::callers::right::ShownAddress;
use crate::http::body::{Body, JsonBody};
use crate::http::names::{Name, Named};
use crate::http::path_id::PathId;
use crate::http::views::SuccessView;
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, staff_routes};
use crate::routes::staff::sessions::{FactorCodeField, NewPasswordField, PasswordField};
use crate::{ApiError, AppState};
use actix_web::http::StatusCode;
use actix_web::web::Json;
use chrono::{DateTime, Utc};
use qrcodegen::{QrCode, QrCodeEcc};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use staff::{Account, AdminSession, MemberProblem, NewPassword, Permission, RecoveryCode, Role, SessionId};
use std::fmt::Write;
use strum::IntoEnumIterator;
use usecases::accounts::{self, AccountError, CodeCommand};
use usecases::sessions;
use utoipa::ToSchema;
use validator::Validate;

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![
        Some(Limit::Reads);
        show::<S>,
        begin_totp::<S>,
        remove_totp::<S>,
        confirm_totp::<S>,
        renew_recovery_codes::<S>,
        list_sessions::<S>,
        end_sessions::<S>,
        end_session::<S>,
        change_password::<S>,
    ]
}

impl From<AccountError> for ApiError {
    fn from(error: AccountError) -> Self {
        let conflict = |code, sentence| Self::new(StatusCode::CONFLICT, code, sentence);
        match error {
            AccountError::Unknown => Self::not_found(),
            AccountError::NeedsApproval(needed) => needed.into(),
            AccountError::NameTaken => conflict("name_taken", "A member of staff has this name already."),
            AccountError::Problem(MemberProblem::LastOwner) => conflict(
                "last_owner",
                "This is the last owner. Make somebody else an owner first.",
            ),
            AccountError::Problem(MemberProblem::Environment) => conflict(
                "environment_account",
                "This account is set by ADMIN_USERNAME and ADMIN_PASSWORD_HASH on the server.",
            ),
            AccountError::InvitationExpired => Self::new(
                StatusCode::GONE,
                "invitation_expired",
                "This invitation was used or is too old. Ask an owner for a new one.",
            ),
            AccountError::PasswordChanged => conflict(
                "password_changed",
                "Your password was changed meanwhile. Please sign in again.",
            ),
            AccountError::HasSecondFactor => conflict(
                "totp_enabled",
                "You have a second factor already. Remove it first.",
            ),
            AccountError::NotSettingUp => conflict(
                "totp_not_started",
                "Begin again: no second factor is being set up.",
            ),
            AccountError::NoSecondFactor => conflict("totp_not_enabled", "You have no second factor."),
            AccountError::SecondFactorRequired => Self::new(
                StatusCode::FORBIDDEN,
                "totp_required",
                "This site requires a second factor for your role.",
            ),
            AccountError::WrongCode => Self::new(
                StatusCode::BAD_REQUEST,
                "totp_invalid",
                "That code is wrong or was used before. Wait for the next one and try again.",
            ),
            AccountError::TooMany { wait } => Self::rate_limited(wait.to_std().unwrap_or_default()),
            AccountError::Store(error) => error.into(),
        }
    }
}

pub(crate) type StaffRoleView = Name<Role>;

impl Named for Role {
    const VIEW: &'static str = "StaffRoleView";
    const ABOUT: Option<&'static str> = Some("The role of a member of staff.");
}

/// The second factor of a member.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TotpView {
    /// Whether signing in needs a code.
    enabled: bool,
    /// Whether the role must have one.
    required: bool,
    recovery_codes_left: i64,
}

pub(crate) type PermissionView = Name<Permission>;

/// They are described in the table of `docs/staff.md`.
impl Named for Permission {
    const VIEW: &'static str = "PermissionView";
    const ABOUT: Option<&'static str> = None;
}

/// Whoever is signed in.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OwnAccountView {
    id: i64,
    name: String,
    role: StaffRoleView,
    /// Whether the name and the password are set on the server.
    environment: bool,
    /// What the role may do.
    permissions: Vec<PermissionView>,
    totp: TotpView,
    /// Whether somebody else must approve what one person should not do alone.
    two_person: bool,
    /// Until when the code that was given last counts for what needs one.
    #[schema(required)]
    step_up_until: Option<DateTime<Utc>>,
}

impl OwnAccountView {
    fn new(account: Account, codes_left: i64, session: &AdminSession, state: &AppState) -> Self {
        let member = account.member;
        Self {
            id: member.id.get(),
            name: member.name.as_str().to_owned(),
            environment: member.environment,
            permissions: Permission::iter()
                .filter(|permission| member.role.allows(*permission))
                .map(PermissionView::from)
                .collect(),
            totp: TotpView {
                enabled: member.has_second_factor,
                required: state.staff.totp_required && member.role.needs_second_factor(),
                recovery_codes_left: codes_left,
            },
            role: member.role.into(),
            two_person: state.staff.two_person,
            step_up_until: session.step_up_until(state.clock.now()),
        }
    }
}

/// Shows one's own account, with what its role may do.
#[utoipa::path(get, path = "/api/admin/me", operation_id = "get_me")]
pub(crate) async fn show<S: Store>(
    admin: Admin<S, may::OwnAccount>,
) -> Result<Json<OwnAccountView>, ApiError> {
    let id = admin.member().id;
    let (account, codes_left) = admin.run(move |call| accounts::find(call.store, id)).await?;
    let view = OwnAccountView::new(account, codes_left, admin.session(), admin.state());
    Ok(Json(view))
}

/// The current password, which setting up a second factor asks for again.
#[derive(Deserialize, Validate, ToSchema)]
pub(crate) struct TotpSetUpBody {
    #[schema(inline)]
    #[validate(nested)]
    password: PasswordField,
}

impl JsonBody for TotpSetUpBody {}

/// What an authenticator app needs. It is shown once.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TotpSecretView {
    /// To be typed, in base32.
    secret: String,
    otpauth_url: String,
    /// The address as a QR code: an SVG image.
    qr_svg: String,
}

/// Begins to set up a second factor. Beginning again makes another secret.
#[utoipa::path(
    post, path = "/api/admin/me/totp", operation_id = "set_up_totp",
    responses((status = 409, description = "`totp_enabled`: there is one already"))
)]
pub(crate) async fn begin_totp<S: Store>(
    admin: Admin<S, may::OwnAccount>,
    body: Body<TotpSetUpBody>,
) -> Result<Json<TotpSecretView>, ApiError> {
    let password = body.valid()?.password.value()?.0;
    let account = check_password(&admin, "password", password).await?;
    let id = account.member.id;
    let secret = admin
        .run(move |call| accounts::begin_totp(call.store, &call.state.staff_tools(), id))
        .await?;
    let url = secret.otpauth_url(&admin.state().site.name, account.member.name.as_str());
    Ok(Json(TotpSecretView {
        secret: secret.base32(),
        qr_svg: qr_svg(&url)?,
        otpauth_url: url,
    }))
}

/// Checks the current password, with the limits of signing in from a known browser.
async fn check_password<S: Store>(
    admin: &Admin<S, may::OwnAccount>,
    field: &'static str,
    password: SecretString,
) -> Result<Account, ApiError> {
    let (id, session) = (admin.member().id, admin.session().id);
    let subject = staff::AttemptSubject::browser(&format!("session {session}"));
    let limits = admin.state().admin.limits(None, subject);
    let (account, attempts) = admin
        .run(move |call| {
            let (account, _) = accounts::find(call.store, id)?;
            let attempts = sessions::reserve_attempts(call.store, call.clock, &limits)?;
            Ok::<_, ApiError>((account, attempts))
        })
        .await?;
    if !admin.state().admin.verify_known(&account, password).await? {
        return Err(ApiError::field(field, "This is not your password."));
    }
    admin
        .run(move |call| sessions::take_back_attempts(call.store, &attempts))
        .await?;
    Ok(account)
}

/// Four light modules around the code, as ISO/IEC 18004 asks.
const QUIET: i32 = 4;

fn qr_svg(text: &str) -> Result<String, ApiError> {
    let code = QrCode::encode_text(text, QrCodeEcc::Medium).map_err(|_| ApiError::internal())?;
    let size = code.size() + 2 * QUIET;
    let mut path = String::new();
    for y in 0..code.size() {
        for x in (0..code.size()).filter(|x| code.get_module(*x, y)) {
            // Writing to a string does not fail.
            let _ = write!(path, "M{},{}h1v1h-1z", x + QUIET, y + QUIET);
        }
    }
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\" shape-rendering=\"crispEdges\">\
         <path fill=\"#fff\" d=\"M0,0h{size}v{size}H0z\"/><path d=\"{path}\"/></svg>"
    ))
}

/// A code of the second factor.
#[derive(Deserialize, Validate, ToSchema)]
pub(crate) struct TotpCodeBody {
    /// Six digits, as people type them.
    #[schema(inline)]
    #[validate(nested)]
    code: FactorCodeField,
}

impl JsonBody for TotpCodeBody {}

/// Runs a change of the second factor with the code in a body.
async fn with_code<S: Store, T: Send + 'static>(
    admin: &Admin<S, may::OwnAccount>,
    body: Body<TotpCodeBody>,
    change: impl FnOnce(&Call<'_, S>, CodeCommand<'_>) -> Result<T, AccountError> + Send + 'static,
) -> Result<T, ApiError> {
    let code = body.valid()?.code.value()?.0;
    admin
        .run(move |call| {
            let command = CodeCommand {
                actor: call.actor,
                member: call.member.id,
                code: &code,
            };
            change(&call, command)
        })
        .await
}

/// Recovery codes. They are shown once.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RecoveryCodesView {
    #[schema(example = json!(["7K2M-Q4XN-9RTB-C3WD"]))]
    recovery_codes: Vec<String>,
}

impl From<Vec<RecoveryCode>> for RecoveryCodesView {
    fn from(codes: Vec<RecoveryCode>) -> Self {
        Self {
            recovery_codes: codes.iter().map(RecoveryCode::grouped).collect(),
        }
    }
}

/// Confirms a second factor with its first code. From now on, signing in needs a code.
#[utoipa::path(
    post, path = "/api/admin/me/totp/confirm", operation_id = "confirm_totp",
    responses(
        (status = 400, description = "`totp_invalid`: the code is wrong"),
        (status = 409, description = "`totp_enabled`, `totp_not_started`")
    )
)]
pub(crate) async fn confirm_totp<S: Store>(
    admin: Admin<S, may::OwnAccount>,
    body: Body<TotpCodeBody>,
) -> Result<Json<RecoveryCodesView>, ApiError> {
    let codes = with_code(&admin, body, |call, command| {
        accounts::confirm_totp(call.store, &call.state.staff_tools(), command)
    })
    .await?;
    Ok(Json(codes.into()))
}

/// Removes the second factor, unless the role must have one.
#[utoipa::path(
    delete, path = "/api/admin/me/totp", operation_id = "remove_totp",
    responses(
        (status = 400, description = "`totp_invalid`: the code is wrong"),
        (status = 409, description = "`totp_not_enabled`")
    )
)]
pub(crate) async fn remove_totp<S: Store>(
    admin: Admin<S, may::OwnAccount>,
    body: Body<TotpCodeBody>,
) -> Result<Json<SuccessView>, ApiError> {
    with_code(&admin, body, |call, command| {
        let role = call.member.role;
        accounts::remove_totp(call.store, &call.state.staff_tools(), role, command)
    })
    .await?;
    Ok(Json(SuccessView::new()))
}

/// Makes ten new recovery codes. The old ones do not work any more.
#[utoipa::path(
    post, path = "/api/admin/me/totp/recovery-codes", operation_id = "make_recovery_codes",
    responses(
        (status = 400, description = "`totp_invalid`: the code is wrong"),
        (status = 409, description = "`totp_not_enabled`")
    )
)]
pub(crate) async fn renew_recovery_codes<S: Store>(
    admin: Admin<S, may::OwnAccount>,
    body: Body<TotpCodeBody>,
) -> Result<Json<RecoveryCodesView>, ApiError> {
    let codes = with_code(&admin, body, |call, command| {
        accounts::renew_recovery_codes(call.store, &call.state.staff_tools(), command)
    })
    .await?;
    Ok(Json(codes.into()))
}

/// An open session.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StaffSessionView {
    id: i64,
    /// The browser, as it names itself.
    #[schema(required)]
    device: Option<String>,
    #[schema(required, value_type = Option<String>)]
    address: Option<ShownAddress>,
    created_at: DateTime<Utc>,
    /// To the minute.
    last_used_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
    /// Whether it is the session of this call.
    current: bool,
}

/// The open sessions, newest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct StaffSessionsView {
    sessions: Vec<StaffSessionView>,
}

/// Lists one's own sessions.
#[utoipa::path(get, path = "/api/admin/me/sessions", operation_id = "list_sessions")]
pub(crate) async fn list_sessions<S: Store>(
    admin: Admin<S, may::OwnAccount>,
) -> Result<Json<StaffSessionsView>, ApiError> {
    let (member, current, right) = (admin.member().id, admin.session().id, admin.own());
    let listed = admin
        .run(move |call| sessions::list(call.store, call.clock, member))
        .await?;
    let view = |session: AdminSession| StaffSessionView {
        id: session.id.get(),
        device: session.user_agent,
        address: session.address.map(|address| ShownAddress::full(address, right)),
        created_at: session.created_at,
        last_used_at: session.last_used_at,
        expires_at: session.expires_at,
        current: session.id == current,
    };
    Ok(Json(StaffSessionsView {
        sessions: listed.into_iter().map(view).collect(),
    }))
}

/// Ends one of one's own sessions.
#[utoipa::path(
    delete, path = "/api/admin/me/sessions/{id}", operation_id = "end_session",
    responses((status = 404, description = "There is no such session"))
)]
pub(crate) async fn end_session<S: Store>(
    admin: Admin<S, may::OwnAccount>,
    PathId(session): PathId<SessionId>,
) -> Result<Json<SuccessView>, ApiError> {
    let ended = admin
        .run(move |call| {
            let who = (call.actor, call.member.id);
            sessions::end_one(call.store, call.clock, who, session)
        })
        .await?;
    match ended {
        true => Ok(Json(SuccessView::new())),
        false => Err(ApiError::not_found()),
    }
}

/// Ends all of one's own sessions, this one too.
#[utoipa::path(delete, path = "/api/admin/me/sessions", operation_id = "end_sessions")]
pub(crate) async fn end_sessions<S: Store>(
    admin: Admin<S, may::OwnAccount>,
) -> Result<Json<SuccessView>, ApiError> {
    admin
        .run(move |call| sessions::end_all(call.store, call.clock, (call.actor, call.member.id)))
        .await?;
    Ok(Json(SuccessView::new()))
}

/// A new password for the own account.
#[derive(Deserialize, Validate, ToSchema)]
pub(crate) struct PasswordBody {
    /// The current password.
    #[schema(inline)]
    #[validate(nested)]
    current: PasswordField,
    /// The new one: 15 characters or more, not a common one.
    #[schema(inline)]
    #[validate(nested)]
    next: NewPasswordField,
}

impl JsonBody for PasswordBody {}

/// A new password that follows the rule, or the field's error.
pub(super) fn new_password(
    field: &'static str,
    typed: SecretString,
    account: &str,
) -> Result<NewPassword, ApiError> {
    NewPassword::parse(typed, account).map_err(|problem| ApiError::field(field, problem.to_string()))
}

/// Sets a new password. All sessions end.
#[utoipa::path(
    post, path = "/api/admin/me/password", operation_id = "change_password",
    responses(
        (status = 409, description = "`environment_account`: the password is set on the server; `password_changed`: it was changed meanwhile")
    )
)]
pub(crate) async fn change_password<S: Store>(
    admin: Admin<S, may::OwnAccount>,
    body: Body<PasswordBody>,
) -> Result<Json<SuccessView>, ApiError> {
    let body = body.valid()?;
    let member = admin.member();
    if member.environment {
        return Err(AccountError::Problem(MemberProblem::Environment).into());
    }
    let next = new_password("next", body.next.value()?.0, member.name.as_str())?;
    let account = check_password(&admin, "current", body.current.value()?.0).await?;
    let state = admin.state();
    let phc = state.admin.hash(next, state.entropy.clone()).await?;
    let current = state.staff_tools().password_tag(&account);
    let current = current.ok_or_else(ApiError::internal)?;
    admin
        .run(move |call| {
            let who = (call.actor, call.member.id);
            accounts::change_password(call.store, call.clock, who, current, &phc)
        })
        .await?;
    Ok(Json(SuccessView::new()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_qr_code_is_one_svg_image_with_a_margin() {
        let svg = qr_svg("otpauth://totp/Tombola:anna?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ").unwrap();
        assert!(
            svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 "),
            "{svg}"
        );
        // The corner of the first finder pattern.
        assert!(svg.contains("d=\"M4,4h1v1h-1z"), "{svg}");
    }
}
