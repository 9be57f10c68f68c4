use crate::kit::Contract;
use actix_web::error::InternalError;
use actix_web::web::{self, Data, JsonConfig};
use actix_web::{HttpResponse, Scope};
use serde_json::json;
use std::fmt::Display;
use std::sync::Arc;

/// `/control`, with `GET /control/violations`. Bodies are JSON whatever their `Content-Type`; one that cannot be read
/// is answered with 400 and the reason.
pub fn control_scope(contract: &Arc<Contract>) -> Scope {
    web::scope("/control")
        .app_data(Data::from(Arc::clone(contract)))
        .app_data(json_config())
        .route("/violations", web::get().to(violations))
}

fn json_config() -> JsonConfig {
    JsonConfig::default()
        .content_type_required(false)
        .content_type(|_| true)
        .error_handler(|error, _| {
            let response = bad_request(&error);
            InternalError::from_response(error, response).into()
        })
}

async fn violations(contract: Data<Contract>) -> HttpResponse {
    HttpResponse::Ok().json(contract.report())
}

/// 200 with an empty JSON object: the change was made.
pub fn accepted() -> HttpResponse {
    HttpResponse::Ok().json(json!({}))
}

/// 400 with the reason.
pub fn bad_request(reason: &impl Display) -> HttpResponse {
    HttpResponse::BadRequest().json(json!({"error": {"message": reason.to_string()}}))
}
