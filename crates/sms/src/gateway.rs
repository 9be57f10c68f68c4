//! What the provider of texts does for us. Never called inside a transaction.

use crate::Credentials;
use async_trait::async_trait;
use chrono::{DateTime, Utc};
use kernel::Phone;
use std::error::Error;
use std::fmt;
use std::time::Duration;

/// The provider's name for a text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ProviderMessageId(String);

impl ProviderMessageId {
    /// The name, if it can be one: up to 64 letters and digits.
    pub fn parse(text: &str) -> Option<Self> {
        let fits = (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        fits.then(|| Self(text.to_owned()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ProviderMessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A text on its way to the provider. Its `Debug` shows neither what it says nor to whom.
#[derive(Clone, PartialEq, Eq)]
pub struct OutgoingMessage {
    /// To whom.
    pub to: Phone,
    /// What it says.
    pub body: String,
    /// Where the provider is to tell what became of it.
    pub status_callback: String,
}

impl fmt::Debug for OutgoingMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OutgoingMessage({})", self.to.masked())
    }
}

/// How far the provider says that a text has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProviderStatus {
    /// It has it, or has passed it on.
    Accepted,
    /// It has arrived.
    Delivered,
    /// It was passed on and did not arrive.
    Undelivered,
    /// It was not passed on, and will not be.
    Failed,
}

/// A text as the provider tells of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderMessage {
    /// Its name.
    pub id: ProviderMessageId,
    /// How far it has come.
    pub status: ProviderStatus,
    /// Why it did not arrive.
    pub failure: Option<Failure>,
}

/// Why a text did not arrive: the provider's number for it, and a short sentence. No phone number is in it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Failure {
    /// The provider's number, such as 21211.
    pub code: Option<u32>,
    /// In words, such as `Invalid number`. One line, at most 200 characters.
    pub sentence: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            Some(code) => write!(f, "{code} {}", self.sentence),
            None => f.write_str(&self.sentence),
        }
    }
}

/// What the provider was asked to send, and did not say that it did. The provider has no idempotency keys, so what
/// matters is whether it may have sent the text (D19).
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// Not sent, and may be tried again: too many at once, or no connection was ever made.
    #[error("the provider takes no texts now")]
    NotSent {
        /// How long it wants to be left alone, if it says so.
        retry_after: Option<Duration>,
        /// What happened.
        #[source]
        cause: Box<dyn Error + Send + Sync>,
    },
    /// Nobody knows: no answer, or one that says nothing about it. To be looked up before it is sent again.
    #[error("it is not known whether the provider sent the text")]
    MaybeSent(#[source] Box<dyn Error + Send + Sync>),
    /// Not sent, because that number wants no texts from us.
    #[error("the number has opted out")]
    OptedOut,
    /// Not sent, and will not be: no such number, or something about the text.
    #[error("the provider refused the text: {0}")]
    Refused(Failure),
    /// Not sent: the account or its secret is wrong. No other text will be either.
    #[error("the provider refused the credentials")]
    Credentials,
}

/// Why the provider could not be asked about a text.
#[derive(Debug, thiserror::Error)]
pub enum MessageQueryError {
    /// It cannot be reached, is too busy, or failed.
    #[error("the provider is not available")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),
    /// The account or its secret is wrong.
    #[error("the provider refused the credentials")]
    Credentials,
}

/// A text that may have been sent.
#[derive(Clone, PartialEq, Eq)]
pub struct MessageQuery {
    /// To whom.
    pub to: Phone,
    /// What no other text to that number says, such as its link.
    pub needle: String,
    /// Since when it may have been sent.
    pub since: DateTime<Utc>,
}

impl fmt::Debug for MessageQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MessageQuery({})", self.to.masked())
    }
}

/// The provider of texts.
#[async_trait]
pub trait SmsSender: Send + Sync {
    /// Hands one text to the provider, once: it is not tried again here.
    ///
    /// # Errors
    /// All of [`SendError`], within a bounded time. It never says that a text was not sent if it may have been.
    async fn send_message(
        &self,
        credentials: &Credentials,
        text: &OutgoingMessage,
    ) -> Result<ProviderMessage, SendError>;

    /// The newest text from our number to that one since then whose body contains the mark, also one that the provider
    /// has not passed on yet.
    ///
    /// # Errors
    /// All of [`MessageQueryError`].
    async fn find_message(
        &self,
        credentials: &Credentials,
        query: &MessageQuery,
    ) -> Result<Option<ProviderMessage>, MessageQueryError>;
}

/// Knows the provider's own calls to us from anybody else's.
pub trait SmsCallbacks: Send + Sync {
    /// Whether the signature is the provider's, over the address as the provider called it and the parameters as they
    /// came.
    fn signature_holds(
        &self,
        auth_token: &str,
        url: &str,
        parameters: &[(String, String)],
        signature: &str,
    ) -> bool;

    /// How far a text has come, by the parameters of a status callback; `None` when they say nothing of one.
    fn read_status(&self, parameters: &[(String, String)]) -> Option<ProviderMessage>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_text_is_letters_and_digits() {
        let sid = "SM0123456789abcdef0123456789abcdef";
        assert_eq!(ProviderMessageId::parse(sid).unwrap().as_str(), sid);
        for wrong in ["", "SM 1", "SM/1", "SM_1", "é", &"S".repeat(65)] {
            assert_eq!(ProviderMessageId::parse(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn a_failure_is_one_line_with_its_number() {
        let mut failure = Failure {
            code: Some(21211),
            sentence: "Invalid number".to_owned(),
        };
        assert_eq!(failure.to_string(), "21211 Invalid number");
        failure.code = None;
        assert_eq!(failure.to_string(), "Invalid number");
    }
}
