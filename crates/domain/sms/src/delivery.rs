//! The delivery rules: what becomes of a message after it is queued.
//!
//! A store locks a message's row, reads its [`Delivery`], applies one of these methods, saves the result and adds the
//! returned [`Tally`] to the counts of the message's campaign, all in one transaction.

use crate::times::{MAX_ATTEMPTS, wait_after};
use crate::{
    Failure, MessageId, MessageQueryError, MessageStatus, ProviderMessage, ProviderMessageId, ProviderStatus,
    SendError, SkipReason,
};
use chrono::{DateTime, TimeDelta, Utc};

/// When to look up a message that may have been sent: by then the provider has processed the attempt.
pub const LOOK_UP_AFTER: TimeDelta = TimeDelta::seconds(10);
/// The reason of a message that failed without one from the provider.
const NO_REASON: &str = "No reason was given";

/// What became of one attempt to send a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The message.
    pub message: MessageId,
    /// The attempt, from 1. An outcome of an attempt that is not the message's latest changes nothing, unless the
    /// provider has the message.
    pub attempt: u32,
    /// What became of it.
    pub report: DeliveryReport,
}

/// The result of an attempt to send a message, or of asking the provider about one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeliveryReport {
    /// The provider has the message.
    AtProvider(ProviderMessage),
    /// The message was certainly not sent.
    NotSent {
        /// When to send it again.
        retry_at: DateTime<Utc>,
    },
    /// The message may have been sent.
    Uncertain {
        /// When to ask the provider about it.
        look_up_at: DateTime<Utc>,
    },
    /// The recipient has opted out at the provider.
    OptedOut,
    /// The message was not sent and will not be.
    Refused(Failure),
}

impl DeliveryReport {
    /// The report of an attempt. `None` when the provider refused the credentials; the claim must then be released.
    pub fn of_send(
        result: Result<ProviderMessage, SendError>,
        attempt: u32,
        now: DateTime<Utc>,
        random: u8,
    ) -> Option<Self> {
        match result {
            Ok(message) => Some(Self::AtProvider(message)),
            Err(SendError::NotSent { retry_after, .. }) => {
                let requested = retry_after.and_then(|wait| TimeDelta::from_std(wait).ok());
                let at_least = requested.unwrap_or_default();
                Some(Self::not_sent(attempt, now, random, at_least))
            }
            Err(SendError::MaybeSent(_)) => Some(Self::Uncertain {
                look_up_at: now + LOOK_UP_AFTER,
            }),
            Err(SendError::OptedOut) => Some(Self::OptedOut),
            Err(SendError::Refused(failure)) => Some(Self::Refused(failure)),
            Err(SendError::Credentials) => None,
        }
    }

    /// The report of a look-up at the provider. `None` when the provider could not be asked; the message then stays
    /// unknown.
    pub fn of_look_up(
        result: Result<Option<ProviderMessage>, MessageQueryError>,
        attempt: u32,
        now: DateTime<Utc>,
        random: u8,
    ) -> Option<Self> {
        match result {
            Ok(Some(message)) => Some(Self::AtProvider(message)),
            Ok(None) => Some(Self::not_sent(attempt, now, random, TimeDelta::zero())),
            Err(MessageQueryError::Unavailable(_) | MessageQueryError::Credentials) => None,
        }
    }

    fn not_sent(attempt: u32, now: DateTime<Utc>, random: u8, at_least: TimeDelta) -> Self {
        if attempt >= MAX_ATTEMPTS {
            return Self::Refused(Failure {
                code: None,
                sentence: format!("Not taken by the provider in {attempt} attempts"),
            });
        }
        Self::NotSent {
            retry_at: now + wait_after(attempt, random).max(at_least),
        }
    }
}

/// The delivery state of one message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// How far the message has come.
    pub status: MessageStatus,
    /// The number of the latest attempt; 0 before the first.
    pub attempt: u32,
    /// Why it was skipped, failed or was not delivered.
    pub reason: Option<String>,
    /// The provider's id of it.
    pub provider_id: Option<ProviderMessageId>,
    /// When it was queued.
    pub queued_at: DateTime<Utc>,
    /// When it is to be sent, or looked up, next.
    pub due_at: DateTime<Utc>,
    /// When the provider accepted it.
    pub sent_at: Option<DateTime<Utc>>,
}

impl Delivery {
    /// A message that was queued just now.
    pub const fn queued(at: DateTime<Utc>) -> Self {
        Self {
            status: MessageStatus::Pending,
            attempt: 0,
            reason: None,
            provider_id: None,
            queued_at: at,
            due_at: at,
            sent_at: None,
        }
    }

