use crate::{MessageBody, MessageId, ProviderMessage};
use crate::{ProviderMessageId, ProviderStatus};
use chrono::{DateTime, Utc};
use kernel::StoreError;
use kernel::{EntrantId, Phone};
use std::fmt;

/// Why a message is sent.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum MessageKind {
    /// Has a one-time code. Its body is secret.
    Code,
    /// Welcomes a new entrant.
    Welcome,
    /// Tells the winner of a drawing.
    Victory,
    /// Lets staff test the delivery of messages.
    Test,
    /// Is one of a campaign.
    Campaign,
}

impl MessageKind {
    /// The name in rows.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether the message is sent only in its recipient's hours. Somebody waits for a code and for a test.
    pub const fn keeps_hours(self) -> bool {
        match self {
            Self::Code | Self::Test => false,
            Self::Welcome | Self::Victory | Self::Campaign => true,
        }
    }
}

/// How far a message has come.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum MessageStatus {
    /// Waits to be sent.
    Pending,
    /// Is being handed to the provider.
    Sending,
    /// May have been sent: the provider must be asked.
    Unknown,
    /// The provider has it.
    Sent,
    /// It was delivered.
    Delivered,
    /// The provider passed it on, and it was not delivered.
    Undelivered,
    /// It was refused.
    Failed,
    /// It was not sent, because a rule of ours forbids it.
    Skipped,
}

impl MessageStatus {
    /// The name in rows and responses.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether the message is open: the provider does not have it, and it may still be sent.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Pending | Self::Sending | Self::Unknown)
    }

    /// The status after a report of the provider, or `None` if the report changes nothing. Delivered, undelivered,
    /// failed and skipped are final. A report of a pending message counts: the message was sent after all.
    pub const fn after_report(self, report: ProviderStatus) -> Option<Self> {
        match (self, report) {
            (Self::Delivered | Self::Undelivered | Self::Failed | Self::Skipped, _) => None,
            (Self::Sent, ProviderStatus::Accepted) => None,
            (_, ProviderStatus::Accepted) => Some(Self::Sent),
            (_, ProviderStatus::Delivered) => Some(Self::Delivered),
            (_, ProviderStatus::Undelivered) => Some(Self::Undelivered),
            (_, ProviderStatus::Failed) => Some(Self::Failed),
        }
    }
}

/// Why a message was skipped.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum SkipReason {
    /// The number has opted out.
    OptedOut,
    /// The number has reached the monthly cap of campaign messages.
    MonthlyCap,
    /// The entrant was flagged.
    Flagged,
    /// The entrant did not consent to campaign messages, or revoked the consent.
    NoConsent,
    /// The welcome message of the raffle is inactive.
    WelcomeOff,
    /// Texts are not sent to the number's country, or never to numbers of its kind.
    Country,
    /// It waited for too long: a code for ten minutes, others for a day in which they could have been sent.
    TooLate,
}

impl SkipReason {
    /// The name in rows and responses.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A message to be queued.
#[derive(Clone, PartialEq, Eq)]
pub struct NewMessage {
    /// Why it is sent.
    pub kind: MessageKind,
    /// The entrant who gets it; `None` for a code and for a test message.
    pub entrant: Option<EntrantId>,
    /// The recipient's number.
    pub phone: Phone,
    /// The body. A welcome message is composed when it is sent; a secret body is erased after that.
    pub body: Option<MessageBody>,
    /// The present moment.
    pub at: DateTime<Utc>,
}

impl fmt::Debug for NewMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NewMessage({}, {:?})", self.kind.as_str(), self.phone)
    }
}

/// A message that was queued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The id.
    pub id: MessageId,
    /// What was queued.
    pub content: NewMessage,
    /// How far it has come.
    pub status: MessageStatus,
    /// Why it was skipped, failed or was not delivered.
    pub reason: Option<String>,
    /// The provider's id of it.
    pub provider_id: Option<ProviderMessageId>,
    /// When the provider accepted it.
    pub sent_at: Option<DateTime<Utc>>,
    /// While it is pending: when it is to be sent.
    pub due_at: DateTime<Utc>,
}

