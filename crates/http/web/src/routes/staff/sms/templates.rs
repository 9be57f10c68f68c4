//! Templates of campaign messages.

use super::MISSING;
use crate::ApiError;
use crate::callers::admin::{Admin, may};
use crate::http::body::{Body, JsonBody};
use crate::http::field::{BoolField, Field, optional, text, texts};
use crate::http::fields::{FieldErrors, message, no_phone_number, rule_about};
use crate::http::fields::{NO_SUCH_RAFFLE, REQUIRED};
use crate::http::path_id::PathId;
use crate::http::query::{PageQuery, Params, QueryType, SearchField, search_label};
use crate::http::responses::{Created, Listed, page_of};
use crate::http::views::{LandingPageView, RaffleField, staff_name};
use crate::identity::limits::Limit;
use crate::routes::Store;
use crate::routes::route_table::{Routes, staff_routes};
use actix_web::http::StatusCode;
use actix_web::web::Json;
use chrono::{DateTime, Utc};
use kernel::StoredTextError;
use raffle::RaffleKey;
use serde::{Deserialize, Serialize};
use sms::{
    DEFAULT_PLACEHOLDER, Label, MAX_CHARS, MessageTemplate, MessageTemplateError, NewTemplate, Template,
    TemplateFilter, TemplateId,
};
use usecases::sms_templates::TemplateError;
use utoipa::{IntoParams, ToSchema};
use validator::{Validate, ValidationError};

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); list::<S>, create::<S>, update::<S>, switch::<S>]
}

/// The errors of templates and of welcome messages.
impl From<TemplateError> for ApiError {
    fn from(error: TemplateError) -> Self {
        match error {
            TemplateError::UnknownTemplate => Self::not_found(),
            TemplateError::UnknownRaffle => Self::field("landingPage", NO_SUCH_RAFFLE),
            TemplateError::AlreadyThere => Self::new(
                StatusCode::CONFLICT,
                "template_exists",
                "This page already has a welcome message.",
            ),
            TemplateError::Store(error) => error.into(),
        }
    }
}

/// A template of campaign messages.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
#[validate(schema(function = message_rule, skip_on_field_errors = false))]
pub(crate) struct SmsTemplateBody {
    /// One line, without control characters.
    #[schema(inline)]
    #[validate(nested)]
    name: LabelField,
    /// The raffle for recipients who have entered none; the default raffle without it.
    #[validate(nested)]
    landing_page: Option<RaffleField>,
    /// The message, with a placeholder for each recipient's own link. Each placeholder counts as 100 characters.
    #[schema(value_type = String, required, min_length = 1, max_length = 1600)]
    message_template: Option<String>,
    /// The placeholder; `{LINK}` without it.
    #[schema(max_length = 40)]
    link_placeholder: Option<String>,
    /// True without it.
    is_active: Option<bool>,
}

impl JsonBody for SmsTemplateBody {}

impl SmsTemplateBody {
    fn template(self, default: Option<RaffleKey>) -> Result<NewTemplate, ApiError> {
        let message = self
            .read_message()
            .map_err(|(name, message)| FieldErrors([(name.into(), vec![message])].into()))?;
        let raffle = optional(self.landing_page)?.or(default);
        Ok(NewTemplate {
            name: self.name.value()?,
            raffle: raffle.ok_or_else(|| ApiError::field("landingPage", REQUIRED))?,
            message,
            is_active: self.is_active.unwrap_or(true),
        })
    }

    /// The message, or the field that is wrong and why.
    fn read_message(&self) -> Result<MessageTemplate, (&'static str, String)> {
        let placeholder = self.link_placeholder.as_deref().unwrap_or(DEFAULT_PLACEHOLDER);
        let text = self.message_template.as_deref().unwrap_or_default();
        MessageTemplate::parse(text, placeholder).map_err(|error| explain(error, placeholder.trim()))
    }
}

fn default_raffle<S: Store>(admin: &Admin<S, may::ManageTexts>) -> Option<RaffleKey> {
    let state = admin.state();
    state.raffles.default_at(state.clock.now())
}

fn message_rule(body: &SmsTemplateBody) -> Result<(), ValidationError> {
    match body.read_message() {
        Ok(_) => Ok(()),
        Err((name, text)) => rule_about::<()>(name, Err(message(text))),
    }
}

/// The name that staff give to a template or a campaign.
pub(super) type LabelField = Field<Label>;

texts! {
    Label: text().min_length(Some(1)).max_length(Some(Self::MAX_CHARS)), missing MISSING, |sent| {
        let text = sent.trim();
        if text.is_empty() {
            return Err(message(MISSING));
        }
        no_phone_number(text)?;
        let most = Self::MAX_CHARS;
        Self::parse(text).ok_or_else(|| message(format!("Must be one line of at most {most} characters")))
    };
}