    /// Starts the next attempt of a pending message. `None` if it is not pending.
    pub fn claim(&mut self) -> Option<Tally> {
        let is_pending = self.status == MessageStatus::Pending;
        is_pending.then(|| {
            self.update(|delivery| {
                delivery.attempt += 1;
                delivery.status = MessageStatus::Sending;
            })
        })
    }

    /// Lets a pending message wait until its recipient may get it. `None` if it is not pending.
    pub fn postpone(&mut self, until: DateTime<Utc>) -> Option<Tally> {
        let is_pending = self.status == MessageStatus::Pending;
        is_pending.then(|| self.update(|delivery| delivery.due_at = until))
    }

    /// Skips a pending message. `None` if it is not pending.
    pub fn skip(&mut self, reason: SkipReason) -> Option<Tally> {
        let is_pending = self.status == MessageStatus::Pending;
        is_pending.then(|| self.update(|delivery| delivery.close(MessageStatus::Skipped, reason.as_str())))
    }

    /// Returns a message that was claimed by this attempt and certainly not sent: it is pending again, at once. `None`
    /// if another attempt has started since, or the message is not being sent.
    pub fn release(&mut self, attempt: u32) -> Option<Tally> {
        let queued_at = self.queued_at;
        self.is_sent_by(attempt)
            .then(|| self.update(|delivery| delivery.wait(MessageStatus::Pending, queued_at)))
    }

    /// Applies the result of an attempt, or of asking the provider about one. `None` if it changes nothing.
    pub fn apply_attempt(&mut self, outcome: &Outcome, at: DateTime<Utc>) -> Option<Tally> {
        if let DeliveryReport::AtProvider(message) = &outcome.report {
            return self.apply_report(message, at);
        }
        let change = |delivery: &mut Self| match &outcome.report {
            DeliveryReport::AtProvider(_) => {}
            DeliveryReport::NotSent { retry_at } => delivery.wait(MessageStatus::Pending, *retry_at),
            DeliveryReport::Uncertain { look_up_at } => delivery.wait(MessageStatus::Unknown, *look_up_at),
            DeliveryReport::OptedOut => {
                delivery.close(MessageStatus::Skipped, SkipReason::OptedOut.as_str());
            }
            DeliveryReport::Refused(failure) => delivery.close(MessageStatus::Failed, &failure.to_string()),
        };
        self.is_sent_by(outcome.attempt).then(|| self.update(change))
    }

    /// Applies a report of the provider. Reports may come in any order and more than once. `None` if this one changes
    /// nothing, or is about another id of the provider.
    pub fn apply_report(&mut self, report: &ProviderMessage, at: DateTime<Utc>) -> Option<Tally> {
        if self.provider_id.as_ref().is_some_and(|id| *id != report.id) {
            return None;
        }
        if self.lacks_reason_of(report) {
            return Some(self.update(|delivery| delivery.reason = failure_reason(report)));
        }
        let status = self.status.after_report(report.status)?;
        Some(self.update(|delivery| {
            delivery.status = status;
            delivery.reason = failure_reason(report);
            delivery.provider_id = Some(report.id.clone());
            if status != MessageStatus::Failed {
                delivery.sent_at.get_or_insert(at);
            }
        }))
    }

    /// Whether the same failure was reported before, without its reason.
    fn lacks_reason_of(&self, report: &ProviderMessage) -> bool {
        let is_same = match report.status {
            ProviderStatus::Undelivered => self.status == MessageStatus::Undelivered,
            ProviderStatus::Failed => self.status == MessageStatus::Failed,
            ProviderStatus::Accepted | ProviderStatus::Delivered => false,
        };
        is_same && report.failure.is_some() && self.reason.as_deref() == Some(NO_REASON)
    }

    /// What this message adds to the counts of its campaign. A message that the provider accepted stays counted as sent.
    pub fn tally(&self) -> Tally {
        let is_failed = matches!(self.status, MessageStatus::Undelivered | MessageStatus::Failed);
        Tally {
            sent: i64::from(self.sent_at.is_some()),
            delivered: i64::from(self.status == MessageStatus::Delivered),
            failed: i64::from(is_failed),
            skipped: i64::from(self.status == MessageStatus::Skipped),
            closed: i64::from(!self.status.is_open()),
        }
    }

    fn is_sent_by(&self, attempt: u32) -> bool {
        let is_being_sent = matches!(self.status, MessageStatus::Sending | MessageStatus::Unknown);
        is_being_sent && attempt == self.attempt
    }

    fn wait(&mut self, status: MessageStatus, due_at: DateTime<Utc>) {
        self.status = status;
        self.due_at = due_at;
    }

