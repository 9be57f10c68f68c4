//! What campaigns say.

use crate::admin::Admin;
use crate::body::{Body, FieldErrors, JsonBody};
use crate::error::ErrorView;
use crate::routes::entrants::{LandingPageView, read_landing_page};
use crate::routes::staff::{StaffRefused, Store};
use crate::{ApiError, AppState};
use actix_web::HttpResponse;
use actix_web::web::{Data, Json, Path};
use chrono::{DateTime, Utc};
use kernel::Raffle;
use serde::{Deserialize, Serialize};
use sms::{
    DEFAULT_PLACEHOLDER, Label, MAX_CHARS, MessageTemplate, MessageTemplateError, NewTemplate, Template,
    TemplateId,
};
use utoipa::ToSchema;

/// What the spec says for everything that is missing.
pub(super) const MISSING: &str = "Please fill in all required fields";

/// A template as staff want it.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SmsTemplateBody {
    #[schema(value_type = String, required, min_length = 1, max_length = 80)]
    name: Option<String>,
    /// Whose raffle it tells of: for recipients who are in none. `garden-bag` without it.
    #[schema(value_type = Option<LandingPageView>)]
    landing_page: Option<String>,
    /// With the placeholder where each recipient's own link is to stand.
    #[schema(value_type = String, required, min_length = 1, max_length = 1600)]
    message_template: Option<String>,
    /// `{LINK}` without it.
    #[schema(max_length = 40)]
    link_placeholder: Option<String>,
    /// Yes without it.
    is_active: Option<bool>,
}

impl JsonBody for SmsTemplateBody {
    const FIELDS: &'static [&'static str] = &[
        "name",
        "landingPage",
        "messageTemplate",
        "linkPlaceholder",
        "isActive",
    ];
}

impl SmsTemplateBody {
    fn template(&self) -> Result<NewTemplate, ApiError> {
        let mut reading = FieldErrors::default();
        let name = reading.field("name", read_label(self.name.as_deref()));
        let landing_page = reading.field("landingPage", read_landing_page(self.landing_page.as_deref()));
        let placeholder = self.link_placeholder.as_deref().unwrap_or(DEFAULT_PLACEHOLDER);
        let text = self.message_template.as_deref().unwrap_or_default();
        let message = match MessageTemplate::parse(text, placeholder) {
            Ok(message) => Some(message),
            Err(error) => {
                let (field, sentence) = explain(error, placeholder.trim());
                reading.field(field, Err(vec![sentence]))
            }
        };
        reading.finish()?;
        Ok(NewTemplate {
            name: name.ok_or(ApiError::Internal)?,
            raffle: landing_page.ok_or(ApiError::Internal)?,
            message: message.ok_or(ApiError::Internal)?,
            is_active: self.is_active.unwrap_or(true),
        })
    }
}

/// A name that staff give.
pub(super) fn read_label(text: Option<&str>) -> Result<Label, Vec<String>> {
    let text = text
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .ok_or_else(|| vec![MISSING.to_owned()])?;
    Label::parse(text).ok_or_else(|| {
        vec![format!(
            "Must be one line of at most {} characters",
            Label::MAX_CHARS
        )]
    })
}

fn explain(error: MessageTemplateError, placeholder: &str) -> (&'static str, String) {
    let too_long = format!(
        "A text has at most {},{:03} characters",
        MAX_CHARS / 1000,
        MAX_CHARS % 1000
    );
    match error {
        MessageTemplateError::Blank => ("messageTemplate", MISSING.to_owned()),
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

/// What campaigns say.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SmsTemplateView {
    id: i64,
    name: String,
    #[schema(value_type = LandingPageView)]
    landing_page: &'static str,
    message_template: String,
    link_placeholder: String,
    is_active: bool,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

impl From<Template> for SmsTemplateView {
    fn from(template: Template) -> Self {
        let content = template.content;
        Self {
            id: template.id.get(),
            name: content.name.as_str().to_owned(),
            landing_page: content.raffle.as_str(),
            message_template: content.message.text().to_owned(),
            link_placeholder: content.message.placeholder().to_owned(),
            is_active: content.is_active,
            created_at: template.created_at,
            updated_at: template.updated_at,
        }
    }
}

/// All templates.
#[derive(Serialize, ToSchema)]
pub(crate) struct SmsTemplatesView {
    templates: Vec<SmsTemplateView>,
}

/// The templates of campaigns, newest first.
#[utoipa::path(
    get,
    path = "/api/admin/sms/templates",
    operation_id = "list_sms_templates",
    tag = "texts",
    security(("bearer" = []), ("session_token" = [])),
    responses((status = 200, body = SmsTemplatesView), StaffRefused)
)]
pub(crate) async fn list<S: Store>(
    _: Admin<S>,
    store: Data<S>,
    state: Data<AppState>,
) -> Result<Json<SmsTemplatesView>, ApiError> {
    let templates = state
        .flows
        .run(move || usecases::sms_templates::list(&**store))
        .await?;
    Ok(Json(SmsTemplatesView {
        templates: templates.into_iter().map(Into::into).collect(),
    }))
}

/// Adds a template.
#[utoipa::path(
    post,
    path = "/api/admin/sms/templates",
    operation_id = "create_sms_template",
    tag = "texts",
    security(("bearer" = []), ("session_token" = [])),
    request_body = SmsTemplateBody,
    responses((status = 201, body = SmsTemplateView), (status = 400, body = ErrorView), StaffRefused)
)]
pub(crate) async fn create<S: Store>(
    admin: Admin<S>,
    store: Data<S>,
    state: Data<AppState>,
    body: Body<SmsTemplateBody>,
) -> Result<HttpResponse, ApiError> {
    let new = body.0.template()?;
    let clock = state.clock.clone();
    let create = move || usecases::sms_templates::create(&**store, &*clock, admin.actor, &new);
    let template = state.flows.run(create).await?;
    Ok(HttpResponse::Created().json(SmsTemplateView::from(template)))
}

/// Changes a template. Campaigns that have begun go on saying what it said then.
#[utoipa::path(
    put,
    path = "/api/admin/sms/templates/{id}",
    operation_id = "update_sms_template",
    tag = "texts",
    security(("bearer" = []), ("session_token" = [])),
    params(("id" = i64, Path)),
    request_body = SmsTemplateBody,
    responses(
        (status = 200, body = SmsTemplateView),
        (status = 400, body = ErrorView),
        (status = 404, body = ErrorView),
        StaffRefused
    )
)]
pub(crate) async fn update<S: Store>(
    admin: Admin<S>,
    store: Data<S>,
    state: Data<AppState>,
    (id, body): (Path<String>, Body<SmsTemplateBody>),
) -> Result<Json<SmsTemplateView>, ApiError> {
    let id = id.parse().map(TemplateId::new).map_err(|_| ApiError::NotFound)?;
    let new = body.0.template()?;
    let clock = state.clock.clone();
    let update = move || usecases::sms_templates::update(&**store, &*clock, admin.actor, id, &new);
    Ok(Json(state.flows.run(update).await?.into()))
}

/// The raffle whose key this is.
pub(super) fn known(key: &str) -> Result<Raffle, ApiError> {
    key.parse().map_err(|_| ApiError::NotFound)
}