fn explain(error: MessageTemplateError, placeholder: &str) -> (&'static str, String) {
    let too_long = format!(
        "A text has at most {},{:03} characters",
        MAX_CHARS / 1000,
        MAX_CHARS % 1000
    );
    match error {
        MessageTemplateError::Blank => ("messageTemplate", MISSING.to_owned()),
        MessageTemplateError::ControlCharacter => {
            ("messageTemplate", StoredTextError::ControlCharacter.to_string())
        }
        MessageTemplateError::NoLink => (
            "messageTemplate",
            format!("The message must contain {placeholder}"),
        ),
        MessageTemplateError::TooLong => ("messageTemplate", too_long),
        MessageTemplateError::Placeholder => (
            "linkPlaceholder",
            "Must be one line of at most 40 characters".to_owned(),
        ),
    }
}

/// A template of campaign messages.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SmsTemplateView {
    id: i64,
    name: String,
    landing_page: LandingPageView,
    message_template: String,
    link_placeholder: String,
    is_active: bool,
    /// Who added it; null if no name was given.
    #[schema(required)]
    created_by: Option<String>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

impl From<Template> for SmsTemplateView {
    fn from(template: Template) -> Self {
        let content = template.content;
        Self {
            id: template.id.get(),
            name: content.name.as_str().to_owned(),
            landing_page: content.raffle.into(),
            message_template: content.message.text().to_owned(),
            link_placeholder: content.message.placeholder().to_owned(),
            is_active: content.is_active,
            created_by: staff_name(template.created_by),
            created_at: template.created_at,
            updated_at: template.updated_at,
        }
    }
}

/// A page of templates.
#[derive(Serialize, ToSchema)]
pub(crate) struct SmsTemplatesView {
    templates: Vec<SmsTemplateView>,
}

/// The templates to list.
#[derive(Deserialize, Validate, IntoParams)]
pub(crate) struct TemplateQuery {
    /// Only templates whose name or message contains this text. The case of the letters A to Z does not matter.
    #[param(inline)]
    #[validate(nested)]
    search: Option<SearchField>,
}

impl QueryType for TemplateQuery {
    type Value = TemplateFilter;

    fn value(self) -> Result<TemplateFilter, ApiError> {
        let part = search_label(self.search)?;
        Ok(TemplateFilter { part })
    }
}

/// Lists the templates of campaigns, newest first. `X-Total-Count` has their number.
#[utoipa::path(get, path = "/api/admin/sms/templates", operation_id = "list_sms_templates")]
pub(crate) async fn list<S: Store>(
    admin: Admin<S, may::ViewFigures>,
    Params((filter, page)): Params<(TemplateQuery, PageQuery)>,
) -> Result<Listed<SmsTemplatesView>, ApiError> {
    let (templates, total) = admin
        .run(move |call| usecases::sms_templates::list(call.store, &filter, page))
        .await?;
    let templates = templates.into_iter().map(Into::into).collect();
    Ok(page_of(total, SmsTemplatesView { templates }))
}

/// Adds a template.
#[utoipa::path(post, path = "/api/admin/sms/templates", operation_id = "create_sms_template")]
pub(crate) async fn create<S: Store>(
    admin: Admin<S, may::ManageTexts>,
    body: Body<SmsTemplateBody>,
) -> Result<Created<SmsTemplateView>, ApiError> {
    let new = body.valid()?.template(default_raffle(&admin))?;
    let template = admin
        .run(move |call| {
            let staff = call.staff();
            usecases::sms_templates::create(call.store, call.clock, call.actor, staff.as_ref(), &new)
        })
        .await?;
    Ok(Created(SmsTemplateView::from(template)))
}

/// Changes a template. Campaigns that have started keep the earlier message.
#[utoipa::path(
    put,
    path = "/api/admin/sms/templates/{id}",
    operation_id = "update_sms_template"
)]
pub(crate) async fn update<S: Store>(
    admin: Admin<S, may::ManageTexts>,
    PathId(id): PathId<TemplateId>,
    body: Body<SmsTemplateBody>,
) -> Result<Json<SmsTemplateView>, ApiError> {
    let new = body.valid()?.template(default_raffle(&admin))?;
    let template = admin
        .run(move |call| usecases::sms_templates::update(call.store, call.clock, call.actor, id, &new))
        .await?;
    Ok(Json(template.into()))
}

/// The state of a switch.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ActiveBody {
    #[schema(inline)]
    #[validate(nested)]
    pub(super) is_active: BoolField,
}

impl JsonBody for ActiveBody {}

/// Sets whether campaigns can be scheduled with a template, and changes nothing else.
#[utoipa::path(
    patch,
    path = "/api/admin/sms/templates/{id}",
    operation_id = "switch_sms_template"
)]
pub(crate) async fn switch<S: Store>(
    admin: Admin<S, may::ManageTexts>,
    PathId(id): PathId<TemplateId>,
    body: Body<ActiveBody>,
) -> Result<Json<SmsTemplateView>, ApiError> {
    let is_active = body.valid()?.is_active.value()?;
    let template = admin
        .run(move |call| usecases::sms_templates::switch(call.store, call.clock, call.actor, id, is_active))
        .await?;
    Ok(Json(template.into()))
}
