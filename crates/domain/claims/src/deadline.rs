use chrono::{DateTime, TimeDelta, Utc};

/// How long a winner has, from the first text that arrived or from the first call that was noted.
pub const CLAIM_PERIOD: TimeDelta = TimeDelta::days(14);
/// When the winner is reminded: after half and after six sevenths of the time.
pub const REMINDERS: [TimeDelta; 2] = [TimeDelta::days(7), TimeDelta::days(12)];

/// The time that a winner has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadline {
    /// When it began. A pause moves it, so that it always lies [`CLAIM_PERIOD`] before the end.
    pub started_at: DateTime<Utc>,
}

impl Deadline {
    /// A deadline that begins now.
    pub const fn starting(now: DateTime<Utc>) -> Self {
        Self { started_at: now }
    }

    /// When it ends.
    pub fn expires_at(self) -> DateTime<Utc> {
        self.started_at + CLAIM_PERIOD
    }

    /// Whether it has ended.
    pub fn has_passed(self, now: DateTime<Utc>) -> bool {
        now >= self.expires_at()
    }

    /// The deadline after a pause of this length.
    #[must_use]
    pub fn moved(self, pause: TimeDelta) -> Self {
        Self {
            started_at: self.started_at + pause.max(TimeDelta::zero()),
        }
    }

    /// How many reminders are due by now, of [`REMINDERS`].
    pub fn reminders_due(self, now: DateTime<Utc>) -> u32 {
        let due = REMINDERS.iter().filter(|after| now >= self.started_at + **after);
        u32::try_from(due.count()).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(n: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::days(n)
    }

    #[test]
    fn a_winner_has_14_days_and_two_reminders() {
        let deadline = Deadline::starting(day(0));
        assert_eq!(deadline.expires_at(), day(14));
        let due: Vec<u32> = [0, 6, 7, 11, 12, 14]
            .map(|n| deadline.reminders_due(day(n)))
            .into();
        assert_eq!(due, [0, 0, 1, 1, 2, 2]);
        assert!(!deadline.has_passed(day(14) - TimeDelta::microseconds(1)));
        assert!(deadline.has_passed(day(14)));
    }

    #[test]
    fn reminders_come_after_half_and_six_sevenths_of_the_time() {
        assert_eq!(REMINDERS[0] * 2, CLAIM_PERIOD);
        assert_eq!(REMINDERS[1] * 7, CLAIM_PERIOD * 6);
    }

    #[test]
    fn a_pause_moves_the_deadline_and_the_reminders() {
        let moved = Deadline::starting(day(0)).moved(TimeDelta::days(3));
        assert_eq!(moved.expires_at(), day(17));
        assert_eq!(moved.reminders_due(day(9)), 0);
        assert_eq!(
            Deadline::starting(day(0)).moved(TimeDelta::days(-1)).expires_at(),
            day(14)
        );
    }
}
