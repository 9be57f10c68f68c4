//! Who is kept out of drawings: spec section 2 (Security), D12.

use super::{StaffRefused, Store};
use crate::admin::Admin;
use crate::body::{Body, FieldErrors, JsonBody};
use crate::error::ErrorView;
use crate::query::PageQuery;
use crate::routes::SuccessView;
use crate::routes::entrants::LandingPageView;
use crate::{ApiError, AppState};
use actix_web::HttpResponse;
use actix_web::web::{Data, Json, Query};
use chrono::{DateTime, Utc};
use kernel::EntrantId;
use serde::{Deserialize, Serialize};
use usecases::flags::FlagCommand;
use utoipa::ToSchema;

/// Whose flag, and why.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FlagBody {
    #[schema(value_type = i64, required)]
    user_id: Option<i64>,
    /// 1 to 200 characters.
    #[schema(value_type = String, required, min_length = 1, max_length = 200, example = "Multiple accounts from IP 192.0.2.7")]
    reason: Option<String>,
}

impl JsonBody for FlagBody {
    const FIELDS: &'static [&'static str] = &["userId", "reason"];
}

/// The longest reason, in characters.
const REASON_CHARS: usize = 200;

impl FlagBody {
    fn command(self) -> Result<FlagCommand, ApiError> {
        let mut reading = FieldErrors::default();
        let required = || vec!["Required".to_owned()];
        let user_id = reading.field("userId", self.user_id.ok_or_else(required));
        let reason = reading.field("reason", read_reason(self.reason.as_deref().unwrap_or_default()));
        reading.finish()?;
        Ok(FlagCommand {
            entrant: user_id.map(EntrantId::new).ok_or(ApiError::Internal)?,
            reason: reason.ok_or(ApiError::Internal)?,
        })
    }
}

fn read_reason(text: &str) -> Result<String, Vec<String>> {
    let text = text.trim();
    if text.is_empty() {
        return Err(vec!["Required".to_owned()]);
    }
    if text.chars().count() > REASON_CHARS || text.chars().any(char::is_control) {
        return Err(vec![format!(
            "Must be one line of at most {REASON_CHARS} characters"
        )]);
    }
    Ok(text.to_owned())
}

/// Flags an entrant, who can go on using the site but not win.
#[utoipa::path(
    post,
    path = "/api/admin/flag-user",
    operation_id = "flag_user",
    tag = "staff",
    security(("bearer" = []), ("session_token" = [])),
    request_body = FlagBody,
    responses(
        (status = 200, body = SuccessView),
        (status = 400, body = ErrorView),
        (status = 404, body = ErrorView),
        StaffRefused
    )
)]
pub(crate) async fn flag<S: Store>(
    admin: Admin<S>,
    store: Data<S>,
    state: Data<AppState>,
    body: Body<FlagBody>,
) -> Result<Json<SuccessView>, ApiError> {
    let command = body.0.command()?;
    let clock = state.clock.clone();
    state
        .flows
        .run(move || usecases::flags::flag(&**store, &*clock, admin.actor, &command))
        .await?;
    state.dashboard.forget().await;
    Ok(Json(SuccessView::new()))
}

/// Takes an entrant's flag; detection leaves them alone from then on.
#[utoipa::path(
    post,
    path = "/api/admin/unflag-user",
    operation_id = "unflag_user",
    tag = "staff",
    security(("bearer" = []), ("session_token" = [])),
    request_body = FlagBody,
    responses(
        (status = 200, body = SuccessView),
        (status = 400, body = ErrorView),
        (status = 404, body = ErrorView),
        StaffRefused
    )
)]
pub(crate) async fn unflag<S: Store>(
    admin: Admin<S>,
    store: Data<S>,
    state: Data<AppState>,
    body: Body<FlagBody>,
) -> Result<Json<SuccessView>, ApiError> {
    let command = body.0.command()?;
    let clock = state.clock.clone();
    state
        .flows
        .run(move || usecases::flags::unflag(&**store, &*clock, admin.actor, &command))
        .await?;
    state.dashboard.forget().await;
    Ok(Json(SuccessView::new()))
}

/// What detection did.
#[derive(Serialize, ToSchema)]
pub(crate) struct DetectionView {
    /// Entrants who are flagged since just now.
    flagged: i64,
}

/// Flags every account on suspicious addresses.
#[utoipa::path(
    post,
    path = "/api/admin/fraud-detection",
    operation_id = "run_fraud_detection",
    tag = "staff",
    security(("bearer" = []), ("session_token" = [])),
    responses((status = 200, body = DetectionView), StaffRefused)
)]
pub(crate) async fn detect<S: Store>(
    admin: Admin<S>,
    store: Data<S>,
    state: Data<AppState>,
) -> Result<Json<DetectionView>, ApiError> {
    let (clock, zone, accounts) = (state.clock.clone(), state.time_zone, state.fraud_accounts_per_ip);
    let detect = move || usecases::flags::flag_suspicious(&**store, &*clock, zone, admin.actor, accounts);
    let flagged = state.flows.run(detect).await?;
    state.dashboard.forget().await;
    Ok(Json(DetectionView { flagged }))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FlaggedUsersView {
    flagged_users: Vec<FlaggedUserView>,
}

/// Somebody who is kept out of drawings.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FlaggedUserView {
    id: i64,
    /// In full; screens show the last four digits.
    #[schema(example = "+15551234567")]
    phone_number: String,
    landing_page: LandingPageView,
    total_entries: i64,
    #[schema(required, example = "192.0.2.7")]
    ip_address: Option<String>,
    created_at: DateTime<Utc>,
    /// Why they are flagged.
    reason: String,
    flagged_at: DateTime<Utc>,
}

impl From<analytics::FlaggedEntrant> for FlaggedUserView {
    fn from(entrant: analytics::FlaggedEntrant) -> Self {
        Self {
            id: entrant.id.get(),
            phone_number: entrant.phone.as_e164().to_owned(),
            landing_page: entrant.raffle.into(),
            total_entries: entrant.total_entries,
            ip_address: entrant.address.map(|address| address.to_string()),
            created_at: entrant.created_at,
            reason: entrant.reason,
            flagged_at: entrant.flagged_at,
        }
    }
}

/// Who is flagged, newest flag first. `X-Total-Count` has their number.
#[utoipa::path(
    get,
    path = "/api/admin/flagged-users",
    operation_id = "list_flagged_users",
    tag = "staff",
    security(("bearer" = []), ("session_token" = [])),
    params(PageQuery),
    responses(
        (
            status = 200,
            body = FlaggedUsersView,
            headers(("X-Total-Count" = i64, description = "How many there are in all"))
        ),
        (status = 400, body = ErrorView),
        StaffRefused
    )
)]
pub(crate) async fn list<S: Store>(
    _: Admin<S>,
    store: Data<S>,
    state: Data<AppState>,
    query: Query<PageQuery>,
) -> Result<HttpResponse, ApiError> {
    let page = query.page()?;
    let list = state
        .flows
        .run(move || usecases::flags::list(&**store, page))
        .await?;
    Ok(HttpResponse::Ok()
        .insert_header(("X-Total-Count", list.total.to_string()))
        .json(FlaggedUsersView {
            flagged_users: list.flagged.into_iter().map(Into::into).collect(),
        }))
}
