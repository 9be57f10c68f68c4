//! `/.well-known/security.txt`: whom to tell about a vulnerability (RFC 9116).

use crate::identity::limits::Limit;
use crate::routes::route_table::Routes;
use crate::{ApiError, AppState};
use actix_web::HttpResponse;
use actix_web::http::{Method, header};
use actix_web::web::Data;
use chrono::{DateTime, Days, SecondsFormat, Utc};

const PATH: &str = "/.well-known/security.txt";

/// How long the contact holds, in days. The RFC recommends less than a year.
const VALID_DAYS: Days = Days::new(180);

pub(super) fn routes() -> Routes {
    Routes::default().undescribed(Some(Limit::Pages), Method::GET, PATH, security_txt)
}

async fn security_txt(state: Data<AppState>) -> Result<HttpResponse, ApiError> {
    let contact = state.security_contact.as_ref().ok_or_else(ApiError::not_found)?;
    Ok(HttpResponse::Ok()
        .content_type("text/plain; charset=utf-8")
        .insert_header((header::CACHE_CONTROL, "public, max-age=3600"))
        .body(text(contact, &state.public_origin, state.clock.now())))
}

/// The file. It names its own address only where that is https, as the RFC demands.
fn text(contact: &str, origin: &str, now: DateTime<Utc>) -> String {
    let expires = (now + VALID_DAYS).to_rfc3339_opts(SecondsFormat::Secs, true);
    let canonical = if origin.starts_with("https://") {
        format!("Canonical: {origin}{PATH}\n")
    } else {
        String::new()
    };
    format!("Contact: {contact}\nExpires: {expires}\nPreferred-Languages: en\n{canonical}")
}