    fn close(&mut self, status: MessageStatus, reason: &str) {
        self.status = status;
        self.reason = Some(reason.to_owned());
    }

    /// Changes this delivery, and returns the change of its campaign's counts.
    fn update(&mut self, change: impl FnOnce(&mut Self)) -> Tally {
        let before = self.tally();
        change(self);
        self.tally().minus(before)
    }
}

fn failure_reason(report: &ProviderMessage) -> Option<String> {
    match report.status {
        ProviderStatus::Accepted | ProviderStatus::Delivered => None,
        ProviderStatus::Undelivered | ProviderStatus::Failed => {
            let reason = report.failure.as_ref().map(ToString::to_string);
            Some(reason.unwrap_or_else(|| NO_REASON.to_owned()))
        }
    }
}

/// Counts of a campaign's messages, or changes of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Accepted by the provider.
    pub sent: i64,
    /// Delivered.
    pub delivered: i64,
    /// Refused, failed or not delivered.
    pub failed: i64,
    /// Skipped.
    pub skipped: i64,
    /// Neither waiting, being sent nor uncertain any more.
    pub closed: i64,
}

impl Tally {
    /// The sum of both.
    pub const fn plus(self, other: Self) -> Self {
        Self {
            sent: self.sent + other.sent,
            delivered: self.delivered + other.delivered,
            failed: self.failed + other.failed,
            skipped: self.skipped + other.skipped,
            closed: self.closed + other.closed,
        }
    }

    const fn minus(self, other: Self) -> Self {
        Self {
            sent: self.sent - other.sent,
            delivered: self.delivered - other.delivered,
            failed: self.failed - other.failed,
            skipped: self.skipped - other.skipped,
            closed: self.closed - other.closed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Tally = Tally {
        sent: 1,
        delivered: 20,
        failed: 300,
        skipped: 4_000,
        closed: 50_000,
    };
    const SECOND: Tally = Tally {
        sent: 5,
        delivered: 40,
        failed: 300,
        skipped: 2_000,
        closed: 10_000,
    };

    #[test]
    fn tallies_are_added_and_subtracted_count_by_count() {
        let sum = Tally {
            sent: 6,
            delivered: 60,
            failed: 600,
            skipped: 6_000,
            closed: 60_000,
        };
        assert_eq!(FIRST.plus(SECOND), sum);
        assert_eq!(sum.minus(SECOND), FIRST);
    }

    #[test]
    fn a_later_report_of_the_same_failure_adds_its_reason() {
        let report = |status, code: Option<u32>| ProviderMessage {
            id: ProviderMessageId::parse("SM1").unwrap(),
            status,
            failure: code.map(|code| Failure {
                code: Some(code),
                sentence: "Landline".to_owned(),
            }),
        };
        let at = DateTime::UNIX_EPOCH;
        let mut delivery = Delivery::queued(at);
        delivery.apply_report(&report(ProviderStatus::Failed, None), at);
        assert_eq!(delivery.reason.as_deref(), Some(NO_REASON));
        let added = delivery.apply_report(&report(ProviderStatus::Failed, Some(30_006)), at);
        assert_eq!(added, Some(Tally::default()));
        let reason = delivery.reason.clone();
        assert!(reason.as_deref().unwrap().contains("30006"), "{reason:?}");
        // The first reason stands, and another state does not take its place.
        for (status, code) in [
            (ProviderStatus::Failed, Some(30_003)),
            (ProviderStatus::Failed, None),
            (ProviderStatus::Undelivered, Some(30_003)),
            (ProviderStatus::Delivered, None),
        ] {
            assert_eq!(delivery.apply_report(&report(status, code), at), None);
            assert_eq!(delivery.reason, reason);
        }
    }

    #[test]
    fn each_status_counts_as_what_it_is() {
        use MessageStatus::{Delivered, Failed, Pending, Sending, Sent, Skipped, Undelivered, Unknown};
        let counted = |status| {
            let tally = Delivery {
                status,
                ..Delivery::queued(DateTime::UNIX_EPOCH)
            }
            .tally();
            (tally.delivered, tally.failed, tally.skipped, tally.closed)
        };
        for open in [Pending, Sending, Unknown] {
            assert_eq!(counted(open), (0, 0, 0, 0), "{open:?}");
        }
        assert_eq!(counted(Sent), (0, 0, 0, 1));
        assert_eq!(counted(Delivered), (1, 0, 0, 1));
        assert_eq!(counted(Undelivered), (0, 1, 0, 1));
        assert_eq!(counted(Failed), (0, 1, 0, 1));
        assert_eq!(counted(Skipped), (0, 0, 1, 1));
    }
}
