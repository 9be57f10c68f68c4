//! The SMS provider's ports. They are never called inside a transaction.

use crate::Credentials;
use async_trait::async_trait;
use chrono::{DateTime, Utc};
use kernel::Phone;
use std::error::Error;
use std::fmt;
use std::time::Duration;

/// The provider's id of a message.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ProviderMessageId(String);

impl ProviderMessageId {
    /// The id, if it has the form of one: 1 to 64 ASCII letters and digits.
    pub fn parse(text: &str) -> Option<Self> {
        let fits = (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        fits.then(|| Self(text.to_owned()))
    }

    /// The id.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ProviderMessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A message for the provider. `Debug` shows neither the body nor the recipient.
#[derive(Clone, PartialEq, Eq)]
pub struct OutgoingMessage {
    /// The recipient's number.
    pub to: Phone,
    /// The body.
    pub body: String,
    /// The URL to which the provider reports the delivery status.
    pub status_callback: String,
}

impl fmt::Debug for OutgoingMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OutgoingMessage({})", self.to.masked())
    }
}

/// The status of a message at the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProviderStatus {
    /// The provider has accepted it, or has passed it on.
    Accepted,
    /// It was delivered.
    Delivered,
    /// It was passed on and not delivered.
    Undelivered,
    /// It was not passed on, and will not be.
    Failed,
}

/// A message as the provider reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderMessage {
    /// Its id.
    pub id: ProviderMessageId,
    /// How far it has come.
    pub status: ProviderStatus,
    /// Why it was not delivered.
    pub failure: Option<Failure>,
}

/// Why a message was not delivered. It contains no phone number.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Failure {
    /// The provider's error code, such as 21211.
    pub code: Option<u32>,
    /// In words, such as `Invalid number`. One line, at most 200 characters.
    pub sentence: String,
}

/// Twilio's code for a number that opted out.
pub const OPTED_OUT: u32 = 21610;

impl Failure {
    /// Whether the number has opted out, as the provider says.
    pub fn is_opt_out(&self) -> bool {
        self.code == Some(OPTED_OUT)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            Some(code) => write!(f, "{code} {}", self.sentence),
            None => f.write_str(&self.sentence),
        }
    }
}

/// Why the provider did not accept a message. The provider has no idempotency keys, so the errors tell whether it may
/// have sent the message (D19).
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// Not sent, and may be sent again: the provider is too busy, or no connection was made.
    #[error("the provider accepts no messages now")]
    NotSent {
        /// How long the provider asks to wait, if it does.
        retry_after: Option<Duration>,
        /// What happened.
        #[source]
        cause: Box<dyn Error + Send + Sync>,
    },
    /// It is not known whether it was sent: the answer is missing or unclear. It must be looked up before it is sent
    /// again.
    #[error("it is not known whether the provider sent the message")]
    MaybeSent(#[source] Box<dyn Error + Send + Sync>),
    /// Not sent: the number has opted out of messages from us.
    #[error("the number has opted out")]
    OptedOut,
    /// Not sent, and must not be sent again: the number or the body is not acceptable.
    #[error("the provider refused the message: {0}")]
    Refused(Failure),
    /// Not sent: the account or its secret is wrong. No other message will be sent either.
    #[error("the provider refused the credentials")]
    Credentials,
}

/// Why the provider could not be asked about a message.
#[derive(Debug, thiserror::Error)]
pub enum MessageQueryError {
    /// It cannot be reached, is too busy, or failed.
    #[error("the provider is not available")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),
    /// The account or its secret is wrong.
    #[error("the provider refused the credentials")]
    Credentials,
}

/// The search for a message that may have been sent.
#[derive(Clone, PartialEq, Eq)]
pub struct MessageQuery {
    /// The recipient's number.
    pub to: Phone,
    /// A part of the body that no other message to that number has, such as its link.
    pub needle: String,
    /// The earliest moment at which it may have been sent.
    pub since: DateTime<Utc>,
}

impl fmt::Debug for MessageQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MessageQuery({})", self.to.masked())
    }
}

/// The provider of text messages.
#[async_trait]
pub trait SmsSender: Send + Sync {
    /// Hands one message to the provider, without retries.
    ///
    /// # Errors
    /// All of [`SendError`], within a bounded time. It never returns an error that means "not sent" if the message may
    /// have been sent.
    async fn send_message(
        &self,
        credentials: &Credentials,
        message: &OutgoingMessage,
    ) -> Result<ProviderMessage, SendError>;

    /// The newest message from our number that matches the query, even if the provider has not passed it on yet.
    ///
    /// # Errors
    /// All of [`MessageQueryError`].
    async fn find_message(
        &self,
        credentials: &Credentials,
        query: &MessageQuery,
    ) -> Result<Option<ProviderMessage>, MessageQueryError>;
}

/// Verifies and reads the provider's callbacks.
pub trait SmsCallbacks: Send + Sync {
    /// Whether the signature is the provider's, over the URL that the provider called and the parameters as received.
    fn signature_holds(
        &self,
        auth_token: &str,
        url: &str,
        parameters: &[(String, String)],
        signature: &str,
    ) -> bool;

    /// The report in the parameters of a status callback; `None` if they contain none.
    fn read_status(&self, parameters: &[(String, String)]) -> Option<ProviderMessage>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_id_is_letters_and_digits() {
        let sid = "SM0123456789abcdef0123456789abcdef";
        let id = ProviderMessageId::parse(sid).unwrap();
        assert_eq!((id.as_str(), id.to_string().as_str()), (sid, sid));
        for wrong in ["", "SM 1", "SM/1", "SM_1", "é", &"S".repeat(65)] {
            assert_eq!(ProviderMessageId::parse(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn neither_numbers_nor_bodies_are_printed() {
        let to = Phone::parse("5551234567").unwrap();
        let outgoing = OutgoingMessage {
            to: to.clone(),
            body: "You won!".to_owned(),
            status_callback: "https://example.org".to_owned(),
        };
        assert_eq!(format!("{outgoing:?}"), "OutgoingMessage(***-***-4567)");
        let query = MessageQuery {
            to,
            needle: "You won!".to_owned(),
            since: DateTime::UNIX_EPOCH,
        };
        assert_eq!(format!("{query:?}"), "MessageQuery(***-***-4567)");
    }

    #[test]
    fn a_failure_is_shown_with_its_code() {
        let mut failure = Failure {
            code: Some(21211),
            sentence: "Invalid number".to_owned(),
        };
        assert_eq!(failure.to_string(), "21211 Invalid number");
        failure.code = None;
        assert_eq!(failure.to_string(), "Invalid number");
    }
}
