//! Signing in and out.

use super::Store;
use crate::callers::admin::{Admin, may};
use crate::callers::origin::RequestOrigin;
use crate::http::body::{Body, JsonBody};
use crate::http::field::{Field, FieldSchema, FieldType, WithExample, optional, text, texts};
use crate::http::fields::{Messages, message};
use crate::http::views::SuccessView;
use crate::identity::limits::{Limit, subscriber};
use crate::routes::route_table::{Routes, routes, staff_routes};
use crate::{ApiError, AppState, RequestPools};
use actix_web::http::StatusCode;
use actix_web::web::{Data, Json};
use actix_web::{HttpRequest, HttpResponse};
use chrono::{DateTime, Utc};
use kernel::{Origin, StaffName};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use staff::{Account, AttemptId, AttemptSubject, MemberId, PASSWORD_BYTES};
use std::time::Duration;
use usecases::sessions::{AttemptError, SignInCommand, SignedIn};
use utoipa::ToSchema;
use utoipa::openapi::KnownFormat;
use utoipa::openapi::schema::SchemaFormat;
use validator::Validate;

pub(super) fn routes<S: Store>() -> Routes {
    routes![Some(Limit::Reads); login::<S>].and(staff_routes![Some(Limit::Reads); logout::<S>])
}

impl From<AttemptError> for ApiError {
    fn from(error: AttemptError) -> Self {
        match error {
            AttemptError::TooMany { wait } => Self::rate_limited(wait.to_std().unwrap_or_default()),
            AttemptError::Store(error) => error.into(),
        }
    }
}

const fn invalid_credentials() -> ApiError {
    ApiError::new(
        StatusCode::UNAUTHORIZED,
        "invalid_credentials",
        "Invalid credentials",
    )
}

/// A code is missing or wrong. `WWW-Authenticate` does not help.
const fn code_needed() -> ApiError {
    ApiError::new(
        StatusCode::UNAUTHORIZED,
        "totp_required",
        "Enter the code from your authenticator app.",
    )
}

const fn code_invalid() -> ApiError {
    ApiError::new(
        StatusCode::UNAUTHORIZED,
        "totp_invalid",
        "That code is wrong or was used before. Wait for the next one and try again.",
    )
}

/// The longest code, in characters: a recovery code with spaces.
const CODE_CHARS: usize = 64;

/// Credentials of a member of staff.
#[derive(Deserialize, Validate, ToSchema)]
pub(crate) struct LoginBody {
    #[schema(inline)]
    #[validate(nested)]
    username: UsernameField,
    /// At most 1024 bytes.
    #[schema(inline)]
    #[validate(nested)]
    password: PasswordField,
    /// Six digits of the second factor, or a recovery code. Only for accounts with a second factor.
    #[schema(inline)]
    #[validate(nested)]
    code: Option<FactorCodeField>,
}

impl JsonBody for LoginBody {}

const USERNAME_CHARS: usize = 256;
/// How long a sign-in waits for one step that uses the store: longer than other requests, since nobody can work without.
const STORE_DEADLINE: Duration = Duration::from_secs(5);

type UsernameField = Field<Username>;
pub(super) type PasswordField = Field<Password<1>>;
pub(super) type NewPasswordField = Field<Password<15>>;
pub(super) type FactorCodeField = Field<FactorCode>;

struct Username(String);

texts! {
    Username: text().min_length(Some(1)).max_length(Some(USERNAME_CHARS)),
        missing "Username is required",
        |sent| match sent.trim() {
            "" => Err(message(Self::MISSING)),
            name if name.chars().count() > USERNAME_CHARS => Err(message("Username is too long")),
            _ => Ok(Self(sent)),
        };
}

/// A password of `LEAST` characters or more, which [`new_password`](super::account::new_password) enforces for new ones. Limited,
/// because the time that a check takes grows with the length.
pub(super) struct Password<const LEAST: usize>(pub(super) SecretString);

impl<const LEAST: usize> FieldType for Password<LEAST> {
    type Json = String;
    const MISSING: &'static str = "Password is required";

