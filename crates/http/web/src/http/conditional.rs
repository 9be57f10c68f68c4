//! Answers that never change: ETags, conditional requests and ranges (RFC 9110).

use crate::ApiError;
use actix_web::http::header::{self, EntityTag, Header, HeaderMap, HeaderName, IfNoneMatch};
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::ops::Range;

/// For what never changes: a browser does not even ask whether it has changed.
const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// What a request asks for of something with this ETag and this length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// All of it.
    Whole,
    /// These bytes.
    Part(Range<u64>),
    /// Bytes that do not exist.
    Unsatisfiable,
    /// Nothing, because the client has it.
    NotModified,
}

impl Wanted {
    /// Several ranges at once are answered with the whole, which RFC 9110 allows.
    pub(crate) fn of(request: &HttpRequest, etag: &str, length: u64) -> Self {
        if has_current(request, etag) {
            return Self::NotModified;
        }
        let ranges_count = request.method() == Method::GET && if_range_holds(request.headers(), etag);
        match only_value(request.headers(), &header::RANGE).filter(|_| ranges_count) {
            Some(range) => Self::of_range(range, length),
            None => Self::Whole,
        }
    }

    fn of_range(header: &str, length: u64) -> Self {
        match parse_range(header) {
            None => Self::Whole,
            Some(Spec::From(first, last)) if first < length => {
                Self::Part(first..last.saturating_add(1).min(length))
            }
            Some(Spec::Last(count)) if count > 0 && length > 0 => {
                Self::Part(length.saturating_sub(count)..length)
            }
            Some(_) => Self::Unsatisfiable,
        }
    }
}

/// One range of a `Range` header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spec {
    /// From the first to the last position.
    From(u64, u64),
    /// So many bytes at the end.
    Last(u64),
}

/// `None` for several ranges, and for what is no range of bytes: such a header is ignored.
fn parse_range(header: &str) -> Option<Spec> {
    let (unit, range) = header.split_once('=')?;
    let (first, last) = range.split_once('-')?;
    if !unit.trim().eq_ignore_ascii_case("bytes") {
        return None;
    }
    match (first.trim(), last.trim()) {
        ("", count) => Some(Spec::Last(position(count)?)),
        (first, "") => Some(Spec::From(position(first)?, u64::MAX)),
        (first, last) => {
            let (first, last) = (position(first)?, position(last)?);
            (first <= last).then_some(Spec::From(first, last))
        }
    }
}

/// A number too large for its type is beyond the end of everything.
fn position(digits: &str) -> Option<u64> {
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(u64::MAX))
}

fn if_range_holds(headers: &HeaderMap, etag: &str) -> bool {
    // A date never holds, because nothing here has a date. A weak tag never does either.
    !headers.contains_key(header::IF_RANGE) || only_value(headers, &header::IF_RANGE) == Some(etag)
}

fn only_value<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name);
    let value = values.next()?.to_str().ok()?.trim();
    values.next().is_none().then_some(value)
}

/// Whether `If-None-Match` says that the client has what has this ETag.
pub(crate) fn has_current(request: &HttpRequest, etag: &str) -> bool {
    let Ok(ours) = etag.parse::<EntityTag>() else {
        return false;
    };
    match IfNoneMatch::parse(request) {
        Ok(IfNoneMatch::Any) => true,
        Ok(IfNoneMatch::Items(theirs)) => theirs.iter().any(|tag| tag.weak_eq(&ours)),
        Err(_) => false,
    }
}

/// Adds the headers of something that never changes.
pub(crate) fn mark_immutable(response: &mut HttpResponseBuilder, etag: &str) {
    response
        .insert_header((header::CACHE_CONTROL, IMMUTABLE))
        .insert_header((header::ETAG, etag));
}

/// 304 with these headers.
pub(crate) fn not_modified(etag: &str) -> HttpResponseBuilder {
    let mut response = HttpResponse::build(StatusCode::NOT_MODIFIED);
    mark_immutable(&mut response, etag);
    response
}

/// JSON that never changes, or 304 if the client has it.
pub(crate) fn immutable_json(request: &HttpRequest, view: &impl Serialize) -> Result<HttpResponse, ApiError> {
    json(request, view, IMMUTABLE)
}

