//! The description of every call, made from the handlers.

use crate::error::ErrorView;
use crate::routes::staff::sms::{account, campaigns, export, templates, welcome};
use crate::routes::staff::{analytics, audit, clearing, drawing, flags, packages, sessions, trends};
use crate::routes::{collection, drawings, entrants, health, provider_callbacks, purchases};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};

/// The whole API.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Tombola",
        version = "0.1.0",
        description = "A free monthly prize raffle. Errors are `{error, code, fields?}`; every answer carries `X-Request-Id`."
    ),
    paths(
        entrants::register,
        entrants::register_referred,
        entrants::find,
        entrants::stats,
        entrants::referrals,
        collection::page_view,
        collection::social_share,
        collection::funnel_step,
        drawings::commitment,
        drawings::list,
        drawings::proof,
        drawings::entrants,
        drawings::own_leaf,
        purchases::offer,
        purchases::create_payment_intent,
        purchases::confirm_payment,
        purchases::webhook,
        sessions::login,
        sessions::logout,
        audit::list,
        audit::export,
        analytics::dashboard,
        analytics::funnel,
        trends::trends,
        flags::detect,
        flags::list,
        flags::flag,
        flags::unflag,
        drawing::stats,
        drawing::history,
        drawing::export,
        drawing::perform,
        packages::list,
        packages::create,
        packages::update,
        packages::delete,
        packages::settings,
        packages::update_settings,
        clearing::stored,
        clearing::clear_analytics,
        clearing::clear_referrals,
        clearing::clear_campaigns,
        clearing::clear_sms,
        provider_callbacks::track_click,
        provider_callbacks::inbound,
        provider_callbacks::status,
        templates::list,
        templates::create,
        templates::update,
        campaigns::list,
        campaigns::schedule,
        campaigns::estimate,
        campaigns::find,
        campaigns::cancel,
        export::export,
        campaigns::analytics,
        account::status,
        account::send_test_text,
        account::find_message,
        account::save_credentials,
        welcome::list,
        welcome::create,
        welcome::update,
        welcome::delete,
        health::alive,
        health::ready,
    ),
    components(schemas(ErrorView, drawing::DrawingSortView, drawing::SortOrderView)),
    modifiers(&Sessions),
    tags(
        (name = "entrants", description = "Entering a raffle, and what an entrant sees"),
        (name = "analytics", description = "What visitors' browsers report"),
        (name = "drawings", description = "What is committed to, and what was drawn, for anybody to check"),
        (name = "purchases", description = "Buying entries by card"),
        (name = "staff", description = "The console: signing in, figures, flags, drawings, packages, clearing, and what was done there"),
        (name = "texts", description = "Templates, campaigns, welcome texts, clicks and opt-outs"),
        (name = "health", description = "For who runs the server")
    )
)]
struct Api;

/// The two headers that carry a session's token.
struct Sessions;

impl Modify for Sessions {
    fn modify(&self, api: &mut utoipa::openapi::OpenApi) {
        let components = api.components.get_or_insert_default();
        let bearer = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .bearer_format("JWT")
            .build();
        let header = ApiKey::Header(ApiKeyValue::new("X-Session-Token"));
        components.add_security_scheme("bearer", SecurityScheme::Http(bearer));
        components.add_security_scheme("session_token", SecurityScheme::ApiKey(header));
    }
}

/// The description as pretty-printed JSON, OpenAPI 3.1.
///
/// # Errors
/// None in practice: the description is fixed when the program is compiled.
pub fn openapi_json() -> Result<String, serde_json::Error> {
    Api::openapi().to_pretty_json().map(|json| json + "\n")
}
