//! The account at the SMS provider. Staff save it in the console: the flow is `usecases::credentials`, the route is
//! `account.rs` in `web`, and the port is [`SmsSettings`].

use chrono::{DateTime, Utc};
use kernel::Phone;
use kernel::StoreError;
use std::fmt;

/// The credentials for the provider's API and the number that messages come from. `Debug` shows only the last digits of
/// the number.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    account_sid: String,
    auth_token: String,
    phone: Phone,
}

/// The parts of credentials that are malformed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MalformedCredentials {
    /// The account SID is not `AC` and 32 hexadecimal digits.
    pub account_sid: bool,
    /// The auth token is not 32 hexadecimal digits.
    pub auth_token: bool,
    /// The sender is not a phone number.
    pub phone: bool,
}

impl Credentials {
    /// Parses credentials as staff type them. Only the provider knows whether they are valid.
    ///
    /// # Errors
    /// All parts that are malformed.
    pub fn parse(account_sid: &str, auth_token: &str, phone: &str) -> Result<Self, MalformedCredentials> {
        let (account_sid, auth_token) = (account_sid.trim(), auth_token.trim());
        let phone = Phone::parse(phone).ok();
        let wrong = MalformedCredentials {
            account_sid: !account_sid.strip_prefix("AC").is_some_and(is_hex_32),
            auth_token: !is_hex_32(auth_token),
            phone: phone.is_none(),
        };
        match phone {
            Some(phone) if wrong == MalformedCredentials::default() => Ok(Self {
                account_sid: account_sid.to_owned(),
                auth_token: auth_token.to_owned(),
                phone,
            }),
            _ => Err(wrong),
        }
    }

    /// The account SID.
    pub fn account_sid(&self) -> &str {
        &self.account_sid
    }

    /// The auth token.
    pub fn auth_token(&self) -> &str {
        &self.auth_token
    }

    /// The number that messages come from.
    pub fn phone(&self) -> &Phone {
        &self.phone
    }

    /// The credentials as bytes, to be encrypted.
    pub fn to_bytes(&self) -> Vec<u8> {
        [&self.account_sid, &self.auth_token, self.phone.as_e164()]
            .join("\n")
            .into_bytes()
    }

    /// The credentials from the bytes of [`Credentials::to_bytes`].
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut parts = std::str::from_utf8(bytes).ok()?.split('\n');
        let (account_sid, auth_token, phone) = (parts.next()?, parts.next()?, parts.next()?);
        Self::parse(account_sid, auth_token, phone).ok()
    }
}

fn is_hex_32(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Credentials({})", self.phone.masked())
    }
}

/// The credentials that staff saved. The flow that seals and saves them is `usecases::credentials`.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait SmsSettings {
    /// The sealed credentials, if any were saved.
    fn sealed_credentials(&self) -> Result<Option<Vec<u8>>, StoreError>;

    /// Replaces the saved credentials.
    fn save_sealed_credentials(&mut self, sealed: &[u8], at: DateTime<Utc>) -> Result<(), StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    const SID: &str = "AC0123456789abcdef0123456789ABCDEF";
    const TOKEN: &str = "0123456789abcdef0123456789abcdef";

    #[test]
    fn credentials_are_trimmed_and_survive_a_round_trip() {
        let credentials = Credentials::parse(&format!(" {SID} "), TOKEN, "(555) 123-4567").unwrap();
        assert_eq!(credentials.account_sid(), SID);
        assert_eq!(credentials.auth_token(), TOKEN);
        assert_eq!(credentials.phone().as_e164(), "+15551234567");
        assert_eq!(
            Credentials::from_bytes(&credentials.to_bytes()),
            Some(credentials.clone())
        );
        assert_eq!(Credentials::from_bytes(b"AC\n1"), None);
        assert_eq!(format!("{credentials:?}"), "Credentials(***-***-4567)");
    }

    #[test]
    fn every_malformed_part_is_reported() {
        let all = MalformedCredentials {
            account_sid: true,
            auth_token: true,
            phone: true,
        };
        assert_eq!(Credentials::parse("", "", ""), Err(all));
        assert_eq!(Credentials::parse(TOKEN, SID, "555"), Err(all));
        let wrong_token = Credentials::parse(SID, &TOKEN.replace('0', "g"), "5551234567");
        assert_eq!(
            wrong_token,
            Err(MalformedCredentials {
                auth_token: true,
                ..Default::default()
            })
        );
        assert!(Credentials::parse(&format!("{SID}0"), TOKEN, "5551234567").is_err());
    }
}
