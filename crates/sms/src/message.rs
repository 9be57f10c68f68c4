use crate::ProviderMessage;
use crate::{ProviderMessageId, ProviderStatus};
use chrono::{DateTime, Utc};
use kernel::StoreError;
use kernel::{EntrantId, Phone};
use std::fmt;

kernel::id_type! {
    /// The id of a text.
    pub struct MessageId
}

/// Why a text is sent.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum MessageKind {
    /// Somebody entered (D24).
    Welcome,
    /// Somebody won (D24).
    Victory,
    /// Staff try whether texts arrive.
    Test,
    /// A campaign reaches somebody (D20).
    Campaign,
}

impl MessageKind {
    /// Its name in rows.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// How far a text has come (D19).
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum MessageStatus {
    /// Waits to be sent.
    Pending,
    /// Is being handed to the provider.
    Sending,
    /// May have been sent: the provider is to be asked.
    Unknown,
    /// The provider has it.
    Sent,
    /// It has arrived.
    Delivered,
    /// The provider passed it on, and it did not arrive.
    Undelivered,
    /// It was refused.
    Failed,
    /// It was not to be sent, for a reason of ours.
    Skipped,
}

impl MessageStatus {
    /// Its name in rows and answers.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether it is on its way: neither with the provider nor given up.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Pending | Self::Sending | Self::Unknown)
    }

    /// What it becomes when the provider tells of it; `None` when that is nothing new. Never back from an end, and in
    /// whatever order the provider's calls arrive. A pending text may be told of too: it was sent after all.
    pub const fn after_report(self, told: ProviderStatus) -> Option<Self> {
        match (self, told) {
            (Self::Delivered | Self::Undelivered | Self::Failed | Self::Skipped, _) => None,
            (Self::Sent, ProviderStatus::Accepted) => None,
            (_, ProviderStatus::Accepted) => Some(Self::Sent),
            (_, ProviderStatus::Delivered) => Some(Self::Delivered),
            (_, ProviderStatus::Undelivered) => Some(Self::Undelivered),
            (_, ProviderStatus::Failed) => Some(Self::Failed),
        }
    }
}

/// Why a text was not to be sent.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum SkipReason {
    /// The number wants no texts (D23).
    OptedOut,
    /// It had its campaign texts of this month (D20).
    MonthlyCap,
    /// The entrant was flagged.
    Flagged,
    /// The entrant did not consent to campaign texts, or not any more (D23a).
    NoConsent,
}

impl SkipReason {
    /// Its name in rows and answers.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A text about to be queued.
#[derive(Clone, PartialEq, Eq)]
pub struct NewMessage {
    /// Why.
    pub kind: MessageKind,
    /// Who gets it; nobody we know for a test.
    pub entrant: Option<EntrantId>,
    /// At which number.
    pub phone: Phone,
    /// What it says. A welcome text is composed when it is sent.
    pub body: Option<String>,
    /// Now.
    pub at: DateTime<Utc>,
}

impl fmt::Debug for NewMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NewMessage({}, {:?})", self.kind.as_str(), self.phone)
    }
}

/// A text that was queued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Which.
    pub id: MessageId,
    /// Why, to whom, and what.
    pub content: NewMessage,
    /// How far it has come.
    pub status: MessageStatus,
    /// Why it went no further.
    pub reason: Option<String>,
    /// The provider's name for it.
    pub provider_id: Option<ProviderMessageId>,
    /// When the provider took it.
    pub sent_at: Option<DateTime<Utc>>,
}

/// Texts on their way. What is queued is never lost.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Outbox {
    /// Queues a text as pending, in the transaction that causes it.
    fn queue_message(&mut self, text: &NewMessage) -> Result<MessageId, StoreError>;

    /// The text with this number.
    fn find_message(&self, id: MessageId) -> Result<Option<Message>, StoreError>;

    /// What was queued for an entrant, oldest first.
    fn list_messages_to(&self, entrant: EntrantId) -> Result<Vec<Message>, StoreError>;

    /// Notes what the provider tells of a text by itself: status, its name and time, and the figures of its campaign
    /// together. By [`crate::Delivery::apply_report`], so that any order and number of calls comes to the same. A text that has
    /// another provider's name already is left alone. Whether anything changed.
    fn record_report(
        &mut self,
        id: MessageId,
        told: &ProviderMessage,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError>;

    /// How many texts are on their way.
    fn count_open_messages(&self) -> Result<OpenMessages, StoreError>;
}

/// How many texts are on their way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OpenMessages {
    /// Wait to be sent, or are being sent; recipients of a campaign that is being sent are among them.
    pub waiting: i64,
    /// May have been sent, which the provider could not be asked yet.
    pub unknown: i64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use strum::IntoEnumIterator;

    #[test]
    fn names_are_those_of_rows_and_answers() {
        let kinds: Vec<_> = MessageKind::iter().map(MessageKind::as_str).collect();
        assert_eq!(kinds, ["welcome", "victory", "test", "campaign"]);
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
        assert_eq!(reasons, ["opted_out", "monthly_cap", "flagged", "no_consent"]);
    }

    #[test]
    fn callbacks_in_any_order_and_any_number_never_go_back_from_an_end() {
        use ProviderStatus::{Accepted, Delivered, Failed, Undelivered};
        for end in [Delivered, Undelivered, Failed] {
            let reached = MessageStatus::Sent.after_report(end).unwrap();
            for told in [Accepted, Delivered, Undelivered, Failed] {
                assert_eq!(reached.after_report(told), None, "{reached:?} {told:?}");
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
