//! The description of the API, made from the table of routes.

use crate::Store;
use crate::http::error::{ApiError, ErrorView};
use crate::http::negotiation::Variants;
use crate::http::query::DirectionField;
use crate::routes::routes;
use crate::routes::staff::drawing::DrawingSortView;
use crate::routes::staff::flags::FlaggedSortView;
use crate::routes::staff::sms::campaigns::NumbersField;
use crate::routes::staff::sms::campaigns::list::CampaignSortView;
use crate::routes::staff::sms::replies::ReplyKindField;
use actix_web::web::{Bytes, block};
use std::sync::LazyLock;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{Schema, SchemaType, Type};
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};
use utoipa::{Modify, OpenApi, openapi};

/// The description without its paths.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Tombola",
        version = "0.1.0",
        description = "A free monthly prize raffle. Errors are `{error, code, fields?}`; every answer carries `X-Request-Id`."
    ),
    components(schemas(ErrorView, DrawingSortView, FlaggedSortView, CampaignSortView, NumbersField, ReplyKindField, DirectionField)),
    modifiers(&Sessions),
    tags(
        (name = "entrants", description = "Entering a raffle, and what an entrant sees"),
        (name = "analytics", description = "Events that browsers report"),
        (name = "privacy", description = "Requests of people for a copy of their data, or for its deletion"),
        (name = "push", description = "Messages that a browser shows when a raffle is drawn"),
        (name = "drawings", description = "Drawings, for the public to check"),
        (name = "claims", description = "Claiming a prize, for the holder of a drawn entry"),
        (name = "purchases", description = "Buying entries by card"),
        (name = "staff", description = "The console: signing in, figures, flags, drawings, packages, clearing and the audit log"),
        (name = "people", description = "The console: entrants, what staff note about them, and duplicates"),
        (name = "texts", description = "Templates, campaigns, welcome texts, clicks and opt-outs"),
        (name = "health", description = "Health checks for operators")
    )
)]
struct Api;

/// The two headers that may carry the token of a session.
struct Sessions;

impl Modify for Sessions {
    fn modify(&self, api: &mut openapi::OpenApi) {
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

/// The description of the API as pretty-printed JSON, OpenAPI 3.1.
///
/// # Errors
/// None in practice: the description is fixed when the program is compiled.
pub fn openapi_json<S: Store>() -> Result<String, serde_json::Error> {
    let mut api = Api::openapi();
    routes::<S>().describe(&mut api);
    require_sessions(&mut api);
    unwrap_fields(&mut api);
    api.to_pretty_json().map(|json| json + "\n")
}

/// The description as it is served: the file that `make openapi` writes. A test compares it with the routes.
static SERVED: LazyLock<Variants> = LazyLock::new(|| {
    Variants::new(Bytes::from_static(include_bytes!(
        "../../../../../docs/openapi.json"
    )))
});

/// The description as it is served. The first call compresses it, on a thread where nobody waits behind it.
///
/// # Errors
/// 503 when the server is stopping.
pub(crate) async fn served_description() -> Result<&'static Variants, ApiError> {
    if !SERVED.is_compressed() {
        let compressed = block(|| SERVED.compress()).await;
        compressed.map_err(|_| ApiError::unavailable())?;
    }
    Ok(&SERVED)
}

/// Every route of the console but signing in needs a session.
fn require_sessions(api: &mut openapi::OpenApi) {
    let console = |path: &str| path.starts_with("/api/admin/") && path != "/api/admin/login";
    let session = ["bearer", "session_token"].map(|name| SecurityRequirement::new(name, [""; 0]));
    let items = api.paths.paths.iter_mut();
    for (_, item) in items.filter(|(path, _)| console(path)) {
        let changes = [&mut item.post, &mut item.put, &mut item.patch, &mut item.delete];
        let operations = changes.into_iter().chain([&mut item.get]);
        for operation in operations.flatten() {
            operation.security = Some(session.to_vec());
        }
    }
}

/// For utoipa, a field that is described inline and has words of its own, or may be missing, is a wrapper around its type. The
/// wrapper says no more than the type does with those words and with null.
fn unwrap_fields(api: &mut openapi::OpenApi) {
    for schema in api.components.get_or_insert_default().schemas.values_mut() {
        if let RefOr::T(Schema::Object(body)) = schema {
            for field in body.properties.values_mut() {
                if let Some(plain) = unwrapped(field) {
                    *field = RefOr::T(plain);
                }
            }
        }
    }
}

fn unwrapped(field: &RefOr<Schema>) -> Option<Schema> {
    let is_null = |schema: &RefOr<Schema>| matches!(schema, RefOr::T(Schema::Object(object)) if object.schema_type == SchemaType::Type(Type::Null));
    match field {
        RefOr::T(Schema::AllOf(both)) => match &both.items[..] {
            [RefOr::T(own), RefOr::T(Schema::Object(words))] => {
                Some(described(own, &words.description, false)?)
            }
            _ => None,
        },
        RefOr::T(Schema::OneOf(either)) => match &either.items[..] {
            [RefOr::T(own), null] if is_null(null) => Some(described(own, &either.description, true)?),
            _ => None,
        },
        _ => None,
    }
}

/// The type of a field with these words, and with null if it is `nullable`.
fn described(own: &Schema, words: &Option<String>, nullable: bool) -> Option<Schema> {
    let with_null = |own: &SchemaType| match own {
        SchemaType::Type(own) if nullable => SchemaType::Array(vec![own.clone(), Type::Null]),
        own => own.clone(),
    };
    let mut plain = own.clone();
    let (description, schema_type) = match &mut plain {
        Schema::Object(object) => (&mut object.description, &mut object.schema_type),
        Schema::Array(array) => (&mut array.description, &mut array.schema_type),
        _ => return None,
    };
    description.clone_from(words);
    *schema_type = with_null(schema_type);
    Some(plain)
}
