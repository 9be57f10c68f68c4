use crate::StoredText;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// A browser session, identified by the id that the browser chose.
///
/// Our pages generate UUIDs of version 7 (RFC 9562), which begin with the time. The keys begin with the same 48 bits, so
/// that rows of the same time are next to each other in indexes. Any other id works as well; its keys begin with 48 one
/// bits, which no time has.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Session {
    id: String,
    began: [u8; 6],
}

/// The text is not a session id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Must be 1 to 64 characters")]
pub struct InvalidSession;

impl Session {
    /// Reads a session id: 1 to 64 characters, none of them a control character.
    ///
    /// # Errors
    /// [`InvalidSession`] for any other text.
    pub fn parse(text: &str) -> Result<Self, InvalidSession> {
        let text = StoredText::line(text, 64).map_err(|_| InvalidSession)?;
        let version_7 = Uuid::try_parse(text.as_str())
            .ok()
            .filter(|uuid| uuid.get_version_num() == 7);
        let began = match version_7.map(Uuid::into_bytes) {
            Some([a, b, c, d, e, f, ..]) => [a, b, c, d, e, f],
            None => [0xff; 6],
        };
        Ok(Self {
            id: text.into(),
            began,
        })
    }

    /// The id as the browser sent it.
    pub fn as_str(&self) -> &str {
        &self.id
    }

    /// The key of this session: 48 bits of time and 80 bits of a SHA-256.
    pub fn key(&self) -> Uuid {
        self.key_with(&Sha256::digest(self.id.as_bytes()), &[])
    }

    /// A key that begins with the time of this session: 48 bits of time, then `head`, and then as much of `tail` as has room.
    pub fn key_with(&self, head: &[u8], tail: &[u8]) -> Uuid {
        let mut bytes = [0; 16];
        let parts = self.began.iter().chain(head).chain(tail);
        for (byte, value) in bytes.iter_mut().zip(parts) {
            *byte = *value;
        }
        Uuid::from_bytes(bytes)
    }
}

impl TryFrom<String> for Session {
    type Error = InvalidSession;

    fn try_from(text: String) -> Result<Self, InvalidSession> {
        Self::parse(&text)
    }
}

impl From<Session> for String {
    fn from(session: Session) -> Self {
        session.id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_id_is_short_and_plain() {
        for right in ["sess-1", &"ü".repeat(64)] {
            assert_eq!(Session::parse(right).unwrap().as_str(), right);
        }
        assert_eq!(Session::parse(" sess-1 ").unwrap().as_str(), "sess-1");
        for wrong in ["", "  ", "a\0b", &"a".repeat(65)] {
            assert_eq!(Session::parse(wrong), Err(InvalidSession), "{wrong:?}");
        }
    }
}
