//! The `Stripe-Signature` header of a webhook: `t=<seconds>,v1=<hex>`, with one `v1` for each active secret.

use chrono::{DateTime, Utc};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// How far the time of the signature may be before or after our time.
const TOLERANCE_SECONDS: u64 = 300;

/// Whether a signature in the header was made with this secret over this body, at about this time.
pub(crate) fn is_valid(secret: &[u8], header: &str, body: &[u8], now: DateTime<Utc>) -> bool {
    let Some(time) = fields(header, "t").next().and_then(|time| time.parse().ok()) else {
        return false;
    };
    let in_time = now.timestamp().abs_diff(time) <= TOLERANCE_SECONDS;
    in_time && fields(header, "v1").any(|signature| is_signed(secret, time, body, signature))
}

fn fields<'a>(header: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    let parts = header.split(',').filter_map(|part| part.split_once('='));
    parts.filter(move |(key, _)| *key == name).map(|(_, value)| value)
}

/// Compares in constant time.
fn is_signed(secret: &[u8], time: i64, body: &[u8], signature: &str) -> bool {
    let (Ok(signature), Ok(mac)) = (hex::decode(signature), Hmac::<Sha256>::new_from_slice(secret)) else {
        return false;
    };
    mac.chain_update(format!("{time}."))
        .chain_update(body)
        .verify_slice(&signature)
        .is_ok()
}