    fn read(sent: String) -> Result<Self, Messages> {
        match sent.len() {
            0 => Err(message(Self::MISSING)),
            length if length > PASSWORD_BYTES => Err(message("Password is too long")),
            _ => Ok(Self(sent.into())),
        }
    }

    fn describe() -> FieldSchema {
        let format = SchemaFormat::KnownFormat(KnownFormat::Password);
        let length = text().min_length(Some(LEAST)).max_length(Some(PASSWORD_BYTES));
        length.format(Some(format)).into()
    }
}

/// A code of an authenticator app, or a recovery code, as people type them.
pub(super) struct FactorCode(pub(super) String);

texts! {
    FactorCode: text().max_length(Some(CODE_CHARS)).with_example("012345"),
        |sent| match sent.chars().count() > CODE_CHARS {
            true => Err(message("The code is too long")),
            false => Ok(Self(sent)),
        };
}

/// The session that was opened.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LoginView {
    /// The token to send with every call, as `Authorization: Bearer` or `X-Session-Token`.
    session_token: String,
    /// When the session expires.
    expires_at: DateTime<Utc>,
}

/// Signs in.
///
/// The response to a wrong name is the same as to a wrong password. After five failures within 15 minutes, an address has to
/// wait. After ten from browsers that never signed in to an account, that account takes one attempt a minute from such
/// browsers. A cookie makes this browser known to the account.
#[utoipa::path(
    post, path = "/api/admin/login", operation_id = "admin_login",
    responses(
        (status = 200, body = LoginView),
        (status = 401, description = "`invalid_credentials`: wrong name or password; `totp_required`: the account needs a code; `totp_invalid`: the code is wrong or was used before"),
        (status = 429, description = "Too many failures; `Retry-After` says how long to wait"),
        (status = 503, description = "Too many sign-ins at once, or the database is away")
    )
)]
pub(crate) async fn login<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    origin: RequestOrigin,
    request: HttpRequest,
    body: Body<LoginBody>,
) -> Result<HttpResponse, ApiError> {
    let body = body.valid()?;
    let username = body.username.value()?.0;
    let password = body.password.value()?.0;
    let account = find_account(&pools, &username).await?;
    let known = account.as_ref().and_then(|account| {
        let (member, now) = (account.member.id, state.clock.now());
        let browser = state.admin.known_browser(&request, member, now)?;
        Some((account, browser))
    });
    let subject = known.map_or_else(|| AttemptSubject::account(&username), |(_, browser)| browser);
    let attempts = reserve_attempts(&pools, &state, &origin.0, subject).await?;
    let verified = match known {
        Some((account, _)) => state.admin.verify_known(account, password).await,
        None => state.admin.verify(account.as_ref(), password).await,
    };
    match (verified, account) {
        (Ok(true), Some(account)) => {
            let code = optional(body.code)?.map(|code| code.0);
            let code = code.filter(|code| !code.trim().is_empty());
            open_session(&pools, &state, origin.0, attempts, account, code).await
        }
        (Ok(_), account) => {
            count("wrong");
            let member = account.map(|account| account.member.id);
            record_failure(&pools, &state, member, origin.0).await?;
            Err(invalid_credentials())
        }
        (Err(error), _) => {
            // The password was not checked, so the attempts do not count as failures.
            take_back(&pools, attempts).await;
            Err(error)
        }
    }
}

async fn find_account<S: Store>(
    pools: &RequestPools<S>,
    username: &str,
) -> Result<Option<Account>, ApiError> {
    let Some(name) = StaffName::parse(username) else {
        return Ok(None);
    };
    let find = move |store: &S| usecases::sessions::find_account(store, &name);
    pools.console.run_within(STORE_DEADLINE, find).await
}

