//! Refuses calls that a page of another site makes a browser send (D75).

use crate::{ApiError, AppState};
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderMap};
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::Next;
use actix_web::{Error, ResponseError, web};

/// Calls of providers, whose signatures are checked.
const CALLBACKS: [&str; 3] = ["/api/stripe/webhook", "/api/twilio/inbound", "/api/twilio/status"];

/// Middleware that returns 403 to a changing call from a page of another site, with a body or without.
pub(crate) async fn same_origin(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    if is_refused(&request) {
        let answer = from_another_site().error_response();
        return Ok(request.into_response(answer).map_into_right_body());
    }
    Ok(next.call(request).await?.map_into_left_body())
}

fn is_refused(request: &ServiceRequest) -> bool {
    let changes = ![Method::GET, Method::HEAD, Method::OPTIONS].contains(request.method());
    let is_callback = CALLBACKS.contains(&request.path());
    let state = request.app_data::<web::Data<AppState>>();
    let own = state.map_or("", |state| state.public_origin.as_str());
    changes && !is_callback && !is_of_this_site(request.headers(), own)
}

/// Browsers say with `Sec-Fetch-Site` where a request comes from. Older ones, and every one on a page without HTTPS,
/// say it with `Origin` only. Programs send neither.
///
/// Source: Fetch Metadata Request Headers (W3C), section 2.4.
fn is_of_this_site(headers: &HeaderMap, own: &str) -> bool {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    match (text("sec-fetch-site"), text(header::ORIGIN.as_str())) {
        (Some(site), _) => site == "same-origin" || site == "none",
        (None, Some(origin)) => {
            let host = origin.split_once("://").map(|(_, host)| host);
            origin == own || (host.is_some() && host == text(header::HOST.as_str()))
        }
        (None, None) => true,
    }
}

const fn from_another_site() -> ApiError {
    ApiError::new(
        StatusCode::FORBIDDEN,
        "another_site",
        "This request comes from another site. Please use our own pages.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::{HeaderName, HeaderValue};

    fn is_own(sent: &[(&'static str, &'static str)]) -> bool {
        let headers = sent
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
        is_of_this_site(&headers.collect(), "https://example.org")
    }

    #[test]
    fn a_browser_says_where_a_request_comes_from() {
        for own in ["same-origin", "none"] {
            assert!(is_own(&[("sec-fetch-site", own)]), "{own}");
            assert!(
                is_own(&[("sec-fetch-site", own), ("origin", "https://other.example")]),
                "{own}"
            );
        }
        for other in ["cross-site", "same-site", ""] {
            assert!(!is_own(&[("sec-fetch-site", other)]), "{other}");
            assert!(
                !is_own(&[("sec-fetch-site", other), ("origin", "https://example.org")]),
                "{other}"
            );
        }
    }

    #[test]
    fn an_older_browser_says_it_with_the_origin_and_programs_say_nothing() {
        assert!(is_own(&[("origin", "https://example.org")]) && is_own(&[]));
        let by_address = [("origin", "http://192.0.2.7:8080"), ("host", "192.0.2.7:8080")];
        assert!(is_own(&by_address));
        for other in [
            "null",
            "https://example.org.evil.example",
            "http://example.org",
            "",
        ] {
            assert!(!is_own(&[("origin", other)]), "{other}");
            assert!(!is_own(&[("origin", other), ("host", "example.net")]), "{other}");
        }
    }
}
