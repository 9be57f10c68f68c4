use crate::{Fence, MessageBody, MessageId, MessageKind};
use chrono::{DateTime, DurationRound, TimeDelta, Utc};
use kernel::{Phone, Raffle, ReferralCode};

/// How long a code is worth sending.
pub const CODE_LIFE: TimeDelta = TimeDelta::minutes(10);

/// Which pending messages to claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    /// The lease under which they are sent.
    pub fence: Fence,
    /// The largest number of messages.
    pub limit: u32,
    /// The largest number of welcome messages per minute, against sign-ups that are made only to send messages.
    pub welcome_per_minute: u32,
    /// How many more welcome messages the day's budget lets through.
    pub welcomes_in_budget: u32,
    /// Welcome messages that were queued at this time or before are skipped: they have waited for too long.
    pub oldest_welcome: DateTime<Utc>,
    /// Whether quiet hours hold now: then only codes and test messages are claimed.
    pub quiet: bool,
    /// The present moment.
    pub now: DateTime<Utc>,
}

impl Claim {
    /// How many messages of each kind may be claimed, after the welcome messages that were claimed before.
    pub fn quotas(&self, earlier: Option<WelcomeWindow>) -> ClaimQuotas {
        let claimed = self.welcome_window(earlier).claimed;
        ClaimQuotas {
            limit: self.limit,
            welcome: self
                .limit
                .min(self.welcome_per_minute.saturating_sub(claimed))
                .min(self.welcomes_in_budget),
            quiet: self.quiet,
        }
    }

    /// Codes that were queued at this time or before are skipped: their ten minutes are over.
    pub fn oldest_code(&self) -> DateTime<Utc> {
        self.now - CODE_LIFE
    }

    /// The present minute, with the welcome messages that were claimed in it before.
    pub fn welcome_window(&self, earlier: Option<WelcomeWindow>) -> WelcomeWindow {
        let minute = self.now.duration_trunc(TimeDelta::minutes(1));
        let minute = minute.unwrap_or(self.now);
        let same_minute = earlier.filter(|window| window.minute == minute);
        same_minute.unwrap_or(WelcomeWindow { minute, claimed: 0 })
    }
}

/// How many messages of each kind a claim may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClaimQuotas {
    limit: u32,
    welcome: u32,
    quiet: bool,
}

impl ClaimQuotas {
    /// The largest number of messages of this kind.
    pub const fn of(self, kind: MessageKind) -> u32 {
        match kind {
            MessageKind::Code | MessageKind::Test => self.limit,
            _ if self.quiet => 0,
            MessageKind::Welcome => self.welcome,
            MessageKind::Victory | MessageKind::Campaign => self.limit,
        }
    }
}

/// How many welcome messages were claimed in one minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WelcomeWindow {
    /// The beginning of the minute.
    pub minute: DateTime<Utc>,
    /// The number of welcome messages.
    pub claimed: u32,
}

impl WelcomeWindow {
    /// The same minute, with so many more messages.
    pub const fn plus(self, claimed: u32) -> Self {
        Self {
            minute: self.minute,
            claimed: self.claimed.saturating_add(claimed),
        }
    }
}

/// A message that was claimed: it is being sent, by this attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimedMessage {
    /// The message.
    pub id: MessageId,
    /// Why it is sent.
    pub kind: MessageKind,
    /// The recipient's number.
    pub phone: Phone,
    /// The body, if it has been composed.
    pub body: Option<MessageBody>,
    /// The raffle and the referral code of a welcome message.
    pub welcome: Option<(Raffle, ReferralCode)>,
    /// The number of the attempt, from 1.
    pub attempt: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use strum::IntoEnumIterator;

    fn claim(second: i64) -> Claim {
        Claim {
            fence: Fence::new(1),
            limit: 50,
            welcome_per_minute: 60,
            welcomes_in_budget: 1_000,
            oldest_welcome: DateTime::UNIX_EPOCH,
            quiet: false,
            now: DateTime::UNIX_EPOCH + TimeDelta::seconds(second),
        }
    }

    #[test]
    fn welcome_messages_have_a_quota_per_minute() {
        let first = claim(10);
        assert_eq!(first.quotas(None).of(MessageKind::Welcome), 50);
        let window = first.welcome_window(None).plus(50);
        assert_eq!(claim(59).quotas(Some(window)).of(MessageKind::Welcome), 10);
        let full = window.plus(20);
        assert_eq!(claim(59).quotas(Some(full)).of(MessageKind::Welcome), 0);
        assert_eq!(claim(60).quotas(Some(full)).of(MessageKind::Welcome), 50);
        for kind in MessageKind::iter().filter(|kind| *kind != MessageKind::Welcome) {
            assert_eq!(claim(59).quotas(Some(full)).of(kind), 50, "{kind:?}");
        }
    }

    #[test]
    fn welcome_messages_end_with_the_budget_of_the_day() {
        let quotas = |welcomes_in_budget| {
            Claim {
                welcomes_in_budget,
                ..claim(0)
            }
            .quotas(None)
        };
        assert_eq!(quotas(7).of(MessageKind::Welcome), 7);
        assert_eq!(quotas(0).of(MessageKind::Welcome), 0);
        assert_eq!(quotas(0).of(MessageKind::Code), 50);
    }

    #[test]
    fn quiet_hours_let_only_codes_and_test_messages_through() {
        let quotas = Claim {
            quiet: true,
            ..claim(0)
        }
        .quotas(None);
        for kind in MessageKind::iter() {
            let expected = match kind {
                MessageKind::Code | MessageKind::Test => 50,
                _ => 0,
            };
            assert_eq!(quotas.of(kind), expected, "{kind:?}");
        }
    }
}
