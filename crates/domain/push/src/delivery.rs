use crate::{DeliveryId, Endpoint, MESSAGE_LIFE, PushOutcome, SubscriptionId, SubscriptionKeys};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::DrawingId;
use std::time::Duration;

/// How long the second attempt waits after the first one; each further one waits twice as long.
const FIRST_WAIT: TimeDelta = TimeDelta::seconds(30);
/// The longest wait between two attempts.
const LONGEST_WAIT: TimeDelta = TimeDelta::hours(4);

/// A message that waits to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// Its id.
    pub id: DeliveryId,
    /// Whom it goes to.
    pub subscription: SubscriptionId,
    /// Where it goes.
    pub endpoint: Endpoint,
    /// What it is encrypted with.
    pub keys: SubscriptionKeys,
    /// The drawing that it is about.
    pub drawing: DrawingId,
    /// The name of the prize that was drawn for.
    pub prize: String,
    /// When it was drawn.
    pub drawn_at: DateTime<Utc>,
    /// The attempts so far, the one that begins now included.
    pub attempts: u32,
}

impl Waiting {
    /// How long the message is still worth sending; `None` when it is too old.
    pub fn life_at(&self, now: DateTime<Utc>) -> Option<Duration> {
        let left = self.drawn_at + MESSAGE_LIFE - now;
        left.to_std().ok().filter(|left| left.as_secs() > 0)
    }
}

/// An attempt and what became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempt {
    /// The message.
    pub id: DeliveryId,
    /// Whom it went to.
    pub subscription: SubscriptionId,
    /// What is next.
    pub next: Next,
}

/// What is next after an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Nothing: it was taken, or it never will be.
    Done,
    /// Nothing, and this subscription gets no messages any more.
    Deactivate,
    /// Another attempt at this time.
    RetryAt(DateTime<Utc>),
}

/// What is next after an attempt at `now`.
pub fn next_step(waiting: &Waiting, outcome: PushOutcome, now: DateTime<Utc>) -> Next {
    match outcome {
        PushOutcome::Accepted | PushOutcome::Refused(_) => Next::Done,
        PushOutcome::Gone => Next::Deactivate,
        PushOutcome::Later { after } => {
            let asked = TimeDelta::from_std(after.unwrap_or_default()).unwrap_or(MESSAGE_LIFE);
            let at = now + asked.min(MESSAGE_LIFE).max(wait_after(waiting.attempts));
            match at < waiting.drawn_at + MESSAGE_LIFE {
                true => Next::RetryAt(at),
                false => Next::Done,
            }
        }
    }
}

fn wait_after(attempts: u32) -> TimeDelta {
    let doublings = attempts.saturating_sub(1).min(16);
    (FIRST_WAIT * (1 << doublings)).min(LONGEST_WAIT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn waiting(attempts: u32) -> Waiting {
        Waiting {
            id: DeliveryId::new(1),
            subscription: SubscriptionId::new(2),
            endpoint: Endpoint::from_stored("https://fcm.googleapis.com/x").unwrap(),
            keys: SubscriptionKeys::from_bytes([4; 65], [0; 16]).unwrap(),
            drawing: DrawingId::new(3),
            prize: "Mixology Kit".to_owned(),
            drawn_at: DateTime::UNIX_EPOCH,
            attempts,
        }
    }

    fn later(seconds: u64) -> PushOutcome {
        PushOutcome::Later {
            after: Some(Duration::from_secs(seconds)),
        }
    }

    #[test]
    fn what_was_taken_or_refused_is_done_and_a_subscription_that_is_gone_is_given_up() {
        let now = DateTime::UNIX_EPOCH;
        assert_eq!(next_step(&waiting(1), PushOutcome::Accepted, now), Next::Done);
        assert_eq!(next_step(&waiting(1), PushOutcome::Refused(413), now), Next::Done);
        assert_eq!(next_step(&waiting(1), PushOutcome::Gone, now), Next::Deactivate);
    }

    #[test]
    fn waits_double_and_are_as_long_as_the_push_service_asks() {
        let now = DateTime::UNIX_EPOCH;
        let none = PushOutcome::Later { after: None };
        let wait = |attempts, outcome| match next_step(&waiting(attempts), outcome, now) {
            Next::RetryAt(at) => (at - now).num_seconds(),
            next => panic!("{next:?}"),
        };
        assert_eq!([1, 2, 3].map(|attempts| wait(attempts, none)), [30, 60, 120]);
        assert_eq!(wait(40, none), 4 * 60 * 60);
        assert_eq!(wait(1, later(10)), 30);
        assert_eq!(wait(1, later(100)), 100);
    }

    #[test]
    fn nothing_is_sent_a_day_after_the_result() {
        let end = DateTime::UNIX_EPOCH + MESSAGE_LIFE;
        assert_eq!(
            next_step(&waiting(1), later(1), end - TimeDelta::seconds(30)),
            Next::Done
        );
        assert_eq!(waiting(1).life_at(end), None);
        assert_eq!(
            waiting(1).life_at(end - TimeDelta::hours(1)),
            Some(Duration::from_secs(3600))
        );
    }

    proptest! {
        #[test]
        fn a_retry_is_later_and_within_the_life(attempts in 1u32.., after in any::<u64>(), seconds in 0i64..100_000) {
            let now = DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds);
            if let Next::RetryAt(at) = next_step(&waiting(attempts), later(after), now) {
                prop_assert!(at > now && at < DateTime::UNIX_EPOCH + MESSAGE_LIFE);
            }
        }
    }
}
