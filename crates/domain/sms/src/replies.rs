use crate::keyword::is_answered_by_provider;
use crate::opting_out::{Says, says};
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
    /// Whether it holds a word for STOP but does not clearly ask for it: staff decide.
    pub is_unclear: bool,
    /// Whether the provider has answered it.
    pub is_answered: bool,
    /// When it arrived.
    pub at: DateTime<Utc>,
}

impl NewReply {
    /// The message as it is stored: its body without control characters, cut after [`MAX_CHARS`] characters. What the provider
    /// takes it for decides first (D66).
    pub fn new(
        provider_id: ProviderMessageId,
        phone: Phone,
        body: &str,
        of_provider: Option<Keyword>,
        at: DateTime<Utc>,
    ) -> Self {
        let keyword = of_provider.or_else(|| Keyword::read(body));
        Self {
            provider_id,
            phone,
            keyword,
            is_unclear: keyword.is_none() && says(body) == Says::Unclear,
            is_answered: of_provider.is_some() || is_answered_by_provider(body),
            body: StoredText::cleaned(body, MAX_CHARS),
            at,
        }
    }

    /// Our answer to it, if it gets one. `is_change`: it opted its sender out, who had not opted out before.
    pub fn answer(&self, site_name: &str, is_change: bool) -> Option<String> {
        match self.keyword.filter(|_| !self.is_answered)? {
            Keyword::Help => Some(Keyword::help(site_name)),
            Keyword::Stop => is_change.then(|| Keyword::stopped(site_name)),
            Keyword::Start => None,
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
    /// Whether it holds a word for STOP but does not clearly ask for it, and nobody has decided yet.
    pub is_unclear: bool,
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
    /// Only replies of this kind.
    pub kind: Option<ReplyKind>,
    /// Only replies with lower ids.
    pub before: Option<ReplyId>,
}

/// What a reply is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumIter, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum ReplyKind {
    /// Text that a person wrote.
    Message,
    /// STOP, START or HELP, in whatever words.
    Keyword,
    /// Perhaps STOP: staff decide.
    Unclear,
}

impl ReplyKind {
    /// The name in queries.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether a reply is one.
    pub const fn is(self, reply: &Reply) -> bool {
        match self {
            Self::Message => reply.keyword.is_none(),
            Self::Keyword => reply.keyword.is_some(),
            Self::Unclear => reply.is_unclear,
        }
    }
}

/// In which order to list replies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplyOrder {
    /// Those that staff must decide first, then newest first.
    UnclearFirst,
    /// Newest first.
    NewestFirst,
}

/// The replies to our messages.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Replies {
    /// Stores a reply, with the entrant who has its number. Returns `false`, and changes nothing, if one with the same
    /// provider's id is stored.
    fn add_reply(&mut self, new: &NewReply) -> Result<bool, StoreError>;

    /// A part of the replies that match.
    fn list_replies(
        &self,
        filter: &ReplyFilter,
        order: ReplyOrder,
        page: PageRequest,
    ) -> Result<Vec<Reply>, StoreError>;

    /// A reply, locked until the transaction ends.
    fn lock_reply(&mut self, id: ReplyId) -> Result<Option<Reply>, StoreError>;

    /// Notes what staff decided about an unclear reply: that it asks for STOP, or for nothing.
    fn decide_reply(&mut self, id: ReplyId, keyword: Option<Keyword>) -> Result<(), StoreError>;

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
                None,
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
