use kernel::Sealer;
use std::fmt;

/// Texts whose bodies are secret, such as those with codes. Names the key that encrypts them.
#[derive(Debug)]
pub enum SealedText {}

/// The context in which the bodies of secret texts are encrypted.
const CONTEXT: &str = "sms body";

/// The body of a message.
#[derive(Clone, PartialEq, Eq)]
pub enum MessageBody {
    /// As it is sent.
    Clear(String),
    /// Encrypted, because it is secret. It is erased once the message is sent, or will not be.
    Sealed(Vec<u8>),
}

impl MessageBody {
    /// A body that is stored encrypted.
    pub fn seal(sealer: &dyn Sealer<SealedText>, text: &str) -> Self {
        Self::Sealed(sealer.seal(CONTEXT, text.as_bytes()))
    }

    /// The body as it is sent. `None` if it cannot be decrypted: its key is not configured any more.
    pub fn open(&self, sealer: &dyn Sealer<SealedText>) -> Option<String> {
        match self {
            Self::Clear(text) => Some(text.clone()),
            Self::Sealed(bytes) => String::from_utf8(sealer.open(CONTEXT, bytes)?).ok(),
        }
    }

    /// The body, unless it is secret.
    pub fn as_clear(&self) -> Option<&str> {
        match self {
            Self::Clear(text) => Some(text),
            Self::Sealed(_) => None,
        }
    }

    /// The encrypted body of a secret message.
    pub fn as_sealed(&self) -> Option<&[u8]> {
        match self {
            Self::Clear(_) => None,
            Self::Sealed(bytes) => Some(bytes),
        }
    }
}

impl From<String> for MessageBody {
    fn from(text: String) -> Self {
        Self::Clear(text)
    }
}

impl fmt::Debug for MessageBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MessageBody(…)")
    }
}

/// The text with a one-time code. Its last line binds the code to the site, so that browsers fill it in there and nowhere
/// else (<https://wicg.github.io/sms-one-time-codes/>). `host` has no port.
pub fn code_text(site_name: &str, code: &str, host: &str) -> String {
    format!("{code} is your {site_name} code. We never ask you for it by phone or text.\n\n@{host} #{code}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segments;

    #[test]
    fn a_code_fits_into_one_text_and_ends_with_its_site() {
        let text = code_text("Tombola", "012345", "raffles.example.org");
        assert!(text.starts_with("012345 is your Tombola code."));
        assert_eq!(text.lines().last(), Some("@raffles.example.org #012345"));
        assert_eq!(segments(&text).count, 1);
        let longest = code_text(&"n".repeat(crate::MAX_SITE_NAME), "012345", "raffles.example.org");
        assert_eq!(segments(&longest).count, 1, "{longest}");
    }

    #[test]
    fn a_body_is_not_printed() {
        for body in [
            MessageBody::Clear("123456".to_owned()),
            MessageBody::Sealed(vec![1]),
        ] {
            assert_eq!(format!("{body:?}"), "MessageBody(…)");
        }
    }
}
