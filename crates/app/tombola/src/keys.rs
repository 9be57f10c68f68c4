//! The keys of this program, one for each purpose, derived by HKDF-SHA256 (RFC 5869). Nothing that is made with the key of
//! one purpose can be read with the key of another.

use claims::ClaimKey;
use codes::CodeKey;
use hkdf::Hkdf;
use privacy::{NumberKey, NumberKeys, RequestKey, RequestKeys};
use secrecy::{ExposeSecret, SecretSlice};
use sha2::Sha256;
use web::{StaffBrowserToken, StaffToken, TokenKeys, TokenKind, VisitorToken};

/// The length of secrets and keys, in bytes.
pub(crate) const KEY_BYTES: usize = 32;

/// A secret that makes new things, and earlier ones that only read what they made.
#[derive(Debug)]
pub struct SecretList {
    /// The current secret.
    pub current: SecretSlice<u8>,
    /// The earlier ones.
    pub previous: Vec<SecretSlice<u8>>,
}

impl SecretList {
    /// All secrets, newest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &SecretSlice<u8>> {
        std::iter::once(&self.current).chain(&self.previous)
    }
}

/// The configured secrets, from which the keys are derived.
#[derive(Debug)]
pub struct SecretKeys {
    /// `SECRET_KEY` and `SECRET_KEY_PREVIOUS`, for every purpose without secrets of its own.
    pub site: SecretList,
    /// `VISITOR_TOKEN_KEY`.
    pub visitor_tokens: Option<SecretList>,
    /// `STAFF_TOKEN_KEY`.
    pub staff_tokens: Option<SecretList>,
    /// `DRAWING_SEED_KEY`.
    pub drawing_seeds: Option<SecretList>,
    /// `SMS_CREDENTIALS_KEY`.
    pub sms_credentials: Option<SecretList>,
    /// `SMS_CODES_KEY`.
    pub sms_codes: Option<SecretList>,
}

/// What a key is for.
pub trait Purpose {
    /// Separates the derived keys. What was made with a key is lost if its label changes.
    const LABEL: &'static str;

    /// The secrets for this purpose only, if there are some.
    fn own(secrets: &SecretKeys) -> Option<&SecretList>;
}

impl Purpose for VisitorToken {
    const LABEL: &'static str = "visitor tokens";

    fn own(secrets: &SecretKeys) -> Option<&SecretList> {
        secrets.visitor_tokens.as_ref()
    }
}

impl Purpose for StaffToken {
    const LABEL: &'static str = "staff tokens";

    fn own(secrets: &SecretKeys) -> Option<&SecretList> {
        secrets.staff_tokens.as_ref()
    }
}

impl Purpose for StaffBrowserToken {
    const LABEL: &'static str = "staff browsers";

    fn own(secrets: &SecretKeys) -> Option<&SecretList> {
        secrets.staff_tokens.as_ref()
    }
}

impl Purpose for staff::TotpSecret {
    const LABEL: &'static str = "staff second factors";

    fn own(_: &SecretKeys) -> Option<&SecretList> {
        None
    }
}

/// The salt of the hash of `ADMIN_PASSWORD`.
pub(crate) enum AdminPasswordSalt {}

impl Purpose for AdminPasswordSalt {
    const LABEL: &'static str = "salt of the administrator's password";

    fn own(_: &SecretKeys) -> Option<&SecretList> {
        None
    }
}

impl Purpose for drawing::Secrets {
    const LABEL: &'static str = "drawing seeds";

    fn own(secrets: &SecretKeys) -> Option<&SecretList> {
        secrets.drawing_seeds.as_ref()
    }
}

impl Purpose for sms::Credentials {
    const LABEL: &'static str = "sms credentials";

    fn own(secrets: &SecretKeys) -> Option<&SecretList> {
        secrets.sms_credentials.as_ref()
    }
}

impl Purpose for sms::SealedText {
    const LABEL: &'static str = "sms bodies";

    fn own(secrets: &SecretKeys) -> Option<&SecretList> {
        secrets.sms_codes.as_ref()
    }
}

impl Purpose for CodeKey {
    const LABEL: &'static str = "codes";

    fn own(secrets: &SecretKeys) -> Option<&SecretList> {
        secrets.sms_codes.as_ref()
    }
}

impl Purpose for claims::ClaimSecrets {
    const LABEL: &'static str = "claim details";