/// JSON that may change: clients ask each time whether it has.
///
/// # Errors
/// None in practice: the view can be written.
pub(crate) fn changing_json(request: &HttpRequest, view: &impl Serialize) -> Result<HttpResponse, ApiError> {
    json(request, view, "public, no-cache")
}

fn json(
    request: &HttpRequest,
    view: &impl Serialize,
    caching: &'static str,
) -> Result<HttpResponse, ApiError> {
    let body = serde_json::to_vec(view).map_err(|_| ApiError::internal())?;
    let etag = format!("\"{}\"", hex::encode(Sha256::digest(&body)));
    let unchanged = has_current(request, &etag);
    let mut response = HttpResponse::build(if unchanged {
        StatusCode::NOT_MODIFIED
    } else {
        StatusCode::OK
    });
    response
        .insert_header((header::CACHE_CONTROL, caching))
        .insert_header((header::ETAG, etag));
    match unchanged {
        true => Ok(response.finish()),
        false => Ok(response.content_type("application/json").body(body)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::test::TestRequest;

    const ETAG: &str = "\"abc\"";

    fn wanted(headers: &[(HeaderName, &str)]) -> Wanted {
        let request = headers.iter().fold(TestRequest::get(), |request, (name, value)| {
            request.append_header((name.clone(), *value))
        });
        Wanted::of(&request.to_http_request(), ETAG, 100)
    }

    fn range(value: &str) -> Wanted {
        wanted(&[(header::RANGE, value)])
    }

    #[test]
    fn one_range_is_cut_to_what_there_is() {
        for (value, expected) in [
            ("bytes=0-0", 0..1),
            ("bytes=0-99", 0..100),
            ("bytes=5-1000", 5..100),
            ("bytes=99-", 99..100),
            ("bytes=0-", 0..100),
            ("bytes=-1", 99..100),
            ("bytes=-1000", 0..100),
            ("BYTES = 5 - 7", 5..8),
            ("bytes=5-99999999999999999999999", 5..100),
            ("bytes=5-18446744073709551615", 5..100),
        ] {
            assert_eq!(range(value), Wanted::Part(expected), "{value}");
        }
    }

    #[test]
    fn bytes_that_do_not_exist_cannot_be_had() {
        for value in [
            "bytes=100-",
            "bytes=100-200",
            "bytes=-0",
            "bytes=99999999999999999999999-",
        ] {
            assert_eq!(range(value), Wanted::Unsatisfiable, "{value}");
        }
    }

    #[test]
    fn what_is_not_one_range_of_bytes_is_ignored() {
        for value in [
            "",
            "bytes",
            "bytes=",
            "bytes=-",
            "bytes=7-5",
            "bytes=a-b",
            "bytes=+1-2",
            "bytes=1-2,4-5",
            "bytes=1",
            "lines=1-2",
            "bytes=0x1-2",
        ] {
            assert_eq!(range(value), Wanted::Whole, "{value}");
        }
        let twice = [(header::RANGE, "bytes=0-1"), (header::RANGE, "bytes=2-3")];
        assert_eq!(wanted(&twice), Wanted::Whole);
        let head = TestRequest::default()
            .method(Method::HEAD)
            .insert_header((header::RANGE, "bytes=0-1"));
        assert_eq!(Wanted::of(&head.to_http_request(), ETAG, 100), Wanted::Whole);
    }

    #[test]
    fn a_range_of_another_version_is_not_sent() {
        for (tag, expected) in [
            (ETAG, Wanted::Part(0..2)),
            ("\"other\"", Wanted::Whole),
            ("W/\"abc\"", Wanted::Whole),
            ("Sat, 22 Nov 2025 10:00:00 GMT", Wanted::Whole),
        ] {
            let headers = [(header::RANGE, "bytes=0-1"), (header::IF_RANGE, tag)];
            assert_eq!(wanted(&headers), expected, "{tag}");
        }
    }

    #[test]
    fn a_client_that_has_it_gets_nothing() {
        for tags in [ETAG, "W/\"abc\"", "\"x\", \"abc\"", "*"] {
            let headers = [(header::IF_NONE_MATCH, tags), (header::RANGE, "bytes=0-1")];
            assert_eq!(wanted(&headers), Wanted::NotModified, "{tags}");
        }
        for tags in ["\"x\"", "abc", ""] {
            assert_eq!(wanted(&[(header::IF_NONE_MATCH, tags)]), Wanted::Whole, "{tags}");
        }
    }
}
