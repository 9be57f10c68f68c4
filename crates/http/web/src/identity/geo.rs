//! The country and city of a visitor, from the headers of a trusted proxy.

use crate::TrustedProxies;
use actix_web::HttpRequest;
use actix_web::http::header::HeaderName;
use analytics::Place;

/// The headers in which trusted proxies name the visitor's country and city. Without any, no place is known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GeoHeaders {
    country: Option<HeaderName>,
    city: Option<HeaderName>,
}

impl GeoHeaders {
    /// Parses `country=NAME`, `city=NAME`, or both separated by a comma, such as `country=CF-IPCountry,city=CF-IPCity`.
    ///
    /// # Errors
    /// The first part that is not like this, or that names a header again.
    pub fn parse(list: &str) -> Result<Self, String> {
        let mut headers = Self::default();
        for part in list.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let wrong = || part.to_owned();
            let (what, name) = part.split_once('=').ok_or_else(wrong)?;
            let name = HeaderName::from_bytes(name.trim().as_bytes()).map_err(|_| wrong())?;
            let header = match what.trim() {
                "country" => &mut headers.country,
                "city" => &mut headers.city,
                _ => return Err(wrong()),
            };
            if header.replace(name).is_some() {
                return Err(wrong());
            }
        }
        Ok(headers)
    }

    /// Whether no header is named.
    pub fn is_empty(&self) -> bool {
        self.country.is_none() && self.city.is_none()
    }

    /// The place that the headers name, if a trusted proxy sent them.
    pub(crate) fn place(&self, request: &HttpRequest, proxies: &TrustedProxies) -> Place {
        if self.is_empty() || !proxies.sent(request) {
            return Place::default();
        }
        let value = |name: &Option<HeaderName>| single_value(request, name.as_ref()?);
        Place::new(value(&self.country), value(&self.city))
    }
}

/// The value of a header that occurs once and is UTF-8. A second value may be the visitor's own, so neither counts.
fn single_value<'a>(request: &'a HttpRequest, name: &HeaderName) -> Option<&'a str> {
    let mut values = request.headers().get_all(name);
    let value = values.next()?;
    match values.next() {
        None => std::str::from_utf8(value.as_bytes()).ok(),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::HeaderValue;
    use actix_web::test::TestRequest;

    const PROXY: &str = "10.0.0.1:4711";

    fn place(peer: &str, headers: &[(&'static str, &'static [u8])]) -> Place {
        let mut request = TestRequest::default().peer_addr(peer.parse().unwrap());
        for (name, value) in headers {
            request = request.append_header((*name, HeaderValue::from_bytes(value).unwrap()));
        }
        let proxies = TrustedProxies::parse("10.0.0.0/8").unwrap();
        let geo_headers = GeoHeaders::parse("country=CF-IPCountry, city=CF-IPCity").unwrap();
        geo_headers.place(&request.to_http_request(), &proxies)
    }

    #[test]
    fn a_trusted_proxy_names_country_and_city() {
        let headers: [(_, &[u8]); 2] = [("CF-IPCountry", b"CH"), ("cf-ipcity", "Z\u{fc}rich".as_bytes())];
        assert_eq!(place(PROXY, &headers), Place::new(Some("CH"), Some("Zürich")));
        assert_eq!(place(PROXY, &headers[..1]), Place::new(Some("CH"), None));
        assert_eq!(
            place("[::ffff:10.0.0.1]:4711", &headers[..1]),
            Place::new(Some("CH"), None)
        );
    }

    #[test]
    fn nobody_else_does() {
        assert_eq!(
            place("203.0.113.9:4711", &[("CF-IPCountry", b"CH")]),
            Place::default()
        );
    }

    #[test]
    fn a_header_that_is_not_utf_8_or_occurs_twice_is_ignored() {
        assert_eq!(place(PROXY, &[("CF-IPCountry", b"\xff")]), Place::default());
        let twice: [(_, &[u8]); 3] = [
            ("CF-IPCountry", b"CH"),
            ("CF-IPCountry", b"US"),
            ("CF-IPCity", b"Bern"),
        ];
        assert_eq!(place(PROXY, &twice), Place::new(None, Some("Bern")));
    }

    #[test]
    fn each_header_is_named_at_most_once() {
        let both = GeoHeaders::parse("city=X-City,country=X-Country").unwrap();
        assert_eq!(
            both,
            GeoHeaders::parse(" country = x-country , city = x-city,").unwrap()
        );
        assert!(GeoHeaders::parse("").unwrap().is_empty());
        assert!(!GeoHeaders::parse("city=X-City").unwrap().is_empty());
        for wrong in [
            "X-Country",
            "country=",
            "country=a b",
            "region=X-Region",
            "country=a,country=b",
        ] {
            assert!(GeoHeaders::parse(wrong).is_err(), "{wrong}");
        }
    }
}
