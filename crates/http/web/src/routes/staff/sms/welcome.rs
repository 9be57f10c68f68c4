//! The welcome messages to new entrants.

use super::templates::ActiveBody;
use crate::ApiError;
use crate::callers::admin::{Admin, may};
use crate::http::body::{Body, JsonBody};
use crate::http::fields::{FieldErrors, field, message, path_raffle, read_raffle};
use crate::http::query::{PageQuery, Params};
use crate::http::responses::{Created, Listed, page_of};
use crate::http::views::{LandingPageView, SuccessView, staff_name};
use crate::identity::limits::Limit;
use crate::routes::Store;
use crate::routes::route_table::{Routes, staff_routes};
use actix_web::web::{Json, Path};
use chrono::{DateTime, Utc};
use kernel::StoredTextError;
use raffle::RaffleKey;
use serde::{Deserialize, Serialize};
use sms::{WelcomeMessage, WelcomeTemplate, default_welcome};
use utoipa::ToSchema;

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); list::<S>, create::<S>, update::<S>, switch::<S>, delete::<S>]
}

const MISSING: &str = "Please select a landing page and enter a message template";
const TOO_LONG: &str = "A text has at most 1,600 characters";

/// A new welcome message.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WelcomeSmsBody {
    #[schema(value_type = LandingPageView, required)]
    landing_page: Option<String>,
    /// `[your-link]` and its other forms become the entrant's referral link.
    #[schema(value_type = String, required, min_length = 1, max_length = 1600)]
    message_template: Option<String>,
}

impl JsonBody for WelcomeSmsBody {}

/// The new content of a welcome message.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WelcomeSmsChangeBody {
    #[schema(value_type = String, required, min_length = 1, max_length = 1600)]
    message_template: Option<String>,
}

impl JsonBody for WelcomeSmsChangeBody {}

impl WelcomeSmsBody {
    fn raffle(&self) -> Result<RaffleKey, FieldErrors> {
        let raffle = match self.landing_page.as_deref() {
            None | Some("") => Err(message(MISSING)),
            Some(key) => read_raffle(key),
        };
        field("landingPage", raffle)
    }
}

fn read_message(text: Option<&str>) -> Result<WelcomeMessage, FieldErrors> {
    let parsed = WelcomeMessage::parse(text.unwrap_or_default());
    let explained = parsed.map_err(|error| match error {
        StoredTextError::Blank => message(MISSING),
        StoredTextError::TooLong => message(TOO_LONG),
        StoredTextError::ControlCharacter => message(error.to_string()),
    });
    field("messageTemplate", explained)
}

/// The welcome message of a raffle.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WelcomeSmsView {
    landing_page: LandingPageView,
    message_template: String,
    /// Whether new entrants of the raffle get a text. While it is false they get none.
    is_active: bool,
    /// Who added it; null if no name was given.
    #[schema(required)]
    created_by: Option<String>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

impl From<WelcomeTemplate> for WelcomeSmsView {
    fn from(template: WelcomeTemplate) -> Self {
        Self {
            landing_page: template.raffle.into(),
            message_template: template.message.as_str().to_owned(),
            is_active: template.is_active,
            created_by: staff_name(template.created_by),
            created_at: template.created_at,
            updated_at: template.updated_at,
        }
    }
}

/// The welcome messages of all raffles.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WelcomeSmsListView {
    /// In the order of the raffles.
    templates: Vec<WelcomeSmsView>,
    /// The message of raffles without their own.
    default_template: String,
}

/// Lists the welcome messages of the raffles. `X-Total-Count` has their number.
#[utoipa::path(get, path = "/api/admin/welcome-sms", operation_id = "list_welcome_sms")]
pub(crate) async fn list<S: Store>(
    admin: Admin<S, may::ViewFigures>,
    Params(page): Params<PageQuery>,
) -> Result<Listed<WelcomeSmsListView>, ApiError> {
    let (templates, total) = admin
        .run(move |call| usecases::sms_templates::list_welcomes(call.store, page))
        .await?;
    let site_name = &admin.state().sms.rules.site_name;
    let list = WelcomeSmsListView {
        templates: templates.into_iter().map(Into::into).collect(),
        default_template: default_welcome(site_name),
    };
    Ok(page_of(total, list))
}

/// Adds a welcome message to a raffle without one.
#[utoipa::path(
    post, path = "/api/admin/welcome-sms", operation_id = "create_welcome_sms",
    responses((status = 409, description = "The raffle already has a welcome message"))
)]
pub(crate) async fn create<S: Store>(
    admin: Admin<S, may::ManageTexts>,
    body: Body<WelcomeSmsBody>,
) -> Result<Created<WelcomeSmsView>, ApiError> {
    // Check one field after the other, because the form has one error message for both.
    let body = body.unchecked();
    let raffle = body.raffle()?;
    let message = read_message(body.message_template.as_deref())?;
    let template = admin
        .run(move |call| {
            let (staff, actor) = (call.staff(), call.actor);
            usecases::sms_templates::create_welcome(
                call.store,
                call.clock,
                actor,
                staff.as_ref(),
                raffle,
                &message,
            )
        })
        .await?;
    Ok(Created(WelcomeSmsView::from(template)))
}

/// Changes the welcome message of a raffle. It also applies to messages that wait.
#[utoipa::path(
    put, path = "/api/admin/welcome-sms/{landingPage}", operation_id = "update_welcome_sms",
    params(("landingPage" = LandingPageView, Path))
)]
pub(crate) async fn update<S: Store>(
    admin: Admin<S, may::ManageTexts>,
    key: Path<String>,
    body: Body<WelcomeSmsChangeBody>,
) -> Result<Json<WelcomeSmsView>, ApiError> {
    let raffle = path_raffle(&key)?;
    let message = read_message(body.unchecked().message_template.as_deref())?;
    let template = admin
        .run(move |call| {
            usecases::sms_templates::update_welcome(call.store, call.clock, call.actor, raffle, &message)
        })
        .await?;
    Ok(Json(template.into()))
}

/// Sets whether new entrants of a raffle get its welcome message, and changes nothing else. It also applies to messages
/// that wait.
#[utoipa::path(
    patch, path = "/api/admin/welcome-sms/{landingPage}", operation_id = "switch_welcome_sms",
    params(("landingPage" = LandingPageView, Path))
)]
pub(crate) async fn switch<S: Store>(
    admin: Admin<S, may::ManageTexts>,
    key: Path<String>,
    body: Body<ActiveBody>,
) -> Result<Json<WelcomeSmsView>, ApiError> {
    let raffle = path_raffle(&key)?;
    let is_active = body.valid()?.is_active.value()?;
    let template = admin
        .run(move |call| {
            usecases::sms_templates::switch_welcome(call.store, call.clock, call.actor, raffle, is_active)
        })
        .await?;
    Ok(Json(template.into()))
}

/// Deletes the welcome message of a raffle. New entrants get the default message then.
#[utoipa::path(
    delete, path = "/api/admin/welcome-sms/{landingPage}", operation_id = "delete_welcome_sms",
    params(("landingPage" = LandingPageView, Path))
)]
pub(crate) async fn delete<S: Store>(
    admin: Admin<S, may::ManageTexts>,
    key: Path<String>,
) -> Result<Json<SuccessView>, ApiError> {
    let raffle = path_raffle(&key)?;
    admin
        .run(move |call| usecases::sms_templates::delete_welcome(call.store, call.clock, call.actor, raffle))
        .await?;
    Ok(Json(SuccessView::new()))
}
