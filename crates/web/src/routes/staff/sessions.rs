//! Signing in and out (D10).

use super::Store;
use crate::address::RequestOrigin;
use crate::admin::Admin;
use crate::body::{Body, JsonBody};
use crate::error::ErrorView;
use crate::fields::{message, rule};
use crate::limits::{Limit, subscriber};
use crate::password::PASSWORD_BYTES;
use crate::route_table::{Routes, routes};
use crate::views::{StaffRefused, SuccessView};
use crate::{ApiError, AppState, RequestPools};
use actix_web::http::StatusCode;
use actix_web::web::{Data, Json};
use chrono::{DateTime, Utc};
use kernel::Origin;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use staff::AttemptId;
use std::time::Duration;
use usecases::sessions::{AttemptError, SignInCommand};
use utoipa::ToSchema;
use validator::{Validate, ValidationError};

pub(super) fn routes<S: Store>() -> Routes {
    routes![Some(Limit::Reads); login::<S>, logout::<S>]
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

/// Credentials of the administrator.
#[derive(Deserialize, Validate, ToSchema)]
pub(crate) struct LoginBody {
    #[schema(value_type = String, required, min_length = 1, max_length = 256)]
    #[validate(required(message = "Username is required"), custom(function = username_rule))]
    username: Option<String>,
    /// At most 1024 bytes.
    #[schema(value_type = String, required, format = Password, min_length = 1, max_length = 1024)]
    #[validate(required(message = "Password is required"), custom(function = password_rule))]
    password: Option<String>,
}

impl JsonBody for LoginBody {
    const FIELDS: &'static [&'static str] = &["username", "password"];
}

const USERNAME_CHARS: usize = 256;
/// How long a sign-in waits for one step that uses the store: longer than other requests, since nobody can work without.
const STORE_DEADLINE: Duration = Duration::from_secs(5);

fn username_rule(typed: &str) -> Result<(), ValidationError> {
    rule(match typed.trim() {
        "" => Err(message("Username is required")),
        name if name.chars().count() > USERNAME_CHARS => Err(message("Username is too long")),
        _ => Ok(()),
    })
}

/// Limited, because the time that a check takes grows with the length.
fn password_rule(password: &str) -> Result<(), ValidationError> {
    rule(match password.len() {
        0 => Err(message("Password is required")),
        length if length > PASSWORD_BYTES => Err(message("Password is too long")),
        _ => Ok(()),
    })
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
/// The response to a wrong name is the same as to a wrong password. After five failures within 15 minutes, an address has to wait.
#[utoipa::path(
    post,
    path = "/api/admin/login",
    operation_id = "admin_login",
    tag = "staff",
    request_body = LoginBody,
    responses(
        (status = 200, body = LoginView),
        (status = 400, body = ErrorView, description = "Fields are missing or too long"),
        (status = 401, body = ErrorView, description = "Wrong name or password"),
        (status = 429, body = ErrorView, description = "Too many failures from this address; `Retry-After` says how long to wait"),
        (status = 503, body = ErrorView, description = "Too many sign-ins at once, or the database is away"),
    )
)]
pub(crate) async fn login<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    origin: RequestOrigin,
    body: Body<LoginBody>,
) -> Result<Json<LoginView>, ApiError> {
    let body = body.valid()?;
    let username = body.username.unwrap_or_default();
    let password = SecretString::from(body.password.unwrap_or_default());
    let attempt = reserve_attempt(&pools, &state, &origin.0).await?;
    match state.admin.verify(username.trim(), password).await {
        Ok(true) => open_session(&pools, state, origin.0, attempt).await.map(Json),
        Ok(false) => {
            count("wrong");
            Err(invalid_credentials())
        }
        Err(error) => {
            // The password was not checked, so the attempt does not count as a failure.
            take_back(&pools, attempt).await;
            Err(error)
        }
    }
}

async fn reserve_attempt<S: Store>(
    pools: &RequestPools<S>,
    state: &Data<AppState>,
    origin: &Origin,
) -> Result<Option<AttemptId>, ApiError> {
    let (Some(limit), Some(address)) = (state.admin.limit(), origin.address) else {
        return Ok(None);
    };
    let clock = state.clock.clone();
    let reserve =
        move |store: &S| usecases::sessions::reserve_attempt(store, &*clock, subscriber(address), limit);
    let attempt = pools.console_writes.run_within(STORE_DEADLINE, reserve).await;
    attempt.map(Some).inspect_err(|error| {
        if error.status() == StatusCode::TOO_MANY_REQUESTS {
            count("refused");
        }
    })
}

/// An attempt that cannot be taken back counts as a failure; the response is the same.
async fn take_back<S: Store>(pools: &RequestPools<S>, attempt: Option<AttemptId>) {
    let Some(attempt) = attempt else { return };
    let take_back = move |store: &S| usecases::sessions::take_back_attempt(store, attempt);
    if let Err(error) = pools.console_writes.run_within(STORE_DEADLINE, take_back).await {
        tracing::warn!(%error, "cannot take back an attempt to sign in");
    }
}

async fn open_session<S: Store>(
    pools: &RequestPools<S>,
    state: Data<AppState>,
    origin: Origin,
    attempt: Option<AttemptId>,
) -> Result<LoginView, ApiError> {
    let now = state.clock.now();
    let token = state
        .admin
        .issue(&*state.entropy, now)
        .ok_or_else(ApiError::internal)?;
    let command = SignInCommand {
        attempt,
        token: token.hash(),
        expires_at: token.expires_at,
        origin,
        at: now,
    };
    let sign_in = move |store: &S| usecases::sessions::sign_in(store, &command);
    pools.console_writes.run_within(STORE_DEADLINE, sign_in).await?;
    count("in");
    Ok(LoginView {
        session_token: token.text,
        expires_at: token.expires_at,
    })
}

fn count(outcome: &'static str) {
    tracing::info!(outcome, "sign-in");
    metrics::counter!("admin_sign_ins_total", "outcome" => outcome).increment(1);
}

/// Signs out. The token is no longer accepted.
#[utoipa::path(
    post,
    path = "/api/admin/logout",
    operation_id = "admin_logout",
    tag = "staff",
    responses((status = 200, body = SuccessView), StaffRefused)
)]
pub(crate) async fn logout<S: Store>(admin: Admin<S>) -> Result<Json<SuccessView>, ApiError> {
    admin
        .run(|call| usecases::sessions::sign_out(call.store, call.clock, call.actor, &call.token))
        .await?;
    Ok(Json(SuccessView::new()))
}