/// Twilio's codes of a number that no text can reach: not valid, not reachable, no mobile phone, unknown, a landline.
const NO_MOBILE: [&str; 9] = [
    "21211", "21214", "21217", "21401", "21421", "21612", "21614", "30005", "30006",
];

impl Message {
    /// Whether the provider said for good that no text can reach the number. A number that said STOP is not one of these.
    pub fn is_to_no_mobile(&self) -> bool {
        let has_failed = matches!(self.status, MessageStatus::Failed | MessageStatus::Undelivered);
        let code = self.reason.as_deref().and_then(|reason| reason.split(' ').next());
        has_failed && code.is_some_and(|code| NO_MOBILE.contains(&code))
    }
}

/// The queue of messages. A queued message is never lost.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Outbox {
    /// Queues a message as pending, in the transaction that causes it.
    fn queue_message(&mut self, message: &NewMessage) -> Result<MessageId, StoreError>;

    /// The message with this id.
    fn find_message(&self, id: MessageId) -> Result<Option<Message>, StoreError>;

    /// Records a report of the provider by [`crate::Delivery::apply_report`], with the counts of the message's
    /// campaign. Returns whether anything changed.
    fn record_report(
        &mut self,
        id: MessageId,
        report: &ProviderMessage,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError>;

    /// The number of open messages.
    fn count_open_messages(&self) -> Result<OpenMessages, StoreError>;

    /// The messages that were put off until after `now`, because their recipients may not get them yet.
    fn count_put_off(&self, now: DateTime<Utc>) -> Result<PutOff, StoreError>;
}

/// Messages that wait for the hours of their recipients and were not tried yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PutOff {
    /// How many there are.
    pub messages: i64,
    /// When the first of them may be sent.
    pub next_at: Option<DateTime<Utc>>,
}

/// The number of open messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OpenMessages {
    /// Messages that are pending or being sent, and recipients of a started campaign without a message yet.
    pub waiting: i64,
    /// Messages that may have been sent.
    pub unknown: i64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use strum::IntoEnumIterator;

    #[test]
    fn names_match_rows_and_responses() {
        let kinds: Vec<_> = MessageKind::iter().map(MessageKind::as_str).collect();
        assert_eq!(kinds, ["code", "welcome", "victory", "test", "campaign"]);
        let statuses: Vec<_> = MessageStatus::iter().map(MessageStatus::as_str).collect();
        let expected = [
            "pending",
            "sending",
            "unknown",
            "sent",
            "delivered",
            "undelivered",
            "failed",
            "skipped",
        ];
        assert_eq!(statuses, expected);
        let reasons: Vec<_> = SkipReason::iter().map(SkipReason::as_str).collect();
        assert_eq!(
            reasons,
            [
                "opted_out",
                "monthly_cap",
                "flagged",
                "no_consent",
                "welcome_off",
                "country",
                "too_late"
            ]
        );
    }

    #[test]
    fn neither_number_nor_body_of_a_queued_message_is_printed() {
        let message = NewMessage {
            kind: MessageKind::Victory,
            entrant: None,
            phone: Phone::parse("5551234567").unwrap(),
            body: Some(MessageBody::Clear("You won!".to_owned())),
            at: DateTime::UNIX_EPOCH,
        };
        assert_eq!(format!("{message:?}"), "NewMessage(victory, Phone(***-***-4567))");
    }

    #[test]
    fn no_report_changes_a_final_status() {
        use ProviderStatus::{Accepted, Delivered, Failed, Undelivered};
        for end in [Delivered, Undelivered, Failed] {
            let reached = MessageStatus::Sent.after_report(end).unwrap();
            for report in [Accepted, Delivered, Undelivered, Failed] {
                assert_eq!(reached.after_report(report), None, "{reached:?} {report:?}");
            }
        }
        assert_eq!(MessageStatus::Sent.after_report(Accepted), None);
        for open in [
            MessageStatus::Pending,
            MessageStatus::Sending,
            MessageStatus::Unknown,
        ] {
            assert!(open.is_open());
            assert_eq!(open.after_report(Accepted), Some(MessageStatus::Sent));
            assert_eq!(open.after_report(Delivered), Some(MessageStatus::Delivered));
        }
    }
}
