//! The limits of one-time codes that confirm something about a number that has entered.

use chrono::{DateTime, TimeDelta, Utc};

/// How long a code is valid. A new one ends the one before.
pub const CODE_LIFE: TimeDelta = TimeDelta::minutes(10);
/// How long to wait before another code is sent.
pub const RESEND_AFTER: TimeDelta = TimeDelta::minutes(1);
/// Codes for one claim, or for one entrant's requests for data, in 24 hours.
pub const PER_DAY: usize = 10;
/// Wrong tries that end a code. They end that code only.
pub const TRIES: u32 = 5;

const DAY: TimeDelta = TimeDelta::days(1);

/// How long to wait until another code may be sent; `None` if it may be sent now. `sent` are the times of the codes
/// in the last 24 hours, in any order; there may be `per_day` of them.
pub fn wait_for_code(sent: &[DateTime<Utc>], per_day: usize, now: DateTime<Utc>) -> Option<TimeDelta> {
    let mut sent = sent.to_vec();
    sent.sort_unstable();
    let after_last = sent.last().map(|last| *last + RESEND_AFTER);
    let full = sent.len().checked_sub(per_day).and_then(|n| sent.get(n));
    let after_day = full.map(|first| *first + DAY);
    let until = after_last.into_iter().chain(after_day).max()?;
    (until > now).then(|| until - now)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::seconds(second)
    }

    /// The moments at which a code is sent when somebody asks every second.
    fn granted(seconds: i64) -> Vec<i64> {
        let mut sent: Vec<DateTime<Utc>> = Vec::new();
        for second in 0..seconds {
            sent.retain(|code| *code > at(second) - DAY);
            if wait_for_code(&sent, PER_DAY, at(second)).is_none() {
                sent.push(at(second));
            }
        }
        sent.iter().map(|code| (*code - at(0)).num_seconds()).collect()
    }

    #[test]
    fn a_claim_gets_one_code_a_minute_and_ten_a_day() {
        let day = 24 * 60 * 60;
        assert_eq!(granted(3_600), (0..10).map(|n| n * 60).collect::<Vec<_>>());
        assert_eq!(
            granted(day + 100).len(),
            10,
            "the eleventh takes the place of the first"
        );
        assert_eq!(*granted(day + 100).last().unwrap(), day + 60);
    }

    #[test]
    fn the_wait_ends_exactly_when_a_code_may_be_sent() {
        assert_eq!(
            wait_for_code(&[at(0)], PER_DAY, at(20)),
            Some(TimeDelta::seconds(40))
        );
        assert_eq!(wait_for_code(&[at(0)], PER_DAY, at(60)), None);
        let ten: Vec<_> = (0..10).map(|n| at(n * 100)).collect();
        assert_eq!(
            wait_for_code(&ten, PER_DAY, at(1_000)),
            Some(DAY - TimeDelta::seconds(1_000))
        );
    }
}
