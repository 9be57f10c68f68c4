use crate::{Keyword, Label, MAX_CHARS, ProviderMessageId};
use chrono::{DateTime, Utc};
use kernel::{EntrantId, PageRequest, Phone, StoreError, StoredText};

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
    pub search: Option<ReplySearch>,
    /// Only keywords, or only other replies.
    pub is_keyword: Option<bool>,
    /// Only replies with lower ids.
    pub before: Option<ReplyId>,
}

/// What to find in replies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplySearch {
    /// A part of the body. The case of the letters A to Z does not matter.
    pub text: Label,
    /// A part of the number, if the text can be one: its digits.
    pub digits: Option<String>,
}

impl ReplySearch {
    /// Searches for a text, and for a number if the text consists of digits and the signs between them.
    pub fn new(text: Label) -> Self {
        let is_number = |c: char| c.is_ascii_digit() || " +-()".contains(c);
        let digits: String = text.as_str().chars().filter(char::is_ascii_digit).collect();
        let is_number = text.as_str().chars().all(is_number) && !digits.is_empty();
        Self {
            digits: is_number.then_some(digits),
            text,
        }
    }
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

    #[test]
    fn a_search_for_digits_also_finds_numbers() {
        let digits = |text: &str| ReplySearch::new(Label::parse(text).unwrap()).digits;
        assert_eq!(digits("(555) 123-4567").as_deref(), Some("5551234567"));
        assert_eq!(digits("4567").as_deref(), Some("4567"));
        for text in ["my 2 cents", "+", "- -"] {
            assert_eq!(digits(text), None, "{text}");
        }
    }
}
