//! The `X-Twilio-Signature` header: HMAC-SHA1 over the URL and the sorted parameters, in base64.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha1::Sha1;
use std::collections::BTreeSet;
use url::{Position, Url};

/// Whether the signature was made with this auth token over a spelling of the URL and the parameters.
pub(crate) fn is_valid(
    auth_token: &str,
    url: &str,
    parameters: &[(String, String)],
    signature: &str,
) -> bool {
    let Ok(signature) = STANDARD.decode(signature) else {
        return false;
    };
    // Anyone can sign with an empty auth token.
    !auth_token.is_empty()
        && spellings(url)
            .iter()
            .any(|url| is_signed(auth_token, url, parameters, &signature))
}

/// The URL as given, normalized without a port, and normalized with its port: Twilio signs one of them.
fn spellings(url: &str) -> Vec<String> {
    let mut spellings = vec![url.to_owned()];
    if let Ok(url) = Url::parse(url) {
        let (host, rest) = (&url[..Position::AfterHost], &url[Position::BeforePath..]);
        spellings.push(format!("{host}{rest}"));
        let port = url.port_or_known_default();
        spellings.extend(port.map(|port| format!("{host}:{port}{rest}")));
    }
    spellings
}

/// Compares in constant time.
fn is_signed(auth_token: &str, url: &str, parameters: &[(String, String)], signature: &[u8]) -> bool {
    let Ok(mut mac) = Hmac::<Sha1>::new_from_slice(auth_token.as_bytes()) else {
        return false;
    };
    mac.update(url.as_bytes());
    // Sorted by code point. A repeated name with the same value counts once.
    let sorted: BTreeSet<&(String, String)> = parameters.iter().collect();
    for (name, value) in sorted {
        mac.update(name.as_bytes());
        mac.update(value.as_bytes());
    }
    mac.verify_slice(signature).is_ok()
}
