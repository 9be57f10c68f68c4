use crate::{Keyword, MAX_CHARS, ProviderMessageId};
use chrono::{DateTime, Utc};
use kernel::{EntrantId, PageRequest, Phone, StoreError, StoredText, TextSearch};

kernel::id_type! {
    /// The id of a reply.
    pub struct ReplyId
}

/// A message that somebody sent to our number, to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewReply {
    /// The provider's id of it.
    pub provider_id: ProviderMessageId,
    /// The sender's number.
    pub phone: Phone,
    /// The body, at most [`MAX_CHARS`] characters. It may be empty, such as when somebody sends a picture.
    pub body: StoredText,
    /// What it asks for.
    pub keyword: Option<Keyword>,
    /// When it arrived.
    pub at: DateTime<Utc>,
}

impl NewReply {
    /// The message as it is stored: its body without control characters, cut after [`MAX_CHARS`] characters.
    pub fn new(provider_id: ProviderMessageId, phone: Phone, body: &str, at: DateTime<Utc>) -> Self {
        Self {
            provider_id,
            phone,
            keyword: Keyword::read(body),
            body: StoredText::cleaned(body, MAX_CHARS),
            at,
        }
    }
}

/// A stored reply.
#[derive(Clone, PartialEq, Eq)]
pub struct Reply {
    /// The id; a later reply has a higher one.
    pub id: ReplyId,
    /// The sender's number.
    pub phone: Phone,
    /// The entrant with this number when it arrived.
    pub entrant: Option<EntrantId>,
    /// The body.
    pub body: String,
    /// What it asks for.
    pub keyword: Option<Keyword>,
    /// When it arrived.
    pub at: DateTime<Utc>,
}

impl std::fmt::Debug for Reply {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Reply({}, {:?})", self.id, self.phone)
    }
}

/// Which replies to list; the default matches all.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReplyFilter {
    /// Only replies whose body or number contains this.
    pub search: Option<TextSearch>,
    /// Only keywords, or only other replies.
    pub is_keyword: Option<bool>,
    /// Only replies with lower ids.
    pub before: Option<ReplyId>,
}

/// The replies to our messages.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Replies {
    /// Stores a reply, with the entrant who has its number. Returns `false`, and changes nothing, if one with the same
    /// provider's id is stored.
    fn add_reply(&mut self, new: &NewReply) -> Result<bool, StoreError>;

    /// A part of the replies that match, newest first.
    fn list_replies(&self, filter: &ReplyFilter, page: PageRequest) -> Result<Vec<Reply>, StoreError>;

    /// The number of replies that match.
    fn count_replies(&self, filter: &ReplyFilter) -> Result<i64, StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_stored_without_control_characters_and_cut() {
        let reply = |body: &str| {
            let id = ProviderMessageId::parse("SM1").unwrap();
            NewReply::new(
                id,
                Phone::parse("5551234567").unwrap(),
                body,
                DateTime::UNIX_EPOCH,
            )
        };
        assert_eq!(reply(" Th\0anks!\n").body.as_str(), "Thanks!");
        assert_eq!(reply(&"x".repeat(2_000)).body.as_str().len(), MAX_CHARS);
        assert_eq!(reply("").body.as_str(), "");
        assert_eq!(reply(" stop ").keyword, Some(Keyword::Stop));
        assert_eq!(reply("Thanks!").keyword, None);
    }
}