    fn own(_: &SecretKeys) -> Option<&SecretList> {
        None
    }
}

impl Purpose for ClaimKey {
    const LABEL: &'static str = "claims";

    fn own(_: &SecretKeys) -> Option<&SecretList> {
        None
    }
}

impl Purpose for NumberKey {
    const LABEL: &'static str = "numbers of erased people";

    fn own(_: &SecretKeys) -> Option<&SecretList> {
        None
    }
}

impl Purpose for RequestKey {
    const LABEL: &'static str = "requests for data";

    fn own(_: &SecretKeys) -> Option<&SecretList> {
        None
    }
}

impl SecretKeys {
    /// The keys that make the links to copies of people's data. Links of an earlier key still work.
    pub fn request_keys(&self) -> Option<RequestKeys> {
        let list = self.list::<RequestKey>();
        let key = |secret| RequestKey::new(derive::<RequestKey>(secret).expose_secret());
        Some(RequestKeys {
            current: key(&list.current)?,
            earlier: list.previous.iter().map(key).collect::<Option<_>>()?,
        })
    }

    /// The keys that hash the numbers of erased people. What an earlier key hashed is still recognized.
    pub fn number_keys(&self) -> Option<NumberKeys> {
        let list = self.list::<NumberKey>();
        let key = |secret| NumberKey::new(derive::<NumberKey>(secret).expose_secret());
        Some(NumberKeys {
            current: key(&list.current)?,
            earlier: list.previous.iter().map(key).collect::<Option<_>>()?,
        })
    }

    /// The key that makes the links of claims and hashes the codes of calls, and the earlier ones, which made earlier links. A
    /// code of a call from before the key changed is no longer accepted.
    pub fn claim_keys(&self) -> Option<(ClaimKey, Vec<ClaimKey>)> {
        let list = self.list::<ClaimKey>();
        let key = |secret| ClaimKey::new(derive::<ClaimKey>(secret).expose_secret());
        let earlier = list.previous.iter().map(key).collect::<Option<_>>()?;
        Some((key(&list.current)?, earlier))
    }

    /// The key that codes and their numbers are hashed with. An earlier key reads nothing: whoever waits for a code when
    /// the key changes asks for another one.
    pub fn code_key(&self) -> Option<CodeKey> {
        let key = derive::<CodeKey>(&self.list::<CodeKey>().current);
        CodeKey::new(key.expose_secret())
    }

    /// The keys of visitors' tokens.
    pub fn visitor_tokens(&self) -> TokenKeys<VisitorToken> {
        self.token_keys()
    }

    /// The keys of staff's tokens.
    pub fn staff_tokens(&self) -> TokenKeys<StaffToken> {
        self.token_keys()
    }

    /// The keys of the cookies of browsers that staff signed in with.
    pub fn staff_browsers(&self) -> TokenKeys<StaffBrowserToken> {
        self.token_keys()
    }

    /// The salt with which `ADMIN_PASSWORD` is hashed: always the same, so that sessions outlast a restart.
    pub(crate) fn admin_password_salt(&self) -> SecretSlice<u8> {
        derive::<AdminPasswordSalt>(&self.site.current)
    }

    fn token_keys<K: TokenKind + Purpose>(&self) -> TokenKeys<K> {
        let list = self.list::<K>();
        let read_only: Vec<_> = list.previous.iter().map(derive::<K>).collect();
        TokenKeys::new(&derive::<K>(&list.current), &read_only)
    }

    /// The secrets from which the keys for `P` are derived.
    pub(crate) fn list<P: Purpose>(&self) -> &SecretList {
        P::own(self).unwrap_or(&self.site)
    }
}

/// The key for a purpose.
pub(crate) fn derive<P: Purpose>(secret: &SecretSlice<u8>) -> SecretSlice<u8> {
    let key: [u8; KEY_BYTES] = expand(secret.expose_secret(), &format!("tombola key for {}", P::LABEL));
    SecretSlice::from(key.to_vec())
}

/// Bytes derived from a secret under a label, by HKDF.
pub(crate) fn expand<const N: usize>(secret: &[u8], label: &str) -> [u8; N] {
    let mut bytes = [0; N];
    // `expand` fails only for more than 255 hashes of output.
    let derived = Hkdf::<Sha256>::new(None, secret).expand(label.as_bytes(), &mut bytes);
    debug_assert!(derived.is_ok());
    bytes
}

#[cfg(test)]
mod tests;
