use std::fmt;
use url::{Host, Url};

/// The push services of the browsers: Chrome and others (Firebase), Firefox, Safari, Edge. A name that begins with a dot
/// stands for every host below it.
const SERVICES: [&str; 4] = [
    "fcm.googleapis.com",
    "updates.push.services.mozilla.com",
    ".push.apple.com",
    ".notify.windows.com",
];

/// The most bytes of an endpoint. Those of the known services have at most about 500.
const MAX_BYTES: usize = 2048;

/// Where messages may be sent to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndpointRules {
    /// The push services of the browsers, over TLS.
    KnownServices,
    /// Also any port of 127.0.0.1, over HTTP: for development and tests.
    KnownServicesAndLoopback,
}

/// Why a text is no endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    /// It is too long.
    #[error("Must have at most 2048 characters")]
    TooLong,
    /// It is no address of a push service.
    #[error("Must be an https address of a known push service")]
    Unknown,
}

/// The address to which a push service takes the messages for one subscription. It stands for one browser, so it is
/// written to no log: its `Debug` output has the push service only.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Endpoint(Url);

impl Endpoint {
    /// Reads an endpoint.
    ///
    /// # Errors
    /// [`EndpointError`].
    pub fn parse(text: &str, rules: EndpointRules) -> Result<Self, EndpointError> {
        if text.len() > MAX_BYTES {
            return Err(EndpointError::TooLong);
        }
        let url = Url::parse(text).map_err(|_| EndpointError::Unknown)?;
        let is_plain = url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
        let is_allowed =
            is_known(&url) || rules == EndpointRules::KnownServicesAndLoopback && is_loopback(&url);
        if is_plain && is_allowed {
            Ok(Self(url))
        } else {
            Err(EndpointError::Unknown)
        }
    }

    /// An endpoint from the store. `None` if it is no address.
    pub fn from_stored(text: &str) -> Option<Self> {
        Url::parse(text).ok().map(Self)
    }

    /// The whole address.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The scheme, the host and the port unless it is the scheme's own, such as `https://fcm.googleapis.com`.
    pub fn origin(&self) -> String {
        self.0.origin().ascii_serialization()
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Endpoint({}/…)", self.origin())
    }
}

fn is_known(url: &Url) -> bool {
    let Some(Host::Domain(host)) = url.host() else {
        return false;
    };
    let is_service = SERVICES.iter().any(|service| match service.strip_prefix('.') {
        Some(_) => host.ends_with(service),
        None => host == *service,
    });
    url.scheme() == "https" && url.port().is_none() && is_service
}

fn is_loopback(url: &Url) -> bool {
    url.scheme() == "http" && url.host() == Some(Host::Ipv4(std::net::Ipv4Addr::LOCALHOST))
}

#[cfg(test)]
mod tests {
    use super::*;
    use EndpointRules::{KnownServices, KnownServicesAndLoopback};

    fn parse(text: &str) -> Result<Endpoint, EndpointError> {
        Endpoint::parse(text, KnownServices)
    }

    #[test]
    fn the_known_services_are_endpoints() {
        for text in [
            "https://fcm.googleapis.com/fcm/send/abc:def",
            "https://updates.push.services.mozilla.com/wpush/v2/gAAAA",
            "https://web.push.apple.com/QGz",
            "https://wns2-par02p.notify.windows.com/w/?token=BQYA",
        ] {
            assert_eq!(
                parse(text).map(|endpoint| endpoint.as_str().to_owned()),
                Ok(text.to_owned())
            );
        }
    }

    #[test]
    fn every_other_address_is_refused() {
        for text in [
            "",
            "fcm.googleapis.com/x",
            "http://fcm.googleapis.com/x",
            "https://fcm.googleapis.com:8443/x",
            "https://user@fcm.googleapis.com/x",
            "https://:password@fcm.googleapis.com/x",
            "https://fcm.googleapis.com/x#part",
            "https://fcm.googleapis.com.example/x",
            "https://evil-fcm.googleapis.com/x",
            "https://evilpush.apple.com/x",
            "https://push.apple.com/x",
            "https://example.com/?fcm.googleapis.com",
            "https://127.0.0.1/x",
            "http://127.0.0.1:9000/x",
            "https://[::1]/x",
            "https://localhost/x",
            "file:///etc/passwd",
        ] {
            assert_eq!(parse(text), Err(EndpointError::Unknown), "{text}");
        }
        let long = format!("https://fcm.googleapis.com/{}", "x".repeat(MAX_BYTES));
        assert_eq!(parse(&long), Err(EndpointError::TooLong));
    }

    #[test]
    fn development_also_takes_this_machine() {
        let endpoint = Endpoint::parse("http://127.0.0.1:9000/push/7", KnownServicesAndLoopback).unwrap();
        assert_eq!(endpoint.origin(), "http://127.0.0.1:9000");
        for text in [
            "http://127.0.0.2:9000/x",
            "http://localhost:9000/x",
            "https://127.0.0.1:9000/x",
            "http://me@127.0.0.1:9000/x",
        ] {
            assert_eq!(
                Endpoint::parse(text, KnownServicesAndLoopback),
                Err(EndpointError::Unknown),
                "{text}"
            );
        }
    }

    #[test]
    fn a_log_shows_the_service_only() {
        let endpoint = parse("https://fcm.googleapis.com/fcm/send/secret").unwrap();
        assert_eq!(format!("{endpoint:?}"), "Endpoint(https://fcm.googleapis.com/…)");
        assert_eq!(endpoint.origin(), "https://fcm.googleapis.com");
        assert_eq!(Endpoint::from_stored(endpoint.as_str()), Some(endpoint));
        assert_eq!(Endpoint::from_stored("no address"), None);
    }
}
