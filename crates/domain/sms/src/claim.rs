use crate::{Fence, HoursNow, MessageBody, MessageId, MessageKind, SkipReason, SmsCountries, WaitingMessage};
use chrono::{DateTime, DurationRound, TimeDelta, Utc};
use kernel::{Phone, ReferralCode};
use raffle::RaffleKey;

/// How long a code is worth sending.
pub const CODE_LIFE: TimeDelta = TimeDelta::minutes(10);
/// How long a welcome message may wait, in time in which its recipient could have got it.
const WELCOME_LIFE: TimeDelta = TimeDelta::hours(24);

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
        }
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
}

impl ClaimQuotas {
    /// The largest number of messages of this kind.
    pub const fn of(self, kind: MessageKind) -> u32 {
        match kind {
            MessageKind::Welcome => self.welcome,
            MessageKind::Code | MessageKind::Test | MessageKind::Victory | MessageKind::Campaign => {
                self.limit
            }
        }
    }
}

/// Which numbers get messages, and when.
#[derive(Debug, Clone, Copy)]
pub struct RecipientRules<'a> {
    /// The countries whose numbers get messages.
    pub countries: &'a SmsCountries,
    /// The hours of the recipients. `None` if messages are sent at any hour.
    pub hours: Option<&'a HoursNow<'a>>,
}

/// Whether a pending message is sent now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is sent now.
    Send,
    /// It waits until then, because its recipient gets no message at this hour.
    Wait(DateTime<Utc>),
    /// It is never sent.
    Skip(SkipReason),
}

impl RecipientRules<'_> {
    /// Whether a pending message is sent at `now`.
    pub fn judge(&self, message: &WaitingMessage, now: DateTime<Utc>) -> Verdict {
        if let Some(reason) = message.skip() {
            return Verdict::Skip(reason);
        }
        if self.is_too_late(message, now) {
            return Verdict::Skip(SkipReason::TooLate);
        }
        if !self.countries.permit(&message.phone) {
            return Verdict::Skip(SkipReason::Country);
        }
        match self.wait(message.kind, &message.phone) {
            Some(until) => Verdict::Wait(until),
            None => Verdict::Send,
        }
    }

    /// Until when a message of this kind waits, because its recipient gets none at this hour.
    pub fn wait(&self, kind: MessageKind, phone: &Phone) -> Option<DateTime<Utc>> {
        let hours = self.hours.filter(|_| kind.keeps_hours())?;
        Some(hours.wait(phone)?.until)
    }

    fn is_too_late(&self, message: &WaitingMessage, now: DateTime<Utc>) -> bool {
        let queued_at = message.queued_at;
        match (message.kind, self.hours) {
            (MessageKind::Code, _) => now - queued_at >= CODE_LIFE,
            (MessageKind::Welcome, None) => now - queued_at >= WELCOME_LIFE,
            (MessageKind::Welcome, Some(hours)) => {
                hours.was_open_for(&message.phone, queued_at, WELCOME_LIFE)
            }
            _ => false,
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

/// What a claim found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Claimed {
    /// The messages to send.
    pub messages: Vec<ClaimedMessage>,
    /// How many others were skipped, or have to wait for their recipient's hours.
    pub held_back: usize,
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
    pub welcome: Option<(RaffleKey, ReferralCode)>,
    /// The number of the attempt, from 1.
    pub attempt: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RecipientHours;
    use chrono_tz::Tz;
    use strum::IntoEnumIterator;

    fn claim(second: i64) -> Claim {
        Claim {
            fence: Fence::new(1),
            limit: 50,
            welcome_per_minute: 60,
            welcomes_in_budget: 1_000,
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

    fn judge(hours: Option<&HoursNow<'_>>, kind: MessageKind, number: &str, waited: TimeDelta) -> Verdict {
        let rules = RecipientRules {
            countries: &SmsCountries::default(),
            hours,
        };
        rules.judge(&message(kind, number, waited), night())
    }

    fn message(kind: MessageKind, number: &str, waited: TimeDelta) -> WaitingMessage {
        WaitingMessage {
            kind,
            phone: Phone::from_e164(number).unwrap(),
            queued_at: night() - waited,
            is_erased: false,
            has_opted_out: false,
            welcome_is_active: None,
            campaign: None,
        }
    }

    /// 3:00 in New York, on a Wednesday.
    fn night() -> DateTime<Utc> {
        "2026-07-15T07:00:00Z".parse().unwrap()
    }

    #[test]
    fn at_night_only_codes_and_test_messages_are_sent() {
        let hours = RecipientHours::new(None, Tz::UTC).unwrap();
        let now = HoursNow::new(&hours, night());
        let morning = Verdict::Wait("2026-07-15T12:00:00Z".parse().unwrap());
        for kind in MessageKind::iter() {
            let expected = match kind {
                MessageKind::Code | MessageKind::Test => Verdict::Send,
                MessageKind::Welcome | MessageKind::Victory | MessageKind::Campaign => morning,
            };
            let minute = TimeDelta::minutes(1);
            assert_eq!(
                judge(Some(&now), kind, "+12125551234", minute),
                expected,
                "{kind:?}"
            );
            assert_eq!(
                judge(None, kind, "+12125551234", minute),
                Verdict::Send,
                "{kind:?}"
            );
            let refused = Verdict::Skip(SkipReason::Country);
            assert_eq!(
                judge(Some(&now), kind, "+18765551234", minute),
                refused,
                "{kind:?}"
            );
        }
    }

    #[test]
    fn a_message_that_waited_for_too_long_is_skipped() {
        let hours = RecipientHours::new(None, Tz::UTC).unwrap();
        let now = HoursNow::new(&hours, night());
        let late = Verdict::Skip(SkipReason::TooLate);
        for kind in MessageKind::iter() {
            let ten_minutes = judge(None, kind, "+12125551234", TimeDelta::minutes(10));
            assert_eq!(ten_minutes == late, kind == MessageKind::Code, "{kind:?}");
            let day = judge(None, kind, "+12125551234", TimeDelta::hours(24));
            let expires = matches!(kind, MessageKind::Code | MessageKind::Welcome);
            assert_eq!(day == late, expires, "{kind:?}");
        }
        // A welcome message could be sent in 13 hours of each day.
        let welcome = |hours| {
            judge(
                Some(&now),
                MessageKind::Welcome,
                "+12125551234",
                TimeDelta::hours(hours),
            )
        };
        assert_eq!((welcome(24) == late, welcome(48) == late), (false, true));
    }

    #[test]
    fn who_has_opted_out_is_skipped_for_that_even_if_it_is_too_late() {
        let rules = RecipientRules {
            countries: &SmsCountries::default(),
            hours: None,
        };
        let mut late = message(MessageKind::Code, "+18765551234", CODE_LIFE);
        assert_eq!(rules.judge(&late, night()), Verdict::Skip(SkipReason::TooLate));
        late.has_opted_out = true;
        assert_eq!(rules.judge(&late, night()), Verdict::Skip(SkipReason::OptedOut));
    }
}
