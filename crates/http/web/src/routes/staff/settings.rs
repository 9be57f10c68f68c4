//! Settings of the site: whether packages are sold, and the account that sends messages.

use super::Store;
use super::two_people::{ProposedView, make, proposed};
use crate::callers::admin::{Admin, Call, may};
use crate::http::body::{Body, JsonBody};
use crate::http::field::BoolField;
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, staff_routes};
use crate::{ApiError, AppState};
use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::web::Json;
use serde::{Deserialize, Serialize};
use usecases::approvals::{Made, Request};
use usecases::credentials::Account;
use usecases::packages::ShowPricingError;
use utoipa::ToSchema;
use validator::Validate;

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); settings::<S>, update_settings::<S>]
}

/// The settings that can be changed.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SettingsBody {
    /// Whether packages are shown and sold.
    #[schema(inline)]
    #[validate(nested)]
    show_pricing: BoolField,
}

impl JsonBody for SettingsBody {}

/// The settings.
#[derive(Serialize, ToSchema)]
pub(crate) struct SettingsView {
    settings: SettingsValuesView,
    /// The version of the server.
    #[schema(example = "0.1.0")]
    version: &'static str,
}

/// The settings.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SettingsValuesView {
    show_pricing: bool,
    sms: SmsSettingsView,
    phone_verification: PhoneVerificationView,
}

/// Whether sign-ups need a code that is sent to their number.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PhoneVerificationView {
    /// They need none.
    Off,
    /// They do.
    On,
    /// They do, and there is no account to send codes with: nobody can enter.
    NoAccount,
}

impl PhoneVerificationView {
    const fn new(is_on: bool, can_text: bool) -> Self {
        match (is_on, can_text) {
            (false, _) => Self::Off,
            (true, true) => Self::On,
            (true, false) => Self::NoAccount,
        }
    }
}

/// The account that messages are sent with, masked.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SmsSettingsView {
    configured: bool,
    /// Whether an account was saved that cannot be opened with the keys that are configured. Then nothing is sent.
    unreadable: bool,
    #[schema(required, example = "cdef")]
    account_sid_last4: Option<String>,
    #[schema(required, example = "4567")]
    phone_number_last4: Option<String>,
}

impl SmsSettingsView {
    fn new(account: Account) -> Self {
        let unreadable = account == Account::Unreadable;
        let credentials = account.credentials();
        let credentials = credentials.as_ref();
        let last_four = |sid: &str| {
            sid.get(sid.len().saturating_sub(4)..)
                .unwrap_or_default()
                .to_owned()
        };
        Self {
            configured: credentials.is_some(),
            unreadable,
            account_sid_last4: credentials.map(|account| last_four(account.account_sid())),
            phone_number_last4: credentials.map(|account| account.phone().last_four().to_owned()),
        }
    }
}

impl SettingsView {
    pub(super) fn read<S: Store>(store: &S, state: &AppState) -> Result<Self, ApiError> {
        let sms = SmsSettingsView::new(state.sms.account(store)?);
        let is_on = state.phone_verification;
        Ok(Self {
            settings: SettingsValuesView {
                show_pricing: usecases::packages::show_pricing(store)?,
                phone_verification: PhoneVerificationView::new(is_on, sms.configured),
                sms,
            },
            version: env!("CARGO_PKG_VERSION"),
        })
    }
}

/// The settings.
#[utoipa::path(get, path = "/api/admin/settings", operation_id = "get_settings")]
pub(crate) async fn settings<S: Store>(
    admin: Admin<S, may::ViewFigures>,
) -> Result<Json<SettingsView>, ApiError> {
    let read = admin.run(|call| SettingsView::read(call.store, call.state));
    read.await.map(Json)
}

impl From<ShowPricingError> for ApiError {
    fn from(error: ShowPricingError) -> Self {
        match error {
            ShowPricingError::RulesMissing => Self::new(
                StatusCode::CONFLICT,
                "rules_missing",
                "Packages cannot be shown yet: no official rules that name a sponsor count this month. \
                 The page “Before you open” says what to do.",
            ),
            ShowPricingError::NotScheduled => Self::new(
                StatusCode::CONFLICT,
                "drawings_not_scheduled",
                "Packages cannot be shown while DRAWING_SCHEDULE is manual: the free way to the same entries is spread over \
                 the dates until the drawing of the month.",
            ),
            ShowPricingError::Store(error) => error.into(),
        }
    }
}

/// Changes the settings.
#[utoipa::path(
    post, path = "/api/admin/settings", operation_id = "update_settings",
    responses(
        (status = 200, body = SettingsView),
        (
            status = 202,
            body = ProposedView,
            description = "Somebody else must approve that packages are shown"
        ),
        (status = 409, description = "`rules_missing`, `drawings_not_scheduled`: packages cannot be shown without official rules and a drawing of each month")
    )
)]
pub(crate) async fn update_settings<S: Store>(
    admin: Admin<S, may::ManageSettings>,
    body: Body<SettingsBody>,
) -> Result<HttpResponse, ApiError> {
    let show = body.valid()?.show_pricing.value()?;
    if show {
        if let Made::Proposed(approval) = make(&admin, Request::ShowPackages).await? {
            return Ok(proposed(&approval));
        }
    } else {
        let hide = |call: Call<'_, S>| {
            let needs = call.state.sale_needs();
            usecases::packages::set_show_pricing(call.store, call.clock, call.actor, false, needs)
        };
        admin.run(hide).await?;
    }
    let read = admin.run(|call| SettingsView::read(call.store, call.state));
    Ok(HttpResponse::Ok().json(read.await?))
}
