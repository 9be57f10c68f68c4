//! The account at the provider of texts: D18.

use chrono::{DateTime, Utc};
use kernel::Phone;
use kernel::StoreError;
use std::fmt;

/// What is needed to send. Never shown again once saved, so its `Debug` shows the last digits of the sender only.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    account_sid: String,
    auth_token: String,
    phone: Phone,
}

/// Which parts of credentials cannot be right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MalformedCredentials {
    /// The account's name is not AC and 32 hexadecimal digits.
    pub account_sid: bool,
    /// The token is not 32 hexadecimal digits.
    pub auth_token: bool,
    /// The sender is not a phone number.
    pub phone: bool,
}

impl Credentials {
    /// Credentials as they are typed. Whether they are anybody's only the provider knows.
    ///
    /// # Errors
    /// Every part that cannot be right.
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

    /// The account's name.
    pub fn account_sid(&self) -> &str {
        &self.account_sid
    }

    /// The account's secret.
    pub fn auth_token(&self) -> &str {
        &self.auth_token
    }

    /// The number that texts come from.
    pub fn phone(&self) -> &Phone {
        &self.phone
    }

    /// As bytes, to be sealed.
    pub fn to_bytes(&self) -> Vec<u8> {
        [&self.account_sid, &self.auth_token, self.phone.as_e164()]
            .join("\n")
            .into_bytes()
    }

    /// What [`Credentials::to_bytes`] made.
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

/// The account that staff saved.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait SmsSettings {
    /// The credentials, sealed, if any were saved.
    fn sealed_credentials(&self) -> Result<Option<Vec<u8>>, StoreError>;

    /// Saves credentials in the place of earlier ones.
    fn save_sealed_credentials(&mut self, sealed: &[u8], at: DateTime<Utc>) -> Result<(), StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    const SID: &str = "AC0123456789abcdef0123456789ABCDEF";
    const TOKEN: &str = "0123456789abcdef0123456789abcdef";

    #[test]
    fn credentials_are_taken_with_spaces_around_them_and_read_back() {
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
    fn every_wrong_part_is_named() {
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
