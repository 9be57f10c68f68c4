use crate::{Failure, ProviderMessage, ProviderMessageId, ProviderStatus};
use chrono::{DateTime, Utc};
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

/// What became of an attempt to send a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Of which text.
    pub text: MessageId,
    /// Of which attempt: what an earlier one is told late changes nothing any more.
    pub attempt: u32,
    /// What.
    pub what: DeliveryReport,
}

/// What an attempt to send a text, or a question about one, came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeliveryReport {
    /// The provider has it.
    Has(ProviderMessage),
    /// It was certainly not sent; it waits until then.
    NotSent {
        /// From when on it may be tried again.
        again_at: DateTime<Utc>,
    },
    /// It may have been sent; the provider is to be asked then.
    MaybeSent {
        /// From when on it is to be looked up.
        look_up_at: DateTime<Utc>,
    },
    /// The number wants no texts from us.
    OptedOut,
    /// It will not be sent.
    Refused(Failure),
}

impl DeliveryReport {
    /// What the text becomes; `None` when nothing changes.
    pub fn status_after(&self, status: MessageStatus) -> Option<MessageStatus> {
        match self {
            Self::Has(text) => status.after_report(text.status),
            Self::NotSent { .. } => Self::while_tried(status, MessageStatus::Pending),
            Self::MaybeSent { .. } => Self::while_tried(status, MessageStatus::Unknown),
            Self::OptedOut => Self::while_tried(status, MessageStatus::Skipped),
            Self::Refused(_) => Self::while_tried(status, MessageStatus::Failed),
        }
    }

    fn while_tried(status: MessageStatus, next: MessageStatus) -> Option<MessageStatus> {
        matches!(status, MessageStatus::Sending | MessageStatus::Unknown).then_some(next)
    }
}

/// How a campaign's figures change with one of its texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Taken by the provider.
    pub sent: i64,
    /// Of these, arrived.
    pub delivered: i64,
    /// Refused, failed or not arrived.
    pub failed: i64,
    /// Not to be sent.
    pub skipped: i64,
}

impl Tally {
    /// The change when a text goes from one status to another. What the provider took stays counted as sent.
    pub fn of(from: MessageStatus, to: MessageStatus) -> Self {
        let after = |status, sent_before: bool| {
            let mut tally = Self::default();
            match status {
                MessageStatus::Sent => tally.sent = 1,
                MessageStatus::Delivered => (tally.sent, tally.delivered) = (1, 1),
                MessageStatus::Undelivered => (tally.sent, tally.failed) = (1, 1),
                MessageStatus::Failed => (tally.sent, tally.failed) = (i64::from(sent_before), 1),
                MessageStatus::Skipped => tally.skipped = 1,
                MessageStatus::Pending | MessageStatus::Sending | MessageStatus::Unknown => {}
            }
            tally
        };
        let (before, after) = (after(from, false), after(to, from == MessageStatus::Sent));
        Self {
            sent: after.sent - before.sent,
            delivered: after.delivered - before.delivered,
            failed: after.failed - before.failed,
            skipped: after.skipped - before.skipped,
        }
    }

    /// Both together.
    pub fn plus(self, other: Self) -> Self {
        Self {
            sent: self.sent + other.sent,
            delivered: self.delivered + other.delivered,
            failed: self.failed + other.failed,
            skipped: self.skipped + other.skipped,
        }
    }
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

    #[test]
    fn an_attempt_that_failed_changes_only_what_is_being_tried() {
        let failure = Failure {
            code: None,
            sentence: "No".to_owned(),
        };
        let told = [
            DeliveryReport::NotSent {
                again_at: DateTime::UNIX_EPOCH,
            },
            DeliveryReport::MaybeSent {
                look_up_at: DateTime::UNIX_EPOCH,
            },
            DeliveryReport::OptedOut,
            DeliveryReport::Refused(failure),
        ];
        let next = [
            MessageStatus::Pending,
            MessageStatus::Unknown,
            MessageStatus::Skipped,
            MessageStatus::Failed,
        ];
        for (told, next) in told.iter().zip(next) {
            for status in MessageStatus::iter() {
                let tried = matches!(status, MessageStatus::Sending | MessageStatus::Unknown);
                assert_eq!(
                    told.status_after(status),
                    tried.then_some(next),
                    "{status:?} {told:?}"
                );
            }
        }
    }

    #[test]
    fn what_the_provider_took_stays_counted_as_sent() {
        use MessageStatus::{Delivered, Failed, Sending, Sent, Skipped, Undelivered};
        let tally = |sent, delivered, failed, skipped| Tally {
            sent,
            delivered,
            failed,
            skipped,
        };
        assert_eq!(Tally::of(Sending, Sent), tally(1, 0, 0, 0));
        assert_eq!(Tally::of(Sent, Delivered), tally(0, 1, 0, 0));
        assert_eq!(Tally::of(Sent, Undelivered), tally(0, 0, 1, 0));
        assert_eq!(Tally::of(Sent, Failed), tally(0, 0, 1, 0));
        assert_eq!(Tally::of(Sending, Failed), tally(0, 0, 1, 0));
        assert_eq!(Tally::of(Sending, Delivered), tally(1, 1, 0, 0));
        assert_eq!(Tally::of(Sending, Skipped), tally(0, 0, 0, 1));
        assert_eq!(Tally::of(Sending, MessageStatus::Unknown), Tally::default());
        assert_eq!(tally(1, 0, 0, 0).plus(tally(0, 1, 2, 3)), tally(1, 1, 2, 3));
    }
}
