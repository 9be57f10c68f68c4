//! The description of every call, made from the handlers.

use crate::error::ErrorView;
use crate::routes::{entrants, health};
use utoipa::OpenApi;

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
        health::alive,
        health::ready,
    ),
    components(schemas(ErrorView)),
    tags(
        (name = "entrants", description = "Entering a raffle, and what an entrant sees"),
        (name = "health", description = "For who runs the server")
    )
)]
struct Api;

/// The description as pretty-printed JSON, OpenAPI 3.1.
///
/// # Errors
/// None in practice: the description is fixed when the program is compiled.
pub fn openapi_json() -> Result<String, serde_json::Error> {
    Api::openapi().to_pretty_json().map(|json| json + "\n")
}
