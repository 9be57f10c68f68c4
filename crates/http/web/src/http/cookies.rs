//! Reading the site's own cookies, whatever else a browser sends.

use actix_web::HttpRequest;
use actix_web::http::header::COOKIE;

/// The value of the first cookie with this name. It is read from the bytes: a cookie of another program on the same host, in
/// whatever encoding, costs nobody their own.
///
/// Source: RFC 6265, section 5.4.
pub(crate) fn own_cookie(request: &HttpRequest, name: &str) -> Option<String> {
    let headers = request.headers().get_all(COOKIE);
    let mut pairs = headers.flat_map(|header| header.as_bytes().split(|byte| *byte == b';'));
    let value = pairs.find_map(|pair| {
        let pair = pair.trim_ascii();
        pair.strip_prefix(name.as_bytes())?.strip_prefix(b"=")
    })?;
    str::from_utf8(value).ok().map(ToOwned::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::HeaderValue;
    use actix_web::test::TestRequest;

    fn read(headers: &[&[u8]]) -> Option<String> {
        let mut request = TestRequest::default();
        for header in headers {
            let value = HeaderValue::from_bytes(header).unwrap();
            request = request.append_header((COOKIE, value));
        }
        own_cookie(&request.to_http_request(), "visitor")
    }

    #[test]
    fn a_cookie_is_found_by_its_name() {
        assert_eq!(read(&[b"visitor=abc"]).as_deref(), Some("abc"));
        assert_eq!(read(&[b"a=1; visitor=abc;b=2"]).as_deref(), Some("abc"));
        assert_eq!(read(&[b"a=1", b"visitor=abc"]).as_deref(), Some("abc"));
        assert_eq!(read(&[b"visitor=a=b"]).as_deref(), Some("a=b"));
        assert_eq!(read(&[b"my-visitor=abc; visitors=1; visitor"]), None);
        assert_eq!(read(&[]), None);
    }

    #[test]
    fn cookies_of_others_cost_nothing() {
        assert_eq!(read(&[b"n=\xe9; visitor=abc"]).as_deref(), Some("abc"));
        assert_eq!(read(&[b"=; %%%; ;visitor=abc"]).as_deref(), Some("abc"));
    }
}