async fn reserve_attempts<S: Store>(
    pools: &RequestPools<S>,
    state: &Data<AppState>,
    origin: &Origin,
    account: AttemptSubject,
) -> Result<Vec<AttemptId>, ApiError> {
    let address = origin
        .address
        .map(|address| AttemptSubject::Address(subscriber(address)));
    let subjects = state.admin.limits(address, account);
    if subjects.is_empty() {
        return Ok(Vec::new());
    }
    let clock = state.clock.clone();
    let reserve = move |store: &S| usecases::sessions::reserve_attempts(store, &*clock, &subjects);
    let attempts = pools.console_writes.run_within(STORE_DEADLINE, reserve).await;
    attempts.inspect_err(|error: &ApiError| {
        if error.status() == StatusCode::TOO_MANY_REQUESTS {
            count("refused");
        }
    })
}

/// Attempts that cannot be taken back count as failures; the response is the same.
async fn take_back<S: Store>(pools: &RequestPools<S>, attempts: Vec<AttemptId>) {
    if attempts.is_empty() {
        return;
    }
    let take_back = move |store: &S| usecases::sessions::take_back_attempts(store, &attempts);
    if let Err(error) = pools.console_writes.run_within(STORE_DEADLINE, take_back).await {
        tracing::warn!(%error, "cannot take back attempts to sign in");
    }
}

async fn record_failure<S: Store>(
    pools: &RequestPools<S>,
    state: &Data<AppState>,
    member: Option<MemberId>,
    origin: Origin,
) -> Result<(), ApiError> {
    let clock = state.clock.clone();
    let record = move |store: &S| usecases::sessions::record_failure(store, &*clock, member, &origin);
    pools.console_writes.run_within(STORE_DEADLINE, record).await
}

async fn open_session<S: Store>(
    pools: &RequestPools<S>,
    state: &Data<AppState>,
    origin: Origin,
    attempts: Vec<AttemptId>,
    account: Account,
    code: Option<String>,
) -> Result<HttpResponse, ApiError> {
    let now = state.clock.now();
    let (id, name) = (account.member.id, &account.member.name);
    let token = state.admin.issue(name, &*state.entropy, now);
    let cookie = state.admin.browser_cookie(id, &*state.entropy, now);
    let (token, cookie) = token.zip(cookie).ok_or_else(ApiError::internal)?;
    let password_tag = state.staff_tools().password_tag(&account);
    let command = SignInCommand {
        account: id,
        password_tag: password_tag.ok_or_else(ApiError::internal)?,
        attempts,
        code,
        token: token.hash(),
        expires_at: token.expires_at,
        origin,
        at: now,
    };
    let shared = state.clone();
    let sign_in = move |store: &S| usecases::sessions::sign_in(store, &shared.staff_tools(), &command);
    let refused = |outcome, error| {
        count(outcome);
        Err(error)
    };
    match pools.console_writes.run_within(STORE_DEADLINE, sign_in).await? {
        SignedIn::Open(_) => count("in"),
        SignedIn::CodeNeeded => return refused("code_needed", code_needed()),
        SignedIn::WrongCode => return refused("wrong_code", code_invalid()),
        SignedIn::Locked { wait } => {
            let wait = wait.to_std().unwrap_or_default();
            return refused("refused", ApiError::rate_limited(wait));
        }
        SignedIn::Refused => return refused("wrong", invalid_credentials()),
    }
    Ok(HttpResponse::Ok().cookie(cookie).json(LoginView {
        session_token: token.text,
        expires_at: token.expires_at,
    }))
}

fn count(outcome: &'static str) {
    tracing::info!(outcome, "sign-in");
    metrics::counter!("admin_sign_ins_total", "outcome" => outcome).increment(1);
}

/// Signs out. The token is no longer accepted.
#[utoipa::path(post, path = "/api/admin/logout", operation_id = "admin_logout")]
pub(crate) async fn logout<S: Store>(
    admin: Admin<S, may::OwnAccount>,
) -> Result<Json<SuccessView>, ApiError> {
    admin
        .run(|call| usecases::sessions::sign_out(call.store, call.clock, call.actor, &call.token))
        .await?;
    Ok(Json(SuccessView::new()))
}
