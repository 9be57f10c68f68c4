//! The client's pages and files. Any other path is a 404.

use crate::{ApiError, AppState};
use actix_web::http::Method;
use actix_web::{HttpRequest, HttpResponse, ResponseError, web};

pub(crate) async fn page_or_not_found(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    if request.path().starts_with("/api/") || request.path() == "/api" {
        return ApiError::not_found().error_response();
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return ApiError::method_not_allowed("GET, HEAD").error_response();
    }
    state.client.answer(&request, state.clock.now())
}
