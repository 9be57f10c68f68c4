//! Time-based one-time passwords (RFC 6238) as the second factor of sign-in (D50).
//!
//! Codes have six digits, a step has 30 seconds, and the hash is HMAC-SHA-1, because authenticator apps take nothing else
//! for granted.

use chrono::{DateTime, TimeDelta, Utc};
use hmac::{Hmac, KeyInit, Mac};
use kernel::Entropy;
use sha1::Sha1;
use std::fmt;

/// The length of a secret, in bytes: RFC 4226 section 4 recommends 160 bits.
pub const TOTP_SECRET_BYTES: usize = 20;
const STEP_SECONDS: i64 = 30;
const DIGITS: usize = 6;
/// A phone's clock may be this many steps ahead or behind.
const SKEW: i64 = 1;
const BASE32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// The number of a step of 30 seconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TotpStep(i64);

impl TotpStep {
    /// The step at this time.
    pub fn at(time: DateTime<Utc>) -> Self {
        Self(time.timestamp().div_euclid(STEP_SECONDS))
    }

    /// The step with this number.
    pub const fn new(number: i64) -> Self {
        Self(number)
    }

    /// The number.
    pub const fn get(self) -> i64 {
        self.0
    }
}

/// What an authenticator app and the server share.
#[derive(Clone, PartialEq, Eq)]
pub struct TotpSecret([u8; TOTP_SECRET_BYTES]);

impl fmt::Debug for TotpSecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("TotpSecret")
    }
}

impl TotpSecret {
    /// The context in which secrets are sealed.
    pub const CONTEXT: &'static str = "staff second factor";

    /// A new secret.
    pub fn random(entropy: &dyn Entropy) -> Self {
        Self(entropy.bytes())
    }

    /// The secret with these bytes, if they are as many as a secret has.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    /// The bytes, to be sealed.
    pub const fn as_bytes(&self) -> &[u8; TOTP_SECRET_BYTES] {
        &self.0
    }

    /// The secret as people type it, in base32 (RFC 4648) without padding.
    pub fn base32(&self) -> String {
        let bits = self
            .0
            .iter()
            .flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1));
        let bits: Vec<u8> = bits.collect();
        let digit = |five: &[u8]| {
            five.iter()
                .fold(0_usize, |value, bit| value << 1 | usize::from(*bit))
        };
        let digits = bits.chunks(5).filter_map(|five| BASE32.get(digit(five)));
        digits.map(|letter| char::from(*letter)).collect()
    }

    /// The address that a QR code carries to an app, in the key URI format of Google Authenticator.
    pub fn otpauth_url(&self, issuer: &str, account: &str) -> String {
        let (issuer, account) = (percent_encoded(issuer), percent_encoded(account));
        let secret = self.base32();
        format!(
            "otpauth://totp/{issuer}:{account}?secret={secret}&issuer={issuer}&algorithm=SHA1&digits=6&period=30"
        )
    }

    /// The code of a step: RFC 4226 section 5.3 with the step as the counter.
    pub fn code(&self, step: TotpStep) -> TotpCode {
        #[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
        let mut mac = Hmac::<Sha1>::new_from_slice(&self.0).expect("a key of any length");
        mac.update(&step.0.to_be_bytes());
        let hash = mac.finalize().into_bytes();
        let offset = hash.last().map_or(0, |last| usize::from(last & 0xf));
        let four = hash.iter().skip(offset).take(4);
        let number = four.fold(0_u32, |number, byte| number << 8 | u32::from(*byte)) & 0x7fff_ffff;
        TotpCode(number % 1_000_000)
    }

    /// The step whose code this is: the current one or a neighbor, and later than the last one whose code was used.
    pub fn step_of(&self, code: TotpCode, now: DateTime<Utc>, last: Option<TotpStep>) -> Option<TotpStep> {
        let current = TotpStep::at(now).0;
        let steps = (current - SKEW..=current + SKEW).map(TotpStep);
        steps
            .filter(|step| last.is_none_or(|last| *step > last))
            .find(|step| self.code(*step) == code)
    }
}

/// Six digits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TotpCode(u32);

impl fmt::Debug for TotpCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("TotpCode")
    }
}

impl fmt::Display for TotpCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:06}", self.0)
    }
}

impl TotpCode {
    /// Reads six digits; spaces between them do not count.
    pub fn parse(typed: &str) -> Option<Self> {
        let digits: String = typed.chars().filter(|typed| !typed.is_whitespace()).collect();
        let is_code = digits.len() == DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_code.then(|| digits.parse().ok().map(Self)).flatten()
    }
}

