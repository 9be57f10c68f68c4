//! Signing in and out (D10).

use super::{StaffRefused, Store};
use crate::address::RequestOrigin;
use crate::admin::Admin;
use crate::body::{Body, FieldErrors, JsonBody};
use crate::error::ErrorView;
use crate::limits::subscriber;
use crate::password::PASSWORD_BYTES;
use crate::routes::SuccessView;
use crate::{ApiError, AppState};
use actix_web::web::{Data, Json};
use chrono::{DateTime, Utc};
use kernel::Origin;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use staff::AttemptId;
use usecases::sessions::SignInCommand;
use utoipa::ToSchema;

/// Somebody signs in.
#[derive(Deserialize, ToSchema)]
pub(crate) struct LoginBody {
    #[schema(value_type = String, required, max_length = 256)]
    username: Option<String>,
    /// At most 1024 bytes.
    #[schema(value_type = String, required, format = Password)]
    password: Option<String>,
}

impl JsonBody for LoginBody {
    const FIELDS: &'static [&'static str] = &["username", "password"];
}

const USERNAME_CHARS: usize = 256;

struct Credentials {
    username: String,
    password: SecretString,
}

impl LoginBody {
    fn credentials(self) -> Result<Credentials, ApiError> {
        let mut reading = FieldErrors::default();
        let username = reading.field("username", read_username(self.username.as_deref()));
        let password = reading.field("password", read_password(self.password));
        reading.finish()?;
        Ok(Credentials {
            username: username.ok_or(ApiError::Internal)?,
            password: password.ok_or(ApiError::Internal)?,
        })
    }
}

fn read_username(typed: Option<&str>) -> Result<String, Vec<String>> {
    match typed.map(str::trim) {
        None | Some("") => Err(vec!["Username is required".to_owned()]),
        Some(name) if name.chars().count() > USERNAME_CHARS => Err(vec!["Username is too long".to_owned()]),
        Some(name) => Ok(name.to_owned()),
    }
}

/// Bounded, because its length is what an attacker could make a check cost.
fn read_password(typed: Option<String>) -> Result<SecretString, Vec<String>> {
    match typed.map(SecretString::from) {
        None => Err(vec!["Password is required".to_owned()]),
        Some(password) => match password.expose_secret().len() {
            0 => Err(vec!["Password is required".to_owned()]),
            length if length > PASSWORD_BYTES => Err(vec!["Password is too long".to_owned()]),
            _ => Ok(password),
        },
    }
}

/// A session was opened.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LoginView {
    /// To be sent with every call, as `Authorization: Bearer` or `X-Session-Token`.
    session_token: String,
    /// Until when it holds.
    expires_at: DateTime<Utc>,
}

/// Signs in.
///
/// A wrong name is answered like a wrong password. After five failures within 15 minutes an address has to wait.
#[utoipa::path(
    post,
    path = "/api/admin/login",
    operation_id = "admin_login",
    tag = "staff",
    request_body = LoginBody,
    responses(
        (status = 200, body = LoginView),
        (status = 400, body = ErrorView, description = "Fields are missing or too long"),
        (status = 401, body = ErrorView, description = "Not the administrator's name and password"),
        (status = 429, body = ErrorView, description = "Too many failures from this address; `Retry-After` says how long to wait"),
        (status = 503, body = ErrorView, description = "Too many sign-ins at once, or the database is away"),
    )
)]
pub(crate) async fn login<S: Store>(
    store: Data<S>,
    state: Data<AppState>,
    origin: RequestOrigin,
    body: Body<LoginBody>,
) -> Result<Json<LoginView>, ApiError> {
    let credentials = body.0.credentials()?;
    let attempt = reserve_attempt(&store, &state, &origin.0).await?;
    match state
        .admin
        .fits(&credentials.username, credentials.password)
        .await
    {
        Ok(true) => open_session(store, state, origin.0, attempt).await.map(Json),
        Ok(false) => {
            count("wrong");
            Err(ApiError::InvalidCredentials)
        }
        Err(error) => {
            // The password was not looked at, so it was no failure either.
            take_back(store, state, attempt).await?;
            Err(error)
        }
    }
}

async fn reserve_attempt<S: Store>(
    store: &Data<S>,
    state: &Data<AppState>,
    origin: &Origin,
) -> Result<Option<AttemptId>, ApiError> {
    let (Some(limit), Some(address)) = (state.admin.limit(), origin.address) else {
        return Ok(None);
    };
    let (store, at) = (store.clone(), state.clone());
    let reserve =
        move || usecases::sessions::reserve_attempt(&**store, &*at.clock, subscriber(address), limit);
    let attempt = state.flows.run(reserve).await;
    if matches!(attempt, Err(ApiError::RateLimited(_))) {
        count("refused");
    }
    attempt.map(Some)
}

async fn take_back<S: Store>(
    store: Data<S>,
    state: Data<AppState>,
    attempt: Option<AttemptId>,
) -> Result<(), ApiError> {
    let Some(attempt) = attempt else { return Ok(()) };
    state
        .flows
        .run(move || usecases::sessions::take_back_attempt(&**store, attempt))
        .await
}

async fn open_session<S: Store>(
    store: Data<S>,
    state: Data<AppState>,
    origin: Origin,
    attempt: Option<AttemptId>,
) -> Result<LoginView, ApiError> {
    let now = state.clock.now();
    let token = state
        .admin
        .issue(&*state.entropy, now)
        .ok_or(ApiError::Internal)?;
    let command = SignInCommand {
        attempt,
        token: token.hash(),
        expires_at: token.expires_at,
        origin,
        at: now,
    };
    state
        .flows
        .run(move || usecases::sessions::sign_in(&**store, &command))
        .await?;
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

/// Signs out: the token holds no more.
#[utoipa::path(
    post,
    path = "/api/admin/logout",
    operation_id = "admin_logout",
    tag = "staff",
    security(("bearer" = []), ("session_token" = [])),
    responses((status = 200, body = SuccessView), StaffRefused)
)]
pub(crate) async fn logout<S: Store>(
    store: Data<S>,
    state: Data<AppState>,
    admin: Admin<S>,
) -> Result<Json<SuccessView>, ApiError> {
    let at = state.clone();
    state
        .flows
        .run(move || usecases::sessions::sign_out(&**store, &*at.clock, admin.actor, &admin.token))
        .await?;
    Ok(Json(SuccessView::new()))
}