fn percent_encoded(text: &str) -> String {
    let encoded = text.bytes().map(|byte| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    });
    encoded.collect()
}

/// Wrong codes lock the second factor for a while: five within 15 minutes lock it for 15 (D50).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CodeFailures {
    /// How many wrong codes were given since `since`.
    pub count: u32,
    /// When the first of them was given.
    pub since: Option<DateTime<Utc>>,
    /// Until when no code is taken.
    pub locked_until: Option<DateTime<Utc>>,
}

impl CodeFailures {
    const ALLOWED: u32 = 5;
    const WINDOW: TimeDelta = TimeDelta::minutes(15);

    /// How long no code is taken, if none is.
    pub fn wait(&self, now: DateTime<Utc>) -> Option<TimeDelta> {
        let until = self.locked_until?;
        (until > now).then(|| until - now)
    }

    /// Counts a wrong code.
    #[must_use]
    pub fn after_wrong(self, now: DateTime<Utc>) -> Self {
        let since = self.since.filter(|since| now - *since < Self::WINDOW);
        let count = if since.is_some() { self.count + 1 } else { 1 };
        if count >= Self::ALLOWED {
            return Self {
                locked_until: Some(now + Self::WINDOW),
                ..Self::default()
            };
        }
        Self {
            count,
            since: since.or(Some(now)),
            locked_until: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rfc_secret() -> TotpSecret {
        TotpSecret::from_bytes(b"12345678901234567890").unwrap()
    }

    fn at(second: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(second, 0).unwrap()
    }

    #[test]
    fn codes_are_those_of_rfc_6238() {
        // Appendix B, the last six of eight digits.
        for (second, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ] {
            let made = rfc_secret().code(TotpStep::at(at(second)));
            assert_eq!(made.to_string(), code);
        }
    }

    #[test]
    fn a_code_is_valid_for_its_step_and_the_neighbors() {
        let (secret, now) = (rfc_secret(), at(1_111_111_109));
        let code = secret.code(TotpStep::at(now));
        for (after, valid) in [(-60, false), (-30, true), (0, true), (30, true), (60, false)] {
            let found = secret.step_of(code, now + TimeDelta::seconds(after), None);
            assert_eq!(found.is_some(), valid, "{after} seconds");
        }
    }

    #[test]
    fn no_code_is_used_twice() {
        let (secret, now) = (rfc_secret(), at(1_111_111_109));
        let code = secret.code(TotpStep::at(now));
        let used = secret.step_of(code, now, None);
        assert_eq!(used, Some(TotpStep::at(now)));
        assert_eq!(secret.step_of(code, now, used), None);
    }

    #[test]
    fn a_code_is_read_as_people_type_it() {
        let code = TotpCode::parse(" 081 804 ").unwrap();
        assert_eq!(code.to_string(), "081804");
        for wrong in ["", "81804", "0818041", "08180a", "+81804", "٠٨١٨٠٤"] {
            assert_eq!(TotpCode::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_secret_is_base32_and_stands_in_the_address_for_apps() {
        // RFC 4648 section 10: "foobar" is MZXW6YTBOI.
        assert_eq!(rfc_secret().base32(), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        assert_eq!(
            rfc_secret().otpauth_url("Bees & Co.", "anna@example.org"),
            "otpauth://totp/Bees%20%26%20Co.:anna%40example.org?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ\
             &issuer=Bees%20%26%20Co.&algorithm=SHA1&digits=6&period=30"
        );
        assert_eq!(format!("{:?}", rfc_secret()), "TotpSecret");
    }

    #[test]
    fn the_fifth_wrong_code_within_fifteen_minutes_locks_for_fifteen() {
        let minutes = TimeDelta::minutes;
        let four = (0..4).fold(CodeFailures::default(), |made, n| {
            made.after_wrong(at(0) + minutes(n))
        });
        assert_eq!(four.wait(at(0) + minutes(4)), None);
        let five = four.after_wrong(at(0) + minutes(14));
        assert_eq!(five.wait(at(0) + minutes(15)), Some(minutes(14)));
        assert_eq!(five.wait(at(0) + minutes(29)), None);
        let late = four.after_wrong(at(0) + minutes(15));
        assert_eq!((late.count, late.wait(at(0) + minutes(15))), (1, None));
    }
}
